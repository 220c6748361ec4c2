package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "PUB012",
	Name:     "too-many-in-flight",
	Severity: design.Warning,
	Title:    "The publishers may have more messages under way than the stream lets wait.",
	Why: "What has come in and is not yet stored waits in the stream's inbound queue: 10,000 messages or 128 MiB in 2.11, 100,000 from 2.12 on; above that a publish is refused with " +
		"429/10167 too many requests (server/stream.go queueInbound). 2.10 has no limit and grows. Whatever waits there also holds up the acks of consumers.",
	Fix:   "Let each process have some hundred publishes unanswered (nats.go: 4,000 in all), and look at every answer.",
	Refs:  []string{"server/stream.go", "err_code 10167", "nats.rs issue 1285", "nats-server issue 5930"},
	Check: func(f *Facts) { f.AcceptedStreams(f.tooManyInFlight) },
})

// Limits of a stream's inbound queue (server/stream.go, v2.11.17 and v2.12.15).
const (
	inboundMessages  = 100_000
	inboundMessages1 = 10_000 // 2.11
	inboundBytes     = 128 << 20
)

// Publishes under way from which those that wait hold up others (nats.rs issue
// 1285: 25,000), and how many do not.
const (
	holdUp     = 20_000
	holdUpLess = 1_000
)

func (f *Facts) tooManyInFlight(s *Stream) {
	limit := inboundMessages
	if !s.Version.AtLeast(natsapi.Version{Major: 2, Minor: 12}) {
		limit = inboundMessages1
	}
	all, bytes := 0, 0.0
	for _, p := range s.Publishers() {
		if p.Mode != "core" {
			mean, _ := Mean(p.Payload)
			all += inFlight(p.Publisher)
			bytes += float64(inFlight(p.Publisher)) * float64(mean)
		}
	}
	for _, p := range s.Publishers() {
		n, path := inFlight(p.Publisher), design.Join(p.Path, "in_flight")
		if p.Mode == "core" || n < all/len(s.Publishers()) {
			continue // another one has more
		}
		if p.Mode == "sync" {
			path = design.Join(p.Path, "count")
		}
		over := (all > limit || bytes > inboundBytes) && s.Version.AtLeast(natsapi.Version{Major: 2, Minor: 11})
		if !over && n <= holdUp {
			continue
		}
		said := Said{Write: fewerInFlight(p.Publisher),
			Figure: &Figure{"publishes under way", float64(all), "msgs", Bound}}
		switch {
		case bytes > inboundBytes && all <= limit:
			said.What = fmt.Sprintf("lets %s be under way to stream %s, which lets %s wait: the rest is refused with 429/10167", size.FormatBytes(bytes), clip(s.Name), size.FormatBytes(inboundBytes))
		case over:
			said.What = fmt.Sprintf("lets %s publishes be under way to stream %s, which lets %s wait: the rest is refused with 429/10167", size.FormatCount(float64(all)), clip(s.Name), size.FormatCount(float64(limit)))
		default:
			said.What = fmt.Sprintf("lets %s publishes be under way: acks and reads of stream %s wait behind them", size.FormatCount(float64(all)), clip(s.Name))
		}
		f.Report(path, said)
		return
	}
}

// fewerInFlight is the remedy for one publisher.
func fewerInFlight(p *design.Publisher) string {
	switch each := holdUpLess / max(1, p.Count); {
	case p.Mode == "sync":
		return fmt.Sprintf("write count: %d or less, and look at every answer", holdUpLess)
	case each < 1:
		return "let fewer processes publish, and look at every answer"
	case p.Count > 1:
		return fmt.Sprintf("write in_flight: %d or less in each process, and look at every answer", each)
	}
	return fmt.Sprintf("write in_flight: %d or less, and look at every answer", holdUpLess)
}
