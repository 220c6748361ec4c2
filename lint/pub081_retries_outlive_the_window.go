package lint

import (
	"cmp"
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "PUB081",
	Name:     "retries-outlive-the-window",
	Severity: design.Warning,
	Title:    "The same message id is sent again after the server has forgotten it.",
	Why: "A stream remembers an id for duplicate_window, counted from when it was first stored; a duplicate does not extend it (server/stream.go, v2.15.2; measured). " +
		"A try after that is stored as a new message.",
	Fix:  "End the tries inside duplicate_window, or lengthen the window and pay its heap.",
	Refs: []string{"server/stream.go"}, Proof: "duplicate-window",
	Check: func(f *Facts) { f.AcceptedStreams(f.outliveWindow) },
})

func (f *Facts) outliveWindow(s *Stream) {
	window := s.Config.Duplicates
	for _, p := range s.Publishers() {
		if p.MsgIDBytes == 0 || window <= 0 || p.RetryFor <= window {
			continue
		}
		said := Said{
			What:   fmt.Sprintf("is longer than the duplicate_window of %s, %s: a try after that is stored a second time", clip(s.Name), size.FormatDuration(window)),
			Write:  fmt.Sprintf("write retry_for below %s, or a longer duplicate_window", size.FormatDuration(window)),
			Figure: &Figure{"time in which a repeat is stored twice", (p.RetryFor - window).Seconds(), "s", Computed}}
		if every := cmp.Or(p.AckTimeout, ackTimeout); p.RetryFor >= time.Hour || f.Has(design.Join(p.Path, "ack_timeout")) {
			// The window is not extended by duplicates: one try in so many is stored.
			stored := time.Hour.Seconds() / (every * max(1, (window+every-1)/every)).Seconds()
			said.What += fmt.Sprintf(", at one try every %s that is %.4g copies an hour", size.FormatDuration(every), stored)
			said.Figure = &Figure{"copies stored an hour", stored, "1/h", Computed}
		}
		f.Report(design.Join(p.Path, "retry_for"), said)
	}
}
