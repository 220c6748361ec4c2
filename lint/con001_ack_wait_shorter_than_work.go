package lint

import (
	"fmt"
	"math"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON001",
	Name:     "ack-wait-shorter-than-work",
	Severity: design.Warning,
	Title:    "ack_wait ends before the work does, so a message is handled twice at the same time.",
	Why: "ack_wait counts from the delivery, not from the start of the handler (server/consumer.go, v2.15.2; measured). When it ends the server gives " +
		"the message to whoever asks next, while the first worker is still busy; both acks are accepted and nobody is told. In a fetched batch the " +
		"last message waits for all those before it.",
	Fix: "Give ack_wait more than the slowest handler needs, waiting in the batch included; or send in-progress acks in less than half of ack_wait, " +
		"and fetch less than the workers do in that time.",
	Refs:  []string{"ADR-13", "server/consumer.go"},
	Proof: "ack-wait-too-short",
	Check: func(f *Facts) { f.Consumers(f.ackWaitShort) },
})

// worthSaying is the least share of messages that a finding is made of: below
// one in ten thousand the tail of a distribution is a guess.
const worthSaying = 1e-4

func (f *Facts) ackWaitShort(c *Consumer) {
	if !c.Acks() {
		return
	}
	if len(c.Workers) == 0 {
		f.Need("the workers of a consumer, with their service_time")
		return
	}
	wait, path := c.AckWait()
	for _, w := range c.Workers {
		if w.InProgress > 0 && w.InProgress < wait {
			continue // each ack in progress starts ack_wait anew
		}
		share, known := Share(w.ServiceTime, wait)
		if !known {
			f.Need("service_time of the workers")
			continue
		}
		if share *= c.shareOf(w); share >= worthSaying {
			f.workOutlastsAckWait(c, w, wait, path, share)
		}
		if share < worthSaying || AssumedTail(w.ServiceTime, float64(wait)) != "" {
			f.batchOutlastsAckWait(c, w, wait, path)
		}
	}
}

func (f *Facts) workOutlastsAckWait(c *Consumer, w *design.Workers, wait time.Duration, path string, share float64) {
	p99, _ := P99(w.ServiceTime)
	tail := AssumedTail(w.ServiceTime, float64(wait))
	what := fmt.Sprintf("ends before %s of the messages are done (99 %% are in %s%s): these are delivered again while the first worker is still at them",
		percent(share), size.FormatDuration(p99), ifTail(tail))
	switch mean, _ := Mean(w.ServiceTime); {
	case len(c.Workers) > 1 && tail == "" && w.ServiceTime.P99Value() == float64(mean):
		what = fmt.Sprintf("ends before the %s that each message takes in group %s, which gets %s of them: these are delivered again while the first worker is still at them",
			design.FormatDuration(int64(p99)), clip(w.Name), percent(share))
	case len(c.Workers) > 1:
		what = fmt.Sprintf("ends before %s of the messages are done, those that group %s is slow at (99 %% of what it gets are in %s%s): they are delivered again while the first worker is still at them",
			percent(share), clip(w.Name), size.FormatDuration(p99), ifTail(tail))
	case share == 1:
		what = fmt.Sprintf("ends before the %s that each message takes: all of them are delivered again while the first worker is still at them",
			design.FormatDuration(int64(p99)))
	}
	enough := design.FormatDuration(int64(longEnough(w.ServiceTime, p99)))
	write := "write at least " + enough + ", or let the workers send in-progress acks"
	if w.InProgress > 0 {
		what += fmt.Sprintf(", as their in-progress acks, every %s, come too late", design.FormatDuration(int64(w.InProgress)))
		write = "write in_progress: " + design.FormatDuration(int64(roundUp(wait/3))) + ", or at least " + enough
	}
	f.Report(path, Said{What: what, Value: design.FormatDuration(int64(wait)) + ", the default",
		Write: write, Severity: severityOf(tail),
		Fix:    f.oneOf("Write ack_wait: "+enough, toWrite{path, enough}),
		Figure: &Figure{"messages handled twice", share, "share", Computed}})
}

// longEnough is twice the 99th percentile, or more where a long tail would still
// be worth saying.
func longEnough(d design.Distribution, p99 time.Duration) time.Duration {
	enough := roundUp(2 * p99)
	for range 20 { // a tail that is longer than that needs signals of progress
		if share, known := Share(d, enough); !known || share < worthSaying {
			break
		}
		enough = roundUp(enough * 3 / 2)
	}
	return enough
}

// wantedAckWait is the longest ack_wait that CON001 asks for where workers send no
// signals of progress.
func wantedAckWait(workers []*design.Workers) (wait time.Duration) {
	for _, w := range workers {
		p99, known := P99(w.ServiceTime)
		if span, _ := batchTime(w); known && w.InProgress == 0 {
			wait = max(wait, longEnough(w.ServiceTime, p99), roundUp(2*span))
		}
	}
	return wait
}

// shareOf is the share of the messages that a group of workers takes while all are
// busy: its part of what they finish. A group alone takes all of them.
func (c *Consumer) shareOf(w *design.Workers) float64 {
	all, known := c.PerSecond()
	mean, ok := Mean(w.ServiceTime)
	if len(c.Workers) < 2 || !known || !ok || all <= 0 {
		return 1
	}
	return float64(w.Count*w.Concurrency) / mean.Seconds() / all
}

// batchOutlastsAckWait looks at the messages that wait in the worker's hands.
func (f *Facts) batchOutlastsAckWait(c *Consumer, w *design.Workers, wait time.Duration, path string) {
	mean, known := Mean(w.ServiceTime)
	if !known || mean <= 0 || c.IsPush() || w.Fetch <= w.Concurrency {
		return
	}
	inTime := float64(w.Concurrency) * math.Floor(float64(wait)/float64(mean))
	exposed := (1 - inTime/float64(w.Fetch)) * c.shareOf(w)
	if exposed < worthSaying {
		return
	}
	whole := time.Duration(math.Ceil(float64(w.Fetch)/float64(w.Concurrency))) * mean
	wanted := "ack_wait: " + design.FormatDuration(int64(roundUp(2*whole)))
	if len(c.Config.BackOff) > 0 { // its first step takes the place of ack_wait
		wanted = "a first step of backoff of " + design.FormatDuration(int64(roundUp(2*whole)))
	}
	write := "write " + wanted
	if half := int(inTime / 2); half > 0 {
		write = fmt.Sprintf("write fetch: %d or less, or %s", half, wanted)
	}
	f.Report(path, Said{
		What: fmt.Sprintf("is over before a batch of %d is: at %s a message and %d at a time the last ones wait %s. At most %s of the messages are delivered twice, when full batches are fetched",
			w.Fetch, design.FormatDuration(int64(mean)), w.Concurrency, design.FormatDuration(int64(whole)), percent(exposed)),
		Value:  design.FormatDuration(int64(wait)) + ", the default",
		Write:  write,
		Figure: &Figure{"messages handled twice", exposed, "share", Bound}})
}

// percent writes a share for people: 0.25 is "25 %", 0.0123 is "1.2 %".
func percent(share float64) string {
	p := share * 100
	switch {
	case p >= 10 || p == math.Trunc(p):
		return fmt.Sprintf("%.0f %%", p)
	case p >= 0.1:
		return fmt.Sprintf("%.1f %%", p)
	}
	return fmt.Sprintf("%.2g %%", p)
}

// roundUp makes a duration one that people write: two digits of its unit.
func roundUp(d time.Duration) time.Duration {
	for _, unit := range []time.Duration{time.Hour, time.Minute, time.Second, time.Millisecond} {
		if d >= 2*unit {
			return (d + unit - 1) / unit * unit
		}
	}
	return d
}
