package showdown

import "math"

// Sizes of Kafka's record batch, format 2.
// Source: Apache Kafka at 1eb7644349cb (2024-10-25): DefaultRecordBatch.java,
// DefaultRecord.java; batch.size and linger.ms of ProducerConfig.java (16384 and,
// since 4.0, 5 ms; KIP-1030).
const (
	kafkaBatchHeader = 61
	kafkaBatchSize   = 16384
	kafkaLinger      = 0.005 // s
	kafkaIndexBytes  = 8 + 12
	kafkaIndexEvery  = 4096
	kafkaSegment     = 1 << 30
)

// varint is how many bytes a zig-zag varint of n takes.
func varint(n int) int {
	v := uint64(n) << 1
	if n < 0 {
		v = uint64(-n)<<1 - 1
	}
	size := 1
	for ; v >= 0x80; v >>= 7 {
		size++
	}
	return size
}

// timeDelta is the varint of a record's time less that of the first of its batch:
// a batch is some milliseconds long.
const timeDelta = 1

// kafkaRecord is the bytes of one record of a batch, without compression: length,
// attributes, differences of time and offset to the first record, key, value and
// one header of headers bytes where there are any. inBatch is its place, from 0; a
// key or value below 0 is null.
func kafkaRecord(key, value, headers, inBatch int) int {
	length := func(n int) int {
		if n < 0 {
			return varint(-1)
		}
		return varint(n) + n
	}
	body := 1 + timeDelta + varint(inBatch) + length(key) + length(value) + varint(0)
	if headers > 0 {
		body += varint(1) - varint(0) + headers
	}
	return varint(body) + body
}

// kafkaBatch is what a record takes on disk in a batch of n, with its share of the
// batch header and of the sparse indexes.
func kafkaBatch(key, value, headers, n int) float64 {
	n = max(1, n)
	sum := kafkaBatchHeader
	for i := range min(n, 64) {
		sum += kafkaRecord(key, value, headers, i)
	}
	per := float64(sum) / float64(n)
	if n > 64 { // records from there on have the size of the 64th or a byte or two more
		per = (float64(sum) + float64(n-64)*float64(kafkaRecord(key, value, headers, n-1))) / float64(n)
	}
	return per * (1 + float64(kafkaIndexBytes)/kafkaIndexEvery)
}

// kafkaInBatch is how many records come together until linger.ms is over or
// batch.size is reached, at a rate of one producer to one partition.
func kafkaInBatch(record, rate float64) int {
	most := math.Max(1, math.Floor((kafkaBatchSize-kafkaBatchHeader)/record))
	return int(math.Min(most, math.Max(1, math.Floor(1+rate*kafkaLinger))))
}
