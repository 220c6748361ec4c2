package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR092",
	Name:     "source-window-longer",
	Severity: design.Warning,
	Title:    "The copy removes as duplicates what its origin kept.",
	Why: "A stream with sources checks Nats-Msg-Id in its own duplicate_window. Where that is longer than the origin's, a message that the origin took as new is " +
		"dropped on the way (server/stream.go processInboundSourceMsg, v2.15.2; measured: 2 of 3 stored).",
	Fix:   "Leave duplicate_window out of the stream with sources, or keep it within the origin's.",
	Refs:  []string{"server/stream.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.windowLonger) },
})

func (f *Facts) windowLonger(s *Stream) {
	path := design.Join(s.Path, "duplicate_window")
	if !f.Has(path) || s.Config.Duplicates <= 0 {
		return
	}
	for _, src := range s.Config.Sources {
		for _, origin := range f.Streams {
			if origin.Config.Name != src.Name || origin.Scope != s.Scope || !origin.Accepted || origin.Config.Duplicates >= s.Config.Duplicates {
				continue
			}
			f.Report(path, Said{Fix: f.UnsetFix("Leave duplicate_window out", path), What: fmt.Sprintf("is longer than the %s of %s: an id that comes again after that is kept there and dropped here", size.FormatDuration(origin.Config.Duplicates), clip(origin.Name)),
				Write: fmt.Sprintf("write %s or less, or leave it out", size.FormatDuration(origin.Config.Duplicates)), Figure: &Figure{"window of the origin", origin.Config.Duplicates.Seconds(), "s", Computed}})
		}
	}
}
