package prove

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weir/natsapi"
)

// TestProofs runs every proof on the embedded server and on those of WEIR_SERVERS:
// make test-releases names older releases.
func TestProofs(t *testing.T) {
	for _, server := range testServers(t) {
		v, err := natsapi.ParseVersion(server.version)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range Proofs() {
			t.Run(server.version+"/"+p.Name, func(t *testing.T) {
				if !strings.Contains(p.Text, "heap") { // which others would disturb
					t.Parallel()
				}
				mustHold(t, p, v, server.with)
			})
		}
	}
}

// proofTries is how often a proof may be run before it counts as failed. Its
// times are those of a real server, which a machine that is busy with other
// tests can miss; a claim that is false fails every time.
const proofTries = 3

func mustHold(t *testing.T, p Proof, v natsapi.Version, with string) {
	t.Helper()
	var no []string
	for range proofTries {
		e, err := p.Run(t.Context(), ScriptOptions{With: with})
		if err == nil {
			if no = complaints(e, p, v, with); len(no) == 0 {
				if with == "" {
					checkOutcome(t, p, e)
				}
				return
			}
		} else {
			no = []string{err.Error()}
		}
		t.Logf("tried: %s", strings.Join(no, "\n"))
	}
	t.Errorf("does not hold in %d tries: %s", proofTries, strings.Join(no, "\n"))
}

// complaints lists what a proof's evidence shows otherwise than it claims.
func complaints(e Evidence, p Proof, v natsapi.Version, with string) []string {
	exercised := len(e.NotExercised) == 0
	no := failures(e)
	if want := p.AppliesTo(v) && !(with != "" && strings.Contains(p.Text, "needs embedded")); exercised != want {
		no = append(no, fmt.Sprintf("not exercised: %v, want exercised %v", e.NotExercised, want))
	}
	if len(e.Claims) == 0 && exercised || e.Server.Version != v.String() {
		no = append(no, fmt.Sprintf("version %s, claims %v", e.Server.Version, e.Claims))
	}
	return no
}

// TestProofVaries: a proof has values to set, or says why it has none.
func TestProofVaries(t *testing.T) {
	for _, p := range Proofs() {
		if (len(p.Values) > 0) == (p.Fixed != "") || strings.Contains(p.Fixed, "\n") {
			t.Errorf("%s has %d values, and why there are none is %q", p.Name, len(p.Values), p.Fixed)
		}
	}
}

// TestProofValues runs every proof that has values with each at its last stop: a
// harm is one there as well, and its cure helps.
func TestProofValues(t *testing.T) {
	for _, p := range Proofs() {
		last := map[string]string{}
		for _, v := range p.Values {
			last[v.Name] = v.Stops[len(v.Stops)-1]
		}
		if len(last) == 0 {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			if !strings.Contains(p.Text, "heap") {
				t.Parallel()
			}
			p, err := p.With(last)
			if err != nil {
				t.Fatal(err)
			}
			var no []string
			for range proofTries {
				e, err := p.Run(t.Context(), ScriptOptions{})
				if no = failures(e); err == nil && len(no) == 0 {
					return
				}
				t.Logf("tried: %v %s", err, strings.Join(no, "\n"))
			}
			t.Errorf("does not hold with %v in %d tries", last, proofTries)
		})
	}
}

// TestReadValues: what is wrong with a section values is said with its line.
func TestReadValues(t *testing.T) {
	for _, tt := range []struct{ name, values, want string }{
		{"shape", "wait 1s 2s: no of", "p.txtar:4:1: a value is written NAME DEFAULT of STOP STOP: what it is"},
		{"name", "i 1 of 1 2: the number", `p.txtar:4:1: "i" cannot be the name of a value`},
		{"twice", "n 1 of 1 2: one\nn 1 of 1 2: two", "p.txtar:5:1: n is given twice"},
		{"default", "n 3 of 1 2: one", `p.txtar:4:1: the default "3" is not one of the stops`},
		{"unused", "m 1 of 1 2: one", "p.txtar:4:1: the script does not have {m}"},
		{"script", "n 1 of 1 x: one", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := ParseProof("p.txtar", []byte("-- claim --\nc\n-- values --\n"+tt.values+"\n-- proof --\nstream S subjects=s\npublish s n={n}\n"))
			if tt.want == "" {
				if _, err := p.With(map[string]string{"n": "x"}); err == nil || !strings.HasPrefix(err.Error(), `p.txtar:7:`) {
					t.Errorf("a value that the script cannot have: %v", err)
				}
				_, err = p.With(map[string]string{"m": "1"})
				if err == nil || err.Error() != `"m" is not a value to set; there are n` {
					t.Errorf("an unknown value: %v", err)
				}
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// outcome is what a step came to, where it does not depend on the place that it
// ran in.
type outcome struct {
	Do      string `json:"do"`
	OK      bool   `json:"ok"`
	ErrCode int    `json:"err_code"`
}

// checkOutcome compares with what is committed, which the browser test compares
// with as well (web/e2e/prove.spec.ts): a proof has one outcome natively and in
// the tab.
func checkOutcome(t *testing.T, p Proof, e Evidence) {
	t.Helper()
	var steps []outcome
	for _, s := range e.Steps {
		o := outcome{Do: s.Do, OK: s.OK}
		if s.Reply != nil {
			o.ErrCode = s.Reply.ErrCode
		}
		steps = append(steps, o)
	}
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(steps); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "outcomes", p.Name+".json")
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(file, body.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, body.Bytes()) {
		t.Errorf("outcome differs from %s (UPDATE=1 writes it): %s", file, body.Bytes())
	}
}
