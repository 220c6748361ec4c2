package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR027",
	Name:     "window-forgets-acked",
	Severity: design.Warning,
	Title:    "After a restart the server no longer knows the message ids of what was acked and removed.",
	Why: "The table of ids is in memory, and a restart builds it again from the messages that are stored (server/stream.go rebuildDedupe, v2.15.2; measured). A workqueue or interest stream has removed what " +
		"was acked: the same id, sent again inside of duplicate_window, is stored and handled a second time.",
	Fix:   "Let handlers bear a repetition, by the id in the message; or use retention limits with max_age as long as the window.",
	Refs:  []string{"server/stream.go rebuildDedupe"},
	Check: func(f *Facts) { f.AcceptedStreams(f.windowForgets) },
})

func (f *Facts) windowForgets(s *Stream) {
	if s.Kind != "stream" || s.Config.Retention.String() == "Limits" || s.Config.Duplicates <= 0 {
		return
	}
	goals := f.goalsOf(s)
	survives := false
	for _, g := range goals.Survive {
		survives = survives || g.Fault == "restart" || g.Fault == "node" && s.Config.Replicas < 2
	}
	if !survives || !f.Has(design.Join(goals.Path, "handled_twice")) || goals.HandledTwice > 0 {
		return // nobody counts on it
	}
	atRisk := 0.0
	for _, p := range s.Publishers() {
		if p.MsgIDBytes > 0 && p.RetryFor > 0 {
			_, _, most := size.RateOf(p.Publisher).Arrivals(min(p.RetryFor, s.Config.Duplicates).Seconds())
			atRisk += most
		}
	}
	if atRisk == 0 {
		return
	}
	f.Report(design.Join(s.Path, "retention"), Said{
		What:   fmt.Sprintf("removes what is acked, and with it what a restart needs to know its id: at most %s may be sent again, stored and handled twice, although nothing is to be", messages(atRisk)),
		Write:  "let handlers bear a repetition, or write retention: limits",
		Figure: &Figure{"ids that a restart may forget", atRisk, "msgs", Bound}})
}
