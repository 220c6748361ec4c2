package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "CON064",
	Name:     "advisory-never-sent",
	Severity: design.Warning,
	Title:    "A stream waits for advisories of consumers that never send them.",
	Why: "The server publishes $JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.STREAM.CONSUMER when a message has used up max_deliver (server/consumer.go, v2.15.2). " +
		"A consumer without max_deliver tries for ever and sends none, so that a stream for its dead letters stays empty, and that looks healthy.",
	Fix:   "Name the stream and consumer whose messages run out of tries, or give the consumer a max_deliver.",
	Refs:  []string{"server/consumer.go", "ADR-10"},
	Check: func(f *Facts) { f.advisoriesNeverSent() },
})

const maxDeliveries = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES."

func (f *Facts) advisoriesNeverSent() {
	if !f.saysAll() || len(f.Leafnodes) > 0 {
		return
	}
	for _, s := range f.Streams {
		for i, pattern := range s.Config.Subjects {
			if strings.HasPrefix(pattern, maxDeliveries) && s.Kind == "stream" {
				f.neverSent(s.Scope, design.Index(design.Join(s.Path, "subjects"), i), pattern)
			}
		}
	}
	for _, scope := range f.Scopes() {
		for _, s := range scope.Subscribers {
			if strings.HasPrefix(s.Subject, maxDeliveries) {
				f.neverSent(scope, design.Join(s.Path, "subject"), s.Subject)
			}
		}
	}
}

// neverSent reports a pattern of advisories that no consumer of the scope sends: those
// that it names have no max_deliver, and others have one.
func (f *Facts) neverSent(scope *design.Scope, path, pattern string) {
	senders, silent := "", ""
	for _, s := range f.Streams {
		for _, c := range s.Consumers {
			tries := c.Config.MaxDeliver > 0
			matched := subject.Match(pattern, maxDeliveries+c.Stream+"."+c.Name)
			switch {
			case s.Scope != scope:
			case tries && matched:
				return
			case tries && senders == "":
				senders = c.Stream + "/" + c.Name
			case matched && silent == "":
				silent = c.Stream + "/" + c.Name
			}
		}
	}
	if senders == "" {
		return // nobody has a limit: it may be prepared for one
	}
	what := "gets nothing: no consumer of the design has such a name"
	if silent != "" {
		what = fmt.Sprintf("gets nothing: %s and all others that it names have no max_deliver, and never run out of tries", clip(silent))
	}
	f.Report(path, Said{What: what, Write: fmt.Sprintf("write the name of a consumer that has one, such as %s", clip(maxDeliveries+strings.Replace(senders, "/", ".", 1))),
		Figure: &Figure{"advisories that arrive", 0, "msgs", Computed}})
}
