package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "KV005",
	Name:     "scattered-values",
	Severity: design.Warning,
	Title:    "The last values of a bucket lie scattered in a stream that was written many times over.",
	Why: "A watch, a listing and a get by prefix look for the last value of each key, block by block; where most of what was written is replaced by now, blocks are nearly empty and " +
		"many have to be read (server/filestore.go, v2.15.2; nats-server issue 4987).",
	Fix:   "Put what changes often into a bucket of its own, watch prefixes, and keep one watcher in place of listings.",
	Refs:  []string{"nats-server issue 4987", "server/filestore.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.scattered) },
})

// Writes for each value that is left, and values, from which a scan is slow: ten
// times what is read has to be looked through.
const (
	muchReplaced  = 10
	manyLastValue = 10_000
)

func (f *Facts) scattered(s *Stream) {
	f.scatters(s)
	kind, _ := bucketOf(s)
	left, ok := f.Observed(s.Path, "state", "messages")
	first, _ := f.Observed(s.Path, "state", "first_seq")
	last, _ := f.Observed(s.Path, "state", "last_seq")
	written := float64(last - first + 1)
	if kind != "kv" || !ok || left < manyLastValue || written < muchReplaced*float64(left) {
		return
	}
	f.Report(s.Path, Said{
		What: fmt.Sprintf("holds %s values among %s places, %.3g for each: a watch of all keys or a listing reads nearly every block, on nats-server %s",
			size.FormatCount(float64(left)), size.FormatCount(written), written/float64(left), s.Version),
		Write:  "put what changes often into a bucket of its own",
		Figure: &Figure{"places looked through for each value", written / float64(left), "places", Computed}})
}

// scatters is about a bucket that is written many times over while clients watch it
// from the beginning: how far its values lie apart depends on which keys are written.
func (f *Facts) scatters(s *Stream) {
	if s.Kind != "kv" || s.Bucket.Watchers == 0 || s.Bucket.Keys < manyLastValue || s.Config.MaxAge > 0 {
		return
	}
	each := s.Bucket.Writes * 86400 / float64(s.Bucket.Keys)
	if each < muchReplaced {
		return
	}
	f.Report(design.Join(s.Path, "writes"), Said{Severity: design.Info, Write: "put what changes often into a bucket of its own, and keep watchers running",
		What:   fmt.Sprintf("replace each of %s values %.3g times a day: where some keys are written far more often than others, a new watch or a listing reads nearly every block", size.FormatCount(float64(s.Bucket.Keys)), each),
		Figure: &Figure{"places a day for each value", each, "places", Bound}})
}
