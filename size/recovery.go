package size

import "time"

// Recovery is how long a server or a replica takes to be up to date again.
type Recovery struct {
	// Restart is the time from start until a stream is served, after a clean stop
	// and after a crash.
	Restart Figure `json:"restart"`
	Crash   Figure `json:"crash"`
	// CatchUp is the time in which an empty replica is filled.
	CatchUp Figure `json:"catch_up"`
	// DeleteRatio is interior deletes by messages: above 10 older servers skip
	// the gaps fast, newer ones above 2 or 1,000,000 deletes.
	DeleteRatio Figure `json:"delete_ratio"`
}

const (
	// scanRate is how fast blocks are read and checked without index.db.
	scanRate = 400 * MiB
	// idRate is how many ids a second the dedup table is rebuilt with: 500,000
	// within 476 ms.
	idRate = 1e6
	// catchUpWindow is the most that one server sends ahead to all replicas that
	// catch up (server/jetstream_cluster.go, defaultMaxTotalCatchupOutBytes).
	catchUpWindow = 64 * MiB
)

// OfRecovery computes recovery and catch-up of one replica. bandwidth is what
// the network carries in bytes a second, roundTrip its delay.
func OfRecovery(s Stream, bandwidth float64, roundTrip, horizon time.Duration) (Recovery, error) {
	err := firstError(s.Validate("stream"), number("bandwidth", bandwidth), duration("round trip", roundTrip), duration("horizon", horizon))
	if err != nil {
		return Recovery{}, err
	}
	return recoveryOf(s, sizeOf(s, 0, horizon), bandwidth, roundTrip), nil
}

// recoveryOf is OfRecovery of a stream whose size is known.
func recoveryOf(s Stream, z StreamSize, bandwidth float64, roundTrip time.Duration) Recovery {
	ids := given("ids", z.Dedup.Entries.Value, Count)
	if s.Message.ID > 0 {
		ids = computed("ids", min(z.Dedup.Entries.Value, z.Retained.Messages.Value), Count, "ids in the window that are still stored", z.Dedup.Entries)
	}
	rebuild := computed("dedup table", ids.Value/idRate, Seconds, "ids / ids a second", ids,
		coefficient("ids a second", idRate, Count, Measured, "500,000 ids in 476 ms, restart included, on two cores"))
	scan := computed("scan of all blocks", z.Disk.Total.Value/scanRate, Seconds, "disk / bytes a second", z.Disk.Total,
		coefficient("bytes a second", scanRate, BytesPerSecond, Assumed, "reading and hashing; depends on the disk"))
	scan = scan.between(scan.Value/5, scan.Value*5)
	out := Recovery{Restart: sum("restart after a clean stop", Seconds, rebuild), Crash: sum("restart after a crash", Seconds, rebuild, scan.between(0, scan.High))}
	if s.Subjects.Count > highCardinality || s.InteriorDeletes > highCardinality {
		out.Crash.Note = "above 1,000,000 subjects or interior deletes index.db is only written at a clean stop: after a crash every block is read"
	}
	out.CatchUp = catchUp(z.Reported, bandwidth, roundTrip)
	ratio := 0.0
	if z.Retained.Messages.Value > 0 {
		ratio = s.InteriorDeletes / z.Retained.Messages.Value
	}
	out.DeleteRatio = computed("interior deletes by messages", ratio, Ratio, "interior deletes / messages",
		given("interior deletes", s.InteriorDeletes, Count), z.Retained.Messages)
	return out
}

// catchUp is the time to send a replica everything: what the network carries, or
// one window a round trip.
func catchUp(bytes Figure, bandwidth float64, roundTrip time.Duration) Figure {
	speed := bandwidth
	if rt := roundTrip.Seconds(); rt > 0 {
		window := catchUpWindow / rt
		if speed == 0 || window < speed {
			speed = window
		}
	}
	if speed == 0 {
		return computed("catch-up", 0, Seconds, "").from(Assumed, "").noting("neither bandwidth nor round trip is known")
	}
	return computed("catch-up", bytes.Value/speed, Seconds, "reported bytes / min(bandwidth, 64 MiB a round trip)", bytes,
		given("bandwidth", speed, BytesPerSecond)).from(ReadInSource, "server/jetstream_cluster.go: defaultMaxTotalCatchupOutBytes (v2.15.2)")
}

// OfDrain is how long a consumer takes to work off a backlog while messages keep
// arriving; it never does when it is not faster than they come, and says so.
func OfDrain(backlog, arriving, consumed float64) (Figure, error) {
	if err := firstError(number("backlog", backlog), number("arriving", arriving), number("consumed", consumed)); err != nil {
		return Figure{}, err
	}
	terms := []Figure{given("backlog", backlog, Messages), given("consumed", consumed, PerSecond), given("arriving", arriving, PerSecond)}
	if backlog == 0 {
		return computed("time to drain", 0, Seconds, "backlog / (consumed - arriving)", terms...), nil
	}
	if consumed <= arriving {
		return computed("time to drain", Limit, Seconds, "backlog / (consumed - arriving)", terms...).noting("never: messages arrive at least as fast as they are consumed"), nil
	}
	return computed("time to drain", backlog/(consumed-arriving), Seconds, "backlog / (consumed - arriving)", terms...), nil
}
