package size

import (
	"math"
	"time"
)

// Bucket is a KV bucket: a stream with a subject for every key.
type Bucket struct {
	Name string
	// Keys is the number of keys that exist, Key the mean length of a key, Value
	// the mean length of a value, in bytes.
	Keys, Key, Value float64
	Shape            KeyShape
	// History is how many values of a key are kept; 0 counts as 1.
	History int64
	TTL     time.Duration
	// MaxBytes is max_bytes; 0 is unlimited.
	MaxBytes int64
	// Writes is puts and deletes a second.
	Writes float64
	// Deleted is how many keys were deleted or purged and left a marker. Markers
	// stay until they age out or are purged.
	Deleted     float64
	Storage     Storage
	Replicas    int
	Compression Compression
	S2Ratio     float64
	Cipher      Cipher
	Watchers    []Consumer
}

// deleteMarker is the header block of a delete or purge marker, the longer one.
var deleteMarker = HeaderBlock(HeaderField{"KV-Operation", "PURGE"}, HeaderField{"Nats-Rollup", "sub"})

// Stream is the stream KV_<name> that a bucket is (nats.go kv.go): a message for
// every key and kept value, one for every marker, subjects $KV.<name>.<key>.
func (b Bucket) Stream() Stream {
	history := float64(max(b.History, 1))
	values, markers := b.Keys*history, b.Deleted
	if b.TTL > 0 && b.Writes > 0 {
		values = min(values, b.Writes*b.TTL.Seconds()) // older ones are removed
	}
	total := values + markers
	payload, header := b.Value, 0.0
	if total > 0 {
		payload = b.Value * values / total
		header = float64(deleteMarker) * markers / total
	}
	return Stream{
		Name: "KV_" + b.Name, Storage: b.Storage, Replicas: b.Replicas, Compression: b.Compression, S2Ratio: b.S2Ratio, Cipher: b.Cipher,
		DiscardNew: true, MaxMsgsPerSubject: max(b.History, 1), MaxAge: b.TTL, MaxBytes: b.MaxBytes,
		Message:  Message{Subject: float64(len("$KV..")+len(b.Name)) + b.Key, Header: header, Payload: payload},
		Subjects: SubjectSet{Count: b.Keys + b.Deleted, Shape: b.Shape, Key: b.Key},
		Rate:     Rate{Mean: b.Writes}, Messages: total, Consumers: b.Watchers,
	}
}

// Markers is what deleted keys leave behind in a bucket: one message each, until
// max_age, a purge of deletes, or a marker TTL (2.11+) removes it.
func (b Bucket) Markers() (Figure, error) {
	if err := firstError(number("deleted", b.Deleted), number("key", b.Key)); err != nil {
		return Figure{}, err
	}
	record := recordFigure(Message{Subject: float64(len("$KV..")+len(b.Name)) + b.Key, Header: float64(deleteMarker)}, File)
	f := product("markers", Bytes, given("deleted keys", b.Deleted, Count), record.as("marker"))
	if b.TTL == 0 {
		f.Note = "nothing removes them: run purge-deletes with an age, or purge with a TTL (2.11+)"
	}
	return f, nil
}

// objectChunk is the chunk size that clients use unless told otherwise.
const objectChunk = 128 * KiB

// ObjectStore is an object store bucket: a stream of chunks, and a message with
// metadata for every name.
type ObjectStore struct {
	Name string
	// Objects is the number of objects that exist, Size their mean size in bytes,
	// NameLength the mean length of their names.
	Objects, Size, NameLength float64
	// Versions is how many copies of an object lie in the stream: 1 when clients
	// remove old chunks on a new put, more with clients that do not.
	Versions float64
	// Deleted is how many names were deleted and left their metadata.
	Deleted     float64
	Chunk       float64
	Writes      float64
	TTL         time.Duration
	MaxBytes    int64
	Storage     Storage
	Replicas    int
	Compression Compression
	S2Ratio     float64
}

// objectMeta is the JSON of an object's metadata without its name, twice a
// 22-byte id and a SHA-256 in it; objectHeader its Nats-Rollup: sub.
const objectMeta = 230

var objectHeader = HeaderBlock(HeaderField{"Nats-Rollup", "sub"})

// Stream is the stream OBJ_<name> that an object store is (nats.go object.go).
func (o ObjectStore) Stream() Stream {
	chunk := o.Chunk
	if chunk == 0 {
		chunk = objectChunk
	}
	perObject := math.Ceil(o.Size / chunk)
	chunks := o.Objects * max(o.Versions, 1) * perObject
	metas := o.Objects + o.Deleted
	total := chunks + metas
	var m Message
	if total > 0 {
		chunkSubject := float64(len("$O..C.") + len(o.Name) + 22)
		metaSubject := float64(len("$O..M.")+len(o.Name)) + math.Ceil(o.NameLength*4/3)
		m.Subject = (chunkSubject*chunks + metaSubject*metas) / total
		m.Header = float64(objectHeader) * metas / total
		m.Payload = (o.Objects*max(o.Versions, 1)*o.Size + metas*(objectMeta+o.NameLength)) / total
	}
	return Stream{
		Name: "OBJ_" + o.Name, Storage: o.Storage, Replicas: o.Replicas, Compression: o.Compression, S2Ratio: o.S2Ratio,
		DiscardNew: true, MaxAge: o.TTL, MaxBytes: o.MaxBytes, Message: m, Messages: total,
		Subjects: SubjectSet{Count: o.Objects*max(o.Versions, 1) + metas, Shape: Random, Key: 22},
		Rate:     Rate{Mean: o.Writes * (perObject + 1)},
	}
}
