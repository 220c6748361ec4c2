package interview

import (
	"fmt"
	"math"
	"strings"

	"weir/design"
	"weir/size"
)

// Numbers are four numbers as they were written, as a design file has them: what
// is published, how big a payload is, how many workers there are, and how long the
// work on a message takes.
type Numbers struct {
	Rate    string `json:"rate"`
	Size    string `json:"size"`
	Workers string `json:"workers"`
	Work    string `json:"work"`
}

// ExampleNumbers are what a form opens with.
func ExampleNumbers() Numbers {
	return Numbers{Rate: "120/s", Size: "1.2KiB", Workers: "4", Work: "20ms"}
}

// mostAtATime is what one worker is given at a time.
const mostAtATime = 10_000

const numbersDraft = `# Orders, from four numbers. A comment says why a value is as it is, where nobody asked for it.
weir: 1
name: orders
server: {version: %q, nodes: 3}

streams:
  ORDERS:
    subjects: [orders.*]
    max_age: 24h # a day to find out and to repair; four numbers do not say it
    consumers:
      work:
        ack_policy: explicit
        workers:
          count: %d
          concurrency: %d # so that they are busy for %s of the time
          service_time: {mean: %s}
  DEAD:
    subjects: [dead.ORDERS.*]
    max_age: 720h # a month for somebody to look at what no worker could handle
    max_bytes: 256MiB # a bound, whatever happens

publishers:
  shop:
    subject: orders.{event}
    tokens: {event: [created, paid, sent]}
    rate: %s
    payload: %s
    msg_id: uuid # a retry is then recognised
    mode: async
`

// FromNumbers makes a small complete design of four numbers: a publisher, a stream,
// the workers of a consumer and a stream of dead letters. What four numbers leave
// open has its reason beside it; how long messages are kept is one of them.
func FromNumbers(n Numbers) (Result, []Fault) {
	trim(&n.Rate, &n.Size, &n.Workers, &n.Work)
	ask := &asker{}
	rate := value(ask, "rate", n.Rate, true, design.ParseRate)
	payload := value(ask, "size", n.Size, true, design.ParseSize)
	workers := value(ask, "workers", n.Workers, true, count(mostWorkers))
	work := value(ask, "work", n.Work, true, design.ParseDuration)
	if len(ask.faults) == 0 {
		switch {
		case rate <= 0:
			ask.refuse("rate", "%q publishes nothing", n.Rate)
		case payload > maxPayload:
			ask.refuse("size", "%s is more than the 1MiB that a server takes (max_payload)", n.Size)
		case work <= 0:
			ask.refuse("work", "%q is no time; write at least 1us", n.Work)
		}
	}
	if len(ask.faults) > 0 {
		return Result{}, ask.faults
	}
	busy := rate * float64(work) / 1e9
	atATime := max(math.Ceil(busy/busyAtMost/float64(workers)), 1)
	if atATime > mostAtATime {
		return Result{}, []Fault{{"workers", fmt.Sprintf("each would have to handle %.0f messages at a time; have more workers, or make the work quicker", atATime)}}
	}
	text, taken, err := taken(fmt.Sprintf(numbersDraft, defaultVersion, workers, int(atATime), size.Share.Format(busy/atATime/float64(workers)), n.Work, n.Rate, n.Size))
	if err != nil {
		return Result{}, []Fault{{"rate", err.Error()}}
	}
	return Result{Text: strings.TrimLeft(text, "\n"), Advised: taken}, nil
}
