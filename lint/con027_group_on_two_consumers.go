package lint

import (
	"fmt"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "CON027",
	Name:     "group-on-two-consumers",
	Severity: design.Warning,
	Title:    "The same deliver_group on two consumers shares nothing: each consumer delivers every message.",
	Why: "deliver_group makes a queue group of the subscribers of one consumer (server/consumer.go, v2.15.2). Processes that each make a durable of their own get a " +
		"full copy each.",
	Fix:  "Let all processes use one consumer: one durable name, one deliver_subject, one deliver_group.",
	Refs: []string{"server/consumer.go", "nats.java issue 1148"},
	Check: func(f *Facts) {
		f.streamsOfConsumers(f.sharedGroups)
		f.Consumers(func(c *Consumer) {
			if c.Config.DeliverGroup != "" && !c.IsPush() {
				path := design.Join(c.Path, "deliver_group")
				f.Report(path, Said{Severity: design.Info, Write: "leave it out", Fix: f.UnsetFix("Leave deliver_group out", path),
					What: "is for push consumers: whoever fetches from this one shares it anyway"})
			}
		})
	},
})

func (f *Facts) sharedGroups(s *Stream) {
	groups := map[string][]*Consumer{}
	for _, c := range s.Consumers {
		group := c.Config.DeliverGroup
		if group == "" || !c.Accepted || !c.IsPush() {
			continue
		}
		copies := 1
		for _, other := range groups[group] {
			if filtersMeet(c, other) {
				copies++
			}
		}
		if copies > 1 {
			f.Report(design.Join(c.Path, "deliver_group"), Said{
				What: fmt.Sprintf("is the group of consumer %s too, and a group shares the messages of its own consumer only: each is delivered %d times",
					clip(groups[group][0].Name), copies),
				Write:  "let the processes share one consumer",
				Figure: &Figure{"copies of each message", float64(copies), "copies", Computed}})
		}
		groups[group] = append(groups[group], c)
	}
}

func filtersMeet(a, b *Consumer) bool {
	for _, x := range a.Filters() {
		for _, y := range b.Filters() {
			if subject.Meet(x, y) {
				return true
			}
		}
	}
	return false
}
