package design

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPlacesOnLongLines holds places on long lines of mixed characters to a
// count from the start of the line.
func TestPlacesOnLongLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range 40_000 {
		b.WriteString([]string{"a", "ä", "€", "\U0001F600", "\xe4", "\n", "bcd", "\r\n"}[[]int{0, 1, 2, 3, 4, 0, 6, 0}[r.IntN(8)]])
		if r.IntN(5000) == 0 {
			b.WriteString("\n")
		}
	}
	text := b.String()
	src := NewSource("t", []byte(text))
	for range 2_000 {
		off := r.IntN(len(text))
		for off > 0 && text[off]&0xC0 == 0x80 {
			off--
		}
		start := strings.LastIndexByte(text[:off], '\n') + 1
		line, col := src.lineCol(off)
		if wantLine, wantCol := 1+strings.Count(text[:off], "\n"), 1+len([]rune(text[start:off])); line != wantLine || col != wantCol {
			t.Fatalf("byte %d is at %d:%d, want %d:%d", off, line, col, wantLine, wantCol)
		}
		if back := src.bytePos(line, col); back != off {
			t.Fatalf("%d:%d is byte %d, want %d", line, col, back, off)
		}
		runes := []rune(src.Line(line))
		if got := src.LineWidth(line); got != len(runes) {
			t.Fatalf("line %d has %d characters, want %d", line, got, len(runes))
		}
		to := min(col+r.IntN(20), len(runes)+1)
		if got, want := []rune(src.LinePart(line, col, to)), runes[col-1:max(col, to)-1]; string(got) != string(want) {
			t.Fatalf("%d:%d to %d is %q, want %q", line, col, to, string(got), string(want))
		}
	}
}
