package prove

import (
	"path/filepath"
	"strings"
	"testing"

	"weir/natsapi"
)

// TestProofs runs every proof on the embedded server, and on those of
// WEIR_SERVERS that it is about.
func TestProofs(t *testing.T) {
	if len(testServers()) == 1 {
		t.Log("WEIR_SERVERS names no other servers: only the embedded one is run")
	}
	for _, with := range testServers() {
		version := ServerVersion
		if with != "" {
			version = strings.TrimPrefix(filepath.Base(filepath.Dir(with)), "v")
		}
		v, err := natsapi.ParseVersion(version)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range Proofs() {
			t.Run(version+"/"+p.Name, func(t *testing.T) {
				if !strings.Contains(p.Text, "heap") { // which others would disturb
					t.Parallel()
				}
				e, err := p.Run(t.Context(), ScriptOptions{With: with})
				if err != nil {
					t.Fatal(err)
				}
				exercised := len(e.NotExercised) == 0
				if want := p.AppliesTo(v) && !(with != "" && strings.Contains(p.Text, "needs embedded")); exercised != want {
					t.Errorf("not exercised: %v, want exercised %v", e.NotExercised, want)
				}
				if len(e.Claims) == 0 && exercised || e.Server.Version != version {
					t.Errorf("version %s, claims %v", e.Server.Version, e.Claims)
				}
				explain(t, e)
				if testing.Verbose() {
					for _, s := range e.Steps {
						t.Logf("%5d ms %s %+v %v", s.AtMS, s.Do, s.Reply, s.Figures)
					}
				}
			})
		}
	}
}
