package size

import (
	"bytes"
	"fmt"
	"math"

	"github.com/klauspost/compress/s2"
)

// S2 compression of block files (server/filestore.go:StoreCompression.Compress,
// recompressOnDiskIfNeeded): a block is compressed once it is full, the block
// being written stays as it is, and the last 8 bytes (a record's hash) are kept
// outside.
const (
	blockChecksum = 8
	// maxSampleBytes bounds what MeasureS2 compresses: some blocks' worth.
	maxSampleBytes = 4 * largeBlock
)

const s2Source = "server/filestore.go:StoreCompression.Compress, recompressOnDiskIfNeeded (v2.15.2)"

// S2Measurement is what S2 makes of sample payloads.
type S2Measurement struct {
	// Ratio is compressed by original size of a full block filled with records
	// that carry the samples in turn.
	Ratio Figure `json:"ratio"`
	// Records is the number of records in the block that was measured; Distinct
	// the number of different payloads among them.
	Records  int `json:"records"`
	Distinct int `json:"distinct"`
}

// MeasureS2 fills one block of stream s with records that carry the samples in
// turn, under subjects and header blocks like the stream's, and compresses it as
// the server does. Few samples repeat within the block and look more
// compressible than real traffic, and the result says so: give as many different
// payloads as a block holds, if you can.
func MeasureS2(samples [][]byte, s Stream, maxPayload int64) (S2Measurement, error) {
	if err := firstError(s.Validate("stream"), limit("max_payload", maxPayload)); err != nil {
		return S2Measurement{}, err
	}
	if len(samples) == 0 {
		return S2Measurement{}, &InputError{Path: "samples", Value: "0", Reason: "at least one payload is needed to measure a ratio"}
	}
	block, records := sampleBlock(samples, s, int(BlockSize(s, maxPayload)))
	size := compressedBlock(block)
	distinct := distinctSamples(samples, records)
	f := computed("s2 ratio", float64(size)/float64(max(len(block), 1)), Ratio, "compressed block / block",
		computed("compressed block", float64(size), Bytes, "").from(Measured, s2Source),
		given("block", float64(len(block)), Bytes)).from(Measured, s2Source)
	if records > 2*distinct {
		f.Note = fmt.Sprintf("%s a block of %s by repeating, which compresses better than real traffic; give more samples",
			Counted(distinct, "payload fills", "different payloads fill"), Counted(records, "record", "records"))
		f = f.between(f.Value, 1)
	}
	return S2Measurement{Ratio: f, Records: records, Distinct: distinct}, nil
}

func distinctSamples(samples [][]byte, used int) int {
	seen := make(map[string]bool, len(samples))
	for i, s := range samples {
		if i >= used {
			break
		}
		seen[string(s)] = true
	}
	return len(seen)
}

// sampleBlock lays out records as the file store does until a block is full.
// Sequences and times rise, hashes are as random as hashes are.
func sampleBlock(samples [][]byte, s Stream, blockSize int) ([]byte, int) {
	subject := bytes.Repeat([]byte("s"), int(min(s.Message.Subject, maxSubject)))
	header := bytes.Repeat([]byte("h"), int(min(s.Message.Header, maxHeader)))
	var block []byte
	records := 0
	state := uint64(0x9E3779B97F4A7C15)
	for {
		payload := samples[records%len(samples)]
		n := int(RecordBytes(File, len(subject), len(header), len(payload)))
		if records > 0 && len(block)+n > blockSize || len(block)+n > maxSampleBytes {
			break
		}
		varySubject(subject, s.Subjects, &state)
		randomDigits(header, 0, int(min(s.Message.ID, s.Message.Header)), hexDigits, &state)
		block = appendRecord(block, n, records, subject, header, payload, &state)
		records++
	}
	if records == 0 { // one payload larger than any block
		block = append(block, samples[0][:min(len(samples[0]), blockSize)]...)
		records = 1
	}
	return block, records
}

// maxSubject and maxHeader bound what a sample record carries besides its
// payload (server/const.go: max_control_line; 64 KiB of headers).
const (
	maxSubject = 4096
	maxHeader  = 64 * KiB
)

// varySubject writes another of the stream's subjects over the last one: the
// digits that tell them apart, or a random key.
func varySubject(subject []byte, set SubjectSet, state *uint64) {
	if set.Count <= 1 {
		return
	}
	differ, digit := math.Ceil(math.Log10(set.Count)), digits
	if set.Shape == Random {
		differ, digit = set.Key, hexDigits
		if differ == 0 {
			differ = uuidKey
		}
	}
	shared := int(min(set.Shared, float64(len(subject))))
	randomDigits(subject, shared, int(min(differ, float64(len(subject)-shared))), digit, state)
}

// randomDigits writes n random digits of the base into b, before its last after
// bytes. They do not compress; what is left of b does.
func randomDigits(b []byte, after, n, base int, state *uint64) {
	const all = "0123456789abcdef"
	end := len(b) - after
	for i := end - n; i < end; i++ {
		b[i] = all[hash(state)%uint64(base)]
	}
}

// appendRecord appends one record: length, sequence, time, subject, headers,
// payload, hash.
func appendRecord(block []byte, n, seq int, subject, header, payload []byte, state *uint64) []byte {
	const start, step = uint64(1_700_000_000_000_000_000), uint64(97_003)
	le := func(b []byte, v uint64, bytes int) []byte {
		for i := 0; i < bytes; i++ {
			b = append(b, byte(v>>(8*i)))
		}
		return b
	}
	length := uint64(n)
	if len(header) > 0 {
		length |= 1 << 31
	}
	block = le(block, length, 4)
	block = le(block, uint64(seq+1), 8)
	block = le(block, start+uint64(seq)*step+hash(state)%step, 8)
	block = le(block, uint64(len(subject)), 2)
	block = append(block, subject...)
	if len(header) > 0 {
		block = le(block, uint64(len(header)), 4)
		block = append(block, header...)
	}
	block = append(block, payload...)
	return le(block, hash(state), 8)
}

// hash is SplitMix64: incompressible, and the same in every run.
func hash(state *uint64) uint64 {
	*state += 0x9E3779B97F4A7C15
	z := *state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// compressedBlock is the size of the file that the server writes for a full
// block: a header with algorithm and original size, the S2 stream, the checksum.
func compressedBlock(block []byte) int {
	if len(block) < blockChecksum {
		return len(block)
	}
	return 4 + uvarintLen(float64(len(block))) + streamed(block[:len(block)-blockChecksum]) + blockChecksum
}

// streamed is the size of a text as S2's stream format: ten bytes of identifier,
// then chunks of at most a mebibyte with eight bytes of header and checksum, each
// compressed or, where that gains nothing, as it is. It is what s2.Writer writes,
// which takes with it a quarter of a megabyte of the engine in the browser;
// TestStreamed holds the two to the same sizes.
func streamed(text []byte) int {
	const identifier, chunkHeader, most = 10, 8, 1 << 20
	if len(text) == 0 {
		return 0
	}
	size := identifier
	for from := 0; from < len(text); from += most {
		chunk := text[from:min(from+most, len(text))]
		packed := len(s2.Encode(nil, chunk))
		if packed-uvarintLen(float64(len(chunk))) >= len(chunk) {
			packed = len(chunk)
		}
		size += chunkHeader + packed
	}
	return size
}

// uvarintLen is the length of v as an unsigned varint.
func uvarintLen(v float64) int {
	if v < 128 {
		return 1
	}
	return int(math.Floor(math.Log2(v)/7)) + 1
}

// compressed is what full blocks take on disk after S2.
func compressed(full Figure, s Stream) Figure {
	ratio := given("s2 ratio", s.S2Ratio, Ratio)
	if s.S2Ratio == 0 {
		ratio = coefficient("s2 ratio", 1, Ratio, Assumed,
			"nobody measured these payloads: give samples").between(0.07, 1).
			noting("0.07 to 1 in the measured cells, from repeated JSON text to random bytes")
	}
	return product("full blocks, s2", Bytes, full, ratio).from(Arithmetic, s2Source)
}
