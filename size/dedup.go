package size

import (
	"fmt"
	"time"
)

// The dedup table (server/stream.go:ddentry, storeMsgIdLocked, purgeMsgIds): one
// entry per message id, found through a map and kept in order in a slice. The id
// is stored in full.
const (
	dedupEntry   = 32 // id string header, sequence, time stamp
	dedupMapSlot = 24 // string header and pointer
	dedupPointer = 8  // in the slice
	// dedupGrowthLow, Mean and High are what map and slice take per entry,
	// depending on where their growth stands: 44.8 to 66 B measured.
	dedupGrowthLow  = 45
	dedupGrowthMean = 56
	dedupGrowthHigh = 66
	// heldAtMost is how many expired entries, per live one, the slice can keep
	// from being freed: it is rebuilt only once its capacity exceeds three times
	// the live entries.
	heldAtMost = 2.0
	// heldOnAverage is the mean of the saw tooth: capacity grows by quarters, so
	// it is rebuilt at 1.25^4 = 2.44 times the live entries.
	heldOnAverage = 0.72
)

const dedupSource = "server/stream.go:ddentry (v2.15.2; the same since 2.9); measured up to 1,000,000 ids, computed beyond"

// DedupInput is what the dedup table of one stream depends on.
type DedupInput struct {
	// Rate is in accepted messages with an id, per second.
	Rate   float64
	Window time.Duration
	// IDBytes is the length of a Nats-Msg-Id: 36 for a UUID.
	IDBytes float64
	// Replicas is num_replicas: every replica keeps the whole table.
	Replicas int
}

// Dedup is the dedup table of one stream, on one replica unless said otherwise.
type Dedup struct {
	// Entries is the number of live ids: rate × window.
	Entries Figure `json:"entries"`
	// Live is the heap of the live ids. Its band is where the growth of map and
	// slice stands.
	Live Figure `json:"live"`
	// Held is the heap of expired ids that the server has not let go of yet, a
	// saw tooth: nothing before the first window has passed, then 0 to 2 times
	// the live ids' own bytes.
	Held Figure `json:"held"`
	// Heap is Live and Held together: what a node must have. High is the peak.
	Heap Figure `json:"heap"`
	// Exact is the live ids at exactly this number, from Go's map growth: nearer
	// than Live while the number is known, but the rate never is.
	Exact Figure `json:"exact"`
	// Cluster is Heap times the replicas.
	Cluster Figure `json:"cluster"`
}

// OfDedup sizes a dedup table. A window or rate of zero is an empty table.
func OfDedup(in DedupInput) (Dedup, error) {
	err := firstError(number("rate", in.Rate), duration("window", in.Window),
		number("id_bytes", in.IDBytes), replicas("num_replicas", in.Replicas))
	if err != nil {
		return Dedup{}, err
	}
	entries := product("ids", Count, given("rate", in.Rate, PerSecond), given("duplicate_window", in.Window.Seconds(), Seconds))
	d := dedupTable(entries, in.IDBytes)
	d.Cluster = product("dedup heap of all replicas", Bytes, d.Heap, given("replicas", float64(max(in.Replicas, 1)), Count))
	return d, nil
}

// dedupTable sizes a table of so many live ids of so many bytes.
func dedupTable(ids Figure, idBytes float64) Dedup {
	id := stringBytes(idBytes)
	growth := coefficient("map and slice growth", dedupGrowthMean, Bytes, Measured, dedupSource).between(dedupGrowthLow, dedupGrowthHigh)
	entry := coefficient("entry", dedupEntry, Bytes, Measured, dedupSource)
	str := computed("id", id, Bytes, fmt.Sprintf("size class of %s B", FormatCount(idBytes))).from(Measured, goSource)
	d := Dedup{Entries: ids}
	d.Live = product("dedup ids", Bytes, ids, sum("heap of an id", Bytes, entry, str, growth))
	d.Exact = computed("dedup ids at this number", ids.Value*(dedupEntry+id)+mapBytes(ids.Value, dedupMapSlot)+ids.Value*dedupPointer*(1+sliceGrowth)/2,
		Bytes, "ids × (entry + id) + map tables + slice", ids, entry, str).from(Measured, goSource)
	held := coefficient("expired ids not freed, per live id", heldOnAverage, Ratio, Measured,
		"server/stream.go:purgeMsgIds; measured 136 to 254 B an id, once 287, over nine windows of 4 s at 40,000 ids/s").between(0, heldAtMost)
	d.Held = product("expired ids not yet freed", Bytes, ids, held,
		sum("bytes of an expired id", Bytes, entry, str))
	d.Heap = sum("dedup heap", Bytes, d.Live, d.Held)
	if ids.Value > 1e6 {
		d.Live.Note = "measured up to 1,000,000 ids; beyond that computed"
	}
	return d
}
