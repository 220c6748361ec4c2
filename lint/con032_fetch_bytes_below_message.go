package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON032",
	Name:     "fetch-bytes-below-message",
	Severity: design.Warning,
	Title:    "A message is larger than a fetch may bring, and no fetch gets past it.",
	Why: "A pull request with max_bytes gets status 409 Message Size Exceeds MaxBytes when the next message, headers and subject included, is larger (server/consumer.go getNextMsg, " +
		"v2.15.2). The message stays the next one.",
	Fix:   "Ask for more bytes than the largest message has.",
	Refs:  []string{"server/consumer.go", "ADR-13"},
	Check: func(f *Facts) { f.Consumers(f.fetchBytes) },
})

func (f *Facts) fetchBytes(c *Consumer) {
	if c.IsPush() {
		return
	}
	for _, w := range c.Workers {
		limit, path := w.FetchBytes, design.Join(w.Path, "fetch_bytes")
		if most := int64(c.Config.MaxRequestMaxBytes); most > 0 && (limit == 0 || most < limit) {
			limit, path = most, design.Join(c.Path, "max_bytes")
		}
		if limit <= 0 {
			continue
		}
		for _, p := range c.Publishers() {
			over := p.Payload.Exceeds(float64(limit))
			if !p.Payload.Known() || over < 1e-6 {
				continue
			}
			tail := AssumedTail(p.Payload, float64(limit))
			f.Report(path, Said{Severity: severityOf(tail),
				What:   fmt.Sprintf("is less than %s of the messages of publisher %s have%s: at the first of them every fetch ends with 409, and what is behind it waits", percent(over), clip(p.Name), ifTail(tail)),
				Write:  fmt.Sprintf("write %s or more", size.FormatBytes(2*max(p.Payload.P99Value(), float64(limit)))),
				Figure: &Figure{"messages that no fetch gets", over, "share", Computed}})
			break
		}
	}
}
