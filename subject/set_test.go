package subject

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSetCollidesAsPairsDo: a set finds the patterns that Collide says collide,
// odd and invalid ones among them.
func TestSetCollidesAsPairsDo(t *testing.T) {
	tokens := []string{"a", "b", "*", ">", "*x", ">y", "", "c d"}
	rapid.Check(t, func(t *rapid.T) {
		draw := func() string {
			out := ""
			for i := range rapid.IntRange(1, 4).Draw(t, "tokens") {
				if i > 0 {
					out += "."
				}
				out += rapid.SampledFrom(tokens).Draw(t, "token")
			}
			return out
		}
		var set Set
		var patterns []string
		for range rapid.IntRange(0, 12).Draw(t, "patterns") {
			patterns = append(patterns, draw())
			set.Add(patterns[len(patterns)-1])
		}
		for range 4 {
			p := draw()
			var want []int32
			for i, other := range patterns {
				if Collide(other, p) {
					want = append(want, int32(i))
				}
			}
			if got := set.Colliding(p); !slices.Equal(got, want) {
				t.Fatalf("%q against %q: %v, and one by one %v", p, patterns, got, want)
			}
		}
		if set.Len() != len(patterns) {
			t.Fatalf("%d patterns of %d", set.Len(), len(patterns))
		}
	})
}

func BenchmarkSetOfStreams(b *testing.B) {
	for b.Loop() {
		var set Set
		for i := range 5000 {
			p := fmt.Sprintf("app.tenant-%d.>", i)
			if len(set.Colliding(p)) > 0 {
				b.Fatal(p)
			}
			set.Add(p)
		}
	}
}
