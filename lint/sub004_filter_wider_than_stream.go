package lint

import (
	"fmt"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB004",
	Name:     "filter-wider-than-stream",
	Severity: design.Warning,
	Title:    "The filter asks for subjects that are published and that no stream stores.",
	Why: "A consumer delivers what its stream has stored. A filter that reaches beyond the stream's subjects does not make the stream capture more " +
		"(server/stream.go subscribes to subjects alone, v2.15.2).",
	Fix:  "Add the missing subject to the stream, or narrow the filter so that it says what is delivered.",
	Refs: []string{"server/stream.go"},
	Check: func(f *Facts) {
		f.Consumers(func(c *Consumer) {
			if f.knowsSubjects(c.Of) && c.Config.FilterSubject != "" {
				f.filterBeyond(c, design.Join(c.Path, "filter_subject"), c.Config.FilterSubject)
			}
			for i, filter := range c.Config.FilterSubjects {
				if f.knowsSubjects(c.Of) {
					f.filterBeyond(c, design.Index(design.Join(c.Path, "filter_subjects"), i), filter)
				}
			}
		})
	},
})

// filterBeyond looks for a publisher whose messages the filter asks for and no
// stream has. Without one it is a note: the filter may be written for the future.
func (f *Facts) filterBeyond(c *Consumer, path, filter string) {
	met, whole := 0, false
	for _, s := range c.Of.Config.Subjects {
		if subject.Meet(filter, s) {
			met++
		}
		whole = whole || subject.CoversAll(filter, s)
	}
	witness := subject.Uncovered(filter, c.Of.Config.Subjects)
	if met == 0 || witness == "" {
		return
	}
	stored := f.captured(c.Of.Scope)
	for _, p := range c.Of.Scope.Publishers {
		missing := subject.Uncovered(p.Pattern(), stored)
		if missing == "" || !subject.Match(filter, missing) {
			continue
		}
		said := Said{What: fmt.Sprintf("asks for %s, which publisher %s sends and no stream stores", clip(missing), clip(p.Name)),
			Write: "add the subject to the subjects of stream " + clip(c.Of.Name)}
		if p.Rate > 0 {
			said.Figure = &Figure{"messages that are not stored, at most", p.Rate, "msgs/s", Bound}
		}
		f.Report(path, said)
		return
	}
	if filter == subject.Rest || met > 1 && !whole {
		return // the stream as it is; or it selects by another token, across its subjects
	}
	f.Report(path, Said{Severity: design.Info, What: fmt.Sprintf("reaches beyond what stream %s stores: %s is matched and not captured", clip(c.Of.Name), clip(witness)),
		Write: "narrow the filter, or add the subject to the stream if it is meant"})
}

// captured are the subjects that streams of a scope store.
func (f *Facts) captured(scope *design.Scope) []string {
	var out []string
	for _, s := range f.Streams {
		if s.Scope == scope {
			out = append(out, s.Config.Subjects...)
		}
	}
	return out
}
