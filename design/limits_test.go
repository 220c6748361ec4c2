package design

import (
	"fmt"
	"strings"
	"testing"
)

// TestLimits gives the reader what is meant to cost it time or memory. Each
// case names the code that has to come; that all of them end within go test's
// time is the point.
func TestLimits(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for i := 'b'; i <= 'i'; i++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", i-1), 9), ", "))
	}
	longLine := "weir: 1\nä: [" + strings.Repeat("ö, ", 150_000) + "x]\n"
	tests := []struct {
		name, file, text string
		want             Code
	}{
		{"too large", "f.yaml", strings.Repeat("# x\n", MaxFileBytes/4+1), CodeLimit},
		{"too large json", "f.json", `{"a":"` + strings.Repeat("x", MaxFileBytes) + `"}`, CodeLimit},
		{"open brackets", "f.yaml", strings.Repeat("[", 100_000), CodeLimit},
		{"open braces", "f.yaml", strings.Repeat("{a: ", 100_000), CodeLimit},
		{"open brackets json", "f.json", strings.Repeat("[", 100_000), CodeLimit},
		{"dashes", "f.yaml", strings.Repeat("- ", 100_000), CodeLimit},
		{"deep indentation", "f.yaml", deepYAML(200), CodeLimit},
		{"many lines", "f.yaml", strings.Repeat("- a\n", 300_000), CodeLimit},
		{"many keys", "f.yaml", manyKeys(150_000), CodeLimit},
		{"many values json", "f.json", "[" + strings.Repeat("1,", MaxNodes) + "1]", CodeLimit},
		{"long line of several bytes", "f.yaml", longLine, CodeUnknown},
		{"bomb", "f.yaml", bomb, CodeLimit},
		{"many aliases", "f.yaml", "a: &a 1\nb: [" + strings.Repeat("*a, ", MaxAliases+1) + "1]\n", CodeLimit},
		{"alias of itself", "f.yaml", "a: &a [*a]\n", CodeLimit},
		{"many problems", "f.yaml", manyKeys(50_000), CodeUnknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, ps := Parse(tt.file, []byte(tt.text))
			if len(ps) > 2*MaxProblems {
				t.Errorf("%d problems", len(ps))
			}
			for _, p := range ps {
				if p.Code == tt.want {
					return
				}
			}
			t.Errorf("no problem %s in %.300s", tt.want, ps.Error())
		})
	}
}

func deepYAML(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	return b.String()
}
