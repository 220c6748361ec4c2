package lint

import (
	"fmt"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "CON045",
	Name:     "partition-without-consumer",
	Severity: design.Warning,
	Title:    "A subject mapping makes partitions that no consumer reads.",
	Why: "Partitions are subjects like others: nothing hands them out to the workers that are there, and nothing moves them when one leaves (server/subject_transform.go, v2.15.2). What " +
		"falls into a partition without a consumer waits. Another number of partitions sends most keys elsewhere.",
	Fix:   "Create a consumer for each partition, with a worker each; where order is not needed, one consumer without partitions.",
	Refs:  []string{"server/subject_transform.go", "nats.py issue 414"},
	Check: func(f *Facts) { f.AcceptedStreams(f.unreadPartitions) },
})

// mostPartitions bounds the look at partitions; nobody has a consumer for each of
// more.
const mostPartitions = 1024

func (f *Facts) unreadPartitions(s *Stream) {
	for _, p := range f.Partitionings(s) {
		unread, first := 0, ""
		for k := range min(p.N, mostPartitions) {
			read, pattern := false, p.Pattern(k)
			for _, c := range s.Consumers {
				for _, filter := range c.Filters() {
					read = read || subject.Meet(filter, pattern)
				}
			}
			if !read {
				unread++
				if first == "" {
					first = pattern
				}
			}
		}
		if unread == 0 || unread == p.N {
			continue // nobody reads the stream in partitions
		}
		f.Report(p.Path, Said{
			What:   fmt.Sprintf("makes %d partitions, and no consumer of stream %s reads %d of them, such as %s: about %s of the keys wait for ever", p.N, clip(s.Name), unread, first, percent(float64(unread)/float64(p.N))),
			Write:  "create a consumer for each partition",
			Figure: &Figure{"partitions that nobody reads", float64(unread), "partitions", Computed}})
	}
}
