package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "STR093",
	Name:     "new-per-subject-not-said",
	Severity: design.Warning,
	Title:    "discard new does not refuse at the limit of a subject unless discard_new_per_subject says so.",
	Why: "max_msgs_per_subject drops the oldest message of the subject even under discard new; only discard_new_per_subject makes it a refusal (10077) " +
		"(server/filestore.go, v2.15.2; measured; since 2.9.2).",
	Fix:   "Write discard_new_per_subject: true, or discard: old where dropping is meant.",
	Refs:  []string{"server/filestore.go", "ADR-39"},
	Check: func(f *Facts) { f.AcceptedStreams(f.newPerSubject) },
})

func (f *Facts) newPerSubject(s *Stream) {
	if kind, _ := bucketOf(s); kind != "" || s.Config.Discard.String() != "New" || s.Config.MaxMsgsPer <= 0 || s.Config.DiscardNewPer {
		return
	}
	said := Said{
		What:  fmt.Sprintf("drops the oldest of a subject when number %d comes, although discard is new", s.Config.MaxMsgsPer+1),
		Fix:   guess(f.SetFix("Write discard_new_per_subject: true", design.Join(s.Path, "discard_new_per_subject"), "true")),
		Write: "write discard_new_per_subject: true, or discard: old where dropping is meant", Figure: &Figure{"messages of a subject", float64(s.Config.MaxMsgsPer), "msg", Computed}}
	if s.Config.MaxMsgsPer == 1 { // the newest value of each subject: refusing would end all updates
		said.Write, said.Fix = "write discard: old where the newest message of a subject is to stay, or discard_new_per_subject: true where the first is", nil
	}
	f.Report(design.Join(s.Path, "max_msgs_per_subject"), said)
}
