package lint

import (
	"fmt"
	"math"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON023",
	Name:     "one-at-a-time",
	Severity: design.Warning,
	Title:    "With max_ack_pending 1 every message waits for the one before it, and a failing one for all its tries.",
	Why: "max_ack_pending 1 keeps the order and makes a queue with one place: at most 1 / (work + round trip) messages a second pass (server/consumer.go, v2.15.2; measured), however many " +
		"workers there are. A message that fails blocks all others until it is acked, termed or out of tries.",
	Fix:   "Split the subjects over more consumers, each in its own order; term or park what keeps failing.",
	Refs:  []string{"server/consumer.go", "nats-server issues 2043 and 4273"},
	Check: func(f *Facts) { f.Consumers(f.oneAtATime) },
})

func (f *Facts) oneAtATime(c *Consumer) {
	if c.Config.MaxAckPending != 1 || !c.Acks() {
		return
	}
	if len(c.Workers) == 0 {
		f.waitInLine(c)
		return
	}
	path, load := design.Join(c.Path, "max_ack_pending"), c.Load()
	mean, ok := Mean(c.Workers[0].ServiceTime)
	if ok && mean > 0 && load.Low > 1/mean.Seconds() {
		most := 1 / mean.Seconds()
		f.Report(path, Said{
			What:   fmt.Sprintf("lets at most %.4g messages a second through at %s each, and %.4g arrive: num_pending grows by %s a day", most, size.FormatDuration(mean), load.Low, messages((load.Low-most)*86400)),
			Write:  c.moreInOrder(1.25 * load.Low / most),
			Figure: &Figure{"throughput at most", most, "msg/s", Bound}})
	}
	blocked, endless := blockedTime(c)
	if blocked == 0 && !endless {
		f.headOfLine(c, mean)
		return
	}
	said := Said{Write: "term or park what keeps failing, or split the subjects over more consumers",
		What: fmt.Sprintf("lets a message that keeps failing block all others for %s, which is how long its tries take", size.FormatDuration(blocked))}
	said.Figure = &Figure{"time blocked by one message", blocked.Seconds(), "s", Computed}
	if endless {
		said.What, said.Figure = "lets a message that keeps failing block all others for ever, as max_deliver has no end", &Figure{"messages that pass", 0, "msg/s", Computed}
	} else if load.Known {
		said.What += fmt.Sprintf("; %s come in meanwhile", messages(load.Low*blocked.Seconds()))
	}
	f.Report(path, said)
}

// waitInLine is about a consumer of which only consumer info is known.
func (f *Facts) waitInLine(c *Consumer) {
	const few = 1_000 // wait for a moment at every consumer
	waiting, ok := f.Observed(c.Path, "num_pending")
	if !ok || waiting < few {
		return
	}
	f.Report(design.Join(c.Path, "max_ack_pending"), Said{
		What:   fmt.Sprintf("lets one message through at a time, and %s wait", messages(float64(waiting))),
		Write:  "see whether num_pending grows; where order does not matter write max_ack_pending: 1000, else split the subjects over more consumers",
		Figure: &Figure{"messages that wait", float64(waiting), "msgs", Computed}})
}

// headOfLine says what a consumer that keeps up is bound to, once for consumers of a
// stream that are alike: the first of those that take one message at a time.
func (f *Facts) headOfLine(c *Consumer, mean time.Duration) {
	if mean <= 0 || c.Load().Low > 1/mean.Seconds() {
		return
	}
	alike := 0
	for _, other := range c.Of.Consumers {
		if other.Accepted && other.Config.MaxAckPending == 1 {
			if alike++; alike == 1 && other != c {
				return
			}
		}
	}
	most := 1 / mean.Seconds()
	what := fmt.Sprintf("lets at most %.4g messages a second through at %s each, less the round trip", most, size.FormatDuration(mean))
	if alike > 1 {
		what += fmt.Sprintf(", as in %s of this stream: another count of partitions maps keys anew", counted(alike, "consumer"))
	}
	f.Report(design.Join(c.Path, "max_ack_pending"), Said{Severity: design.Info, What: what, Write: "choose the count of partitions for the peak rate",
		Figure: &Figure{"throughput at most", most, "msg/s", Bound}})
}

// moreInOrder is the remedy for a consumer that takes one message at a time and
// needs so many times its room.
func (c *Consumer) moreInOrder(times float64) string {
	shape, _ := partitionOf(c)
	partitions := 0
	for _, other := range c.Of.Consumers {
		if s, _ := partitionOf(other); s == shape && shape != "" {
			partitions++
		}
	}
	if partitions > 1 {
		return fmt.Sprintf("make %d partitions or more, each with a consumer", whole(math.Ceil(times*float64(partitions))))
	}
	return fmt.Sprintf("split the subjects over %d consumers or more", whole(math.Ceil(times)))
}

// blockedTime is how long one message takes that fails all its tries, by the
// slowest way in which workers fail: a nak's delay, or ack_wait where they say
// nothing. endless is true when max_deliver does not end it.
func blockedTime(c *Consumer) (blocked time.Duration, endless bool) {
	for _, w := range c.Workers {
		for _, e := range w.Errors {
			if e.Rate <= 0 || !e.Redelivers() {
				continue
			}
			if c.Config.MaxDeliver <= 0 {
				return 0, true
			}
			var all time.Duration
			for n := range min(c.Config.MaxDeliver, 10_000) {
				if e.WaitsOut() {
					all += waitOf(c, n)
				} else if n < c.Config.MaxDeliver-1 {
					all += e.Delay
				}
			}
			blocked = max(blocked, all)
		}
	}
	return blocked, false
}
