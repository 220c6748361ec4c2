package lint

import (
	"fmt"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SEC016",
	Name:     "acks-stay-behind",
	Severity: design.Warning,
	Title:    "Another account reads the consumer, and its acks do not get back.",
	Why: "A message is acked by a publish on $JS.ACK.<stream>.<consumer>.>, which the account of the stream listens on (server/consumer.go, v2.15.2). An account that imports the fetch or the " +
		"deliver subject and not this subject acks into the void: each message comes again until max_deliver ends it.",
	Fix:   "Export $JS.ACK.<stream>.<consumer>.> as a service, and import it beside the fetch.",
	Refs:  []string{"server/consumer.go", "server/accounts.go"},
	Check: func(f *Facts) { f.Consumers(f.acksStayBehind) },
})

func (f *Facts) acksStayBehind(c *Consumer) {
	if !c.Acks() || c.Of.Scope.Leafnode != "" {
		return
	}
	on := c.Of.Config.Name + "." + c.Name
	next, ack := "$JS.API.CONSUMER.MSG.NEXT."+on, "$JS.ACK."+on+".>"
	for _, a := range f.Accounts {
		read := ""
		var acks []string
		for _, in := range a.Imports {
			switch {
			case in.Account != c.Of.Scope.Account || !subject.Valid(in.Subject):
			case in.Service && !c.IsPush() && subject.CoversAll(in.Subject, next), !in.Service && c.IsPush() && subject.CoversAll(in.Subject, c.Config.DeliverSubject):
				read = in.Path
			}
			if in.Service && in.Account == c.Of.Scope.Account && in.To == "" && subject.Valid(in.Subject) {
				acks = append(acks, in.Subject)
			}
		}
		if read == "" || subject.Uncovered(ack, acks) == "" {
			continue
		}
		tries, figure := "without end", &Figure{"time between deliveries", c.Config.AckWait.Seconds(), "s", Computed}
		if n := c.Config.MaxDeliver; n > 0 {
			tries, figure = fmt.Sprintf("%d times", n), &Figure{"deliveries of each message", float64(n), "deliveries", Computed}
		}
		f.Report(design.Join(a.Path, "imports"), Said{What: fmt.Sprintf("lets account %s read consumer %s/%s and not ack: %s is not imported, so that every message is delivered %s", clip(a.Name), clip(c.Of.Name), clip(c.Name), clip(ack), tries),
			Write: fmt.Sprintf("import the service %s of account %s", clip(ack), clip(c.Of.Scope.Account)), Figure: figure})
	}
}
