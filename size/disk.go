package size

import "math"

// Disk of a file stream (server/filestore.go): block files, index.db, metadata,
// keys, consumer state. One replica.
const (
	diskSource = "server/filestore.go (v2.15.2); 40 cells within 760 B after a clean stop"
	// streamMeta is meta.inf with a short name and one subject, and meta.sum.
	streamMeta = 508 + 16
	// consumerMeta is meta.inf of a consumer with a short name, and meta.sum.
	consumerMeta = 301 + 16
	// pendingState is what one pending acknowledgement takes in o.dat; a state
	// without any is idleState.
	pendingState = 5
	idleState    = 8
	// fileSystemPage is the rounding of most file systems.
	fileSystemPage = 4 * KiB
	// deleteNode is one node of an encoded delete map: 2,048 sequences
	// (server/avl/seqset.go:Encode).
	deleteNode      = 33*8 + 2
	deleteNodeSpan  = 2048
	deleteMapHeader = 10
	// highCardinality is the number of subjects or interior deletes above which
	// index.db is written at shutdown only.
	highCardinality = 1_000_000
)

// Disk is what a stream takes on the disk of one replica.
type Disk struct {
	// Total is the sum of file sizes after a clean stop. Low is what a stream
	// takes with no block partly dead, High with all slack at its worst.
	Total Figure `json:"total"`
	// Allocated is what du shows: every file rounded up to 4 KiB, and directories.
	Allocated Figure `json:"allocated"`
	// Blocks is the number of block files.
	Blocks Figure `json:"blocks"`
	// BlockSize is the size at which the server rolls to a new file.
	BlockSize Figure `json:"block_size"`
}

// layout is how records fall into blocks.
type layout struct {
	blockSize, record, perBlock, blocks, tail float64
}

// layoutOf packs so many records into blocks: a block ends before the record
// that would exceed it (server/filestore.go:checkLastBlock).
func layoutOf(blockSize, record, messages float64) layout {
	l := layout{blockSize: blockSize, record: record}
	l.perBlock = max(math.Floor(blockSize/record), 1)
	if messages <= 0 {
		return l
	}
	l.blocks = math.Ceil(messages / l.perBlock)
	l.tail = (messages - (l.blocks-1)*l.perBlock) * record
	return l
}

// diskOf sizes the disk of one replica that holds so many messages.
func diskOf(s Stream, msgs Figure, maxPayload int64) Disk {
	if s.storage() == Memory {
		none := given("disk", 0, Bytes).noting("memory storage writes nothing to disk")
		return Disk{Total: none, Allocated: none.as("allocated"), Blocks: given("blocks", 0, Count), BlockSize: given("block size", 0, Bytes)}
	}
	size := BlockSize(s, maxPayload)
	l := layoutOf(float64(size), recordFigure(s.Message, File).Value, msgs.Value)
	blocks := computed("blocks", l.blocks, Count, "messages / records in a block, rounded up", msgs).from(Measured, blockSource)
	index := indexFile(s, msgs.Value, l)
	terms := []Figure{recordsOnDisk(s, msgs, l), deadRecords(s, msgs, l)}
	if s.InteriorDeletes > 0 {
		terms = append(terms, tombstones(s, l))
	}
	terms = append(terms, index,
		coefficient("metadata", streamMeta, Bytes, Measured, diskSource).between(streamMeta-100, streamMeta+2*KiB))
	if s.encrypted() {
		terms = append(terms, keys(blocks, s.Cipher))
	}
	if f := consumerState(s); f.Value > 0 {
		terms = append(terms, f)
	}
	out := Disk{Blocks: blocks, Total: sum("disk", Bytes, terms...)}
	out.BlockSize = coefficient("block size", float64(size), Bytes, Measured, blockSource)
	out.Allocated = allocated(s, out.Total, blocks)
	return out
}

// recordsOnDisk is the live records as block files hold them.
func recordsOnDisk(s Stream, msgs Figure, l layout) Figure {
	live := reported(msgs, s.Message, File).as("records")
	if s.Compression != S2 {
		return live
	}
	tail := computed("block being written, not compressed", l.tail, Bytes, "records in the last block").from(Measured, s2Source)
	full := computed("full blocks", max(live.Value-l.tail, 0), Bytes, "records - last block", live)
	return sum("records", Bytes, compressed(full, s), tail)
}

// deadRecords is what was removed and still lies in block files. In a stream
// that drops its oldest messages that is part of the oldest block; in one that
// keeps a number per subject, every block is up to half dead before it is
// compacted.
func deadRecords(s Stream, msgs Figure, l layout) Figure {
	live := msgs.Value * l.record
	source := "server/filestore.go:removeMsgFromBlock, shouldCompactInline, shouldCompactSync (v2.15.2)"
	block := given("block size", l.blockSize, Bytes)
	switch {
	case msgs.Value == 0 || !drops(s):
		return coefficient("dead records", 0, Bytes, Measured, source)
	case s.MaxMsgsPerSubject > 0 && s.MaxMsgsPerSubject < 1000 && s.retention() == Limits:
		// Blocks decay from full to half live and start again: 2 ln 2 times live.
		rewritten := live * (2*math.Ln2 - 1)
		return computed("dead records", rewritten+l.blockSize/2, Bytes,
			"records × (2 ln 2 - 1) + half a block", msgs, block).from(ReadInSource, source).between(0, live+l.blockSize).
			noting("a key that is written again leaves its old value behind until its block is more than half dead; the block being written is never compacted")
	case l.blocks <= 1:
		// The block being written fills up before anything of it is freed.
		return computed("dead records", max(l.blockSize-live, 0)/2, Bytes, "half of what the block holds beside live records", block).
			from(Measured, source).between(0, l.blockSize).
			noting("limits bound live records, not files: the block that is written is never compacted, whatever was removed from it")
	}
	// Of the oldest block up to half is dead, then it is compacted at the next
	// sync and begins again with half the size: 1/8 + 1/32 + … of a block.
	return computed("dead records", l.blockSize/6, Bytes, "a sixth of a block", block).from(Measured, source).between(0, l.blockSize).
		noting("the oldest block is compacted when more than half of it is dead, at the sync timer, and freed when its last message goes")
}

// drops reports whether a stream removes messages in its steady state.
func drops(s Stream) bool {
	return s.retention() != Limits || s.MaxAge > 0 || s.MaxMsgsPerSubject > 0 ||
		!s.DiscardNew && (s.MaxBytes > 0 || s.MaxMsgs > 0)
}

// tombstones is what interior deletes leave: a tombstone each, and their records
// until their block is compacted.
func tombstones(s Stream, l layout) Figure {
	deletes := given("interior deletes", s.InteriorDeletes, Count)
	source := "server/filestore.go:writeTombstone (v2.15.2); measured 30.0 B"
	marks := product("tombstones", Bytes, deletes, coefficient("tombstone", tombstoneBytes, Bytes, Measured, source))
	bodies := computed("records of deleted messages", 0, Bytes, "until their block is less than half live").from(ReadInSource, source).
		between(0, s.InteriorDeletes*l.record)
	return sum("interior deletes", Bytes, marks, bodies)
}

// indexFile is index.db after a clean stop (server/filestore.go:_writeFullState).
func indexFile(s Stream, msgs float64, l layout) Figure {
	source := "server/filestore.go:_writeFullState (v2.15.2); measured within 35 B"
	if msgs == 0 {
		return coefficient("index.db", 0, Bytes, Measured, source)
	}
	v := func(x float64) float64 { return float64(uvarintLen(x)) }
	const stamp, delta, zeros = 9, 5, 3
	subjects := min(max(s.Subjects.Count, 1), msgs)
	last := v(msgs)
	fixed := 2 + v(msgs) + v(msgs*l.record) + 1 + stamp + last + stamp + v(subjects) + v(l.blocks) + v(l.blocks) + 8 + 8
	header := coefficient("header", fixed, Bytes, Measured, source)
	each := s.Message.Subject + 1 + v(msgs/subjects) + 2*v(l.blocks)
	if s.Message.Subject >= 128 {
		each++
	}
	perSubject := product("subjects", Bytes, given("subjects", subjects, Count),
		computed("entry of a subject", each, Bytes, "subject + 1 + count + first block + last block", given("subject", s.Message.Subject, Bytes)))
	perBlock := v(l.blocks) + v(l.perBlock*l.record) + 2*last + 2*delta + zeros
	perBlocks := product("blocks", Bytes, given("blocks", l.blocks, Count), coefficient("entry of a block", perBlock, Bytes, Measured, source))
	terms := []Figure{header, perSubject, perBlocks}
	if s.InteriorDeletes > 0 {
		terms = append(terms, deleteMaps(s, msgs, l))
	}
	f := sum("index.db", Bytes, terms...).from(Arithmetic, source)
	if subjects > highCardinality || s.InteriorDeletes > highCardinality {
		f.Note = "above 1,000,000 subjects or interior deletes it is written at shutdown only: a crash means a scan of all blocks"
	}
	return f
}

// deleteMaps is the encoded sets of deleted sequences, one per block.
func deleteMaps(s Stream, msgs float64, l layout) Figure {
	nodes := math.Ceil((msgs + s.InteriorDeletes) / deleteNodeSpan)
	nodes = max(min(nodes+l.blocks, s.InteriorDeletes), 1)
	return computed("delete maps", nodes*deleteNode+l.blocks*deleteMapHeader, Bytes, "nodes of 2,048 sequences × 266 B + blocks × 10 B",
		given("interior deletes", s.InteriorDeletes, Count)).from(ReadInSource, "server/avl/seqset.go:Encode (v2.15.2)").
		between(0, nodes*deleteNode+l.blocks*deleteMapHeader)
}

// consumerState is the files of the consumers that keep their state on disk.
func consumerState(s Stream) Figure {
	terms := make([]Figure, 0, 2)
	onFile, pending := 0.0, 0.0
	for _, c := range s.Consumers {
		if !c.Memory {
			onFile++
			pending += c.AckPending
		}
	}
	each := coefficient("files of a consumer", consumerMeta+idleState, Bytes, Measured, diskSource).between(consumerMeta, consumerMeta+KiB)
	terms = append(terms, product("consumers", Bytes, given("consumers", onFile, Count), each))
	if pending > 0 {
		terms = append(terms, product("ack pending", Bytes, given("ack pending", pending, Count),
			coefficient("pending acknowledgement", pendingState, Bytes, Measured, "server/store.go:encodeConsumerState (v2.15.2); measured up to 11,101").between(3, 9)))
	}
	return sum("consumer state", Bytes, terms...)
}

// allocated is the disk that du shows.
func allocated(s Stream, total, blocks Figure) Figure {
	files := 3.0 // meta.inf, meta.sum, index.db
	perBlock := 1.0
	if s.encrypted() {
		files++
		perBlock++
	}
	onFile := 0.0
	for _, c := range s.Consumers {
		if !c.Memory {
			onFile++
		}
	}
	round := (blocks.Value*perBlock + files + 3*onFile) * fileSystemPage
	dirs := (3 + onFile) * fileSystemPage
	rounding := computed("rounding and directories", round/2+dirs, Bytes, "half a page a file, one page a directory, 4 KiB pages", blocks).
		from(Measured, "du of the measured cells: at most 4 KiB a file").between(dirs, round+dirs)
	return sum("allocated", Bytes, total, rounding)
}
