package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON084",
	Name:     "retries-outlive-max-age",
	Severity: design.Warning,
	Title:    "Messages are removed by age before their last try.",
	Why: "max_age counts from the moment a message was stored and removes it whether or not it was acked (server/filestore.go expireMsgs, v2.15.2; measured). " +
		"Tries that come later find nothing.",
	Fix:   "Write a max_age that is well above ack_wait × max_deliver, or fewer tries.",
	Refs:  []string{"server/filestore.go"},
	Check: func(f *Facts) { f.Consumers(f.retriesOutlive) },
})

func (f *Facts) retriesOutlive(c *Consumer) {
	age := c.Of.Config.MaxAge
	if age <= 0 || !c.Acks() || c.Config.MaxDeliver == 1 {
		return
	}
	tries := c.Config.MaxDeliver
	var all time.Duration
	if tries > 0 {
		for n := range min(tries-1, 10_000) {
			all += waitOf(c, n)
		}
	} else {
		all = waitOf(c, 0) // one further try at least
	}
	if all < age {
		return
	}
	what := fmt.Sprintf("is over before the last of %d tries, which comes after %s", tries, size.FormatDuration(all))
	if tries <= 0 {
		what = fmt.Sprintf("is over before the first further try, which comes after %s", size.FormatDuration(all))
	}
	f.Report(design.Join(c.Of.Path, "max_age"), Said{What: what + " on consumer " + clip(c.Name),
		Write: fmt.Sprintf("write a max_age above %s, or fewer tries", size.FormatDuration(all)), Figure: &Figure{"time until the last try", all.Seconds(), "s", Computed}})
}

// waitOf is how long delivery n, from 0, waits for its ack.
func waitOf(c *Consumer, n int) time.Duration {
	if k := len(c.Config.BackOff); k > 0 {
		return c.Config.BackOff[min(n, k-1)]
	}
	return c.Config.AckWait
}
