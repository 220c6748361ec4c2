package size

import "fmt"

// A stream with more than one replica, and every consumer of it with more than
// one, is a RAFT group: a log on every replica beside the store
// (server/raft.go, server/jetstream_cluster.go).
const (
	raftSource = "server/raft.go:appendEntry.encode, server/jetstream_cluster.go:monitorStream (v2.15.2)"
	// walSync and walBatched are what an entry of the log adds to subject and
	// payload: an append entry of its own, or one of many in a batch. The entry of
	// a message (25 B of sequence, time and lengths) is part of both.
	walSync    = 144
	walBatched = 52
	// walCompact is the size of a log that is compacted at once, at most every
	// 15 s; a ticker of 2 to 3 minutes compacts smaller ones.
	walCompact = 8 * MiB
	// walMost is the largest log seen while 1 KiB messages were written as fast
	// as they went.
	walMost = 10.4 * MiB
	// walFixed is peers.idx, tav.idx, metadata and a small snapshot.
	walFixed = 1_100
	// walCompressFrom is the size of an entry that is compressed with S2.
	walCompressFrom = 8192
	// consumerLog is the size at which a consumer's log is compacted.
	consumerLog = 64 * KiB
)

// Raft is the RAFT part of a stream and its consumers on one replica.
type Raft struct {
	// Groups is how many groups there are: HA assets.
	Groups Figure `json:"groups"`
	// Log is the disk of their logs; zero for memory storage, whose log is in
	// memory.
	Log Figure `json:"log"`
	// Heap is their memory, with the log of a memory stream.
	Heap Figure `json:"heap"`
	// Entry is the log entry of one message.
	Entry Figure `json:"entry"`
}

// replicated counts the consumers that are RAFT groups, and those of them with
// state on file.
func (s Stream) replicated() (groups int) {
	if s.replicas() == 1 {
		return 0
	}
	for _, c := range s.Consumers {
		if c.Replicas != 1 {
			groups++
		}
	}
	return groups
}

// raftOf sizes the RAFT groups of a stream on one of its replicas.
func raftOf(s Stream) Raft {
	none := Raft{Groups: given("RAFT groups", 0, Count), Log: given("RAFT logs", 0, Bytes), Heap: given("RAFT groups' heap", 0, Bytes), Entry: given("log entry", 0, Bytes)}
	if s.replicas() == 1 {
		return none
	}
	consumers := s.replicated()
	groups := sum("RAFT groups", Count, given("stream", 1, Count), given("replicated consumers", float64(consumers), Count))
	entry := walEntry(s.Message)
	// The log of a stream never grows beyond what was written since the last
	// compaction: up to walCompact, and less where little is written in 3 minutes.
	ticker := 180.0
	written := product("written between compactions", Bytes, given("rate", s.Rate.Average(), PerSecond), given("seconds", ticker, Seconds), entry)
	most := min(written.Value, walCompact)
	log := computed("stream log", most/2, Bytes, "half of what is written before 8 MiB or 3 minutes", written).
		from(Measured, raftSource+"; 2.3 to 10.4 MB measured under load, gone after 1 to 4 minutes of rest").between(0, min(written.Value, walMost))
	ofConsumers := product("consumer logs", Bytes, given("replicated consumers", float64(consumers), Count),
		coefficient("log of a consumer", consumerLog/2, Bytes, ReadInSource, "server/jetstream_cluster.go:monitorConsumer").between(0, 2*consumerLog))
	fixed := product("fixed files", Bytes, groups, coefficient("files of a group", walFixed, Bytes, Measured, raftSource))
	heap := sum("RAFT groups' heap", Bytes,
		product("idle groups", Bytes, groups, coefficient("RAFT group", raftGroup, Bytes, Measured, heapSource).between(raftGroup*0.7, raftGroup*1.3)),
		busyLogs(s, most, float64(consumers)))
	if s.storage() == Memory {
		return Raft{Groups: groups, Log: given("RAFT logs", 0, Bytes), Entry: entry,
			Heap: sum("RAFT groups' heap", Bytes, heap.as("groups"), log)}
	}
	return Raft{Groups: groups, Log: sum("RAFT logs", Bytes, log, ofConsumers, fixed), Heap: heap, Entry: entry}
}

// busyLogs is the block of a log that a group keeps in memory for ten seconds after
// it wrote to it: none of it when nothing is published.
func busyLogs(s Stream, written, consumers float64) Figure {
	const source = "server/filestore.go:getMsgBlockBuf (v2.15.2); 90 new groups on three servers took 326 kB each, 60 kB after ten idle seconds"
	stream := blockBuffer(min(written, mediumBlock))
	f := computed("log blocks in memory", 0, Bytes, "").from(Measured, source)
	if s.Rate.Average() > 0 {
		f = computed("log blocks in memory", stream+consumers*smallestBuffer, Bytes, "buffer of the stream's log + 256 KiB for each consumer's").from(Measured, source)
	}
	return f.between(0, 2*stream+consumers*MiB)
}

// walEntry is what one message takes in the log: more when every publish waits
// for its acknowledgement, because then each has an append entry of its own.
func walEntry(m Message) Figure {
	body := m.Subject + m.Header + m.Payload
	source := raftSource + "; measured 57 B (batched) and 149 B (one at a time) with a 5 B subject"
	f := sum("log entry", Bytes,
		given("subject, header block and payload", body, Bytes),
		coefficient("entry and record of the log", walBatched, Bytes, Measured, source).between(walBatched, walSync))
	if body > walCompressFrom {
		f = f.between(body*0.05, f.High).noting(fmt.Sprintf("entries above %s B are compressed with S2 in the log", FormatCount(walCompressFrom)))
	}
	return f
}

// Writes is what one replica of a stream writes.
type Writes struct {
	// Rate is bytes a second: records and log.
	Rate Figure `json:"rate"`
	// Amplification is written by reported bytes, per replica.
	Amplification Figure `json:"amplification"`
	// Log is how many log entries a second the leader proposes: messages, and
	// removals by acknowledgement for work queues and interest streams.
	Log Figure `json:"log"`
}

// writesOf is what a stream writes on each replica, on average.
func writesOf(s Stream) Writes {
	rate := given("rate", s.Rate.Average(), PerSecond).between(s.Rate.Average(), s.Rate.Peak())
	record := recordFigure(s.Message, s.storage())
	ops := logEntries(s)
	none := given("bytes written", 0, BytesPerSecond)
	if s.storage() == Memory {
		return Writes{Rate: none.noting("memory storage writes nothing to disk"), Amplification: given("write amplification", 0, Ratio), Log: ops}
	}
	terms := []Figure{product("records", BytesPerSecond, rate, record)}
	if s.replicas() > 1 {
		terms = append(terms, product("log", BytesPerSecond, rate, walEntry(s.Message)))
		if removals := ops.Value - rate.Value; removals > 0 {
			terms = append(terms, product("removals in the log", BytesPerSecond, given("removals", removals, PerSecond),
				coefficient("log entry of a removal", removalEntry, Bytes, ReadInSource, removalSource)))
		}
	}
	if s.Compression == S2 {
		terms = append(terms, compressed(terms[0], s).as("full blocks written again, compressed"))
		terms[len(terms)-1].Unit = BytesPerSecond
	}
	out := Writes{Rate: sum("bytes written", BytesPerSecond, terms...), Log: ops}
	ratio := 0.0
	if terms[0].Value > 0 {
		ratio = out.Rate.Value / terms[0].Value
	}
	out.Amplification = computed("write amplification", ratio, Ratio, "bytes written / records", out.Rate, terms[0]).
		from(Arithmetic, "measured per node with three replicas: 2.1 at 1 KiB, 3.2 at 64 B")
	return out
}

// removalEntry is a delete proposed through the log: 1 operation, sequence,
// name, header of the entry.
const (
	// The entry is JSON: sequence, stream, flags.
	removalEntry  = 85
	removalSource = "server/jetstream_cluster.go:encodeMsgDelete (v2.15.2)"
)

// logEntries is how many entries a second go through the stream's log, or are
// applied without one when there is a single replica.
func logEntries(s Stream) Figure {
	rate := given("messages", s.Rate.Average(), PerSecond)
	if s.retention() == Limits {
		return sum("stream operations", PerSecond, rate)
	}
	return sum("stream operations", PerSecond, rate,
		given("removals by acknowledgement", s.Rate.Average(), PerSecond)).
		from(Arithmetic, "every acknowledged message of a work queue or interest stream is removed on every replica")
}
