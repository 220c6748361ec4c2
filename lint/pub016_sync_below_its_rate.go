package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "PUB016",
	Name:     "sync-below-its-rate",
	Severity: design.Warning,
	Title:    "A publisher that waits for each answer cannot reach its rate.",
	Why: "With mode sync a process sends the next message when the PubAck of the last is there. Measured on loopback with v2.15.2 and 128 bytes: 20,100 a second for one replica, " +
		"5,700 for three, 3,700 with sync_interval always; a network makes it one message per round trip. What is above waits in the publisher, or is lost there.",
	Fix:   "Use mode async with some hundred publishes in flight, a batch, or more processes.",
	Refs:  []string{"measured", "nats.go issue 1001"},
	Check: func(f *Facts) { f.AcceptedStreams(f.syncTooSlow) },
})

// syncRates are how many messages a second one process publishes at most that
// waits for each answer (measured, v2.15.2, loopback).
const (
	syncSingle = 20_100
	syncCopied = 5_700
	syncAlways = 3_700
)

// nearLoopback is how much more time an answer may take than on loopback before the
// round trip of a network no longer decides: 0.2 ms for one replica and 0.7 ms for
// three are less than what many networks take.
const nearLoopback = 4

func (f *Facts) syncTooSlow(s *Stream) {
	most, why := float64(syncSingle), "one replica"
	if s.Config.Replicas > 1 {
		most, why = syncCopied, fmt.Sprintf("%d replicas", s.Config.Replicas)
	}
	if v, ok := f.Conf(s.Site.Server, "conf.jetstream", "sync_interval"); ok && v.Text == "always" {
		most, why = math.Min(most, syncAlways), "sync_interval: always"
	}
	for _, p := range s.Publishers() {
		peak := LoadOf([]Feed{p}).Peak / float64(max(1, p.Count))
		if p.Mode == "sync" && peak <= most && peak > most/nearLoopback {
			f.Report(design.Join(p.Path, "mode"), Said{Severity: design.Info,
				What: fmt.Sprintf("waits for each answer: %s a second of one process need one within %s each; on one machine it takes %s (%s), and a network adds a round trip",
					size.FormatCount(math.Round(peak)), size.FormatSeconds(1/peak), size.FormatSeconds(1/most), why),
				Write:  "write mode: async and in_flight: 256, or measure the round trip",
				Figure: &Figure{"time for an answer", 1 / peak, "s", Bound}})
		}
		if p.Mode != "sync" || peak <= most {
			continue
		}
		f.Report(design.Join(p.Path, "mode"), Said{
			What: fmt.Sprintf("waits for each answer: one process reaches %s a second at most on one machine (%s), less over a network, and is to send %s",
				messages(most), why, size.FormatCount(math.Round(peak))),
			Write:  "write mode: async and in_flight: 256, or more processes",
			Figure: &Figure{"messages a second of one process", most, "msg/s", Bound}})
	}
}
