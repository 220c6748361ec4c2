package lint

import (
	"strings"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON062",
	Name:     "settings-without-acks",
	Severity: design.Info,
	Title:    "Settings about acks and redelivery stand beside ack_policy none and do nothing.",
	Why: "With none the server counts a message as done when it is sent: it waits for no ack, delivers nothing again and holds nothing back (server/consumer.go, v2.15.2). " +
		"It accepts ack_wait, backoff, max_deliver and, of a pull consumer, max_ack_pending all the same.",
	Fix:   "Write ack_policy: explicit where these settings are meant, or leave them out.",
	Refs:  []string{"server/consumer.go"},
	Check: func(f *Facts) { f.Consumers(f.withoutAcks) },
})

func (f *Facts) withoutAcks(c *Consumer) {
	policy := design.Join(c.Path, "ack_policy")
	if c.Config.AckPolicy.String() != "None" || !f.Has(policy) {
		return // CON017 is about a policy that nobody wrote
	}
	var idle []string
	for _, key := range []string{"ack_wait", "backoff", "max_deliver", "max_ack_pending"} {
		if v, ok := f.Value(design.Join(c.Path, key)); ok && (v.Int > 0 || v.Kind == design.Container) {
			idle = append(idle, key)
		}
	}
	if len(idle) == 0 || !f.saysAll() { // a server reports them whether or not somebody wrote them
		return
	}
	does := "does"
	if len(idle) > 1 {
		does = "do"
	}
	f.Report(policy, Said{What: "asks for no acks, and beside it " + strings.Join(idle, ", ") + " " + does + " nothing", Write: "write explicit, or leave the rest out"})
}
