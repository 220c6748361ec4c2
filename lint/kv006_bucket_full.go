package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "KV006",
	Name:     "bucket-full",
	Severity: design.Warning,
	Title:    "The keys of the bucket do not fit into max_bytes, and then every write is refused.",
	Why: "A bucket is a stream with discard new: at max_bytes a put of a new value is answered with 10077 maximum bytes exceeded (nats.go kv.go; server/filestore.go, v2.15.2; measured). " +
		"Each kept value takes 30 bytes, its subject, headers and itself.",
	Fix:   "Raise max_bytes above keys × history × record, keep less history, or let values expire.",
	Refs:  []string{"nats.go kv.go", "server/filestore.go", "ADR-8"},
	Check: func(f *Facts) { f.AcceptedStreams(f.bucketFull) },
})

func (f *Facts) bucketFull(s *Stream) {
	limit := float64(s.Config.MaxBytes)
	if s.Kind != "kv" || limit <= 0 || s.Bucket.Keys == 0 {
		return
	}
	mean, known := Mean(s.Bucket.Value)
	if !known {
		f.Need("value, keys and writes of the buckets")
		return
	}
	record := 30 + float64(len("$KV..")+len(s.Bucket.Name)+meanKey) + float64(mean)
	need := float64(s.Bucket.Keys) * record // one value of each at least
	history := float64(max(s.Config.MaxMsgsPer, 1))
	if need*history <= limit {
		return
	}
	said := Said{
		What:   fmt.Sprintf("holds %s of %s: %s with %s in all, and puts are refused with 10077 when it is full", size.FormatCount(math.Floor(limit/record)), size.Counted(float64(s.Bucket.Keys)*history, "value", "values"), size.Counted(s.Bucket.Keys, "key", "keys"), size.FormatBytes(need*history)),
		Write:  fmt.Sprintf("write %s or more", size.FormatBytes(1.25*need*history)),
		Figure: &Figure{"bytes needed", need * history, "B", Computed}}
	if need <= limit {
		said.Severity = design.Info // only when every key has all its history
	}
	f.Report(design.Join(s.Path, "max_bytes"), said)
}
