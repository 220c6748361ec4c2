package dialect

import (
	"fmt"
	"strings"
	"testing"

	"weir/design"
)

// TestConfLimits: depth and expansion are bounded as they are in YAML, with a
// finding that says so.
func TestConfLimits(t *testing.T) {
	bomb := "port: 4222\nX0: {a: 1, b: 2}\n"
	for i := 1; i < 30; i++ {
		bomb += fmt.Sprintf("X%d: {a: $X%d, b: $X%[2]d}\n", i, i-1)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"nested maps", "port: 4222\nx " + strings.Repeat("{a: ", 1_000_000) + "1" + strings.Repeat("}", 1_000_000), "nests deeper than 100 levels"},
		{"nested lists", "port: 4222\nx: " + strings.Repeat("[", 400_000) + strings.Repeat("]", 400_000), "nests deeper than 100 levels"},
		{"variables that double", bomb + "jetstream: $X29\n", "more than 200000 values"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, problems := Read([]*design.Source{design.NewSource("s.conf", []byte(tt.text))})
			if len(problems) == 0 || problems[0].Code != design.CodeLimit || !strings.Contains(problems[0].Message, tt.want) {
				t.Errorf("got %v", problems)
			}
		})
	}
}
