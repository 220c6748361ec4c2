package lint

import (
	"math"
	"slices"
	"strings"

	"weir/design"
	"weir/size"
	"weir/subject"
)

// Feed is a publisher as far as one stream or consumer gets its messages.
type Feed struct {
	*design.Publisher
	// Pattern is the publisher's subject with * for each placeholder.
	Pattern string
	// All says that every message gets there; else only some do, and nobody knows
	// how many.
	All bool
}

// feedsOf are the publishers of a scope whose subject is one, worked out once for
// all its streams.
func feedsOf(scope *design.Scope) []Feed {
	var out []Feed
	for _, p := range scope.Publishers {
		if s := p.Pattern(); subject.Valid(s) {
			out = append(out, Feed{Publisher: p, Pattern: s})
		}
	}
	return out
}

// Publishers are the publishers whose messages the stream stores, some or all of
// them. They are those of the stream's own scope.
func (s *Stream) Publishers() []Feed {
	if s.feedDone {
		return s.feeds
	}
	s.feedDone = true
	for _, p := range s.offered {
		if feed, ok := p.through(s.Config.Subjects); ok {
			s.feeds = append(s.feeds, feed)
		}
	}
	return s.feeds
}

// through is the part of a feed that patterns get.
func (p Feed) through(patterns []string) (Feed, bool) {
	some := false
	p.All = false
	for _, s := range patterns {
		if subject.CoversAll(s, p.Pattern) {
			p.All, some = true, true
		}
		some = some || subject.Meet(p.Pattern, s)
	}
	return p, some
}

// mostExpanded bounds the subjects of a publisher that are looked at one by one.
const mostExpanded = 2_000

// sentBy are the subjects that a publisher sends: one for each value of the words
// whose values are all named, and * for the words that are only counted. even says
// that as many messages go to each of them.
func sentBy(p *design.Publisher) (subjects []string, even bool) {
	subjects, even = []string{p.Subject}, true
	for _, t := range p.Tokens {
		hole := "{" + t.Name + "}"
		if !strings.Contains(p.Subject, hole) || len(t.Examples) == 0 || int64(len(t.Examples)) < t.Count || len(subjects)*len(t.Examples) > mostExpanded {
			continue
		}
		var next []string
		for _, s := range subjects {
			for _, value := range t.Examples {
				next = append(next, strings.ReplaceAll(s, hole, value))
			}
		}
		subjects, even = next, even && t.Skew == 0
	}
	for i, s := range subjects {
		subjects[i] = (&design.Publisher{Subject: s}).Pattern()
	}
	return subjects, even
}

// outside is what of a publisher's messages no pattern matches: a subject of it, ""
// for none, and the share of the messages at least and at most.
func (p Feed) outside(patterns []string) (witness string, low, high float64) {
	if subject.Uncovered(p.Pattern, patterns) == "" {
		return "", 0, 0
	}
	subjects, even := sentBy(p.Publisher)
	for _, s := range subjects {
		missing := subject.Uncovered(s, patterns)
		if missing == "" {
			continue
		}
		if witness == "" {
			witness = missing
		}
		high++
		if !slices.ContainsFunc(patterns, func(o string) bool { return subject.Meet(o, s) }) {
			low++
		}
	}
	n := float64(len(subjects))
	switch {
	case high == 0:
		return "", 0, 0
	case low == n:
		return witness, 1, 1
	case !even:
		return witness, 0, 1
	}
	return witness, low / n, high / n
}

// Filters are the subjects that a consumer asks for; the stream's own when it
// has no filter.
func (c *Consumer) Filters() []string {
	switch {
	case c.Config.FilterSubject != "":
		return []string{c.Config.FilterSubject}
	case len(c.Config.FilterSubjects) > 0:
		return c.Config.FilterSubjects
	case len(c.Of.Config.Subjects) == 0:
		return []string{subject.Rest}
	}
	return c.Of.Config.Subjects
}

// Publishers are the publishers whose messages the consumer delivers.
func (c *Consumer) Publishers() []Feed {
	var out []Feed
	for _, p := range c.Of.Publishers() {
		feed, ok := p.through(c.Filters())
		if feed.All = feed.All && p.All; ok {
			out = append(out, feed)
		}
	}
	return out
}

// Load is what publishers bring, in messages a second. Low counts only what
// surely arrives, High what may; both are means over time, Peak is the highest
// rate while bursts last.
type Load struct {
	Low, High, Peak float64
	// Known is false when no publisher with a rate is known.
	Known bool
}

// LoadOf adds feeds up.
func LoadOf(feeds []Feed) Load {
	var l Load
	for _, p := range feeds {
		if p.Rate == 0 && len(p.Bursts) == 0 {
			continue
		}
		l.Known = true
		mean, peak := p.Rate, p.Rate
		for _, b := range p.Bursts {
			peak = math.Max(peak, b.Rate)
			if b.Every > 0 {
				mean += (b.Rate - p.Rate) * math.Min(1, float64(b.For)/float64(b.Every))
			}
		}
		l.High += mean
		l.Peak += peak
		if p.All {
			l.Low += mean
		}
	}
	return l
}

// Load is what the stream's publishers bring.
func (s *Stream) Load() Load { return LoadOf(s.Publishers()) }

// Load is what the consumer's publishers bring, and the streams that its stream
// copies. Where only a part of their messages gets here and the design says which,
// all three rates are of that part.
func (c *Consumer) Load() Load {
	feeds, of := c.Publishers(), c.Of.Config
	whole := len(feeds) == len(c.Of.Publishers()) && len(of.Sources) == 0 && of.Mirror == nil && of.SubjectTransform == nil
	if whole && !slices.ContainsFunc(feeds, func(p Feed) bool { return !p.All }) {
		return LoadOf(feeds)
	}
	got := c.Of.facts.arriving(c.Path)
	if !got.Certain || got.Mean == 0 {
		return LoadOf(feeds)
	}
	return Load{Low: got.Mean, High: got.Mean, Peak: math.Max(got.Peak, got.Mean), Known: true}
}

// IsPush reports whether the server pushes to a deliver_subject.
func (c *Consumer) IsPush() bool { return c.Config.DeliverSubject != "" }

// bytesPerSecond is how fast a stream's reported bytes grow while nothing leaves;
// 0 when a publisher's rate or payload is not known.
func (f *Facts) bytesPerSecond(s *Stream) float64 {
	sized := f.SizeOf(s.Path)
	if sized == nil || meanBytes(s.Publishers()) == 0 {
		return 0
	}
	total := 0.0
	for _, a := range sized.Arrivals {
		record, err := size.OfRecord(a.Message, sized.Input.Storage)
		if err != nil {
			return 0
		}
		total += a.Rate.Value * record.Reported.Value
	}
	return total
}
