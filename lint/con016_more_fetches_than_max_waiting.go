package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON016",
	Name:     "more-fetches-than-max-waiting",
	Severity: design.Warning,
	Title:    "More workers wait for messages than the consumer lets wait.",
	Why: "At most max_waiting pull requests wait at a consumer, 512 by default; the next is answered with 409 Exceeded MaxWaiting (server/consumer.go, v2.15.2; measured). " +
		"max_waiting cannot be changed later (500/10012).",
	Fix:   "Create the consumer with a max_waiting above the workers it will ever have, or let processes share one fetch.",
	Refs:  []string{"server/consumer.go", "ADR-13"},
	Check: func(f *Facts) { f.Consumers(f.tooManyFetches) },
})

func (f *Facts) tooManyFetches(c *Consumer) {
	limit, asking := c.Config.MaxWaiting, 0
	for _, w := range c.Workers {
		asking += w.Count
	}
	if c.IsPush() || limit <= 0 || asking <= limit {
		return
	}
	path, value := design.Join(c.Path, "max_waiting"), fmt.Sprintf("%d, the default", limit)
	f.Report(path, Said{Value: value,
		What:   fmt.Sprintf("is less than the %d workers that fetch: while the stream is empty %d of them are refused with 409 Exceeded MaxWaiting", asking, asking-limit),
		Write:  fmt.Sprintf("write max_waiting: %d when the consumer is made, it cannot be changed later", 2*asking),
		Figure: &Figure{"fetches refused at a time", float64(asking - limit), "fetches", Computed}})
}
