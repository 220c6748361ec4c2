package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "KV020",
	Name:     "chunk-over-max-payload",
	Severity: design.Warning,
	Title:    "The chunks of an object are larger than a message may be.",
	Why: "An object is stored as messages of chunk bytes each, 128 KiB unless the client says otherwise (nats.go object.go); one above max_payload, 1 MiB by default, is refused and the put " +
		"fails.",
	Fix:   "Leave the chunk size at 128 KiB, or raise max_payload.",
	Refs:  []string{"nats.go object.go", "server/client.go", "ADR-20"},
	Check: func(f *Facts) { f.AcceptedStreams(f.chunkTooLarge) },
})

func (f *Facts) chunkTooLarge(s *Stream) {
	if s.Kind != "object_store" || s.Bucket.Chunk == 0 {
		return
	}
	limit := int64(size.MiB)
	if v, ok := f.Value("server.conf.max_payload"); ok && v.Int > 0 {
		limit = v.Int
	}
	if s.Bucket.Chunk <= limit {
		return
	}
	f.Report(design.Join(s.Path, "chunk"), Said{
		What:   fmt.Sprintf("is more than max_payload, %s: no object larger than that can be put", size.FormatBytes(float64(limit))),
		Write:  "write 128KiB, or raise max_payload",
		Figure: &Figure{"largest message", float64(limit), "B", Computed}})
}
