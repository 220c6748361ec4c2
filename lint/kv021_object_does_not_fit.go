package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "KV021",
	Name:     "object-does-not-fit",
	Severity: design.Warning,
	Title:    "The store cannot hold its objects and one that is being replaced.",
	Why: "A put writes all chunks of the new object before it removes those of the old one (nats.go object.go), and a store refuses what goes above max_bytes (10077, discard new). So it " +
		"needs room for all objects and the largest once more.",
	Fix:   "Give max_bytes room for the objects, one more of the largest, and the puts that run at the same time.",
	Refs:  []string{"nats.go object.go", "ADR-20", "nats.java PR 1491"},
	Check: func(f *Facts) { f.AcceptedStreams(f.objectsFit) },
})

func (f *Facts) objectsFit(s *Stream) {
	limit := float64(s.Config.MaxBytes)
	if s.Kind != "object_store" || limit <= 0 {
		return
	}
	mean, known := Mean(s.Bucket.Value)
	if !known || s.Bucket.Keys == 0 {
		f.Need("count and size of the objects")
		return
	}
	largest, _ := P99(s.Bucket.Value)
	need := float64(s.Bucket.Keys)*float64(mean) + max(float64(largest), float64(mean))
	if need <= 1.05*limit { // sizes are means
		return
	}
	f.Report(design.Join(s.Path, "max_bytes"), Said{
		What: fmt.Sprintf("is less than %s: %s of %s, and one of %s that is put again before the old one goes. The put is refused with 10077",
			size.FormatBytes(need), size.Counted(s.Bucket.Keys, "object", "objects"), size.FormatBytes(float64(mean)), size.FormatBytes(max(float64(largest), float64(mean)))),
		Write:  fmt.Sprintf("write %s or more", size.FormatBytes(1.25*need)),
		Figure: &Figure{"bytes needed", need, "B", Computed}})
}
