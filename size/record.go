package size

// Storage is where a stream keeps its messages.
type Storage string

// The two kinds of storage, by the API's names.
const (
	File   Storage = "file"
	Memory Storage = "memory"
)

// The fixed parts of a stored message
// (server/filestore.go:fileStoreMsgSizeRaw, server/memstore.go:memStoreMsgSizeRaw).
const (
	fileRecordFixed   = 22 + 8 // length 4, sequence 8, time stamp 8, subject length 2; hash 8
	fileHeaderLength  = 4      // only where there are headers
	memoryRecordFixed = 16     // sequence and time stamp
	tombstoneBytes    = fileRecordFixed
	// maxRecord is the largest record that the file store reads back
	// (server/filestore.go:rlBadThresh).
	maxRecord = 32 * MiB
)

// HeaderField is one header of a message.
type HeaderField struct{ Name, Value string }

// HeaderBlock returns the bytes of the header block that carries these fields
// on the wire and in the store: "NATS/1.0\r\n", one "Name: Value\r\n" each, and
// "\r\n". Without fields there is no block, and it returns 0.
func HeaderBlock(fields ...HeaderField) int {
	if len(fields) == 0 {
		return 0
	}
	n := len("NATS/1.0\r\n") + len("\r\n")
	for _, f := range fields {
		n += len(f.Name) + len(": ") + len(f.Value) + len("\r\n")
	}
	return n
}

// MsgIDHeader returns the bytes that a Nats-Msg-Id of id bytes adds to a header
// block that has other fields, and the bytes of the whole block when it is the
// only one.
func MsgIDHeader(id int) (added, alone int) {
	added = len("Nats-Msg-Id") + len(": ") + id + len("\r\n")
	return added, added + len("NATS/1.0\r\n") + len("\r\n")
}

// RecordBytes returns what one message counts for in a stream's state.bytes: on
// file 30 B + subject + payload, and 4 B + header block where there are headers;
// in memory 16 B + subject + header block + payload. Lengths are in bytes and
// not negative. It equals the server's own function (server/filestore.go,
// server/memstore.go, v2.15.2; the same in 2.10.29 and 2.12.15); compression,
// encryption and replicas do not change it.
func RecordBytes(s Storage, subject, header, payload int) uint64 {
	if s == Memory {
		return uint64(memoryRecordFixed) + uint64(subject) + uint64(header) + uint64(payload)
	}
	n := uint64(fileRecordFixed) + uint64(subject) + uint64(payload)
	if header > 0 {
		n += fileHeaderLength + uint64(header)
	}
	return n
}

// Record is what one stored message costs, in figures.
type Record struct {
	// Reported is its share of state.bytes, against which max_bytes is checked.
	Reported Figure `json:"reported"`
	// Disk is its share of block files; zero for memory storage.
	Disk Figure `json:"disk"`
	// Heap is its share of a memory store's heap; zero for file storage.
	Heap Figure `json:"heap"`
}

const recordSource = "server/filestore.go:fileStoreMsgSizeRaw, server/memstore.go:memStoreMsgSizeRaw (v2.15.2)"

// OfRecord sizes one message of m as storage s keeps it. A payload may be a
// mean: the record is then a mean as well. It fails on negative or absurd
// lengths.
func OfRecord(m Message, s Storage) (Record, error) {
	if err := m.validate("message"); err != nil {
		return Record{}, err
	}
	if err := oneOf("storage", s, File, Memory); err != nil {
		return Record{}, err
	}
	r := Record{Reported: recordFigure(m, s), Disk: given("disk", 0, Bytes), Heap: given("heap", 0, Bytes)}
	if s == Memory {
		r.Heap = memoryMessage(m, 1e6).as("heap")
		return r, nil
	}
	r.Disk = r.Reported.as("disk")
	if r.Reported.Value > maxRecord {
		r.Reported.Note = "a record above 32 MiB is refused when it is read back (server/filestore.go:rlBadThresh)"
	}
	return r, nil
}

// recordFigure is one record with its parts.
func recordFigure(m Message, s Storage) Figure {
	if s == Memory {
		return sum("record", Bytes,
			coefficient("sequence and time stamp", memoryRecordFixed, Bytes, Measured, recordSource),
			given("subject", m.Subject, Bytes), given("header block", m.Header, Bytes), given("payload", m.Payload, Bytes))
	}
	terms := []Figure{
		coefficient("length, sequence, time stamp, subject length and hash", fileRecordFixed, Bytes, Measured, recordSource),
		given("subject", m.Subject, Bytes),
	}
	if m.Header > 0 {
		terms = append(terms,
			coefficient("header length", fileHeaderLength, Bytes, Measured, recordSource),
			given("header block", m.Header, Bytes))
	}
	return sum("record", Bytes, append(terms, given("payload", m.Payload, Bytes))...)
}
