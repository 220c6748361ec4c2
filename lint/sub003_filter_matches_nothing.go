package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB003",
	Name:     "filter-matches-nothing",
	Severity: design.Warning,
	Title:    "The consumer's filter matches no subject that its stream stores, so it never gets a message.",
	Why: "Since 2.10 a server accepts a filter outside of the stream's subjects; 2.9 refused it with 10093 (server/consumer.go, v2.9.25 and v2.15.2). " +
		"The consumer is created, its num_pending is 0, and nothing says that it will stay so.",
	Fix:   "Write a filter with as many tokens as the stream's subjects have, or let the stream capture what the filter asks for.",
	Since: natsapi.Version{Major: 2, Minor: 10},
	Refs:  []string{"server/consumer.go", "err_code 10093"},
	Check: func(f *Facts) {
		f.Consumers(func(c *Consumer) {
			if !f.knowsSubjects(c.Of) {
				return
			}
			for i, filter := range c.Config.FilterSubjects {
				f.filterOutside(c, design.Index(design.Join(c.Path, "filter_subjects"), i), filter)
			}
			if c.Config.FilterSubject != "" {
				f.filterOutside(c, design.Join(c.Path, "filter_subject"), c.Config.FilterSubject)
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

func (f *Facts) filterOutside(c *Consumer, path, filter string) {
	if !subject.Valid(filter) || subject.Uncovered(filter, c.Of.Config.Subjects) == "" {
		return
	}
	for _, s := range c.Of.Config.Subjects {
		if subject.Meet(filter, s) {
			return
		}
	}
	f.Report(path, Said{
		What:   fmt.Sprintf("matches nothing that stream %s stores (%s)%s", clip(c.Of.Name), clip(strings.Join(c.Of.Config.Subjects, ", ")), tokenDifference(filter, c.Of.Config.Subjects)),
		Write:  "write a filter inside of the stream's subjects, or add the subject to the stream",
		Figure: &Figure{"subjects that reach the consumer", 0, "subjects", Computed}})
}

// tokenDifference says that lengths differ, where that is why nothing matches.
func tokenDifference(filter string, subjects []string) string {
	n := subject.TokenCount(filter)
	for _, s := range subjects {
		if subject.TokenCount(s) == n || strings.HasSuffix(s, subject.Rest) || strings.HasSuffix(filter, subject.Rest) {
			return ""
		}
	}
	if len(subjects) != 1 {
		return ""
	}
	return fmt.Sprintf(": it has %s, and the stream's subject has %d", counted(n, "token"), subject.TokenCount(subjects[0]))
}
