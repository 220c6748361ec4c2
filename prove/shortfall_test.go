package prove

import (
	"strings"
	"testing"
	"time"

	"weir/design"
)

// TestShortfall: a goal that depends on the load is judged only by a run that had
// it, and a loss is one whatever the load.
func TestShortfall(t *testing.T) {
	const slow, usual = "SLOW", "USUAL"
	for _, tc := range []struct {
		name      string
		sent      int64
		due       float64
		stream    string // of the consumer
		goal      wanted
		twice     bool
		lost      int64
		verdict   string
		published float64
	}{
		{"as due", 3000, 3000, slow, wanted{"goals.latency_p99", "latency_p99", 1e9}, false, 0, Met, 0},
		{"chance", 2900, 3000, slow, wanted{"goals.latency_p99", "latency_p99", 1e9}, false, 0, Met, 0},
		{"few messages", 5, 8, slow, wanted{"goals.latency_p99", "latency_p99", 1e9}, false, 0, Met, 0},
		{"a latency of less load", 1706, 3000, slow, wanted{"goals.latency_p99", "latency_p99", 1e9}, false, 0, NotComparable, 0.63},
		{"a latency that is missed all the same", 1706, 3000, slow, wanted{"goals.latency_p99", "latency_p99", 1}, false, 0, NotComparable, 0.63},
		{"a share of less load", 1706, 3000, slow, wanted{"goals.handled_twice", "handled_twice", 0.01}, false, 0, NotComparable, 0.63},
		{"no loss under less load", 1706, 3000, slow, wanted{"goals.lost", "lost", 0}, false, 0, NotComparable, 0.63},
		{"a loss under less load", 1706, 3000, slow, wanted{"goals.lost", "lost", 0}, false, 3, Missed, 0.63},
		{"another stream", 1706, 3000, usual, wanted{"goals.latency_p99", "latency_p99", 1e9}, false, 0, Met, 0.63},
		{"a stream that nobody publishes into itself", 1706, 3000, "COPY", wanted{"goals.latency_p99", "latency_p99", 1e9}, false, 0, NotComparable, 0.63},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := &designRun{}
			w := &workload{r: r, span: 5 * time.Second, time: 1, rate: 1, workerShare: 1}
			streams := map[string]*loadStream{}
			for _, name := range []string{slow, usual, "COPY"} {
				streams[name] = &loadStream{}
			}
			w.publishers = []*loadPublisher{{Publisher: &design.Publisher{Name: "shop"}, w: w, stream: streams[slow], sent: tc.sent, due: tc.due},
				{Publisher: &design.Publisher{Name: "notifier"}, w: w, stream: streams[usual], sent: 500, due: 500}}
			c := &loadConsumer{stream: streams[tc.stream], latency: newHistogram(), acked: map[uint64]int{1: 1}, expected: 100, lost: tc.lost}
			if err := c.latency.RecordValue(1000); err != nil {
				t.Fatal(err)
			}
			g := r.judge(w, c, tc.goal)
			if g.Verdict != tc.verdict {
				t.Errorf("%s (%s), want %s", g.Verdict, g.Why, tc.verdict)
			}
			if g.Verdict == NotComparable && !strings.Contains(g.Why, "messages that were due were published: this machine") {
				t.Errorf("says %q", g.Why)
			}
			r.e.Scaling = w.law()
			w.noteShortfall()
			if r.e.Scaling.Published != tc.published || (r.e.Shortfall() == "") != (tc.published == 0) {
				t.Errorf("published %v, %q", r.e.Scaling.Published, r.e.Shortfall())
			}
		})
	}
}

// TestAccrue: what is due follows the rate as it was.
func TestAccrue(t *testing.T) {
	start := time.Now()
	p := &loadPublisher{Publisher: &design.Publisher{Rate: 100}, w: &workload{time: 2, rate: 0.5}}
	p.accrue(start)
	p.accrue(start.Add(time.Second))
	p.burst = 1000
	p.accrue(start.Add(3 * time.Second))
	if p.due != 2100 {
		t.Errorf("%v due, want 2100", p.due)
	}
}
