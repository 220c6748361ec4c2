package lint

import (
	"fmt"
	"slices"

	"weir/design"
	"weir/size"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "PUB019",
	Name:     "same-id-for-new-work",
	Severity: design.Warning,
	Title:    "What is meant to be stored again has the id of what is stored already, and is dropped.",
	Why: "A stream drops a message whose Nats-Msg-Id it has seen within duplicate_window, and answers as if it had stored it (server/stream.go, v2.15.2; measured). An id that names a job or an " +
		"entity, and not one attempt or one change of it, does that to what is new.",
	Fix:  "Add the number of the attempt or the version of the entity to the id, ack only after the work, or wait longer than duplicate_window.",
	Refs: []string{"server/stream.go", "nats-server issue 5142", "sbomscanner #281"}, Proof: "duplicate-window",
	Check: func(f *Facts) { f.AcceptedStreams(f.sameIDForNewWork) },
})

// randomIDs are schemes whose ids name one attempt: a library makes a new one for each
// message.
var randomIDs = []string{"uuid", "nuid", "ulid"}

// entityID is the longest id that may well be the number of an entity.
const entityID = 16

func (f *Facts) sameIDForNewWork(s *Stream) {
	window := s.Config.Duplicates
	if window <= 0 {
		return
	}
	for _, p := range s.Publishers() {
		if p.MsgIDBytes == 0 || slices.Contains(randomIDs, p.MsgID) {
			continue
		}
		figure := &Figure{"time in which it is dropped", window.Seconds(), "s", Computed}
		at := design.Join(p.Path, "msg_id")
		if of := f.comesFrom(s, p.Publisher); of != nil {
			said := Said{Figure: figure, Write: fmt.Sprintf("add the attempt to the id, or publish it again after more than %s", size.FormatDuration(window)),
				What: fmt.Sprintf("is the job's own id where it is made from the message that consumer %s had: what its workers publish again within %s of the first time, the duplicate_window of %s, is answered and dropped",
					clip(of.Name), size.FormatDuration(window), clip(s.Name))}
			if !slices.ContainsFunc(of.Filters(), func(filter string) bool { return subject.Meet(filter, p.Pattern) }) {
				said.Severity = design.Info // another step of the work, which may have ids of its own
			}
			f.Report(at, said)
			continue
		}
		each := LoadOf([]Feed{p}).High * window.Seconds()
		if entities := subjectsOf(p.Publisher); p.MsgIDBytes <= entityID && entities > 1 && each > entities {
			f.Report(at, Said{Figure: figure, Severity: design.Info, Write: "make the id from the entity and its version",
				What: fmt.Sprintf("is short enough for the number of an entity, and %s come for %s subjects in %s, the duplicate_window of %s: if it is, all but the first of each are answered and dropped",
					messages(each), size.FormatCount(entities), size.FormatDuration(window), clip(s.Name))})
		}
	}
}

// comesFrom is the consumer of a stream whose workers publish into that stream again,
// nil for others.
func (f *Facts) comesFrom(s *Stream, p *design.Publisher) *Consumer {
	if p.After == "" {
		return nil
	}
	for _, c := range s.Consumers {
		if c.Accepted && (p.After == c.Name || p.After == s.Name+"/"+c.Name) {
			return c
		}
	}
	return nil
}
