package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CAP019",
	Name:     "memory-streams-outgrow-the-node",
	Severity: design.Warning,
	Title:    "Memory streams take more than they report, and more than the node has.",
	Why: "max_bytes and max_memory_store count 16 bytes beside each message; on the heap it is 162 and more, 4.35 times the reported bytes at 16 bytes of payload, 1.9 at 128 " +
		"(server/memstore.go, v2.15.2; measured in 30 cells).",
	Fix:   "Write smaller limits, storage: file, or give the node more memory.",
	Refs:  []string{"server/memstore.go"},
	Check: func(f *Facts) { f.memoryStreams() },
})

func (f *Facts) memoryStreams() {
	for _, s := range f.everyServer() {
		if s.Memory <= 0 {
			continue
		}
		heap := 0.0
		var largest *Stream
		most := 0.0
		f.storedOn(s, func(o *Stream, copies float64) {
			if o.storage() != size.Memory || len(o.Publishers()) == 0 && o.Bucket == nil {
				return
			}
			if sized := f.SizeOf(o.Path); sized != nil {
				part := sized.Size.Heap.Live.High * copies
				if heap += part; part > most {
					largest, most = o, part
				}
			}
		})
		if largest == nil || heap <= goMemLimit*float64(s.Memory) {
			continue
		}
		f.Report(design.Join(largest.Path, "storage"), Said{What: fmt.Sprintf("keeps %s on the heap of each of its servers, all memory streams together %s, and the node has %s", size.FormatBytes(most), size.FormatBytes(heap), size.FormatBytes(float64(s.Memory))),
			Write: "write smaller limits, or storage: file", Figure: &Figure{"heap of memory streams", heap, "B", Computed}})
	}
}
