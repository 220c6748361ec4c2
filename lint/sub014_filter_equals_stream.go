package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "SUB014",
	Name:     "filter-equals-stream",
	Severity: design.Warning,
	Title:    "A filter that lets everything through makes each read a search.",
	Why: "Without a filter a consumer reads the next message. With one, the server looks up subjects to find the next that matches, block by block; v2.15.2 scans " +
		"instead where the filter is the stream's only subject, and older servers do not (server/filestore.go). It costs most where a stream has very many subjects.",
	Fix:   "Leave the filter out: without one a consumer gets every message.",
	Refs:  []string{"server/filestore.go firstMatching", "nats-server #7852"},
	Check: func(f *Facts) { f.Consumers(f.filterOfAll) },
})

// manySubjects is the number of distinct subjects from which a filtered read is
// worth a warning: what the server itself calls high cardinality is a million,
// and below some ten thousand no difference was seen.
const manySubjects = 100_000

func (f *Facts) filterOfAll(c *Consumer) {
	filter, path := c.Config.FilterSubject, design.Join(c.Path, "filter_subject")
	if len(c.Config.FilterSubjects) == 1 {
		filter, path = c.Config.FilterSubjects[0], design.Index(design.Join(c.Path, "filter_subjects"), 0)
	}
	if c.Config.DeliverPolicy.String() == "Last Per Subject" {
		return // which does not do without a filter
	}
	if filter == "" || !f.knowsSubjects(c.Of) || len(c.Of.Config.Subjects) != 1 || filter != c.Of.Config.Subjects[0] {
		return
	}
	said := Said{Severity: design.Info, What: "is all that the stream stores: it selects nothing and makes each read a search", Write: "leave the filter out"}
	observed, _ := f.Observed(c.Of.Path, "state", "num_subjects")
	if sized := f.SizeOf(c.Of.Path); sized != nil || observed > 0 {
		subjects := float64(observed)
		if observed == 0 {
			for _, a := range sized.Arrivals {
				subjects += a.Subjects.Value
			}
		}
		if subjects >= manySubjects {
			said.Severity = design.Warning
			said.What += fmt.Sprintf(", among %s subjects", size.FormatCount(subjects))
			said.Figure = &Figure{"subjects in the stream", subjects, "subjects", Computed}
		}
	}
	if path == design.Join(c.Path, "filter_subject") {
		said.Fix = f.UnsetFix("Leave the filter out", path)
	}
	f.Report(path, said)
}
