package subject

import (
	"fmt"
	"math/bits"
)

// Limits of one matrix; beyond them NewMatrix refuses, so that a pasted file
// cannot exhaust a browser tab.
const (
	MaxMatrixPatterns = 100_000
	MaxMatrixSubjects = 1_000_000
	MaxMatrixCells    = 1 << 31 // 256 MiB of bits
	// MaxPatternBytes is the length of all patterns together: one byte costs up to
	// 50 bytes of memory while they are compared.
	MaxPatternBytes = 16 << 20
)

// Matrix is the verification matrix: which of its patterns match which of its
// subjects, one bit a cell. The zero value is an empty matrix.
type Matrix struct {
	Patterns []string
	Subjects []string
	words    int // 64-bit words a row
	bits     []uint64
}

// NewMatrix fills a matrix. Rows and columns that are not valid (Valid for a
// pattern, Publishable for a subject) stay empty: ask Check for the reason.
// It returns an error only when a limit is passed.
func NewMatrix(patterns, subjects []string) (*Matrix, error) {
	if err := checkMatrixSize(patterns, len(subjects)); err != nil {
		return nil, err
	}
	m := &Matrix{Patterns: patterns, Subjects: subjects, words: (len(patterns) + 63) / 64}
	m.bits = make([]uint64, m.words*len(subjects))
	t := newTree(len(patterns))
	for i, p := range patterns {
		if Valid(p) {
			t.add(p, int32(i))
		}
	}
	for i, s := range subjects {
		if Publishable(s) {
			t.match(s, m.Row(i))
		}
	}
	return m, nil
}

func checkMatrixSize(patterns []string, subjects int) error {
	switch n := len(patterns); {
	case n > MaxMatrixPatterns:
		return tooMany(n, MaxMatrixPatterns, "patterns")
	case subjects > MaxMatrixSubjects:
		return tooMany(subjects, MaxMatrixSubjects, "subjects")
	case n*subjects > MaxMatrixCells:
		return fmt.Errorf("%s x %s cells are more than %s; split the list", grouped(int64(n)), grouped(int64(subjects)), grouped(MaxMatrixCells))
	}
	if bytes := totalBytes(patterns); bytes > MaxPatternBytes {
		return tooMany(bytes, MaxPatternBytes, "bytes of patterns")
	}
	return nil
}

func tooMany(n, most int, what string) error {
	return fmt.Errorf("%s %s are more than %s; split the list", grouped(int64(n)), what, grouped(int64(most)))
}

func totalBytes(list []string) int {
	n := 0
	for _, s := range list {
		n += len(s)
	}
	return n
}

// Row returns the bits of one subject: bit j of word j/64 is set when pattern j
// matches it. The slice belongs to the matrix.
func (m *Matrix) Row(subject int) []uint64 {
	return m.bits[subject*m.words : (subject+1)*m.words]
}

// At reports whether the pattern matches the subject, both by index.
func (m *Matrix) At(subject, pattern int) bool {
	return m.bits[subject*m.words+pattern>>6]&(1<<(pattern&63)) != 0
}

// Count returns the number of cells that match.
func (m *Matrix) Count() int {
	n := 0
	for _, w := range m.bits {
		n += bits.OnesCount64(w)
	}
	return n
}

// CountByPattern returns for each pattern how many subjects match it.
func (m *Matrix) CountByPattern() []int {
	counts := make([]int, len(m.Patterns))
	for s := range m.Subjects {
		for w, word := range m.Row(s) {
			for ; word != 0; word &= word - 1 {
				counts[w*64+bits.TrailingZeros64(word)]++
			}
		}
	}
	return counts
}

// CountBySubject returns for each subject how many patterns match it.
func (m *Matrix) CountBySubject() []int {
	counts := make([]int, len(m.Subjects))
	for s := range m.Subjects {
		for _, word := range m.Row(s) {
			counts[s] += bits.OnesCount64(word)
		}
	}
	return counts
}
