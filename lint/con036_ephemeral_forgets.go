package lint

import (
	"fmt"
	"slices"
	"time"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON036",
	Name:     "ephemeral-forgets",
	Severity: design.Warning,
	Title:    "An ephemeral consumer is gone after a restart of its server or its client, with all that was acked.",
	Why: "A consumer without a durable name has one replica and is deleted when nobody fetches for inactive_threshold, 5 s by default; one in memory is gone when its server restarts " +
		"(server/consumer.go, v2.15.2). An ordered consumer is of this kind, asks for no acks, and its client makes it again from the last sequence it saw; a new process starts at its " +
		"deliver_policy.",
	Fix:   "Use a durable pull consumer where acks matter; for order with acks give it max_ack_pending: 1.",
	Refs:  []string{"server/consumer.go", "ADR-17", "nats.go issue 1370", "nats.rs issue 1252"},
	Check: func(f *Facts) { f.Consumers(f.ephemeralForgets) },
})

func (f *Facts) ephemeralForgets(c *Consumer) {
	copies := c.Config.Replicas
	if copies == 0 && !c.Ephemeral() {
		copies = c.Of.Config.Replicas
	}
	inMemory := c.Config.MemoryStorage && (c.Of.Config.Storage.String() == "File" || !c.Of.Accepted) && copies < 2
	if !c.Ephemeral() && !inMemory {
		return
	}
	restarts := f.restartsExpected(c)
	if !c.Acks() && !restarts && !inMemory {
		return // one who looks on
	}
	path, said := c.Path, Said{Write: "write a durable_name, and max_ack_pending: 1 where the order matters"}
	said.What = "is ephemeral: what was acked is forgotten when its client or server restarts"
	if inMemory {
		path = design.Join(c.Path, "mem_storage")
		said.What = "keeps the consumer in the memory of one server: when that restarts, what was acked or delivered is forgotten"
		said.Write = "leave mem_storage out, and write a durable_name, and max_ack_pending: 1 where the order matters"
	}
	if !c.Acks() {
		why := "as ordered consumers are"
		if restarts {
			why = "which the design is to survive"
		} else {
			said.Severity = design.Info
		}
		said.What = "is gone when its server restarts, " + why + ": the client must make it again from the last sequence that it saw"
		if inMemory {
			said.What = "keeps a consumer that " + said.What
		}
		said.Write = "use a client that does, such as an ordered consumer of a current library, or a durable"
	}
	if !inMemory && !restarts && c.Config.InactiveThreshold >= keptOnPurpose && f.Has(design.Join(c.Path, "inactive_threshold")) {
		said.Severity = design.Info // somebody thought of how long it is to live
	}
	most, bounded := f.MostMessages(c.Of)
	switch {
	case c.Config.DeliverPolicy.String() == "All" && bounded:
		said.What += fmt.Sprintf("; a new one that starts at the beginning gets at most %s again", messages(most))
		said.Figure = &Figure{"messages delivered again", most, "msgs", Bound}
	case c.Load().Known:
		lost := c.Load().Low * longStall.Seconds()
		said.What += fmt.Sprintf("; in 5 minutes until it is back %s come in", messages(lost))
		said.Figure = &Figure{"messages in the gap", lost, "msgs", Bound}
	default:
		f.Need("the publishers of a stream, with rate and payload")
		said.Figure = &Figure{"acks remembered after a restart", 0, "acks", Computed}
	}
	f.Report(path, said)
}

// keptOnPurpose is an inactive_threshold that is not the default of a library, all
// of which are 5 s.
const keptOnPurpose = 30 * time.Second

// restartsExpected reports whether goals or a scenario name a server that goes
// away.
func (f *Facts) restartsExpected(c *Consumer) bool {
	for _, goals := range []design.Goals{c.Goals, c.Of.goals(), f.Goals} {
		for _, s := range goals.Survive {
			if slices.Contains([]string{"node", "zone", "leader", "restart"}, s.Fault) {
				return true
			}
		}
	}
	for _, s := range f.Scenarios {
		for _, e := range s.Events {
			if e.Do == "restart" || e.Do == "kill" {
				return true
			}
		}
	}
	return false
}
