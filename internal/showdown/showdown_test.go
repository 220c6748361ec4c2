package showdown

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"weir/design"
	"weir/lint"
	"weir/prove"
)

// TestPages: each showdown's page, with the figures that its designs give.
func TestPages(t *testing.T) {
	for _, s := range List() {
		t.Run(s.Name, func(t *testing.T) {
			c, err := s.Compare(t.Context(), nil, Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, s.Name+".md", []byte(s.Markdown(c)))
		})
	}
}

// TestYourDesign: the presets as somebody's own designs, through every showdown.
func TestYourDesign(t *testing.T) {
	for _, s := range List() {
		for _, preset := range []string{"orders", "jobs"} {
			if preset == "orders" && s.Name != "nats-kafka" && s.Name != "retention" {
				continue // much to simulate, and nothing that jobs has not
			}
			t.Run(s.Name+"/"+preset, func(t *testing.T) {
				c, err := s.Compare(t.Context(), presetNamed(t, preset), Options{Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				var b strings.Builder
				c.markdown(&b)
				golden(t, s.Name+"-"+preset+".md", []byte(b.String()))
			})
		}
	}
}

func presetNamed(t *testing.T, name string) *design.Design {
	t.Helper()
	p, err := design.FindPreset(name)
	if err != nil {
		t.Fatal(err)
	}
	d, problems := design.Parse(name+".yaml", []byte(p.Text))
	if problems.Failed() {
		t.Fatal(problems)
	}
	return d
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s (UPDATE=1 writes it):\n%s", file, got)
	}
}

// TestDesignsAreHealthy: the showdowns' own designs are read without a problem, and
// no rule warns of more than what the showdown is about.
func TestDesignsAreHealthy(t *testing.T) {
	for _, s := range List() {
		for _, side := range s.Sides {
			if side.Design == "" {
				continue
			}
			d, problems := design.Parse(side.Name, []byte(side.Design))
			if len(problems) > 0 {
				t.Errorf("%s, %s: %v", s.Name, side.Name, problems)
				continue
			}
			for _, f := range lint.Check([]*design.Design{d}, nil, lint.Options{}).Findings {
				if f.Severity != design.Info {
					t.Errorf("%s, %s: %s [%s]", s.Name, side.Name, f.Message, f.Code)
				}
			}
		}
	}
}

var claimStep = regexp.MustCompile(`(?m)^claim "(.*)"$`)

// TestCellsAreProved: every proof that is named exists, and the claims of a truth
// table's proof are about its columns, in their order. That they hold is what
// prove.TestProofs says.
func TestCellsAreProved(t *testing.T) {
	for _, s := range List() {
		for _, name := range s.Proofs() {
			if _, err := prove.FindProof(name); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
		if s.Truth == nil {
			continue
		}
		for _, r := range s.Truth.Rows {
			p, err := prove.FindProof(r.Proof)
			if err != nil {
				continue
			}
			claims := claimStep.FindAllStringSubmatch(p.Text, -1)
			if len(claims) != len(s.Truth.Columns) {
				t.Errorf("%s has %d claims for %d columns", r.Proof, len(claims), len(s.Truth.Columns))
				continue
			}
			for i, column := range s.Truth.Columns {
				if !strings.HasPrefix(claims[i][1], column+": ") {
					t.Errorf("claim %d of %s, %q, is not about %s", i+1, r.Proof, claims[i][1], column)
				}
			}
		}
	}
}

// TestStallsAsProved: what is computed of a stalled reader is what its proof shows.
func TestStallsAsProved(t *testing.T) {
	for _, s := range List() {
		for _, x := range s.stalls {
			p, err := prove.FindProof(x.proof)
			if err != nil {
				t.Error(err)
				continue
			}
			connection, _, _ := x.outcome()
			closed, open := strings.HasPrefix(connection, "closed"), strings.HasPrefix(connection, "open")
			if shows := strings.Contains(p.Text, "server.slow_consumers >= 1"); shows != closed || shows == open {
				t.Errorf("%s: computed %q; %s shows closed: %v", x.name, connection, x.proof, shows)
			}
		}
	}
}

// TestGrounds: what has no grounds is refused.
func TestGrounds(t *testing.T) {
	const page = "-- page --\ntitle T\nquestion Q?\nverdict V.\na A\nb B\n-- decide --\nA | x | y\n"
	const loses = "-- loses --\nA | loses | computed\nB | loses | source key\n"
	const source = "-- sources --\nkey | what | 1.0 | 2026 | neutral\n"
	for _, test := range []struct{ name, text, want string }{
		{"complete", page + loses + source, ""},
		{"loss without grounds", page + "-- loses --\nA | loses\n", "neither proof NAME, source KEY nor computed"},
		{"unknown source", page + loses, `there is no source "key"`},
		{"a side that never loses", page + "-- loses --\nA | loses | computed\n", "nothing says where B loses"},
		{"figure without a source", page + loses + source + "-- figures --\n1 GB/s | set-up |  | defect\n", "an outside figure has a source"},
		{"figure without a defect", page + loses + source + "-- figures --\n1 GB/s | set-up | key\n", "says what is wrong with it"},
		{"source without a date", page + loses + "-- sources --\nkey | what | 1.0 |  | neutral\n", "version, date and bias"},
		{"source of nothing", page + loses + source + "other | what | 1.0 | 2026 | neutral\n", `source "other"`},
		{"unknown claim", page + loses + source + "-- claims --\nC999\n", `"C999" is not a claim`},
		{"unknown section", page + loses + source + "-- more --\nx\n", `"more" is not a section`},
		{"unknown feature", page + loses + source + "-- translate --\nmagic | same | text | key\n", `"magic" is not a feature`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := parse("t.txtar", []byte(test.text))
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// TestNothingToCompare: designs that have nothing of a showdown's are refused in
// words, and a cancelled comparison ends with its context.
func TestNothingToCompare(t *testing.T) {
	for _, s := range List() {
		d, _ := design.Parse("empty", []byte("weir: 1\n"))
		if _, err := s.Compare(t.Context(), d, Options{}); err == nil || !strings.Contains(err.Error(), "there is") {
			t.Errorf("%s of an empty design: %v", s.Name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, err := Find("pull-push")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Compare(ctx, nil, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Find("tabs-spaces"); err == nil || !strings.Contains(err.Error(), "pull-push") {
		t.Errorf("unknown name: %v", err)
	}
}

// TestKafkaRecord: overhead of a record in a batch, without the indexes, as worked
// out by hand from the format.
func TestKafkaRecord(t *testing.T) {
	for _, test := range []struct {
		name          string
		key, value, n int
		want          float64
	}{
		{"128 B alone", -1, 128, 1, 70}, {"128 B of 10", -1, 128, 10, 15.1}, {"1 KiB alone", -1, 1024, 1, 70},
		{"1 KiB of 10", -1, 1024, 10, 15.1}, {"with a key, alone", 16, 128, 1, 70}, {"32 B alone", -1, 32, 1, 69},
		{"128 B of 1000", -1, 128, 1000, 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := kafkaBatch(test.key, test.value, 0, test.n)/(1+float64(kafkaIndexBytes)/kafkaIndexEvery) - float64(test.value) - float64(max(0, test.key))
			if math.Abs(got-test.want) > 0.06*test.want+0.05 {
				t.Errorf("overhead %.2f, want %.1f", got, test.want)
			}
		})
	}
}

// TestArrivalsAreIdentical: all sides of a showdown get the same messages.
func TestArrivalsAreIdentical(t *testing.T) {
	s, err := Find("pull-push")
	if err != nil {
		t.Fatal(err)
	}
	designs, err := s.designs(nil)
	if err != nil {
		t.Fatal(err)
	}
	var stored []float64
	for i, d := range designs {
		one, err := s.side(t.Context(), s.Sides[i].Name, d, Options{Seed: 3}, &Comparison{})
		if err != nil {
			t.Fatal(err)
		}
		f, _ := one.answer.Streams[0].Figure("stored")
		stored = append(stored, f.Value)
	}
	if stored[0] != stored[1] || stored[0] == 0 {
		t.Errorf("stored %v", stored)
	}
}
