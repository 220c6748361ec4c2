package prove

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weir/subject"
)

func TestMatrixAgreesWithServer(t *testing.T) {
	long := strings.Repeat("x", subject.MaxControlLine-len(" 1"))
	tests := []struct {
		name               string
		patterns, subjects []string
		matching, refused  int
		notExercised       int
	}{
		{"textbook patterns",
			[]string{"orders.*", "orders.>", "events.user.*.login", "telemetry.>"},
			[]string{"orders", "orders.eu", "orders.eu.created", "Orders.eu", "events.user.42.login", "events.user.login", "telemetry", "telemetry.a.b"}, 5, 0, 0},
		{"wildcards are published literally",
			[]string{"foo.*", "foo.>", "foo.bar", "*.*", ">", "foo.*.b"},
			[]string{"foo.*", "foo.>", "foo.*.b", ">", "*", "foo.>.b"}, 4 + 4 + 3 + 1 + 1 + 3, 0, 0},
		{"a wildcard is a whole token",
			[]string{"*foo", "foo*", "foo.b>r", "foo.>x", "foo.>>", "foo.**", "*x.>"},
			[]string{"*foo", "xfoo", "foo*", "foobar", "foo.b>r", "foo.bar", "foo.>x", "foo.>>", "foo.**", "bx.y", "*x.y"}, 7, 0, 0},
		{"invalid patterns are refused",
			[]string{"a..b", ".a", "a.", ".", "a.>.b", ">.a", "a"},
			[]string{"a", "a.b"}, 1, 6, 0},
		{"subjects with empty tokens reach nobody",
			[]string{">", "a.>", "a.*.b", "*.*"},
			[]string{"a..b", ".a", "a.", ".", "a.b"}, 3, 0, 0},
		{"what a line cannot carry is left out",
			[]string{"", "a b", "a\tb", "a\nb", "a\r", "a\fb", long + "yyy", "a"},
			[]string{"", "a b", "a\tb", "a\nb", "a\r", "a\fb", long + "yyy", "a"}, 1, 0, 7 + 6},
		{"the longest line",
			[]string{long[:len(long)-3], ">"},
			[]string{long, "a"}, 2, 0, 0},
		{"any other byte",
			[]string{"a.*", "a.\x00", "a.\xff", "a.\x01\x7f\v", "é.>", "a.\u00a0"},
			[]string{"a.\x00", "a.\xff", "a.\x01\x7f\v", "é.日本", "a.\u00a0", "a.\f"}, 10, 0, 0},
		{"reserved spaces route like others",
			[]string{"$SYS.>", "$JS.>", "$JS.API.>", "_INBOX.>", "_R_.>", "$SRV.*", "$KV.*.k", "$MQTT.>", ">"},
			[]string{"$SYS.REQ.SERVER.PING", "$JS.API.INFO", "$JS.ACK.a", "_INBOX.a.b", "_R_.a.b", "$SRV.PING", "$KV.b.k", "$MQTT.msgs.a"}, 17, 0, 0},
		{"a pattern given twice counts twice",
			[]string{"a.*", "a.*"}, []string{"a.b", "a.b"}, 4, 0, 0},
		{"no subjects", []string{"a"}, nil, 0, 0, 0},
		{"no patterns", nil, []string{"a"}, 0, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := Matrix(t.Context(), tt.patterns, tt.subjects, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range e.Matrix.Differences {
				t.Errorf("%q on %q: predicted %s, measured %s %s", d.Subject, d.Pattern, d.Predicted, d.Measured, d.Server)
			}
			if !e.Agrees() {
				t.Errorf("does not agree: %+v", e.Steps)
			}
			if f := e.Matrix; f.Matching != tt.matching || f.RefusedCount != tt.refused || len(e.NotExercised) != tt.notExercised {
				t.Errorf("got %d matching, %d refused, %d not exercised %v; want %d, %d, %d",
					f.Matching, f.RefusedCount, len(e.NotExercised), e.NotExercised, tt.matching, tt.refused, tt.notExercised)
			}
		})
	}
}

// TestMatrixFindsDifferences puts a wrong prediction beside a real run, because
// a comparison that never differs proves nothing.
func TestMatrixFindsDifferences(t *testing.T) {
	patterns, subjects := []string{"a.*", "b.>"}, []string{"a.x", "b.y", "c"}
	wrong, err := subject.NewMatrix([]string{"a.*", "c"}, subjects)
	if err != nil {
		t.Fatal(err)
	}
	wrong.Patterns = patterns
	server, err := startEmbedded(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	e := MatrixEvidence{Evidence: newEvidence(Options{})}
	if err := (&matrixRun{e: &e, m: wrong}).run(t.Context(), server); err != nil {
		t.Fatal(err)
	}
	want := []Difference{
		{Pattern: "b.>", Subject: "b.y", Predicted: "not delivered", Measured: "delivered"},
		{Pattern: "b.>", Subject: "c", Predicted: "delivered", Measured: "not delivered"},
	}
	if fmt.Sprint(e.Matrix.Differences) != fmt.Sprint(want) || e.Agrees() || e.Matrix.Different != 2 {
		t.Errorf("got %+v, agrees %v", e.Matrix, e.Agrees())
	}
}

// TestMatrixRandom compares 200 x 500 cells of random tokens, and more patterns
// than one group takes.
func TestMatrixRandom(t *testing.T) {
	tests := []struct {
		name               string
		patterns, subjects int
	}{
		{"200 x 500", 200, 500},
		{"several groups of patterns", 2*patternsAtOnce + 70, 40},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(tt.patterns)))
			patterns, subjects := make([]string, tt.patterns), make([]string, tt.subjects)
			for i := range patterns {
				patterns[i] = randomSubject(rng, []string{"a", "b", "c", "*", "*", "*b", "a>"}, ">")
			}
			for i := range subjects {
				subjects[i] = randomSubject(rng, []string{"a", "b", "c", "*", "*b", "a>"}, "c")
			}
			calls, last := 0, 0
			e, err := Matrix(t.Context(), patterns, subjects, Options{Progress: func(done, total int) {
				calls++
				if last = done; done > total {
					t.Errorf("progress %d of %d", done, total)
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range e.Matrix.Differences {
				t.Errorf("%q on %q: predicted %s, measured %s %s", d.Subject, d.Pattern, d.Predicted, d.Measured, d.Server)
			}
			if want := tt.patterns * tt.subjects; !e.Agrees() || e.Matrix.Cells+e.Matrix.RefusedCount*tt.subjects != want || e.Matrix.Matching == 0 {
				t.Errorf("agrees %v, %+v; want %d cells", e.Agrees(), e.Matrix, want)
			}
			if p := e.Predicted[0]; p.Value != p.Measured {
				t.Errorf("predicted %+v", p)
			}
			if calls == 0 || last == 0 {
				t.Error("no progress reported")
			}
		})
	}
}

func randomSubject(rng *rand.Rand, tokens []string, last string) string {
	out := make([]string, 1+rng.IntN(4))
	for i := range out {
		out[i] = tokens[rng.IntN(len(tokens))]
	}
	if rng.IntN(4) == 0 {
		out = append(out, last)
	}
	return strings.Join(out, ".")
}

func TestMatrixRefusesTooManyCells(t *testing.T) {
	e, err := Matrix(t.Context(), make([]string, 5000), make([]string, 5000), Options{})
	if err == nil || !strings.Contains(err.Error(), "25000000 cells") || e.Agrees() {
		t.Errorf("got %v", err)
	}
}

func TestMatrixEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	patterns, subjects := make([]string, 3*patternsAtOnce), make([]string, 100)
	for i := range patterns {
		patterns[i] = fmt.Sprintf("p.%d", i)
	}
	for i := range subjects {
		subjects[i] = fmt.Sprintf("p.%d", i)
	}
	e, err := Matrix(ctx, patterns, subjects, Options{Progress: func(done, _ int) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if !e.Partial || e.Agrees() || e.Matrix.Cells == 0 || e.Matrix.Cells >= len(patterns)*len(subjects) {
		t.Errorf("got partial %v, %d cells", e.Partial, e.Matrix.Cells)
	}
	if _, err := Matrix(ctx, patterns, subjects, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

func TestServersLeaveNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := StreamSubjects(ctx, []string{"a"}, Options{}); err != nil {
		t.Fatal(err)
	}
	_, err := StreamSubjects(ctx, []string{"a", "b"}, Options{Progress: func(done, _ int) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
