package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON060",
	Name:     "slower-than-arrivals",
	Severity: design.Warning,
	Title:    "More arrives than the workers can finish, so what waits grows without end.",
	Why: "Workers finish count × concurrency / service time messages a second at most; above that num_pending grows by the difference, whatever the other settings are. Limits of the " +
		"stream then drop or refuse messages.",
	Fix:   "Add workers or handlers until they are busy for 80 % of the time at most, or make the work shorter.",
	Refs:  []string{"Little's law", "server/consumer.go"},
	Check: func(f *Facts) { f.Consumers(f.tooSlow) },
})

func (f *Facts) tooSlow(c *Consumer) {
	rate, ok := c.PerSecond()
	load := c.Load()
	if c.IsPush() || !ok || !load.Known || load.Low <= rate {
		return // CON035 is about push
	}
	if limit := c.Config.MaxAckPending; c.Acks() && limit > 0 && limit < c.Handlers() {
		return // CON083 is about the limit
	}
	if c.Config.MaxAckPending == 1 && c.Acks() {
		return // CON023
	}
	over := load.Low - rate
	if c.Handlers() == 0 {
		f.Report(design.Join(c.Path, "workers"), Said{Value: "no handler",
			What:   fmt.Sprintf("read nothing, and %s a second arrive: num_pending grows by %s a day", perSecond(load.Low), size.FormatCount(math.Round(over*86400))),
			Write:  fmt.Sprintf("write count and concurrency for %s or more", counted(c.handlersFor(load.Low), "handler")),
			Figure: &Figure{"what waits grows by", over, "msg/s", Computed}})
		return
	}
	f.Report(design.Join(c.Path, "workers"), Said{Value: counted(c.Handlers(), "handler"),
		What:   fmt.Sprintf("finish at most %s a second, and %s arrive: num_pending grows by %s a day", perSecond(rate), size.FormatCount(load.Low), size.FormatCount(math.Round(over*86400))),
		Write:  fmt.Sprintf("write %s handlers or more", size.FormatCount(float64(c.handlersFor(load.Low)))),
		Figure: &Figure{"what waits grows by", over, "msg/s", Computed}})
}
