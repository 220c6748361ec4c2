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
