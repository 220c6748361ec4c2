package sim

import "time"

// defaultDuplicateWindow is taken when a stream says nothing.
// Source: nats-server v2.15.2 stream.go StreamDefaultDuplicatesWindow.
const defaultDuplicateWindow = 2 * time.Minute

// duplicates is the table of message ids of a stream.
//
// Models: an id is known for duplicate_window after it was stored; a duplicate
// does not extend it; a refused publish leaves no id; a restart forgets the ids
// of messages that are not stored any more.
// Ignores: the purge timer, which may keep an id up to 50 ms longer.
// Source: nats-server v2.15.2 stream.go storeMsgId, purgeMsgIds, rebuildDedupe;
// measured.
type duplicates struct {
	window int64
	seqs   map[uint64]uint64
	ages   fifo[idAge]
}

type idAge struct {
	id, seq uint64
	at      int64
}

func newDuplicates(window time.Duration, maxAge time.Duration) *duplicates {
	if window <= 0 {
		window = defaultDuplicateWindow
		if maxAge > 0 {
			window = min(window, maxAge)
		}
	}
	return &duplicates{window: int64(window), seqs: map[uint64]uint64{}}
}

func (d *duplicates) seen(id uint64, now int64) bool {
	for d.ages.len() > 0 && now-d.ages.front().at >= d.window {
		delete(d.seqs, d.ages.pop().id)
	}
	_, ok := d.seqs[id]
	return ok
}

func (d *duplicates) add(id, seq uint64, now int64) {
	d.seqs[id] = seq
	d.ages.push(idAge{id, seq, now})
}

// restart keeps the ids of stored messages.
func (d *duplicates) restart(stored func(seq uint64) bool) {
	kept := fifo[idAge]{}
	for d.ages.len() > 0 {
		if a := d.ages.pop(); stored(a.seq) {
			kept.push(a)
		} else {
			delete(d.seqs, a.id)
		}
	}
	d.ages = kept
}
