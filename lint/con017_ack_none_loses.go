package lint

import (
	"fmt"
	"slices"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON017",
	Name:     "ack-none-loses",
	Severity: design.Warning,
	Title:    "With ack_policy none a message counts as done when it is sent, whatever becomes of it.",
	Why: "none is what the server takes when nothing is written; client libraries differ and often send explicit (server/consumer.go, v2.15.2; measured). What a worker had in hand " +
		"when it died or failed is not delivered again, and a stream of retention interest removes it.",
	Fix:   "Write ack_policy: explicit, and let the workers ack after the work.",
	Refs:  []string{"server/consumer.go", "ADR-13"},
	Check: func(f *Facts) { f.Consumers(f.ackNone) },
})

func (f *Facts) ackNone(c *Consumer) {
	path := design.Join(c.Path, "ack_policy")
	if c.Config.AckPolicy.String() != "None" || c.Ephemeral() && f.Has(path) {
		return // ordered consumers and those who only look on ask for no acks
	}
	fails := c.Failing()
	interest := c.Of.Config.Retention.String() == "Interest"
	crash := f.survivesCrash(c)
	if f.Has(path) && fails == 0 && !interest && !crash {
		return // somebody chose it, and nothing is known to fail
	}
	said := Said{Value: "none, the default", Write: "write ack_policy: explicit", Severity: design.Info,
		What: "counts a message as done when it is sent: what workers hold when they die is lost"}
	if interest {
		said.What += ", and the stream, of retention interest, keeps no copy"
	}
	hands, load := c.InHand(), c.Load()
	if hands == 0 {
		f.Need("the workers of a consumer, with their service_time")
		f.Report(path, said)
		return
	}
	said.What += fmt.Sprintf(", at most %s at a time", counted(hands, "message"))
	said.Figure = &Figure{"messages lost when the workers die", float64(hands), "msgs", Bound}
	if fails > 0 {
		said.What += fmt.Sprintf("; so are the %s that fail", percent(min(fails, 1)))
		if load.Known {
			said.Figure = &Figure{"messages lost", load.Low * min(fails, 1), "msg/s", Computed}
		}
	}
	if crash {
		said.What += "; and the goals say survive: worker-crash"
	}
	if fails > 0 || !f.Has(path) || crash {
		said.Severity = design.Warning
	}
	f.Report(path, said)
}

// survivesCrash reports whether the nearest goals ask that a worker may crash.
func (f *Facts) survivesCrash(c *Consumer) bool {
	return slices.ContainsFunc(f.goalsOfConsumer(c).Survive, func(g design.Survive) bool { return g.Fault == "worker-crash" })
}
