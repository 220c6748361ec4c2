package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON053",
	Name:     "idle-polling",
	Severity: design.Warning,
	Title:    "Workers without work ask again and again, and the server has only that to do.",
	Why:      "A fetch that expires is answered and made again. Each is a request to the consumer's leader and an answer, whether or not there are messages (server/consumer.go, v2.15.2).",
	Fix:      "Let fetches wait 30 s: a message that comes is delivered at once, the wait costs nothing.",
	Refs:     []string{"server/consumer.go", "ADR-37"},
	Check:    func(f *Facts) { f.Consumers(f.polling) },
})

// muchPolling is how many requests a second are worth a warning: a thousand wake a
// core for some percent, all day.
const muchPolling = 1000

func (f *Facts) polling(c *Consumer) {
	for _, w := range c.Workers {
		if c.IsPush() || w.Expires <= 0 {
			continue
		}
		rate := float64(w.Count) / w.Expires.Seconds()
		if rate < muchPolling {
			continue
		}
		path := design.Join(w.Path, "expires")
		f.Report(path, Said{Fix: f.SetFix("Write expires: 30s", path, "30s"),
			What:   fmt.Sprintf("lets %d workers without work ask %s times a second", w.Count, size.FormatCount(math.Round(rate))),
			Write:  "write expires: 30s",
			Figure: &Figure{"fetches a second", rate, "1/s", Computed}})
	}
}
