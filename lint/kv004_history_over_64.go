package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
)

var _ = rule(Rule{
	Code:     "KV004",
	Name:     "history-over-64",
	Severity: design.Warning,
	Title:    "A stream made as a KV bucket keeps more revisions of a key than clients allow.",
	Why: "Servers take any max_msgs_per_subject; client libraries refuse to create a bucket with a history above 64 (nats.go kv.go KeyValueMaxHistory), and a watch with history or a listing " +
		"of revisions reads them all.",
	Fix:   "Keep at most 64 revisions, or use a stream of its own for the history.",
	Refs:  []string{"nats.go kv.go", "ADR-8"},
	Check: func(f *Facts) { f.AcceptedStreams(f.historyTooLong) },
})

func (f *Facts) historyTooLong(s *Stream) {
	if kind, _ := bucketOf(s); kind != "kv" || s.Config.Mirror != nil {
		return
	}
	field, ok := natsapi.Lookup("kv", "history")
	most, err := natsapi.Number(field.Max)
	if !ok || err != nil || s.Config.MaxMsgsPer <= most && s.Config.MaxMsgsPer > 0 {
		return
	}
	path, count := design.Join(s.Path, "max_msgs_per_subject"), float64(s.Config.MaxMsgsPer)
	if s.Bucket != nil {
		path = design.Join(s.Path, "history")
	}
	said := Said{Value: "unlimited", Write: fmt.Sprintf("write %d or less", most),
		What:   fmt.Sprintf("is more than the %d revisions of a key that clients of KV buckets allow: they refuse to create or update the bucket", most),
		Figure: &Figure{"revisions of a key", count, "revisions", Computed}}
	said.Fix = f.SetFix(fmt.Sprintf("Write %d", most), path, fmt.Sprint(most))
	f.Report(path, said)
}
