package sim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestScenarios runs the scenarios of testdata: each archive has a scenario and
// what must come out, one line a quantity: NAME == 5, NAME ~ 1240 ± 20,
// NAME <= 3, or the order of deliveries as SEQUENCE:NUM_DELIVERED.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(f)
			if err != nil {
				t.Fatal(err)
			}
			scenarioFile(t, a)
		})
	}
}

func scenarioFile(t *testing.T, a *txtar.Archive) {
	sections := map[string]string{}
	for _, f := range a.Files {
		sections[f.Name] = string(f.Data)
	}
	var s spec
	if err := json.Unmarshal([]byte(sections["scenario.json"]), &s); err != nil {
		t.Fatalf("scenario.json: %v", err)
	}
	m := simulate(t, &s)
	if os.Getenv("WEIR_SHOW") != "" {
		for _, e := range m.log {
			t.Logf("%8.1f kind %d w%d seq %d cseq %d num %d", float64(e.At)/msec, e.Kind, e.Worker, e.Seq, e.ConsumerSeq, e.Delivery)
		}
	}
	checked := 0
	for _, line := range strings.Split(sections["want"], "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		checked++
		if err := m.holds(line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if checked == 0 {
		t.Error("nothing is wanted")
	}
}

// holds checks one line of want.
func (m *measured) holds(line string) error {
	f := strings.Fields(line)
	if f[0] == "deliver" {
		return m.delivers(f[1:])
	}
	if len(f) < 3 {
		return fmt.Errorf("want NAME OPERATOR VALUE")
	}
	want, err := strconv.ParseFloat(f[2], 64)
	if err != nil {
		return err
	}
	got, known := m.got[f[0]]
	ok := false
	switch f[1] {
	case "==":
		ok = got == want
	case "<=":
		ok = got <= want
	case ">=":
		ok = got >= want
	case "~":
		tol := 5.0
		if len(f) == 5 {
			if tol, err = strconv.ParseFloat(f[4], 64); err != nil {
				return err
			}
		}
		ok = math.Abs(got-want) <= tol
	default:
		return fmt.Errorf("unknown operator %q", f[1])
	}
	if !ok || !known && want != 0 {
		return fmt.Errorf("got %v", got)
	}
	return nil
}

func (m *measured) delivers(want []string) error {
	var got []string
	slices.SortStableFunc(m.rows, func(a, b [3]uint64) int { return cmp.Compare(a[0], b[0]) })
	for _, r := range m.rows {
		got = append(got, fmt.Sprintf("%d:%d", r[1], r[2]))
	}
	if len(got) > len(want) && len(want) > 0 && want[len(want)-1] == "..." {
		want = want[:len(want)-1]
		got = got[:len(want)]
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		return fmt.Errorf("got %s", strings.Join(got, " "))
	}
	return nil
}
