package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON035",
	Name:     "pushed-faster-than-read",
	Severity: design.Warning,
	Title:    "A push consumer gets messages faster than its callback handles them.",
	Why: "What is not handled waits in the client, which drops beyond its pending limit (nats.go: 500,000 messages or 64 MiB for a subscription). Flow control stops the server by bytes, " +
		"so many small messages still overflow; an ordered consumer then starts again where it lost one, over and over (measured: 14,081 of 50,000 dropped, all handled in the end).",
	Fix:   "Pull instead: an ordered pull consumer asks for what it can handle. Or handle messages in parallel.",
	Refs:  []string{"nats.go issue 2107", "ADR-17", "ADR-15"},
	Check: func(f *Facts) { f.Consumers(f.pushedTooFast) },
})

func (f *Facts) pushedTooFast(c *Consumer) {
	if !c.IsPush() || c.Acks() && c.Config.MaxAckPending > 0 {
		return // acks hold the server back
	}
	load := c.Load()
	rate, ok := c.PerSecond()
	if !ok || !load.Known {
		f.Need("the publishers of a stream, and service_time of the workers")
		return
	}
	if load.Low <= rate {
		return
	}
	limit, limitBytes := clientLimits(c)
	over := load.Low - rate
	seconds := float64(limit) / over
	if bytes := meanBytes(c.Publishers()); bytes > 0 {
		seconds = math.Min(seconds, float64(limitBytes)/(over*bytes))
	}
	f.Report(design.Join(c.Path, "deliver_subject"), Said{
		What: fmt.Sprintf("is pushed %.4g messages a second, and the workers handle %.4g: what waits is over the client's pending limit after %s, and more every day",
			load.Low, rate, size.FormatSeconds(seconds)),
		Write:  "use a pull consumer, or more workers",
		Figure: &Figure{"time until the pending limit", seconds, "s", Computed}})
}
