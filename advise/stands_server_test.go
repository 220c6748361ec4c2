//go:build !js

package advise_test

import (
	"os"
	"path/filepath"
	"testing"

	"weir/design"
	"weir/prove"
)

// TestAdviceStands_server holds servers to it: what they accept of a design, they
// accept with the advice taken.
func TestAdviceStands_server(t *testing.T) {
	if testing.Short() {
		t.Skip("starts clusters")
	}
	texts := map[string]string{}
	for _, name := range []string{"account-limits", "server-limits", "memory", "mirrors", "push", "buckets"} {
		text, err := os.ReadFile(filepath.Join("testdata", "stands", name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	for _, p := range design.Presets() {
		texts["preset "+p.Name] = p.Text
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			was := refusedByServers(t, text)
			out, _ := advised(t, text)
			for request, says := range refusedByServers(t, out) {
				if _, had := was[request]; !had {
					t.Errorf("%s: %s\n%s", request, says, out)
				}
			}
		})
	}
}

// refusedByServers are the requests of a design that real servers refuse, with
// what they say.
func refusedByServers(t *testing.T, text string) map[string]string {
	t.Helper()
	e, err := prove.Design(t.Context(), parse(t, text), prove.DesignOptions{For: -1, Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, s := range e.Steps {
		if s.Reply != nil && s.Reply.ErrCode != 0 {
			out[s.Do] = s.Reply.String()
		}
	}
	return out
}
