package lint

import (
	"fmt"
	"time"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "STR021",
	Name:     "unit-looks-wrong",
	Severity: design.Warning,
	Title:    "A value is so small that it was probably meant in another unit.",
	Why: "The JetStream API counts durations in nanoseconds and sizes in bytes, and takes 30 for an ack_wait of 30 ns as gladly as anything (server/consumer.go, " +
		"v2.15.2: no least ack_wait; measured). Every message is then redelivered before it has been read.",
	Fix:   "Write nanoseconds: 30 s is 30000000000. In a design file write 30s.",
	Refs:  []string{"server/consumer.go", "server/stream.go"},
	Check: func(f *Facts) { f.unitsThatLookWrong() },
})

const (
	// leastWait is below any round trip between a server and its clients.
	leastWait = 100 * time.Microsecond
	// leastBytes holds one message without payload at most.
	leastBytes = 64
	// longestWait is above what anybody waits for an ack.
	longestWait = 7 * 24 * time.Hour
	// littleWait is less than most handlers and a round trip take.
	littleWait = 100 * time.Millisecond
)

func (f *Facts) unitsThatLookWrong() {
	f.Consumers(func(c *Consumer) {
		if len(c.Config.BackOff) == 0 {
			f.shortWait(design.Join(c.Path, "ack_wait"), c.Config.AckWait, "the server takes each message back before a worker can have it")
		}
		for i, d := range c.Config.BackOff {
			f.shortWait(design.Index(design.Join(c.Path, "backoff"), i), d, "the server takes each message back before a worker can have it")
		}
		if w := c.Config.AckWait; len(c.Config.BackOff) == 0 && len(c.Workers) == 0 && w >= leastWait && w < littleWait {
			meant := design.FormatDuration(int64(w) * 1000)
			f.Report(design.Join(c.Path, "ack_wait"), Said{Severity: design.Info, Figure: &Figure{"wait", w.Seconds(), "s", Computed},
				What:  "is very short: a worker that needs longer, the way there and back included, gets the message again while it is at it",
				Write: "write " + f.spelled(design.Join(c.Path, "ack_wait"), meant, int64(w)*1000) + " if it was counted in microseconds: the API takes nanoseconds"})
		}
		f.shortWait(design.Join(c.Path, "inactive_threshold"), c.Config.InactiveThreshold, "the consumer is deleted between two requests")
		if w := c.Config.AckWait; w > longestWait {
			f.Report(design.Join(c.Path, "ack_wait"), Said{Value: design.FormatDuration(int64(w)), Write: "write seconds or minutes; workers that need longer say in progress",
				What: fmt.Sprintf("is how long the message of a worker that died is missing: %s", days(w)), Figure: &Figure{"time until redelivery", w.Seconds(), "s", Computed}})
		}
	})
	f.AcceptedStreams(func(s *Stream) {
		if n := s.Config.MaxBytes; n > 0 && n < leastBytes && s.Kind == "stream" && f.Has(design.Join(s.Path, "max_bytes")) {
			f.Report(design.Join(s.Path, "max_bytes"), Said{What: fmt.Sprintf("is %s, and a message takes 30 bytes beside its subject and payload: at most %d fit", counted(int(n), "byte"), n/30),
				Write: "write " + f.spelled(design.Join(s.Path, "max_bytes"), "10GiB", 10<<30), Figure: &Figure{"messages that fit", float64(n / 30), "msgs", Bound}})
		}
	})
}

func (f *Facts) shortWait(path string, d time.Duration, harm string) {
	if d <= 0 || d >= leastWait {
		return
	}
	// 30 was meant as seconds, 30000 as milliseconds.
	unit, meant := "seconds", time.Second
	if d >= time.Microsecond {
		unit, meant = "milliseconds", time.Millisecond
	}
	seconds := design.FormatDuration(int64(d) * int64(meant))
	said := Said{What: fmt.Sprintf("is %d nanoseconds: %s", int64(d), harm), Write: "write " + f.spelled(path, seconds, int64(d)*int64(meant)) + " if " + unit + " were meant", Figure: &Figure{"wait", d.Seconds(), "s", Computed}}
	if d < time.Microsecond {
		if said.Fix = f.SetFix("Write "+seconds, path, seconds); said.Fix != nil {
			said.Fix.Guess = true
		}
	}
	f.Report(path, said)
}

// spelled is a value as the text at a path takes it: a number of nanoseconds or
// bytes in the API's own notation.
func (f *Facts) spelled(path, text string, n int64) string {
	if v, ok := f.Value(path); ok && v.Node.Src != nil && v.Node.Src.API {
		return fmt.Sprintf("%d (%s)", n, text)
	}
	return text
}

func days(d time.Duration) string { return fmt.Sprintf("%.0f days", d.Hours()/24) }
