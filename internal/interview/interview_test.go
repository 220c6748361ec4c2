package interview_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"weir/advise"
	"weir/design"
	"weir/internal/interview"
	"weir/lint"
	"weir/natsapi"
	"weir/sim"
	"weir/size"
	"weir/synth"
	"weir/verdict"
)

// answered are answers of all kinds.
func answered() map[string]interview.Answers {
	jobs := interview.Answers{What: "jobs", Kind: interview.Jobs, Types: "invoice, thumbnail", Rate: "20/s", Peak: "60/s", PeakFor: "5m", Size: "2KiB", Keep: "7d",
		Readers: []interview.Reader{{Name: "render", Takes: "3s", Slowest: "45s", AtATime: "4", Types: "invoice"}, {Name: "scale", Takes: "150ms", Slowest: "2s", AtATime: "16", Types: "thumbnail"}},
		Survive: "node, worker-crash", Wait: "15m", Twice: "0.1%", Version: "2.15"}
	return map[string]interview.Answers{
		"orders": interview.Example(),
		"jobs":   jobs,
		"least":  {What: "audit", Rate: "3/s", Size: "300B", Keep: "30d", Readers: []interview.Reader{{Name: "export", Takes: "1ms"}}},
		"fleet": {What: "telemetry", Keys: "50000", Rate: "5000/s", Size: "220B", Keep: "6h", Readers: []interview.Reader{{Name: "aggregate", Takes: "1ms", Slowest: "10ms", AtATime: "100"}},
			Survive: "zone", Wait: "1m", Version: "2.10"},
		"slow": {What: "videos", Kind: interview.Jobs, Rate: "6/m", Size: "500B", Keep: "14d", Readers: []interview.Reader{{Name: "encode", Takes: "4m", Slowest: "20m"}}, Survive: "node, worker-stall 30m", Twice: "1%"},
	}
}

// TestDesignsAreHealthy holds what answers lead to, those of the table and random
// ones, to everything that Weir knows about a design: nothing in it is found
// wrong, refused, too large for its servers, advised against, or short of a goal.
func TestDesignsAreHealthy(t *testing.T) {
	all := answered()
	dice := rand.New(rand.NewPCG(1, 2))
	drawn := 24
	if raceDetector {
		drawn = 2
	}
	for i := range drawn {
		all[fmt.Sprint("random ", i)] = random(dice)
	}
	for name, a := range all {
		t.Run(name, func(t *testing.T) {
			r, faults := interview.Design(a)
			if len(faults) > 0 {
				t.Fatalf("%v of %+v", faults, a)
			}
			healthy(t, r.Text)
			if t.Failed() {
				t.Logf("%+v\n%s", a, r.Text)
			}
		})
	}
}

func healthy(t *testing.T, text string) {
	t.Helper()
	src := design.NewSource(interview.FileName, []byte(text))
	report := lint.CheckSources([]*design.Source{src}, lint.Options{})
	for _, f := range report.Findings {
		if f.Severity != design.Info { // a note is no fault: one copy is what was asked for
			t.Errorf("%s %s: %s", f.Severity, f.Code, f.Message)
		}
	}
	d, problems := design.ParseSource(src)
	if problems.Failed() {
		t.Fatal(problems)
	}
	for _, j := range verdict.JudgeDesign(d, natsapi.Version{}) {
		if j.Answer.Verdict != verdict.OK {
			t.Errorf("%v: %+v", j.Request.Name, j.Answer)
		}
	}
	if formatted, _ := design.Format(interview.FileName, []byte(text)); string(formatted) != text {
		t.Errorf("weir fmt changes it:\n%s", cmp.Diff(text, string(formatted)))
	}
	a, err := advise.ForDesign(d)
	if err != nil || a.Open > 0 || a.Against > 0 || len(a.Relax) > 0 {
		t.Errorf("advice: %v %s %v", err, a.Says, a.Relax)
		for _, asset := range a.Assets {
			for _, s := range asset.Settings {
				if s.State == advise.Open || s.State == advise.Against {
					t.Errorf("advice on %s: %s %s, %s: %s", s.Path, s.State, s.Written, s.Advised, s.Reason)
				}
			}
		}
	}
	z, err := size.FromDesign(d, size.DesignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range z.Sites[0].Ledger {
		if e.Over {
			t.Errorf("ledger: %s", e.Says)
		}
	}
	for _, p := range z.Sites[0].Pods {
		for _, w := range p.Warnings {
			if !strings.HasPrefix(w, "GOMEMLIMIT") { // the environment of a server, which a design does not hold
				t.Errorf("pod: %s", w)
			}
		}
	}
	meetsGoals(t, d)
}

func meetsGoals(t *testing.T, d *design.Design) {
	t.Helper()
	m, err := sim.FromDesign(d, sim.DesignOptions{For: 20 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	answer, err := m.Simulate(ctx, sim.SimulateOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	goals, err := m.JudgeSurvive(ctx, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer.AddGoals(m, goals)
	if !answer.Met {
		t.Errorf("simulation: %s", answer.Verdict)
	}
}

// TestDeadLettersAreKept holds a stream to what the mover puts aside, whatever the
// design is called.
func TestDeadLettersAreKept(t *testing.T) {
	for name, a := range answered() {
		r, _ := interview.Design(a)
		d, problems := design.Parse(interview.FileName, []byte(r.Text))
		if problems.Failed() {
			t.Fatal(problems)
		}
		out, err := synth.Generate("go", d)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range out.Notes {
			if strings.Contains(n.Text, "no stream of the design holds") {
				t.Errorf("%s: %s: %s", name, n.Path, n.Text)
			}
		}
	}
}

// random are answers that a person could give.
func random(dice *rand.Rand) interview.Answers {
	pick := func(words ...string) string { return words[dice.IntN(len(words))] }
	a := interview.Answers{What: pick("orders", "jobs", "Events", "cdc-rows"), Kind: pick(interview.Events, interview.Jobs), Types: pick("", "a", "a,b,c"), Keys: pick("", "1", "40", "100000"),
		Size: pick("90B", "1KiB", "40KiB"), Keep: pick("1h", "3d", "10d"), Wait: pick("", "2m", "1h"), Twice: pick("", "0.1%", "1%"),
		Survive: pick("", "node", "zone, restart", "leader, worker-crash, worker-stall 5m"), Version: pick("", "2.10", "2.12", "2.15")}
	a.Largest = map[string]string{"90B": "500B", "1KiB": "", "40KiB": "100KiB"}[a.Size]
	a.Rate, a.Peak = pick("1/s", "40/s", "700/s"), pick("", "900/s")
	if a.Peak != "" {
		a.PeakFor = pick("1m", "10m")
	}
	for i := range 1 + dice.IntN(3) {
		r := interview.Reader{Name: fmt.Sprint("r", i), Takes: pick("1ms", "30ms", "500ms"), Slowest: pick("", "2s"), AtATime: pick("", "8", "50")}
		if a.Kind == interview.Jobs {
			if a.Types != "a,b,c" && i > 0 {
				break
			}
			if a.Types == "a,b,c" {
				r.Types = string(rune('a' + i))
			}
		}
		a.Readers = append(a.Readers, r)
	}
	if a.Kind == interview.Jobs && a.Types == "a,b,c" {
		a.Types = strings.Join(strings.Split("a,b,c", ",")[:len(a.Readers)], ",")
	}
	return a
}

// TestDesignsByAnswers compares whole designs.
func TestDesignsByAnswers(t *testing.T) {
	for name, a := range answered() {
		t.Run(name, func(t *testing.T) {
			r, faults := interview.Design(a)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			golden := filepath.Join("testdata", name+".yaml")
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(golden, []byte(r.Text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), r.Text); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFaults names what cannot be used, each at its answer.
func TestFaults(t *testing.T) {
	set := func(pairs ...string) interview.Answers {
		a := interview.Example()
		for i := 0; i < len(pairs); i += 2 {
			if err := a.Set(pairs[i], pairs[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		return a
	}
	for _, tc := range []struct {
		name string
		in   interview.Answers
		want []string // field: the beginning of what is said
	}{
		{"nothing", interview.Answers{}, []string{"what: is not answered", "rate: is not", "size: is not", "keep: is not", "reader 1: is not"}},
		{"a word with a dot", set("what", "a.b"), []string{`what: "a.b" is no plain word`}},
		{"yaml in a word", set("what", "a: {b}\n"), []string{"what: "}},
		{"kind", set("kind", "topic"), []string{`kind: "topic" is neither`}},
		{"a rate without unit", set("rate", "120"), []string{"rate: "}},
		{"no rate", set("rate", "0/s"), []string{`rate: "0/s" is nothing`}},
		{"peak below the rate", set("peak", "1/s"), []string{"peak: 1/s is less"}},
		{"peak without end", set("peak_for", ""), []string{"peak_for: is not answered"}},
		{"largest below the mean", set("largest", "1B"), []string{"largest: 1B is less"}},
		{"too large", set("size", "2MiB", "largest", ""), []string{"size: 2MiB is more"}},
		{"a tail that does not exist", set("size", "80B"), []string{"largest: 16KiB is more than 15 times"}},
		{"a tail that is refused", set("size", "100KiB", "largest", "1MiB"), []string{"largest: 1MiB with an average"}},
		{"survive", set("survive", "nodes"), []string{"survive: "}},
		{"type nobody reads", interview.Answers{What: "a", Types: "x, y", Rate: "1/s", Size: "1KiB", Keep: "1h", Readers: []interview.Reader{{Name: "r", Takes: "1s", Types: "x"}}}, []string{"types: nobody reads y"}},
		{"type that does not flow", interview.Answers{What: "a", Types: "x", Rate: "1/s", Size: "1KiB", Keep: "1h", Readers: []interview.Reader{{Name: "r", Takes: "1s"}, {Name: "s", Takes: "1s", Types: "z"}}}, []string{`reader 2: "z" is not one`}},
		{"a job for two", interview.Answers{What: "a", Kind: interview.Jobs, Rate: "1/s", Size: "1KiB", Keep: "1h", Readers: []interview.Reader{{Name: "r", Takes: "1s"}, {Name: "s", Takes: "1s"}}}, []string{"reader 2: r has the same jobs"}},
		{"too many workers", interview.Answers{What: "a", Rate: "100000/s", Size: "1KiB", Keep: "1h", Readers: []interview.Reader{{Name: "r", Takes: "1h"}}}, []string{"reader 1: recommend consumer"}},
		{"too much to keep", set("rate", "10000/s", "peak", "", "keep", "500d"), []string{"keep: a server would need"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, faults := interview.Design(tc.in)
			if r.Text != "" || len(faults) != len(tc.want) {
				t.Fatalf("got %q, want %q", faults, tc.want)
			}
			for i, f := range faults {
				if got := f.Field + ": " + f.Says; !strings.HasPrefix(got, tc.want[i]) {
					t.Errorf("got %q, want %q", got, tc.want[i])
				}
			}
		})
	}
}

// TestExampleFromLines reads the example as a script writes it.
func TestExampleFromLines(t *testing.T) {
	got, err := interview.Parse("answers", `
what: orders # of a shop
kind: events
types = created, paid
keys: 12
rate: 120/s
peak: 400/s
peak_for: 10m
size: 1.2KiB
largest: 16KiB
keep: 72h
reader: billing 20ms..400ms x8 created
reader: search 5ms x16
survive: node, restart, worker-crash, worker-stall 5m
wait: 10m
twice: 0.1%
version: 2.12
`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(interview.Example(), got); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{"what": `answers:1: "what" has no value`, "\nrat: 1/s": `answers:2: "rat" is no answer; did you mean rate?`, "reader: a": "answers:1: reader"} {
		if _, err := interview.Parse("answers", text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzDesign looks for answers that break something.
func FuzzDesign(f *testing.F) {
	f.Add("orders", "created, paid", "12", "120/s", "1.2KiB", "72h", "billing", "20ms", "8", "node, worker-stall 5m", true)
	f.Fuzz(func(t *testing.T, what, types, keys, rate, bytes, keep, name, takes, atATime, survive string, jobs bool) {
		a := interview.Answers{What: what, Kind: interview.Events, Types: types, Keys: keys, Rate: rate, Size: bytes, Keep: keep, Survive: survive,
			Readers: []interview.Reader{{Name: name, Takes: takes, AtATime: atATime}}}
		if jobs {
			a.Kind = interview.Jobs
		}
		r, faults := interview.Design(a)
		if len(faults) > 0 {
			return
		}
		if _, problems := design.Parse(interview.FileName, []byte(r.Text)); problems.Failed() {
			t.Fatalf("%v in\n%s", problems, r.Text)
		}
	})
}
