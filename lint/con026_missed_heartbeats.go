package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON026",
	Name:     "missed-heartbeats",
	Severity: design.Warning,
	Title:    "The heartbeat of the fetches does not fit their expiry, or the work that blocks the client.",
	Why: "A pull request with a heartbeat above half of its expiry is refused with 400 (server/consumer.go, v2.15.2; measured). A client that hears nothing for two heartbeats gives " +
		"the request up as lost; one whose only thread is at work hears nothing.",
	Fix:   "Let fetches expire after 30 s with a heartbeat of 15 s or less, above half of the longest work; or work on another thread.",
	Refs:  []string{"server/consumer.go", "ADR-37", "nats.node issue 649"},
	Check: func(f *Facts) { f.Consumers(f.heartbeats) },
})

// fetchExpires is how long a fetch waits where the design does not say.
const fetchExpires = 30 * time.Second

// heartbeats reports a heartbeat that the server refuses each fetch for, with 400, as an
// error; one that a busy client does not hear as a warning.
func (f *Facts) heartbeats(c *Consumer) {
	for _, w := range c.Workers {
		if w.Heartbeat <= 0 || c.IsPush() {
			continue
		}
		path := design.Join(w.Path, "heartbeat")
		expires := w.Expires
		if expires == 0 {
			expires = fetchExpires
		}
		if w.Heartbeat > expires/2 {
			f.Report(path, Said{Severity: design.Error,
				What:   fmt.Sprintf("is more than half of expires, %s: each fetch is refused with 400 heartbeat value too large", size.FormatDuration(expires)),
				Write:  fmt.Sprintf("write %s or less", design.FormatDuration(int64(expires/2))),
				Figure: &Figure{"longest heartbeat", (expires / 2).Seconds(), "s", Computed}})
			continue
		}
		share, known := Share(w.ServiceTime, 2*w.Heartbeat)
		if !known {
			f.Need("service_time of the workers")
			continue
		}
		if share < worthSaying || w.Concurrency > 1 {
			continue
		}
		write := "write expires: 30s and heartbeat: 15s, or work on another thread"
		if longer, known := Share(w.ServiceTime, fetchExpires); w.Heartbeat >= fetchExpires/2 || known && longer >= worthSaying {
			write = "let the work go on on another thread, so that the client hears the heartbeats"
		}
		tail := AssumedTail(w.ServiceTime, float64(2*w.Heartbeat))
		f.Report(path, Said{Severity: severityOf(tail),
			What: fmt.Sprintf("is missed twice, after %s, by %s of the messages, whose work takes longer%s: where that blocks the client's only thread, it gives the fetch up as lost",
				size.FormatDuration(2*w.Heartbeat), percent(share), ifTail(tail)),
			Write:  write,
			Figure: &Figure{"silence that a client bears", (2 * w.Heartbeat).Seconds(), "s", Computed}})
	}
}
