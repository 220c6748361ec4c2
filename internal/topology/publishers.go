package topology

import (
	"strings"

	"weir/design"
	"weir/size"
	"weir/subject"
)

// publisher adds a publisher, the subject that it publishes on, and where that
// goes: to the streams of its scope that store it and to subscribers.
func (b *builder) publisher(s *design.Scope, p *design.Publisher, where []Line) {
	b.heads[Publisher]++
	pattern := p.Pattern()
	b.byPattern[pattern] = true
	n := Node{Kind: Publisher, Name: p.Name, Path: p.Path}
	for _, f := range publisherFacts(p) {
		n.Lines = append(n.Lines, Line{Text: f})
	}
	n.Lines = append(n.Lines, where...)
	at := len(b.g.Nodes)
	subj := Node{ID: design.Join(p.Path, "subject"), Kind: Subject, Name: pattern, Path: p.Path}
	if !b.add(n) || !b.add(subj) {
		return
	}
	b.join(Edge{From: p.Path, To: subj.ID, Flow: Publish, Rate: p.Rate})
	band := ""
	for _, st := range b.stores(s, pattern) {
		if band == "" {
			band = st
		}
		b.join(Edge{From: subj.ID, To: st, Flow: Publish, Rate: b.landing(p, st)})
	}
	heard := false
	for _, sub := range s.Subscribers {
		if subject.Collide(sub.Subject, pattern) {
			heard = true
			b.join(Edge{From: subj.ID, To: sub.Path, Flow: Core, Rate: p.Rate})
		}
	}
	b.g.Nodes[at].Band, b.g.Nodes[at+1].Band = band, band
	b.g.Nodes[at+1].Lines = publishLines(p, band != "", heard)
}

// stores lists the streams of a scope that store what is published on a pattern.
func (b *builder) stores(s *design.Scope, pattern string) []string {
	var out []string
	for _, st := range s.Streams {
		subjects := st.Config.Subjects
		if len(subjects) == 0 && st.Config.Mirror == nil && len(st.Config.Sources) == 0 {
			subjects = []string{st.Name} // server/stream.go (2.15.2): a stream of no subjects has its name for one
		}
		for _, have := range subjects {
			if subject.Collide(have, pattern) {
				out = append(out, st.Path)
				break
			}
		}
	}
	return out
}

// landing is the rate at which a publisher's messages reach a stream.
func (b *builder) landing(p *design.Publisher, stream string) float64 {
	if z := b.sized[stream]; z != nil {
		for _, a := range z.Arrivals {
			if a.From == p.Path && a.Via == "" {
				return a.Rate.Value
			}
		}
	}
	return p.Rate
}

func publishLines(p *design.Publisher, stored, heard bool) []Line {
	var words []string
	if p.Rate > 0 {
		words = append(words, rateText(p.Rate))
	}
	most := 0.0
	for _, x := range p.Bursts {
		most = max(most, x.Rate)
	}
	if most > p.Rate {
		words = append(words, "burst "+rateText(most))
	}
	if !stored && !heard {
		words = append(words, "nobody stores or reads it")
	} else if !stored {
		words = append(words, "not stored")
	}
	if len(words) == 0 {
		return nil
	}
	return []Line{{Text: strings.Join(words, ", ")}}
}

// rateText is a rate as a drawing writes it, in the unit of time that leaves a
// number of some size: "4,000/s", "12/min", "3/day".
func rateText(perSecond float64) string {
	for _, u := range []struct {
		seconds float64
		name    string
	}{{1, "/s"}, {60, "/min"}, {3600, "/h"}} {
		if n := perSecond * u.seconds; n >= 0.995 || n == 0 {
			return shortCount(n) + u.name
		}
	}
	return shortCount(perSecond*86400) + "/day"
}

// shortCount is size.FormatCount with at most three digits that are not whole.
func shortCount(n float64) string {
	if n >= 100 {
		n = float64(int64(n + 0.5))
	}
	return size.FormatCount(n)
}
