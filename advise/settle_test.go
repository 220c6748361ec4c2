package advise_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weir/advise"
	"weir/design"
	"weir/natsapi"
	"weir/verdict"
)

// advised is a text with the advice on it taken.
func advised(t *testing.T, text string) (string, advise.Advice) {
	t.Helper()
	d := parse(t, text)
	a := forDesign(t, d)
	edits, _ := advise.Edits(d, a)
	out, err := design.ApplyEdits(design.NewSource("design.yaml", []byte(text)), edits)
	if err != nil {
		t.Fatal(err)
	}
	return string(out), a
}

// refused are the assets that package verdict refuses.
func refused(d *design.Design) (out []string) {
	for _, j := range verdict.JudgeDesign(d, natsapi.Version{}) {
		if j.Answer.Verdict != verdict.OK {
			out = append(out, j.Request.Path)
		}
	}
	return out
}

// states are the written settings of an advice that work against it.
func againstIn(a advise.Advice) (out []string) {
	for _, asset := range a.Assets {
		for _, s := range asset.Settings {
			if s.State == advise.Against {
				out = append(out, s.Path+": "+s.Written+" -> "+s.Advised+": "+s.Reason)
			}
		}
	}
	return out
}

// stands takes the advice on a design: servers refuse nothing that they accepted
// before, nothing that was written is changed, and the same advice has nothing
// more to say.
func stands(t *testing.T, text string) {
	t.Helper()
	before := parse(t, text)
	out, a := advised(t, text)
	after := parse(t, out)
	was := refused(before)
	for _, r := range refused(after) {
		if !slices.Contains(was, r) {
			t.Errorf("refused with the advice taken: %s", r)
		}
	}
	for _, c := range design.Diff(before, after) {
		if c.Op != design.Created {
			t.Errorf("advice changes what was written: %s", c.Text())
		}
	}
	again, b := advised(t, out)
	if again != out {
		t.Errorf("a second time changes the text again:\n%s", again)
	}
	if !slices.Equal(againstIn(a), againstIn(b)) {
		t.Errorf("against before:\n%q\nafter:\n%q", againstIn(a), againstIn(b))
	}
	if !slices.Equal(a.Relax, b.Relax) {
		t.Errorf("to relax before:\n%q\nafter:\n%q", a.Relax, b.Relax)
	}
	if t.Failed() {
		t.Log(out)
	}
}

// TestAdviceStands holds the presets, and designs that servers accepted until
// their advice was taken, to that.
func TestAdviceStands(t *testing.T) {
	for _, p := range design.Presets() {
		t.Run(p.Name, func(t *testing.T) { stands(t, p.Text) })
	}
	files, err := filepath.Glob("testdata/stands/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d designs: %v", len(files), err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			stands(t, string(text))
		})
	}
}

// TestAdviceStands_inProgress: what the ack_wait that is advised stands on is
// advised with it.
func TestAdviceStands_inProgress(t *testing.T) {
	text := `
weir: 1
streams: {JOBS: {subjects: [jobs], consumers: {c: {workers: {count: 4, service_time: {p50: 60s, p99: 600s}}}}}}
publishers: {p: {subject: jobs, rate: 1/m, payload: 1KiB}}
`
	stands(t, text)
	_, a := advised(t, text)
	if s := setting(t, a, "JOBS/c", "workers.in_progress"); s.State != advise.Open || s.Advised != "10s" {
		t.Errorf("%+v", s)
	}
	if s := setting(t, a, "JOBS/c", "ack_wait"); s.Advised != "30s" {
		t.Errorf("%+v", s)
	}
}

// TestAdviceStands_random holds designs of every kind to it.
func TestAdviceStands_random(t *testing.T) {
	n := 150
	if testing.Short() {
		n = 40
	}
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			text := randomDesign(rand.New(rand.NewPCG(uint64(seed), 5)))
			stands(t, text)
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

// randomDesign is a design of an account with limits, a few streams and what
// works on them, most of it open.
func randomDesign(r *rand.Rand) string {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	var b strings.Builder
	fmt.Fprintf(&b, "weir: 1\nserver: {version: %q, nodes: %s%s%s%s}\n", pick("2.10", "2.11", "2.12", "2.15"), pick("1", "3", "3", "5"), pick("", ", memory: 512MiB", ", memory: 4GiB"),
		pick("", ", disk: 1GiB", ", disk: 20GiB", ", disk: 300GiB"), pick("", "", ", conf: {jetstream: {limits: {duplicate_window: 5m, max_ack_pending: 500}}}", ", conf: {jetstream: {max_file_store: 6GiB, max_memory_store: 200MiB}}"))
	fmt.Fprintf(&b, "accounts:\n  A:\n%s    streams:\n", pick("", "    limits: {max_storage: 30GiB, max_memory: 1GiB}\n", "    limits: {max_storage: 3GiB, max_memory: 0B, max_ack_pending: 200}\n", "    limits: {max_streams: 2}\n"))
	var publishers strings.Builder
	for i := range 1 + r.IntN(4) {
		fmt.Fprintf(&b, "      S%d: {subjects: [\"s%d.>\"]%s%s%s%s%s%s%s%s", i, i, pick("", "", ", max_age: 24h", ", max_age: 720h", ", max_age: 1m"), pick("", "", ", max_bytes: 500MiB", ", max_bytes: 20GiB"),
			pick("", "", ", num_replicas: 1", ", num_replicas: 3"), pick("", "", ", storage: memory"), pick("", "", ", retention: workqueue", ", retention: interest"), pick("", "", ", discard: new"),
			pick("", "", "", ", max_msgs_per_subject: 1", ", max_msgs: 1000"), pick("", "", ", duplicate_window: 10m", ", duplicate_window: 30s"))
		if r.IntN(3) > 0 {
			fmt.Fprintf(&b, ", consumers: {c: {%sworkers: {count: %d, concurrency: %d, service_time: %s}}}", pick("", "", "ack_policy: explicit, ", "ack_policy: none, ", "backoff: [1s, 5s, 10s, 20s, 30s, 1m], "), 1+r.IntN(20), 1+r.IntN(20), pick("1ms", "200ms", "{p50: 2s, p99: 90s}", "5m"))
		}
		b.WriteString("}\n")
		if r.IntN(4) > 0 {
			fmt.Fprintf(&publishers, "      p%d: {subject: s%d.a, rate: %s, payload: %s%s%s%s%s}\n", i, i, pick("1/s", "50/s", "3000/s", "20000/s"), pick("48B", "1KiB", "20KiB"),
				pick("", "", ", msg_id: uuid", ", msg_id: none"), pick("", "", ", retry_for: 20m", ", retry_for: 30s"), pick("", "", ", mode: async", ", mode: core"), pick("", "", ", on_reject: {retry: 3, then: drop}"))
		}
	}
	if r.IntN(3) == 0 {
		fmt.Fprintf(&b, "      M: {mirror: {name: S0}%s}\n", pick("", ", max_age: 24h", ", num_replicas: 1"))
	}
	if publishers.Len() > 0 {
		b.WriteString("    publishers:\n" + publishers.String())
	}
	if r.IntN(3) == 0 {
		fmt.Fprintf(&b, "    kv: {K: {%skeys: %s, value: 300B, writes: 20/s}}\n", pick("", "history: 5, ", "ttl: 30m, "), pick("50", "200000", "90000000"))
	}
	b.WriteString(pick("", "goals: {survive: [node]}\n", "goals: {survive: [node, worker-stall 30m]}\n", "goals: {latency_p99: 1s, handled_twice: 1%}\n"))
	return b.String()
}

// TestTwoReplicasOfUnknownServers: where only the replicas say how many servers there
// are, advice and check ask for a third one alike.
func TestTwoReplicasOfUnknownServers(t *testing.T) {
	d, problems := design.Parse("d.yaml", []byte("weir: 1\nstreams: {A: {subjects: [a.>], num_replicas: 2, max_bytes: 1GiB}}\n"))
	if problems.Failed() {
		t.Fatal(problems)
	}
	a, err := advise.ForDesign(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range a.Assets {
		for _, set := range s.Settings {
			if set.Field == "num_replicas" && set.Advised == "3" {
				return
			}
		}
	}
	t.Errorf("three replicas are not advised: %+v", a)
}
