package lint

import (
	"fmt"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "CON028",
	Name:     "push-without-group",
	Severity: design.Warning,
	Title:    "Subscribers of a push consumer are not in its deliver_group, so they get every message each, or none.",
	Why: "Without deliver_group every subscriber of the deliver_subject gets a copy, and client libraries refuse to join with a queue; with one the server delivers only " +
		"while somebody subscribes with that queue (server/consumer.go, v2.15.2; nats.go js.go).",
	Fix:   "Write deliver_group, and subscribe with the same queue; do not use a fixed _INBOX subject.",
	Refs:  []string{"server/consumer.go", "nats-server issue 2773"},
	Check: func(f *Facts) { f.Consumers(f.pushGroups) },
})

func (f *Facts) pushGroups(c *Consumer) {
	if !c.IsPush() {
		return
	}
	group, path := c.Config.DeliverGroup, design.Join(c.Path, "deliver_group")
	count := 0
	for _, w := range c.Workers {
		count += w.Count
	}
	if group == "" && count > 1 {
		f.Report(path, Said{Value: "none",
			What:   fmt.Sprintf("makes no group of the %d workers: each of them gets every message", count),
			Write:  "write deliver_group: workers",
			Figure: &Figure{"copies of each message", float64(count), "copies", Computed}})
	}
	for _, s := range c.Of.Scope.Subscribers {
		if s.Queue == group || !subject.Match(s.Subject, c.Config.DeliverSubject) {
			continue
		}
		said := Said{Value: "none", Write: fmt.Sprintf("write deliver_group: %q", s.Queue)}
		switch {
		case group == "":
			said.What = fmt.Sprintf("is not the queue %q of subscriber %s: client libraries refuse to join", clip(s.Queue), clip(s.Name))
			said.Figure = &Figure{"subscribers refused", float64(s.Count), "subscribers", Computed}
		case s.Queue != "":
			said.What = fmt.Sprintf("is not the queue %q of subscriber %s, which gets nothing", clip(s.Queue), clip(s.Name))
			said.Figure = &Figure{"messages delivered to it", 0, "msgs", Computed}
		default:
			said.What, said.Write = fmt.Sprintf("and subscriber %s without a queue: each of its processes gets every message that the group gets", clip(s.Name)), "subscribe with the queue, or elsewhere"
			said.Figure = &Figure{"copies of each message", float64(s.Count + 1), "copies", Computed}
		}
		f.Report(path, said)
	}
}
