package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "STR090",
	Name:     "interest-without-consumer",
	Severity: design.Warning,
	Title:    "What no consumer is interested in is acknowledged to the publisher and kept nowhere.",
	Why: "A stream with retention interest stores a message only when a consumer's filter matches it; without one the publisher gets a normal PubAck and the " +
		"message is gone (server/stream.go, v2.15.2; measured: acked, 0 messages).",
	Fix:  "Create the consumers before the first publish, cover every subject, or use retention limits.",
	Refs: []string{"server/stream.go"}, Proof: "interest-without-consumer",
	Check: func(f *Facts) { f.AcceptedStreams(f.nobodyInterested) },
})

func (f *Facts) nobodyInterested(s *Stream) {
	if s.Config.Retention.String() != "Interest" || s.Kind != "stream" || f.sourcedBy(s) {
		return
	}
	if len(s.Publishers())+len(s.Consumers)+len(s.Config.Sources) == 0 && s.Config.Mirror == nil {
		f.Report(design.Join(s.Path, "retention"), Said{Severity: design.Info, What: "keeps nothing while there is no consumer, and none is given here: each publish is acknowledged and removed at once",
			Write: "create the consumers before the first publish, or write retention: limits", Figure: &Figure{"messages kept", 0, "msgs", Bound}})
	}
	for _, p := range s.Publishers() {
		pattern := p.Publisher.Pattern()
		wanted := false
		for _, c := range s.Consumers {
			for _, filter := range c.Filters() {
				wanted = wanted || subject.Relate(filter, pattern).Relation != subject.Disjoint
			}
		}
		if wanted {
			continue
		}
		path := design.Join(s.Path, "retention")
		f.Report(path, Said{What: fmt.Sprintf("keeps nothing of publisher %s: no consumer's filter matches %s, so each publish is acknowledged and removed at once, %s a second",
			clip(p.Name), clip(pattern), counted(int(math.Round(p.Rate)), "message")),
			Write: "write a consumer for it, or retention: limits", Figure: &Figure{"acknowledged and lost", p.Rate, "msg/s", Computed}})
	}
}

// sourcedBy reports whether another stream copies this one, which is interest.
func (f *Facts) sourcedBy(s *Stream) bool {
	for _, other := range f.Streams {
		if m := other.Config.Mirror; m != nil && m.Name == s.Config.Name {
			return true
		}
		for _, src := range other.Config.Sources {
			if src.Name == s.Config.Name {
				return true
			}
		}
	}
	return false
}
