package verdict

import "math"

// Reservations: max_bytes of a stream counts against the account's and the
// server's storage when the stream is created or updated (server/jetstream.go,
// checkLimits and checkBytesLimits).

// checkReservationAsSent is the first check of a single server
// (server/jetstream_api.go, jsNonClusteredStreamLimitsCheck): of the request
// before defaults are filled in, so storage counts only where it is written out.
func (j *judge) checkReservationAsSent(c *streamConfig) *refusal {
	if r := j.checkMaxStreams(c); r != nil {
		return r
	}
	return j.checkReservation(c)
}

func (j *judge) checkMaxStreams(c *streamConfig) *refusal {
	limit := j.Account.MaxStreams
	n := len(j.streams)
	if j.streams[c.Name] != nil {
		n--
	}
	if limit > 0 && n >= limit {
		return j.refuse(10027, "")
	}
	return nil
}

// checkReservation is checkAllLimits for a new stream.
func (j *judge) checkReservation(c *streamConfig) *refusal {
	return first(
		func() *refusal { return j.checkMaxConsumersLimit(c) },
		func() *refusal { return j.checkAccountBytes(c, c.MaxBytes, 0) },
		func() *refusal { return j.checkServerBytes(c, c.MaxBytes) },
	)
}

// checkAccountReservation is what the meta leader of a cluster checks before it
// looks for servers (jsClusteredStreamLimitsCheck).
func (j *judge) checkAccountReservation(c *streamConfig) *refusal {
	return first(
		func() *refusal { return j.checkMaxStreams(c) },
		func() *refusal { return j.checkMaxConsumersLimit(c) },
		func() *refusal { return j.checkAccountBytes(c, c.MaxBytes, 0) },
	)
}

// checkReservationUpdated counts what an update adds (server/stream.go,
// configUpdateCheck).
func (j *judge) checkReservationUpdated(c, old *streamConfig) *refusal {
	added, kept := j.addedBytes(c, old)
	return first(
		func() *refusal { return j.checkMaxConsumersLimit(c) },
		func() *refusal { return j.checkAccountBytes(c, added, kept) },
		func() *refusal { return j.checkServerBytes(c, added) },
	)
}

// addedBytes splits what the updated stream reserves into what it adds to the
// servers, and what of it the account has counted before. 2.10 computes with -1
// where there is no limit, and overflows.
func (j *judge) addedBytes(c, old *streamConfig) (added, kept int64) {
	switch {
	case !j.has(countsFromZero):
		added = max(c.MaxBytes-old.MaxBytes, 0)
		return added, old.MaxBytes * int64(max(old.Replicas, 1))
	case !j.has(replicasReserved):
		added = max(max(c.MaxBytes, 0)-max(old.MaxBytes, 0), 0)
		return added, times(old.Replicas, old.MaxBytes)
	}
	added = max(max(c.MaxBytes, 0)-max(old.MaxBytes, 0), 0)
	return added, times(c.Replicas, c.MaxBytes-added)
}

// checkMaxConsumersLimit: a stream may not allow more consumers than the account.
func (j *judge) checkMaxConsumersLimit(c *streamConfig) *refusal {
	if c.MaxConsumers > 0 && j.Account.MaxConsumers > 0 && c.MaxConsumers > j.Account.MaxConsumers {
		return j.refuse(10026, "max_consumers")
	}
	return nil
}

// checkAccountBytes: what the stream adds may not bring the account over its limit;
// kept is what of the stream itself the account has counted before.
func (j *judge) checkAccountBytes(c *streamConfig, added, kept int64) *refusal {
	limit := j.Account.MaxStore
	if c.Storage == "memory" {
		limit = j.Account.MaxMemory
	}
	if limit < 0 {
		return nil
	}
	if added < 0 {
		added = 1
	}
	if j.has(replicasReserved) {
		added = times(c.Replicas, added)
	}
	if j.exceeds(added, j.sum(j.accountReserved(c), kept), limit) {
		return j.noRoom(c)
	}
	return nil
}

func (j *judge) checkServerBytes(c *streamConfig, added int64) *refusal {
	if added < 0 {
		added = 1
	}
	if !j.clustered() {
		limit, reserved := j.serverReserved(c.Storage)
		if j.exceeds(added, reserved, limit) {
			return j.noRoom(c)
		}
		return nil
	}
	// The meta leader looks at its own storage, and which server that is is not
	// known here; only what every server would refuse is refused.
	for _, node := range j.nodeStores(c.Storage) {
		if !j.exceeds(added, node.reserved, node.limit) {
			return nil
		}
	}
	return j.noRoom(c)
}

// noRoom is the refusal for the kind of storage; a request that has not said
// yet which it wants is not refused.
func (j *judge) noRoom(c *streamConfig) *refusal {
	switch c.Storage {
	case "memory":
		return j.refuse(10028, "max_bytes")
	case "file":
		return j.refuse(10047, "max_bytes")
	}
	return nil
}

// exceeds compares without overflow, as since 2.11.
func (j *judge) exceeds(added, reserved, limit int64) bool {
	if !j.has(countsFromZero) {
		return reserved+added > limit
	}
	return reserved > limit || added > limit-reserved
}

func (j *judge) sum(a, b int64) int64 {
	if j.has(countsFromZero) && b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}

// times is a reservation with its replicas, saturated; without limit it is 0.
func times(replicas int, bytes int64) int64 {
	if bytes <= 0 {
		return 0
	}
	if replicas > 1 && bytes > math.MaxInt64/int64(replicas) {
		return math.MaxInt64
	}
	return bytes * int64(max(replicas, 1))
}

// accountReserved is what the account's other streams of c's storage reserve.
// 2.10 in a cluster multiplies by the replicas of the stream at hand.
func (j *judge) accountReserved(c *streamConfig) int64 {
	var reserved int64
	for name, st := range j.streams {
		if name == c.Name || st.config.MaxBytes <= 0 || st.config.Storage != c.Storage {
			continue
		}
		replicas := st.config.Replicas
		if j.clustered() && !j.atLeast(v211) {
			replicas = c.Replicas
		}
		reserved = j.sum(reserved, times(replicas, st.config.MaxBytes))
	}
	return reserved
}

// serverReserved is the limit of a single server and what is reserved there.
func (s *Setting) serverReserved(storage string) (limit, reserved int64) {
	limit, reserved = s.Server.MaxStore, s.ReservedStore
	if storage == "memory" {
		limit, reserved = s.Server.MaxMemory, s.ReservedMemory
	}
	for _, st := range s.streams {
		if st.config.Storage == storage && st.config.MaxBytes > 0 {
			reserved += st.config.MaxBytes
		}
	}
	return limit, reserved + s.leaked[storage]
}

// store is one server's storage of a kind.
type store struct{ limit, reserved int64 }

// nodeStores is the same for the servers of a cluster, where Weir put the
// streams.
func (s *Setting) nodeStores(storage string) []store {
	out := make([]store, len(s.Nodes))
	for i, node := range s.Nodes {
		out[i] = store{node.MaxStore, s.ReservedStore}
		if storage == "memory" {
			out[i] = store{node.MaxMemory, s.ReservedMemory}
		}
		if out[i].limit == 0 && storage == "memory" {
			out[i].limit = s.Server.MaxMemory
		} else if out[i].limit == 0 {
			out[i].limit = s.Server.MaxStore
		}
	}
	for at, bytes := range s.holds().reserved[storage] {
		out[at].reserved += bytes
	}
	return out
}
