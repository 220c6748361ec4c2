package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR091",
	Name:     "window-of-zero",
	Severity: design.Warning,
	Title:    "duplicate_window 0 is the default, not off.",
	Why: "The server takes 0 for “not said” and writes 2 minutes, or max_age where that is shorter (server/stream.go StreamDefaultDuplicatesWindow, v2.15.2; measured). " +
		"The shortest window is 100 ms; only mirrors and streams with sources have none.",
	Fix:   "Leave it out, or write 100ms for as good as none. Publishers without Nats-Msg-Id are not affected.",
	Refs:  []string{"server/stream.go", "err_code 10052"},
	Check: func(f *Facts) { f.AcceptedStreams(f.windowOfZero) },
})

func (f *Facts) windowOfZero(s *Stream) {
	path := design.Join(s.Path, "duplicate_window")
	v, ok := f.Value(path)
	if !ok || v.Int != 0 || s.Config.Duplicates <= 0 {
		return
	}
	f.Report(path, Said{What: fmt.Sprintf("does not turn it off: the server writes %s", size.FormatDuration(s.Config.Duplicates)), Write: "leave it out, or write 100ms",
		Figure: &Figure{"duplicate_window", s.Config.Duplicates.Seconds(), "s", Computed}})
}
