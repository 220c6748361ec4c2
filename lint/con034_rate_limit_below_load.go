package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON034",
	Name:     "rate-limit-below-load",
	Severity: design.Warning,
	Title:    "rate_limit_bps lets less through than is published.",
	Why: "rate_limit_bps counts bits, not bytes, of what a push consumer sends a second (server/consumer.go setRateLimit, v2.15.2). What is above waits in the stream, and more of it " +
		"every second.",
	Fix:   "Write eight times the bytes a second, with room for bursts, or leave it out.",
	Refs:  []string{"server/consumer.go"},
	Check: func(f *Facts) { f.Consumers(f.rateLimited) },
})

func (f *Facts) rateLimited(c *Consumer) {
	limit := float64(c.Config.RateLimit) / 8
	load := c.Load()
	bytes := load.Low * meanBytes(c.Publishers())
	if limit <= 0 || bytes <= limit {
		return
	}
	f.Report(design.Join(c.Path, "rate_limit_bps"), Said{
		What:   fmt.Sprintf("counts bits: it lets %s a second through, and %s are published: what waits grows by %s a day", size.FormatBytes(limit), size.FormatBytes(bytes), size.FormatBytes((bytes-limit)*86400)),
		Write:  fmt.Sprintf("write %d or more, or leave it out", whole(bytes*8*2)),
		Figure: &Figure{"what waits grows by", bytes - limit, "B/s", Computed}})
}
