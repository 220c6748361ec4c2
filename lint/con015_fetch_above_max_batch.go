package lint

import (
	"cmp"
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON015",
	Name:     "fetch-above-max-batch",
	Severity: design.Warning,
	Title:    "The workers ask for more than the consumer's max_batch, max_bytes or max_expires allow, so every fetch is refused.",
	Why: "A pull request beyond max_batch, max_bytes or max_expires is answered with status 409 and gets no message (server/consumer.go, v2.15.2: " +
		"Exceeded MaxRequestBatch, MaxRequestMaxBytes, MaxRequestExpires). Some clients show that as an empty fetch.",
	Fix:   "Let the workers ask for what is allowed, or raise the limit of the consumer.",
	Refs:  []string{"ADR-13", "server/consumer.go", "nats.java issue 1269"},
	Check: func(f *Facts) { f.Consumers(f.fetchRefused) },
})

// fetchRefused reports errors, as the server refuses: it answers every such request with
// a 409 and delivers nothing, so that the consumer is as good as not made. How long a
// fetch waits where nobody says is up to the client library, and a warning.
func (f *Facts) fetchRefused(c *Consumer) {
	for _, w := range c.Workers {
		if limit := c.Config.MaxRequestBatch; limit > 0 && w.Fetch > limit {
			f.Report(design.Join(w.Path, "fetch"), Said{Severity: design.Error,
				What:   fmt.Sprintf("is more than max_batch: %d: each fetch is refused with 409 Exceeded MaxRequestBatch", limit),
				Write:  fmt.Sprintf("write fetch: %d or less, or a larger max_batch", limit),
				Figure: &Figure{"messages that a fetch may ask for", float64(limit), "msgs", Computed}})
		}
		if limit := c.Config.MaxRequestExpires; limit > 0 && cmp.Or(w.Expires, fetchExpires) > limit {
			path, severity := design.Join(w.Path, "expires"), design.Error
			if !f.Has(path) {
				severity = design.Warning
			}
			f.Report(path, Said{Severity: severity, Value: design.FormatDuration(int64(fetchExpires)) + ", the default",
				What:   fmt.Sprintf("is more than max_expires: %s: each fetch is refused with 409 Exceeded MaxRequestExpires", design.FormatDuration(int64(limit))),
				Write:  fmt.Sprintf("write expires: %s or less, or a longer max_expires", design.FormatDuration(int64(limit))),
				Figure: &Figure{"time that a fetch may wait", limit.Seconds(), "s", Computed}})
		}
		if limit := c.Config.MaxRequestMaxBytes; limit > 0 && w.FetchBytes > int64(limit) {
			f.Report(design.Join(w.Path, "fetch_bytes"), Said{Severity: design.Error,
				What:   fmt.Sprintf("is more than max_bytes: %d: each fetch is refused with 409 Exceeded MaxRequestMaxBytes", limit),
				Write:  "write less, or a larger max_bytes",
				Figure: &Figure{"bytes that a fetch may ask for", float64(limit), "B", Computed}})
		}
	}
}
