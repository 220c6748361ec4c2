package subject

import (
	"fmt"
	"math"
)

// MaxPartitions bounds Distribute; partition counts beyond it are accepted by
// the server but make no sense for consumers.
const MaxPartitions = 1_000_000

// Distribution says how keys spread over the n partitions of the server's
// partition function.
type Distribution struct {
	Partitions int   `json:"partitions"`
	Keys       int   `json:"keys"` // distinct or not, as given
	Counts     []int `json:"counts"`
	Min        int   `json:"min"`
	Max        int   `json:"max"`
	Empty      int   `json:"empty"` // partitions without a key
	// Skew is the fullest partition over the mean; 1 is perfectly even.
	Skew float64 `json:"skew"`
	// ChiSquare is the sum of (count-mean)²/mean; for keys that hash well it lies
	// near Partitions-1.
	ChiSquare float64 `json:"chi_square"`
}

// Distribute counts keys over n partitions, n from 1 to MaxPartitions. The key
// is what the server hashes: the wildcard tokens named in
// {{partition(n,1,2)}} written one behind the other without a separator, so
// "ab"+"c" and "a"+"bc" are the same key; or the whole subject for
// {{partition(n)}}.
func Distribute(keys []string, n int) (Distribution, error) {
	if err := checkPartitions(n); err != nil {
		return Distribution{}, err
	}
	d := Distribution{Partitions: n, Keys: len(keys), Counts: make([]int, n)}
	for _, k := range keys {
		d.Counts[PartitionOf(k, n)]++
	}
	mean := float64(len(keys)) / float64(n)
	d.Min = math.MaxInt
	for _, c := range d.Counts {
		d.Min, d.Max = min(d.Min, c), max(d.Max, c)
		if c == 0 {
			d.Empty++
		}
		if mean > 0 {
			d.ChiSquare += (float64(c) - mean) * (float64(c) - mean) / mean
		}
	}
	if mean > 0 {
		d.Skew = float64(d.Max) / mean
	}
	return d, nil
}

func checkPartitions(n int) error {
	if n < 1 || n > MaxPartitions {
		return fmt.Errorf("%s partitions: write a number from 1 to %s", grouped(int64(n)), grouped(MaxPartitions))
	}
	return nil
}

// Move says how many keys change their partition when the count of partitions
// changes. Hashing modulo n moves most of them: about 1 - 1/max(from, to) when
// the two counts have no common divisor.
type Move struct {
	From  int     `json:"from"`
	To    int     `json:"to"`
	Keys  int     `json:"keys"`
	Moved int     `json:"moved"`
	Share float64 `json:"share"` // Moved / Keys, 0 without keys
}

// Moves counts the keys that move between from and to partitions, both from 1
// to MaxPartitions.
func Moves(keys []string, from, to int) (Move, error) {
	for _, n := range []int{from, to} {
		if err := checkPartitions(n); err != nil {
			return Move{}, err
		}
	}
	m := Move{From: from, To: to, Keys: len(keys)}
	for _, k := range keys {
		if PartitionOf(k, from) != PartitionOf(k, to) {
			m.Moved++
		}
	}
	if m.Keys > 0 {
		m.Share = float64(m.Moved) / float64(m.Keys)
	}
	return m, nil
}
