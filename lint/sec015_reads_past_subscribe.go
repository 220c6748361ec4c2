package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SEC015",
	Name:     "reads-past-subscribe",
	Severity: design.Warning,
	Title:    "A user reads through a consumer what it may not subscribe to.",
	Why: "subscribe is about subjects that a client listens on, and what a consumer delivers or a get answers comes to an inbox (server/consumer.go, v2.15.2). Who may create a " +
		"consumer without a filter, or get messages by sequence, reads the whole stream.",
	Fix:   "Allow $JS.API.CONSUMER.CREATE.<stream>.*.<filter> with the filters that the user may have, or let somebody else make the consumer and allow MSG.NEXT and ACK of it alone.",
	Refs:  []string{"nats-server issue 3295", "nats.go issue 1285"},
	Check: func(f *Facts) { f.AcceptedStreams(f.readsPast) },
})

func (f *Facts) readsPast(s *Stream) {
	for _, u := range f.usersOf(s.Scope) {
		listed := allowed(u.Subscribe)
		some, beyond := "", ""
		for _, subj := range s.Config.Subjects {
			for _, l := range listed {
				if l != subject.Rest && subject.Meet(l, subj) {
					some = l
				}
			}
			if w := subject.Uncovered(subj, listed); w != "" && beyond == "" {
				beyond = w
			}
		}
		if some == "" || beyond == "" {
			continue
		}
		by := mayReadAll(u, s.Config.Name, beyond)
		if by == "" {
			continue
		}
		f.Report(design.Join(u.Path, "subscribe"), Said{Value: strings.Join(u.Subscribe.Allow, ", "),
			What:   fmt.Sprintf("does not keep it from %s of stream %s: it may send %s, and the answers come to its inbox", clip(beyond), clip(s.Name), clip(by)),
			Write:  fmt.Sprintf("allow $JS.API.CONSUMER.CREATE.%s.*.%s in its place", s.Config.Name, clip(some)),
			Figure: &Figure{"streams that it reads as a whole", 1, "streams", Computed}})
	}
}

// mayReadAll is an API subject that a user may publish and that reads a subject of
// a stream, whatever it may subscribe to; "" without.
func mayReadAll(u *design.User, stream, wanted string) string {
	for _, by := range []string{"CONSUMER.CREATE." + stream + ".x", "CONSUMER.CREATE." + stream, "CONSUMER.DURABLE.CREATE." + stream + ".x",
		"CONSUMER.CREATE." + stream + ".x." + wanted, "STREAM.MSG.GET." + stream, "DIRECT.GET." + stream} {
		if may(u.Publish, "$JS.API."+by) {
			return "$JS.API." + strings.Replace(by, ".x", ".*", 1)
		}
	}
	return ""
}
