package size

import (
	"fmt"
	"math"
)

// Heap of a node that is not dedup tables (dedup.go), subject trees
// (subjects.go) or memory stores (memory.go). All coefficients were measured
// on v2.15.2 with Go 1.26 by counting live heap after three collections.
const (
	heapSource = "live heap after three collections, v2.15.2, Go 1.26"
	// emptyStream and idleConsumer: 300 streams, 500 durables.
	emptyStream  = 34_000
	idleConsumer = 29_200
	// pendingEntry is one pending acknowledgement: sequence and time stamp, behind
	// a pointer, in a map from sequence; kept twice, by the consumer and by its
	// store.
	pendingEntry   = 16
	pendingMapSlot = 16
	// raftGroup is what an idle RAFT group adds on one server: 60 streams and 60
	// consumers of three replicas took 60,200 and 59,500 B a replica, 26,000 to
	// 30,000 more than those of one. A busy one keeps the block of its log besides.
	raftGroup = 28_000
	// connection is a client connection with one subscription and no pending
	// output: 300 over TCP. Its two goroutines' stacks are not heap.
	connection = 12_000
	// goroutineStack is the mean stack of the server's idle goroutines: 2,700 to
	// 3,000 B over 2,600 of them.
	goroutineStack = 3_000
	// serverBase is a server with JetStream and nothing in it: 305,000 to 327,000 B
	// for one more in the same process, and what a process has once.
	serverBase = 2_000_000
	// blockEntry is what the server keeps of each block file, loaded or not: 10,000
	// blocks took 1,148 B each a quarter of a minute after they were written, 956 B
	// after two minutes and 740 B after a restart; 20,000 took 1,045 and 882 B.
	blockEntry, blockEntryRestarted, blockEntryWritten = 950, 700, 1_150
	// writeBuffers is what the block being written and its buffers hold while a
	// stream is active, beside the block itself: the mean over 56 cells.
	writeBuffers = 350_000
)

// Heap is the memory of one replica of a stream.
type Heap struct {
	// Live is what the collector finds in use.
	Live Figure `json:"live"`
}

// heapOf sizes the live heap of one replica that holds so many messages.
func heapOf(s Stream, msgs Figure, blocks Disk) Heap {
	var terms []Figure
	if s.storage() == Memory {
		terms = append(terms, memoryStore(msgs, s.Message, s.Subjects))
	} else {
		terms = append(terms, blockEntries(blocks), subjectIndex(s, msgs, blocks), loadedBlocks(s, msgs, blocks))
	}
	terms = append(terms, coefficient("stream", emptyStream, Bytes, Measured, heapSource).between(25_000, 45_000))
	if s.Message.ID > 0 && s.window() > 0 {
		terms = append(terms, streamDedup(s).Heap)
	}
	if len(s.Consumers) > 0 {
		terms = append(terms, consumersHeap(s))
	}
	return Heap{Live: sum("heap", Bytes, terms...)}
}

// streamDedup is the dedup table of a stream in its fullest window.
func streamDedup(s Stream) Dedup {
	w := s.window().Seconds()
	mean, low, high := s.Rate.Arrivals(w)
	ids := computed("ids", mean, Count, "messages with an id in one duplicate_window",
		given("rate", s.Rate.Average(), PerSecond), given("duplicate_window", w, Seconds)).between(low, high)
	return dedupTable(ids, s.Message.ID)
}

// ManyBlocks is the number of block files from which on they are worth a word: some
// 100 MB of heap on each replica, and each file is opened when its server starts.
const ManyBlocks = 100_000

// blockEntries is what the server keeps of each block file as long as it is there:
// its record with the names of its files, the hash that checks it, timers, and its
// places in a list and in a map.
func blockEntries(d Disk) Figure {
	return product("block files", Bytes, given("blocks", d.Blocks.Value, Count).from(Arithmetic, ""),
		coefficient("entry of a block", blockEntry, Bytes, Measured, "server/filestore.go: msgBlock, blks, bim (v2.15.2); "+heapSource).
			between(blockEntryRestarted, blockEntryWritten))
}

// BlocksSays says what very many block files of a stream mean, "" where they are few.
func (s StreamSize) BlocksSays() string {
	if s.Disk.Blocks.Value < ManyBlocks {
		return ""
	}
	return fmt.Sprintf("%s block files on each replica take %s of heap for as long as they are there, and are opened one by one when a server starts: keep less, or split the stream",
		FormatCount(math.Round(s.Disk.Blocks.Value)), FormatBytes(s.Disk.Blocks.Value*blockEntry))
}

// subjectIndex is the file store's heap for distinct subjects: psim for good,
// fss while a block is loaded, for two minutes after its last use.
func subjectIndex(s Stream, msgs Figure, d Disk) Figure {
	n := max(min(max(s.Subjects.Count, 1), msgs.Value), 0)
	subjects := given("subjects", n, Count)
	source := "server/filestore.go: defaultFssExpiration 2 min (v2.15.2)"
	// How many (subject, block) pairs are loaded: while all blocks are in use,
	// every message's block knows its subject; at rest only the last block does.
	perBlock := 0.0
	if d.Blocks.Value > 0 {
		perBlock = msgs.Value / d.Blocks.Value
	}
	inBlock := distinctIn(n, perBlock, msgs.Value)
	all := min(inBlock*d.Blocks.Value, msgs.Value)
	loaded := loadedOf(s)
	pairs := computed("subjects in loaded blocks", min(inBlock*max(loaded, 1), all), Count,
		"distinct subjects in a block × loaded blocks", given("loaded blocks", loaded, Count)).from(ReadInSource, source).between(0, all)
	return sum("subjects", Bytes,
		product("subject index", Bytes, subjects, subjectEntry("heap of a subject", s.Subjects, psimLeaf)),
		product("subjects of loaded blocks", Bytes, pairs, subjectEntry("heap of a subject in a block", s.Subjects, fssLeaf)))
}

// distinctIn is how many of n subjects appear in a block of so many of all
// messages, which are spread evenly over subjects and in any order.
func distinctIn(n, inBlock, all float64) float64 {
	if n <= 0 || all <= 0 {
		return 0
	}
	missed := math.Pow(1-min(inBlock/all, 1), max(all/n, 1))
	return min(n*(1-missed), inBlock)
}

func loadedOf(s Stream) float64 {
	if s.LoadedBlocks > 0 {
		return s.LoadedBlocks
	}
	return 1
}

// blockBuffer is the buffer that the server takes for a block filled so far:
// they come in four sizes (server/filestore.go:getMsgBlockBuf).
func blockBuffer(filled float64) float64 {
	for _, b := range []float64{smallestBuffer, MiB, mediumBlock} {
		if filled <= b {
			return b
		}
	}
	return largeBlock
}

const smallestBuffer = 256 * KiB

// CacheSeconds is how long a block stays in memory after it was last written or
// read (server/filestore.go defaultCacheBufferExpiration, v2.15.2; measured).
const CacheSeconds = 10

// loadedBlocks is the cache of blocks that are written or read, for ten seconds
// after their last use.
func loadedBlocks(s Stream, msgs Figure, d Disk) Figure {
	source := "server/filestore.go:getMsgBlockBuf, defaultCacheBufferExpiration 10 s (v2.15.2); 9 MB measured with 8 MiB blocks, 5 MB with 2 MiB"
	filled := min(d.BlockSize.Value, msgs.Value*recordFigure(s.Message, File).Value)
	if drops(s) {
		// Removed records stay in the block that is written: it fills up.
		filled = d.BlockSize.Value
	}
	buffer := blockBuffer(filled)
	active := 1.0
	if s.Rate.Average() == 0 {
		active = 0
	}
	n := computed("loaded blocks", loadedOf(s)*active, Count, "the block being written, and those that readers are in")
	return product("loaded blocks", Bytes, n,
		sum("buffer of a block", Bytes,
			coefficient("buffer", buffer, Bytes, Measured, source),
			coefficient("write buffers", writeBuffers, Bytes, Measured, source))).between(0, (loadedOf(s)+1)*(buffer+writeBuffers))
}

// consumersHeap is what consumers take, idle and with pending acknowledgements.
func consumersHeap(s Stream) Figure {
	pending := 0.0
	worst := 0.0
	for _, c := range s.Consumers {
		pending += c.AckPending
		most := float64(c.MaxAckPending)
		if c.MaxAckPending == 0 {
			most = defaultMaxAckPending
		}
		if !c.AckNone {
			worst += max(c.AckPending, most)
		}
	}
	acks := given("ack pending", pending, Count).between(pending, worst)
	return sum("consumers", Bytes,
		product("idle consumers", Bytes, given("consumers", float64(len(s.Consumers)), Count),
			coefficient("consumer", idleConsumer, Bytes, Measured, heapSource).between(25_000, 33_000)),
		product("pending acknowledgements", Bytes, acks,
			pendingAck(pending/max(float64(len(s.Consumers)), 1))))
}

// pendingAck is the heap of one pending acknowledgement in a consumer that has so
// many.
func pendingAck(n float64) Figure {
	const twice = 2
	slot := mapGrowthHigh(pendingMapSlot)
	if n >= 1 {
		slot = mapBytes(n, pendingMapSlot) / n
	}
	return computed("pending acknowledgement", twice*(pendingEntry+slot), Bytes, "2 × (entry + share of the map)").
		from(Measured, "server/consumer.go: pending, server/filestore.go: consumerFileStore (v2.15.2); 71 to 85 B measured at 10,000 to 50,000").
		between(twice*(pendingEntry+mapGrowthLow(pendingMapSlot)), twice*(pendingEntry+mapGrowthHigh(pendingMapSlot)))
}

// Goroutines that wait for work, counted on a running server: 3 of a file
// stream, 2 of a memory stream, 4 of a consumer, 4 more of a stream's RAFT group
// and 1 of a consumer's, 2 of a connection, 14 of a server.
const (
	fileStreamGoroutines   = 3
	memoryStreamGoroutines = 2
	consumerGoroutines     = 4
	streamRaftGoroutines   = 4
	consumerRaftGoroutines = 1
	connectionGoroutines   = 2
	serverGoroutines       = 14
)

// goroutinesOf is how many goroutines one replica of a stream keeps.
func goroutinesOf(s Stream) float64 {
	n := fileStreamGoroutines
	if s.storage() == Memory {
		n = memoryStreamGoroutines
	}
	n += consumerGoroutines * len(s.Consumers)
	if s.replicas() > 1 {
		n += streamRaftGoroutines + consumerRaftGoroutines*s.replicated()
	}
	return float64(n)
}

// stacks is the memory of so many goroutines; it is not heap.
func stacks(goroutines float64) Figure {
	return product("stacks", Bytes, given("goroutines", goroutines, Count).from(Arithmetic, ""),
		coefficient("stack", goroutineStack, Bytes, Measured, heapSource).between(2*KiB, 8*KiB))
}

// gcHeadroom is what Go's collector lets pile up before it collects, beyond the
// live heap: up to the same again with GOGC 100. It is never need: GOMEMLIMIT
// takes it away first.
func gcHeadroom(live Figure) Figure {
	return product("garbage before collection", Bytes, live,
		coefficient("GOGC 100", 1, Ratio, ReadInSource, "Go runtime: GOGC=100 collects when the heap has doubled").between(0, 1)).
		noting("not need: with GOMEMLIMIT the collector works harder before it takes this")
}
