package sim

import (
	"reflect"
	"testing"
	"time"
)

// TestArchive: what was read is put away, and nothing that is counted changes
// but by a segment's worth.
func TestArchive(t *testing.T) {
	w := caseWorkload(0, time.Millisecond)
	w.Streams[0].MaxAge = time.Minute
	w.Publishers[0].Mode, w.Publishers[0].Payload = PublishSync, Exponential(500)
	w.Publishers[0].Subjects = []string{"s", "unread"}
	w.Consumers[0].FilterSubjects = []string{"s"}
	run := func(awake bool) (*Result, int64) {
		r, err := newRun(&w, Options{Seed: 1, Until: 5 * time.Minute, awake: awake})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.loop(t.Context()); err != nil {
			t.Fatal(err)
		}
		r.k.now = r.until
		r.finish()
		return r.res, r.streams[0].store.awake
	}
	all, held := run(true)
	put, kept := run(false)
	if kept > 3*segmentLen || held < 50_000 {
		t.Errorf("%d messages are in memory, %d without an archive", kept, held)
	}
	if !reflect.DeepEqual(all.Consumers[0], put.Consumers[0]) {
		t.Error("the consumer sees a difference")
	}
	a, b := all.Streams[0], put.Streams[0]
	near(t, "evicted", float64(b.Evicted), float64(a.Evicted), 0.01)
	near(t, "bytes", float64(b.Bytes), float64(a.Bytes), 0.01)
	near(t, "unread", float64(b.LostUnread), float64(a.LostUnread), 0.01)
}
