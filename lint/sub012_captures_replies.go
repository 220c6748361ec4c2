package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB012",
	Name:     "captures-replies",
	Severity: design.Warning,
	Title:    "The stream stores replies and requests of clients that were never meant to be kept.",
	Why: "Every request of a client gets its answer on _INBOX.>. A stream that captures that, which > with no_ack does, stores each reply, also those of " +
		"the JetStream API: two more messages for every request (server/stream.go, v2.15.2). With no_ack no publisher learns whether its message is stored.",
	Fix:   "List the subjects that the stream is for, and leave no_ack out.",
	Refs:  []string{"server/stream.go checkStreamCfg"},
	Check: func(f *Facts) { f.AcceptedStreams(f.capturesReplies) },
})

// apiCollides are the releases that refuse what may reach the server's own
// subjects (SUB011).
var apiCollides = natsapi.Releases{{Major: 2, Minor: 10, Patch: 28}, {Major: 2, Minor: 11, Patch: 2}}

// refusedLater is about a subject that reaches the API on a release that still
// accepts it.
func (f *Facts) refusedLater(s *Stream, i int, subj string) bool {
	if apiCollides.Has(s.Version) || s.Config.NoAck || !subject.Meet(subj, "$JS.>") || subject.CoversAll("$JS.EVENT.>", subj) {
		return false
	}
	f.Report(design.Index(design.Join(s.Path, "subjects"), i), Said{Write: "begin it with a token of your own, such as orders.>",
		What:   "reaches $JS.> (JetStream API, acks, advisories): nats-server " + s.Version.String() + " accepts it, and 2.10.28, 2.11.2 and newer refuse it with 10052",
		Figure: &Figure{"more messages for a request", 1, "msgs", Bound}})
	return true
}

func (f *Facts) capturesReplies(s *Stream) {
	for i, subj := range s.Config.Subjects {
		if s.Kind == "stream" && subject.Valid(subj) && f.refusedLater(s, i, subj) {
			return
		}
		if s.Kind != "stream" || !subject.Valid(subj) || !subject.Meet(subj, "_INBOX.>") {
			continue
		}
		said := Said{What: "captures the replies to every request, _INBOX.x.y for instance: a message for each of them", Write: "list the subjects that the stream is for",
			Figure: &Figure{"more messages for a request", 1, "msgs", Bound}}
		if subj == subject.Rest {
			said.What = "captures every subject: each request is stored with its reply, the server's own API among them"
			said.Figure.Value = 2
			if s.Config.NoAck {
				said.What += "; and with no_ack no publisher learns whether its message is stored"
			}
		}
		said.Write = fmt.Sprintf("%s, such as %s", said.Write, "orders.>")
		f.Report(design.Index(design.Join(s.Path, "subjects"), i), said)
		return
	}
}
