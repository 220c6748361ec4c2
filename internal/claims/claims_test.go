package claims_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"weir/internal/claims"
	"weir/internal/prover"
	"weir/lint"
	"weir/prove"
)

// TestEvidence: each claim has a verdict and something that it rests on, and what
// it names exists.
func TestEvidence(t *testing.T) {
	ids, names := map[string]bool{}, map[string]bool{}
	for _, c := range claims.All() {
		if !regexp.MustCompile(`^C\d\d$`).MatchString(c.ID) || ids[c.ID] || names[c.Name] || c.Name == "" {
			t.Errorf("%s %s: the id is not C and two digits, or it or the name is there twice", c.ID, c.Name)
		}
		ids[c.ID], names[c.Name] = true, true
		if !slices.Contains(claims.Verdicts(), c.Verdict) {
			t.Errorf("%s: verdict %q is none of %q", c.ID, c.Verdict, claims.Verdicts())
		}
		if !slices.Contains(claims.Subjects(), c.About) {
			t.Errorf("%s: about %q is none of %q", c.ID, c.About, claims.Subjects())
		}
		for what, text := range map[string]string{"the claim": c.Often, "so": c.So} {
			if !strings.HasSuffix(text, ".") || len(text) > 320 || strings.Contains(text, "\n") {
				t.Errorf("%s: %s is not a line of at most 320 bytes that ends with a full stop: %q", c.ID, what, text)
			}
		}
		if len(c.Refs) == 0 || slices.Contains(c.Refs, "") {
			t.Errorf("%s: rests on no source", c.ID)
		}
		for _, list := range [][]string{c.Proofs, c.Rules, c.Refs} {
			if len(slices.Compact(slices.Sorted(slices.Values(list)))) != len(list) {
				t.Errorf("%s: %q names something twice", c.ID, list)
			}
		}
		for _, p := range c.Proofs {
			if _, err := prove.FindProof(p); err != nil {
				t.Errorf("%s: %v", c.ID, err)
			}
		}
		for _, r := range c.Rules {
			if rule, err := lint.FindRule(r); err != nil || rule.Code != r {
				t.Errorf("%s: %q is not the code of a rule: %v", c.ID, r, err)
			}
		}
	}
	if len(ids) < 48 {
		t.Errorf("%d claims; an id is never given up", len(ids))
	}
}

// TestTraps: five of them are fatal, each has something to run, and what it names
// exists.
func TestTraps(t *testing.T) {
	var labs struct {
		OK struct {
			Labs []struct{ Name string }
		}
	}
	if err := json.Unmarshal(prover.New("").Call(t.Context(), "lab.list", []byte("{}"), nil), &labs); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for i, trap := range claims.Traps() {
		if fatal := i < 5; fatal && (trap.Number != i+1 || len(trap.Labs) != 1 || len(trap.Rules) == 0 || len(trap.Claims) == 0) || !fatal && trap.Number != 0 {
			t.Errorf("%s: number %d at place %d, labs %v, rules %v, claims %v", trap.Name, trap.Number, i+1, trap.Labs, trap.Rules, trap.Claims)
		}
		for what, text := range map[string]string{"title": trap.Title, "story": trap.Story, "cure": trap.Cure} {
			if text == "" || strings.Contains(text, "\n") {
				t.Errorf("%s: %s is not one line: %q", trap.Name, what, text)
			}
		}
		for _, l := range trap.Labs {
			if !slices.ContainsFunc(labs.OK.Labs, func(o struct{ Name string }) bool { return o.Name == l }) || used[l] {
				t.Errorf("%s: %q is not a lab, or is one of another trap", trap.Name, l)
			}
			used[l] = true
		}
		if len(trap.Proofs) == 0 {
			t.Errorf("%s: nothing shows it", trap.Name)
		}
		for _, p := range trap.Proofs {
			if _, err := prove.FindProof(p); err != nil {
				t.Errorf("%s: %v", trap.Name, err)
			}
		}
		for _, r := range trap.Rules {
			if rule, err := lint.FindRule(r); err != nil || rule.Code != r {
				t.Errorf("%s: %q is not the code of a rule: %v", trap.Name, r, err)
			}
		}
		for _, id := range trap.Claims {
			if c, err := claims.Find(id); err != nil || c.ID != id {
				t.Errorf("%s: %v", trap.Name, err)
			}
		}
	}
	if len(used) != len(labs.OK.Labs) {
		t.Errorf("%d of %d labs belong to a trap", len(used), len(labs.OK.Labs))
	}
}

// TestOutsideSourcesAreDated: what is not the server, its client, arithmetic or a
// measurement of a named version says from when, or which version, it is.
func TestOutsideSourcesAreDated(t *testing.T) {
	dated := regexp.MustCompile(`\b20\d\d\b|\b\d+\.\d+|KIP-\d+`)
	for _, c := range claims.All() {
		for _, r := range c.Refs {
			if r != "arithmetic" && !dated.MatchString(r) {
				t.Errorf("%s: %q has no version and no date", c.ID, r)
			}
		}
	}
}

// serverRef is a source in the text of the server or its client: the file, then
// names that stand in it.
var serverRef = regexp.MustCompile(`^(server/\S+\.go|nats\.go) v(\S+): (.+)$`)

// TestServerNames: the names that sources give stand in the files of the pinned
// server.
func TestServerNames(t *testing.T) {
	modules := map[string]string{"server/": "github.com/nats-io/nats-server/v2", "nats.go": "github.com/nats-io/nats.go"}
	seen := 0
	for _, c := range claims.All() {
		for _, ref := range c.Refs {
			m := serverRef.FindStringSubmatch(ref)
			if m == nil {
				continue
			}
			module := modules[m[1][:7]]
			out, err := exec.Command("go", "list", "-m", "-f", "{{.Version}} {{.Dir}}", module).Output()
			version, dir, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
			if err != nil || dir == "" {
				t.Skipf("the text of %s is not there: %v", module, err)
			}
			if version != "v"+m[2] {
				t.Errorf("%s: %q, but the pinned version is %s", c.ID, ref, version)
			}
			text, err := os.ReadFile(filepath.Join(dir, m[1]))
			if err != nil {
				t.Errorf("%s: %v", c.ID, err)
			}
			for _, name := range strings.Split(m[3], ", ") {
				seen++
				if !strings.Contains(string(text), name) {
					t.Errorf("%s: %q does not stand in %s", c.ID, name, m[1])
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d names of the server were looked for", seen)
	}
}

func TestFind(t *testing.T) {
	for _, tt := range []struct{ name, word, want, err string }{
		{"by id", "c05", "C05", ""},
		{"by name", "ids-are-hashes", "C05", ""},
		{"near", "ids-are-hashs", "", `"ids-are-hashs" is not a claim; did you mean ids-are-hashes?`},
		{"far", "zzz", "", `"zzz" is not a claim; weir claims lists them`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := claims.Find(tt.word)
			if got.ID != tt.want || (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
				t.Errorf("Find(%q) = %q, %v; want %q, %q", tt.word, got.ID, err, tt.want, tt.err)
			}
		})
	}
}

func TestSentence(t *testing.T) {
	list := []claims.Claim{{Verdict: claims.False}, {Verdict: claims.True}, {Verdict: claims.Depends}, {Verdict: claims.False}}
	if got, want := claims.Sentence(list), "4 often repeated: 1 is true, 2 are false, 1 depends"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
