package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB003",
	Name:     "filter-matches-nothing",
	Severity: design.Warning,
	Title:    "The consumer's filter matches no subject that its stream stores or that anybody publishes, so it never gets a message.",
	Why: "Since 2.10 a server accepts a filter outside of the stream's subjects; 2.9 refused it with 10093 (server/consumer.go, v2.9.25 and v2.15.2). " +
		"The consumer is created, its num_pending is 0, and nothing says that it will stay so.",
	Fix:   "Write a filter with as many tokens as the stream's subjects have, or let the stream capture what the filter asks for.",
	Since: natsapi.Version{Major: 2, Minor: 10},
	Refs:  []string{"server/consumer.go", "err_code 10093"},
	Check: func(f *Facts) {
		f.Consumers(func(c *Consumer) {
			stored, ok := f.storedSubjects(c.Of)
			if !ok {
				return
			}
			for i, filter := range c.Config.FilterSubjects {
				f.filterOutside(c, stored, design.Index(design.Join(c.Path, "filter_subjects"), i), filter)
			}
			if c.Config.FilterSubject != "" {
				f.filterOutside(c, stored, design.Join(c.Path, "filter_subject"), c.Config.FilterSubject)
			}
		})
	},
})

// knowsSubjects reports whether a stream stores nothing but what its own subjects
// say: no copies of other streams, and no change of subjects on the way in.
func (f *Facts) knowsSubjects(s *Stream) bool {
	c := s.Config
	return c.Mirror == nil && len(c.Sources) == 0 && c.SubjectTransform == nil && len(c.Subjects) > 0
}

// storedSubjects are the patterns of what a stream stores; ok is false when they
// are not known.
func (f *Facts) storedSubjects(s *Stream) (patterns []string, ok bool) {
	return f.storedWithin(s, mostCopies)
}

// mostCopies bounds how many copies of copies are followed.
const mostCopies = 8

func (f *Facts) storedWithin(s *Stream, copies int) (patterns []string, ok bool) {
	c := s.Config
	switch {
	case copies == 0 || c.SubjectTransform != nil && (c.Mirror != nil || len(c.Sources) > 0):
		return nil, false
	case c.Mirror != nil:
		return f.copied(s, c.Mirror, copies)
	case len(c.Sources) > 0:
		patterns = slices.Clone(c.Subjects)
		for _, src := range c.Sources {
			more, known := f.copied(s, src, copies)
			if !known {
				return nil, false
			}
			patterns = append(patterns, more...)
		}
		return patterns, true
	case c.SubjectTransform == nil:
		return c.Subjects, f.knowsSubjects(s)
	}
	for _, subj := range c.Subjects {
		if c.SubjectTransform.Source != "" && !subject.CoversAll(c.SubjectTransform.Source, subj) {
			return nil, false // some messages keep theirs
		}
	}
	dest, ok := madeSubject(c.SubjectTransform.Destination)
	return []string{dest}, ok
}

// madeSubject is what a transform makes, with * for what varies; ok is false for
// functions that make several tokens of one.
func madeSubject(dest string) (pattern string, ok bool) {
	return destPattern(dest), !strings.Contains(dest, "plit") && !strings.Contains(dest, "lice")
}

// copied are the patterns that a mirror or source brings from a stream of the
// design.
func (f *Facts) copied(s *Stream, src *api.StreamSource, copies int) (patterns []string, ok bool) {
	if src.External != nil {
		return nil, false
	}
	for _, t := range src.SubjectTransforms {
		made, known := madeSubject(t.Destination)
		if t.Destination == "" {
			made, known = t.Source, true
		}
		if !known {
			return nil, false
		}
		patterns = append(patterns, made)
	}
	switch {
	case len(patterns) > 0:
		return patterns, true
	case src.FilterSubject != "":
		return []string{src.FilterSubject}, true
	}
	for _, origin := range f.Streams {
		if origin.Config.Name == src.Name && origin.Scope == s.Scope {
			return f.storedWithin(origin, copies-1)
		}
	}
	return nil, false
}

func (f *Facts) filterOutside(c *Consumer, stored []string, path, filter string) {
	if !subject.Valid(filter) {
		return
	}
	for _, s := range stored {
		if subject.Meet(filter, s) {
			f.filterUnsent(c, path, filter)
			return
		}
	}
	f.Report(path, Said{
		What:   fmt.Sprintf("matches nothing that stream %s stores (%s)%s", clip(c.Of.Name), clip(strings.Join(stored, ", ")), tokenDifference(filter, "the stream's subject", stored)),
		Write:  "write a filter inside of the stream's subjects, or add the subject to the stream",
		Figure: &Figure{"subjects that reach the consumer", 0, "subjects", Computed}})
}

// filterUnsent is about a filter inside of the stream's subjects that no publisher of
// the design sends to.
func (f *Facts) filterUnsent(c *Consumer, path, filter string) {
	feeds := c.Of.Publishers()
	if len(feeds) == 0 || !f.saysAll() || !f.knowsSubjects(c.Of) || strings.HasPrefix(filter, "$") {
		return
	}
	var sent []string
	possible := false // with values of placeholders that are not named
	for _, p := range feeds {
		subjects, _ := sentBy(p.Publisher)
		for _, s := range subjects {
			if subject.Meet(filter, s) {
				return
			}
		}
		sent, possible = append(sent, p.Subject), possible || subject.Meet(filter, p.Pattern)
	}
	if f.comesFromElsewhere(c.Of.Scope, filter) {
		return
	}
	said := Said{What: fmt.Sprintf("matches nothing that the publishers of stream %s send (%s)%s", clip(c.Of.Name), clip(strings.Join(sent, ", ")), tokenDifference(filter, "the publisher's subject", sent)),
		Write:  "write a filter that meets one of these subjects, or describe who publishes to it",
		Figure: &Figure{"subjects that reach the consumer", 0, "subjects", Computed}}
	described := !slices.ContainsFunc(c.Of.Config.Subjects, func(s string) bool {
		return !slices.ContainsFunc(feeds, func(p Feed) bool { return subject.Meet(s, p.Pattern) })
	})
	if possible || !described {
		said.Severity = design.Info
	}
	f.Report(path, said)
}

// comesFromElsewhere reports whether messages on a pattern can come from where the
// publishers of a scope do not say: another account, a leaf node, or a stream that
// publishes what it stores.
func (f *Facts) comesFromElsewhere(scope *design.Scope, pattern string) bool {
	if f.leavesScope(scope, pattern) {
		return true
	}
	return slices.ContainsFunc(f.Streams, func(s *Stream) bool {
		return s.Scope == scope && s.Config.RePublish != nil && subject.Meet(destPattern(s.Config.RePublish.Destination), pattern)
	})
}

// tokenDifference says that lengths differ, where that is why nothing matches.
func tokenDifference(filter, whose string, subjects []string) string {
	n := subject.TokenCount(filter)
	for _, s := range subjects {
		if subject.TokenCount(s) == n || strings.HasSuffix(s, subject.Rest) || strings.HasSuffix(filter, subject.Rest) {
			return ""
		}
	}
	if len(subjects) != 1 {
		return ""
	}
	return fmt.Sprintf(": it has %s, and %s has %d", counted(n, "token"), whose, subject.TokenCount(subjects[0]))
}
