package size

import "time"

// StreamSize is what a stream takes: on one replica, and in the cluster.
type StreamSize struct {
	Name string `json:"name"`
	// Retained says how many messages it holds, and which limit binds.
	Retained Retained `json:"retained"`
	// Reported is state.bytes: one copy, exact for messages of one size.
	Reported Figure `json:"reported"`
	// Disk and Heap are of one replica; Heap without the RAFT group.
	Disk Disk `json:"disk"`
	Heap Heap `json:"heap"`
	// Dedup is the dedup table of one replica; its entries are zero when
	// publishers send no ids.
	Dedup Dedup `json:"dedup"`
	// Raft is the RAFT log of one replica; zero for one replica.
	Raft Raft `json:"raft"`
	// ClusterDisk and ClusterHeap are all replicas together, RAFT included.
	ClusterDisk Figure `json:"cluster_disk"`
	ClusterHeap Figure `json:"cluster_heap"`
	// Writes is how many bytes a second one replica writes.
	Writes Writes `json:"writes"`
}

// OfStream sizes one stream. maxPayload is the server's max_payload (0 is
// 1 MiB), horizon how far ahead an unlimited stream is looked at (0 is
// DefaultHorizon). It fails with an *InputError on inputs that have no size.
func OfStream(s Stream, maxPayload int64, horizon time.Duration) (StreamSize, error) {
	if err := firstError(s.Validate("stream"), limit("max_payload", maxPayload), duration("horizon", horizon)); err != nil {
		return StreamSize{}, err
	}
	return sizeOf(s, maxPayload, horizon), nil
}

// sizeOf is OfStream for inputs that were validated.
func sizeOf(s Stream, maxPayload int64, horizon time.Duration) StreamSize {
	out := StreamSize{Name: s.Name, Retained: retained(s, horizon)}
	msgs := out.Retained.Messages
	out.Reported = reported(msgs, s.Message, s.storage())
	out.Disk = diskOf(s, msgs, maxPayload)
	out.Heap = heapOf(s, msgs, out.Disk)
	if s.Message.ID > 0 {
		out.Dedup = streamDedup(s)
	}
	out.Raft = raftOf(s)
	copies := given("replicas", float64(s.replicas()), Count)
	out.ClusterDisk = product("disk of all replicas", Bytes, copies, sum("disk of a replica", Bytes, out.Disk.Total, out.Raft.Log))
	out.ClusterHeap = product("heap of all replicas", Bytes, copies, sum("heap of a replica", Bytes, out.Heap.Live, out.Raft.Heap))
	out.Writes = writesOf(s)
	return out
}
