package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR092",
	Name:     "source-window-longer",
	Severity: design.Warning,
	Title:    "The copy removes as duplicates what its origin kept.",
	Why: "A stream with sources checks Nats-Msg-Id in its own duplicate_window. Where that is longer than the origin's, a message that the origin took as new is " +
		"dropped on the way (server/stream.go processInboundSourceMsg, v2.15.2; measured: 2 of 3 stored).",
	Fix:   "Keep duplicate_window of the stream with sources within the origin's; from 2.14 on, leave it out.",
	Refs:  []string{"server/stream.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.windowLonger) },
})

// noWindowOfCopies is the release from which a stream with sources has no duplicate
// window unless one is written (server/stream.go checkStreamCfg); older ones take
// two minutes.
var noWindowOfCopies = natsapi.Version{Major: 2, Minor: 14}

// defaultWindow is duplicate_window where nothing is written.
const defaultWindow = 2 * time.Minute

func (f *Facts) windowLonger(s *Stream) {
	path := design.Join(s.Path, "duplicate_window")
	if s.Config.Duplicates <= 0 {
		return
	}
	// From 2.14 on a stream with sources has no window unless one is written.
	own := s.Version.AtLeast(noWindowOfCopies)
	for _, src := range s.Config.Sources {
		for _, origin := range f.Streams {
			if origin.Config.Name != src.Name || origin.Scope != s.Scope || !origin.Accepted || origin.Config.Duplicates >= s.Config.Duplicates {
				continue
			}
			short := design.FormatDuration(int64(origin.Config.Duplicates))
			said := Said{Fix: f.SetFix("Write duplicate_window: "+short, path, short), Write: fmt.Sprintf("write %s or less", short), Value: design.FormatDuration(int64(s.Config.Duplicates)) + ", the default before 2.14"}
			if own || origin.Config.Duplicates >= defaultWindow {
				said.Fix, said.Write = f.UnsetFix("Leave duplicate_window out", path), fmt.Sprintf("write %s or less, or leave it out", short)
			}
			said.What = fmt.Sprintf("is longer than the %s of %s: an id that comes again after that is kept there and dropped here", size.FormatDuration(origin.Config.Duplicates), clip(origin.Name))
			said.Figure = &Figure{"window of the origin", origin.Config.Duplicates.Seconds(), "s", Computed}
			f.Report(path, said)
		}
	}
}
