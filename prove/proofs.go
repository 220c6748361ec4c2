package prove

import (
	"context"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"

	"weir/internal/archives"
	"weir/natsapi"
)

//go:embed proofs/*.txtar
var proofFiles embed.FS

// Proof is a trap or a promise of NATS that a script shows on a live server. It
// is a txtar archive: the text above its sections says what it is about, the
// section claim says it in one sentence, the section proof is the script, and the
// section values what of the script can be set, or the section fixed why nothing is.
type Proof struct {
	Name  string
	About string
	Claim string
	// Values are what can be set; the script has {name} in the place of each.
	Values []ProofValue
	// Fixed is why there are none, a line; "" where there are.
	Fixed string
	// Text is the script as it stands in the archive, Script what it parses to with
	// the values that were set, at first the defaults.
	Text   string
	Script *Script

	line int // of the first of Text in the archive
	file string
}

// Proofs lists the proofs that Weir brings along, by name.
func Proofs() []Proof { return slices.Clone(builtIn()) }

// builtIn are the embedded archives.
var builtIn = sync.OnceValue(func() []Proof { return archives.All(proofFiles, "proofs", ParseProof) })

// FindProof is the proof of a name; the error suggests the one that was meant.
func FindProof(name string) (Proof, error) {
	var names []string
	for _, p := range builtIn() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Proof{}, fmt.Errorf("%q is not a proof%s", name, didYouMean(name, names))
}

// ParseProof reads a proof's archive. name is that of its file; errors in the
// script are *ScriptError with the line of the file.
func ParseProof(name string, text []byte) (Proof, error) {
	archive := txtar.Parse(text)
	p := Proof{Name: strings.TrimSuffix(path.Base(name), ".txtar"), About: strings.TrimSpace(string(archive.Comment)), file: name}
	line := 1 + strings.Count(string(archive.Comment), "\n")
	values, valuesAt := "", 0
	for _, f := range archive.Files {
		line++ // the line that begins the section
		switch f.Name {
		case "claim":
			p.Claim = strings.TrimSpace(string(f.Data))
		case "values":
			values, valuesAt = string(f.Data), line
		case "fixed":
			p.Fixed = strings.TrimSpace(string(f.Data))
		case "proof":
			p.Text, p.line = string(f.Data), line
		default:
			return p, &ScriptError{name, line - 1, 1, fmt.Sprintf("%q is not a section of a proof; there are claim, values, fixed and proof", f.Name)}
		}
		line += strings.Count(string(f.Data), "\n")
	}
	if p.Text == "" || p.Claim == "" || strings.Contains(p.Claim, "\n") {
		return p, &ScriptError{name, 1, 1, "a proof has a section claim of one line and a section proof"}
	}
	if valuesAt > 0 {
		var err error
		if p.Values, err = parseValues(name, valuesAt, values, p.Text); err != nil {
			return p, err
		}
	}
	return p.With(nil)
}

// With is the proof with values set, the others at their defaults, see
// ChooseValues. Its Text stays as it is; columns of errors in the script are those
// of the filled line.
func (p Proof) With(values map[string]string) (Proof, error) {
	chosen, err := ChooseValues(p.Values, values)
	if err != nil {
		return p, err
	}
	p.Script, err = ParseScript(p.file, p.line, strings.TrimSuffix(fill(p.Text, chosen), "\n"))
	return p, err
}

// Rewritten is the proof with another script in its place, which may have the
// same values; its lines count from 1.
func (p Proof) Rewritten(text string) Proof {
	p.Text, p.line, p.file = text, 1, p.Name
	return p
}

// AppliesTo reports whether the script is about a server version, by its steps
// since and before.
func (p Proof) AppliesTo(v natsapi.Version) bool {
	for _, s := range p.Script.steps {
		if s.verb.Name != "since" && s.verb.Name != "before" {
			continue
		}
		// checkVersion has read it.
		limit, _ := natsapi.ParseVersion(s.args[0].text)
		limit.Patch = 0
		if v.AtLeast(limit) != (s.verb.Name == "since") {
			return false
		}
	}
	return true
}

// Run runs the proof on servers of its own, see RunScript.
func (p Proof) Run(ctx context.Context, opt ScriptOptions) (Evidence, error) {
	return RunScript(ctx, p.Script, opt)
}
