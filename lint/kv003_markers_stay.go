package lint

import (
	"fmt"
	"strings"

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

func (f *Facts) markersStay(s *Stream) {
	if s.Bucket == nil || s.Config.MaxAge > 0 || s.Config.SubjectDeleteMarkerTTL > 0 || s.Bucket.Keys == 0 && s.Bucket.Writes == 0 {
		return
	}
	b := s.Bucket
	deleted, what, basis := float64(b.Keys), "keys", Bound
	path := design.Join(s.Path, "keys")
	if s.Kind == "object_store" {
		// A store through which objects pass: as many leave as come.
		deleted, what, path = b.Writes*yearSeconds-float64(b.Keys), "names", design.Join(s.Path, "writes")
	}
	if deleted < manyMarkers {
		return
	}
	markers, err := size.Bucket{Name: b.Name, Deleted: deleted, Key: meanKey}.Markers()
	if err != nil {
		return
	}
	over := "at most, when each is deleted once"
	if s.Kind == "object_store" {
		over = "a year at most, when each has a name of its own"
	}
	f.Report(path, Said{
		What:   fmt.Sprintf("leaves a marker of each deleted one for ever: %s %s %s, %s on disk and as many subjects in memory", size.FormatCount(deleted), what, over, size.FormatBytes(markers.Value)),
		Write:  strings.TrimSpace("write " + map[string]string{"kv": "ttl or limit_marker_ttl, or purge deletes by age", "object_store": "max_age, or use names again"}[s.Kind]),
		Figure: &Figure{"markers", deleted, "msgs", basis}})
}

// yearSeconds is a year of 365 days; meanKey a usual length of keys, in bytes.
const (
	yearSeconds = 365 * 86400
	meanKey     = 20
)
