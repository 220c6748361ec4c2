package lint

import (
	"fmt"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "STR002",
	Name:     "workqueue-copied",
	Severity: design.Warning,
	Title:    "A workqueue is copied by another stream while its own consumers, or a second copy, read it.",
	Why: "A mirror or source is a consumer of its origin that acks nothing; in a workqueue what it has taken is removed, or it competes with the local " +
		"consumers for what they have not acked yet (server/stream.go setupSourceConsumer, v2.15.2; ADR-55 says what 2.14 offers instead).",
	Fix:   "Give the origin retention limits or interest, or let only one of the two read it: the copy or its own consumers.",
	Refs:  []string{"server/stream.go setupSourceConsumer", "nats-server #5148"},
	Check: func(f *Facts) { f.AcceptedStreams(f.copiesWorkqueue) },
})

func (f *Facts) copiesWorkqueue(s *Stream) {
	look := func(path, origin, filter string) {
		for _, o := range f.Streams {
			if o.Scope != s.Scope || o.Config.Name != origin || o.Config.Retention.String() != "WorkQueue" || !o.Accepted {
				continue
			}
			if other := f.otherCopy(s, o); other != nil && s.Path > other.Path {
				f.Report(path, Said{What: fmt.Sprintf("is a workqueue that stream %s copies as well: each message goes to one of the two or to both", clip(other.Name)),
					Write: "give stream " + clip(o.Name) + " retention limits, or copy the one from the other", Figure: &Figure{"readers of a message", 2, "readers", Computed}})
				return
			}
			for _, c := range o.Consumers {
				if f.sharesMessages(c, filter) {
					f.Report(path, Said{What: fmt.Sprintf("is a workqueue that consumer %s/%s reads as well: each message goes to one of the two or to both", clip(o.Name), clip(c.Name)),
						Write: "give stream " + clip(o.Name) + " retention limits, or let only the copy read it", Figure: &Figure{"readers of a message", 2, "readers", Computed}})
					return
				}
			}
		}
	}
	if m := s.Config.Mirror; m != nil && m.External == nil {
		look(design.Join(design.Join(s.Path, "mirror"), "name"), m.Name, m.FilterSubject)
	}
	for i, src := range s.Config.Sources {
		if src.External == nil {
			look(design.Join(design.Index(design.Join(s.Path, "sources"), i), "name"), src.Name, src.FilterSubject)
		}
	}
}

// otherCopy is another stream than s that copies all of a workqueue; nil without.
func (f *Facts) otherCopy(s, of *Stream) *Stream {
	for _, o := range f.Streams {
		if o == s || !o.Accepted || o.Scope != of.Scope {
			continue
		}
		if m := o.Config.Mirror; m != nil && m.External == nil && m.Name == of.Config.Name && m.FilterSubject == "" {
			return o
		}
		for _, src := range o.Config.Sources {
			if src.External == nil && src.Name == of.Config.Name && src.FilterSubject == "" {
				return o
			}
		}
	}
	return nil
}

// sharesMessages reports whether a consumer asks for some of what a filter takes.
func (f *Facts) sharesMessages(c *Consumer, filter string) bool {
	if filter == "" {
		return true
	}
	for _, own := range c.Filters() {
		if subject.Meet(own, filter) {
			return true
		}
	}
	return false
}
