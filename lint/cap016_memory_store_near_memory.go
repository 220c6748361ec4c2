package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CAP016",
	Name:     "memory-store-near-memory",
	Severity: design.Warning,
	Title:    "max_memory_store leaves too little memory for everything else that the server keeps.",
	Why: "It limits what memory streams report, not the process: a small message takes up to four times its reported bytes, and connections, indexes, caches and Go's garbage come " +
		"on top (server/memstore.go, v2.15.2; measured: 4.35 times at 16 bytes, 1.13 at 1 KiB). The kernel kills what exceeds the container's limit.",
	Fix:   "Write max_memory_store of half the memory at most, and set GOMEMLIMIT to 80 % of it.",
	Refs:  []string{"server/memstore.go", "nats-server #5739"},
	Check: func(f *Facts) { f.memoryStores() },
})

// mostForMemoryStore and goMemLimit are shares of a node's memory.
const (
	mostForMemoryStore = 0.6
	goMemLimit         = 0.8
)

func (f *Facts) memoryStores() {
	for _, s := range f.everyServer() {
		store, path := f.confNumber(s, "conf.jetstream", "max_memory_store")
		if path == "" || s.Memory <= 0 || float64(store) <= mostForMemoryStore*float64(s.Memory) {
			continue
		}
		limit := goMemLimit * float64(s.Memory)
		f.Report(path, Said{What: fmt.Sprintf("is %s of the node's %s and bounds the messages of memory streams alone; without GOMEMLIMIT, %s here, Go may use all of it", percent(float64(store)/float64(s.Memory)), size.FormatBytes(float64(s.Memory)), size.FormatBytes(limit)),
			Write: fmt.Sprintf("write %s or less, and set GOMEMLIMIT to %s", size.FormatBytes(float64(s.Memory)/2), size.FormatBytes(limit)), Figure: &Figure{"GOMEMLIMIT", limit, "B", Computed}})
	}
}
