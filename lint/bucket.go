package lint

import (
	"slices"
	"strings"

	"weir/design"
)

// bucketOf is the bucket that a stream is, as kv or object_store and its name, be
// it written as a bucket or as the stream that clients make of one (nats.go
// kv.go, object.go); kind is "" for others.
func bucketOf(s *Stream) (kind, name string) {
	if s.Bucket != nil {
		return s.Kind, s.Name
	}
	if name, ok := strings.CutPrefix(s.Config.Name, "KV_"); ok && slices.Contains(s.Config.Subjects, "$KV."+name+".>") {
		return "kv", name
	}
	if name, ok := strings.CutPrefix(s.Config.Name, "OBJ_"); ok && slices.Contains(s.Config.Subjects, "$O."+name+".M.>") {
		return "object_store", name
	}
	return "", ""
}

// keysOf is how many keys a bucket has, as the design says or a server reported,
// and where that is written; 0 when neither does.
func (f *Facts) keysOf(s *Stream) (keys float64, path string) {
	if s.Bucket != nil && s.Bucket.Keys > 0 {
		return float64(s.Bucket.Keys), design.Join(s.Path, "keys")
	}
	n, _ := f.Observed(s.Path, "state", "num_subjects")
	return float64(n), s.Path
}

// watchersOf is how many readers of a bucket begin with the last value of every
// key: those of the design, and consumers that do.
func watchersOf(s *Stream) int {
	n := 0
	if s.Bucket != nil {
		n = s.Bucket.Watchers
	}
	for _, c := range s.Consumers {
		if c.Config.DeliverPolicy.String() == "Last Per Subject" {
			n++
		}
	}
	return n
}
