package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON031",
	Name:     "pin-moves-during-work",
	Severity: design.Warning,
	Title:    "The pinned client is at a batch for longer than priority_timeout, and another one is pinned.",
	Why: "With priority_policy pinned_client one client gets all messages as long as it fetches within priority_timeout, 2 min by default (server/consumer.go, v2.15.2: a new pin is " +
		"made when it does not). Then two clients work at the same time, which is what the pin was to prevent.",
	Fix:   "Write a priority_timeout of some times the longest batch, or fetch less.",
	Since: natsapi.Version{Major: 2, Minor: 11},
	Refs:  []string{"server/consumer.go", "ADR-42"},
	Check: func(f *Facts) { f.Consumers(f.pinMoves) },
})

func (f *Facts) pinMoves(c *Consumer) {
	if c.Config.PriorityPolicy.String() != "Pinned Client" || c.Config.PinnedTTL <= 0 {
		return
	}
	for _, w := range c.Workers {
		span, ok := batchTime(w)
		if !ok || span <= c.Config.PinnedTTL {
			continue
		}
		f.Report(design.Join(c.Path, "priority_timeout"), Said{Value: size.FormatDuration(c.Config.PinnedTTL) + ", the default",
			What:   fmt.Sprintf("is shorter than the %s that a worker is at a fetch of %d: a second client is pinned meanwhile", size.FormatDuration(span), max(w.Fetch, 1)),
			Write:  fmt.Sprintf("write priority_timeout: %s or more", design.FormatDuration(int64(roundUp(2*span)))),
			Figure: &Figure{"time between fetches", span.Seconds(), "s", Computed}})
	}
}
