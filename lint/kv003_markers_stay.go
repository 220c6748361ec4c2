package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "KV003",
	Name:     "markers-stay",
	Severity: design.Warning,
	Title:    "Every key or name that was ever deleted stays in the bucket as a marker.",
	Why: "A delete or purge of a key writes a marker as its last value, and a deleted object keeps its metadata; without ttl, and for keys without limit_marker_ttl, nothing removes " +
		"them (nats.go kv.go, object.go; ADR-8). Each is a message, a subject in the server's memory and an entry in every listing.",
	Fix:   "Write ttl, or limit_marker_ttl (2.11), run purge-deletes with an age, and use names again.",
	Refs:  []string{"nats-server issue 3251", "nats.go issue 1243", "ADR-8", "ADR-43"},
	Check: func(f *Facts) { f.AcceptedStreams(f.markersStay) },
})

// manyMarkers is from where markers are worth a warning: above a million subjects
// index.db is not written any more and a restart reads all blocks
// (server/filestore.go highCardinalityThreshold).
const manyMarkers = 1_000_000

// someMarkers is from where those of an object store are worth knowing: a listing
// of its objects reads them all.
const someMarkers = 1000

func (f *Facts) markersStay(s *Stream) {
	kind, name := bucketOf(s)
	if kind == "" || s.Config.MaxAge > 0 || s.Config.SubjectDeleteMarkerTTL > 0 {
		return
	}
	deleted, path := f.keysOf(s)
	what, over, write := "keys", "at most, when each is deleted once", "write ttl or limit_marker_ttl, or purge deletes by age"
	if kind == "object_store" {
		if s.Bucket == nil {
			return
		}
		// A store through which objects pass: as many leave as come.
		deleted, path = s.Bucket.Writes*yearSeconds-float64(s.Bucket.Keys), design.Join(s.Path, "writes")
		what, over, write = "names", "a year at most, if each object has a name of its own and is deleted later", "write max_age, or use names again"
	}
	if deleted < manyMarkers && (kind != "object_store" || deleted < someMarkers) {
		return
	}
	markers, err := size.Bucket{Name: name, Deleted: deleted, Key: meanKey}.Markers()
	if err != nil {
		return
	}
	said := Said{
		What:   fmt.Sprintf("leaves a marker of each deleted one for ever: %s %s %s, %s on disk and as many subjects in memory", size.FormatCount(deleted), what, over, size.FormatBytes(markers.Value)),
		Write:  write,
		Figure: &Figure{"markers", deleted, "msgs", Bound}}
	if s.Bucket == nil || s.Bucket.Writes == 0 || deleted < manyMarkers || kind == "object_store" && !passesThrough(s) {
		said.Severity = design.Info // nobody says that keys are written or deleted, or objects under new names
	}
	if memory := f.Server.Memory; memory > 0 && deleted*subjectHeap < littleMemory*float64(memory) {
		said.Severity = design.Info // the server has room for them
	}
	f.Report(path, said)
}

// passesThrough reports whether objects of a store are gone within the hour: so much
// is written for how few there are that writing the same ones again is no likely
// reading of it.
func passesThrough(s *Stream) bool {
	return s.Bucket.Writes*3600 > float64(s.Bucket.Keys)
}

// subjectHeap is what a subject takes of a server's memory while it is in use, in
// bytes (measured, v2.15.2: 63 to 128); littleMemory is the share of it that does
// not matter.
const (
	subjectHeap  = 128
	littleMemory = 0.1
)

// yearSeconds is a year of 365 days; meanKey a usual length of keys, in bytes.
const (
	yearSeconds = 365 * 86400
	meanKey     = 20
)
