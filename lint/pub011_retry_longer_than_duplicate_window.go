package lint

import (
	"fmt"
	"math"
	"time"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "PUB011",
	Name:     "retry-longer-than-duplicate-window",
	Severity: design.Warning,
	Title:    "The publisher repeats a message for longer than the stream remembers its id.",
	Why: "duplicate_window counts from the first time an id was stored and is not prolonged by its repetitions (server/stream.go, v2.15.2; nats-server " +
		"issue 7302). A try after it is stored as a new message, and the window begins again.",
	Fix:   "Keep retry_for within duplicate_window; for an endless window use one subject per id with max_msgs_per_subject: 1, discard: new and discard_new_per_subject.",
	Refs:  []string{"server/stream.go", "nats-server issue 7302"},
	Check: func(f *Facts) { f.AcceptedStreams(f.retriesOutlastWindow) },
})

func (f *Facts) retriesOutlastWindow(s *Stream) {
	window := s.Config.Duplicates
	for _, p := range s.Publishers() {
		if p.MsgIDBytes == 0 || window <= 0 || p.RetryFor <= window || p.Mode == "core" {
			continue
		}
		// A try finds its id forgotten when it comes at the window's end or later.
		between := window
		if p.AckTimeout > 0 {
			between = time.Duration(math.Ceil(float64(window)/float64(p.AckTimeout))) * p.AckTimeout
		}
		copies := int(p.RetryFor / between)
		f.Report(design.Join(p.Path, "retry_for"), Said{
			What:   fmt.Sprintf("is longer than duplicate_window: %s of stream %s: a message whose answers are lost is stored again, at most %s", design.FormatDuration(int64(window)), clip(s.Name), counted(copies, "time")),
			Write:  fmt.Sprintf("write retry_for: %s or less, or a longer duplicate_window", design.FormatDuration(int64(window))),
			Figure: &Figure{"copies of a message", float64(copies), "msgs", Bound}})
	}
}
