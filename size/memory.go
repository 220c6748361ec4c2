package size

// The memory store (server/memstore.go): a map from sequence to message, one
// buffer for headers and payload, and a subject tree.
const (
	memoryEntry   = 112     // StoreMsg: 104 B, in Go's class of 112
	memoryMapSlot = 16      // sequence and pointer
	memoryBase    = 120_000 // an empty store, measured
)

const memorySource = "server/memstore.go:storeRawMsg, StoreMsg (v2.15.2); measured in 30 cells from 16 B to 256 KiB"

// memoryMessage is the heap of one message in a store of so many.
func memoryMessage(m Message, messages float64) Figure {
	buffer := stringBytes(m.Header + m.Payload)
	slot := mapGrowthHigh(memoryMapSlot)
	low := mapGrowthLow(memoryMapSlot)
	if messages >= 1 {
		slot = mapBytes(messages, memoryMapSlot) / messages
	}
	return sum("heap of a message", Bytes,
		coefficient("entry", memoryEntry, Bytes, Measured, memorySource),
		computed("headers and payload", buffer, Bytes, "size class of header block + payload",
			given("header block", m.Header, Bytes), given("payload", m.Payload, Bytes)).from(Measured, goSource),
		computed("subject", stringBytes(m.Subject), Bytes, "size class of the subject, kept with every message").from(Measured, goSource),
		computed("share of the map", slot, Bytes, "map tables / messages").from(Measured, goSource).
			between(min(low, slot), max(slot, mapGrowthHigh(memoryMapSlot))))
}

// memoryStore is the real heap of a memory stream: more than its reported bytes,
// which are what max_bytes and max_memory_store limit.
func memoryStore(msgs Figure, m Message, s SubjectSet) Figure {
	subjects := given("subjects", max(min(s.Count, msgs.Value), min(msgs.Value, 1)), Count)
	f := sum("memory store", Bytes,
		product("messages", Bytes, msgs, memoryMessage(m, msgs.Value)),
		product("subjects", Bytes, subjects, subjectEntry("heap of a subject", s, fssLeaf)),
		coefficient("empty store", memoryBase, Bytes, Measured, memorySource))
	return f
}

// MemoryStoreInput is what the heap of a memory stream depends on.
type MemoryStoreInput struct {
	Message  Message
	Messages float64
	Subjects SubjectSet
}

// MemoryStore compares what a memory stream reports with what it takes.
type MemoryStore struct {
	Reported Figure `json:"reported"`
	Heap     Figure `json:"heap"`
	// Factor is heap by reported bytes: 4.35 at 16 B payloads, 1.01 at 16 KiB.
	Factor Figure `json:"factor"`
}

// OfMemoryStore sizes a memory stream: the reported bytes that limits are
// checked against, and the heap that it really takes.
func OfMemoryStore(in MemoryStoreInput) (MemoryStore, error) {
	err := firstError(in.Message.validate("message"), number("messages", in.Messages),
		number("subjects.count", in.Subjects.Count), number("subjects.key", in.Subjects.Key), number("subjects.shared", in.Subjects.Shared),
		oneOf("subjects.shape", in.Subjects.Shape, "", Sequential, Random))
	if err != nil {
		return MemoryStore{}, err
	}
	msgs := given("messages", in.Messages, Messages)
	out := MemoryStore{Reported: reported(msgs, in.Message, Memory), Heap: memoryStore(msgs, in.Message, in.Subjects)}
	factor := 0.0
	if out.Reported.Value > 0 {
		factor = out.Heap.Value / out.Reported.Value
	}
	out.Factor = computed("heap by reported bytes", factor, Ratio, "heap / reported bytes")
	return out, nil
}
