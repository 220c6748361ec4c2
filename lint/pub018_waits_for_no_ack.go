package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "PUB018",
	Name:     "waits-for-no-ack",
	Severity: design.Warning,
	Title:    "The publisher waits for a PubAck of a stream that sends none.",
	Why: "A stream with no_ack answers no publish (server/stream.go, v2.15.2; measured). The message is stored, the client waits until its time-out and takes the publish as failed; " +
		"what it sends again is stored again, or dropped as a duplicate without a word.",
	Fix:   "Write mode: core for the publisher, or leave no_ack out.",
	Refs:  []string{"server/stream.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.waitsInVain) },
})

// ackTimeout is how long client libraries wait for a PubAck where nothing else is
// said.
const ackTimeout = 5 * time.Second

func (f *Facts) waitsInVain(s *Stream) {
	if !s.Config.NoAck {
		return
	}
	for _, p := range s.Publishers() {
		if p.Mode == "core" || !p.All {
			continue
		}
		wait := p.AckTimeout
		if wait == 0 {
			wait = ackTimeout
		}
		f.Report(design.Join(p.Path, "mode"), Said{Value: "sync, the default",
			What:  fmt.Sprintf("waits for answers, and stream %s gives none (no_ack): each publish ends after %s as if it had failed", clip(s.Name), size.FormatDuration(wait)),
			Write: "write mode: core, or leave no_ack out", Figure: &Figure{"wait for each message", wait.Seconds(), "s", Computed}})
	}
}
