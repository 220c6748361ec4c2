package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CAP017",
	Name:     "reads-fill-the-memory",
	Severity: design.Warning,
	Title:    "What is written and read within seconds takes a large part of the node's memory.",
	Why: "Blocks that were read stay in memory for 10 seconds (server/filestore.go, v2.15.2; measured), and up to 64 MiB wait for each connection. At a high rate that adds up " +
		"before the collector runs, and a small node is killed.",
	Fix:   "Set GOMEMLIMIT to 80 % of the memory, lower max_pending, spread the streams, or take a larger node.",
	Refs:  []string{"server/filestore.go", "nats-server #5673"},
	Check: func(f *Facts) { f.readsAgainstMemory() },
})

// mostForReads is the share of memory that such blocks may take.
const mostForReads = 0.25

func (f *Facts) readsAgainstMemory() {
	for _, s := range f.everyServer() {
		if s.Memory <= 0 {
			continue
		}
		bytes := 0.0
		f.storedOn(s, func(o *Stream, copies float64) {
			record := recordMean(o)
			bytes += o.Load().High * record * copies
			for _, c := range o.Consumers {
				bytes += c.Load().High * record / float64(max(len(o.Site.Setting.Nodes), 1)) // the leader's
			}
		})
		held := bytes * size.CacheSeconds
		if held < mostForReads*float64(s.Memory) {
			continue
		}
		f.Report(design.Join(s.Path, "memory"), Said{What: fmt.Sprintf("is small for %s a second written and read on a node: blocks stay %d s, so that up to %s are in memory for them alone", size.FormatBytes(bytes), size.CacheSeconds, size.FormatBytes(held)),
			Write: fmt.Sprintf("set GOMEMLIMIT to %s, or give the node more", size.FormatBytes(goMemLimit*float64(s.Memory))), Figure: &Figure{"GOMEMLIMIT", goMemLimit * float64(s.Memory), "B", Bound}})
	}
}
