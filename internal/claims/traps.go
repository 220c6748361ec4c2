package claims

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"

	"weir/internal/archives"
)

// Trap is a setting that looks harmless and costs somebody a night: the story,
// the cure, and where it is shown. One trap is one file in traps.
type Trap struct {
	// Name is stable. Number is 1 to 5 for the fatal traps, 0 for the silent ones.
	Name   string `json:"name"`
	Number int    `json:"number"`
	Title  string `json:"title"`
	Story  string `json:"story"`
	Cure   string `json:"cure"`
	// Labs are names of labs of package prover, at most one; Proofs of package prove,
	// Rules codes of package lint, Claims ids of the ledger.
	Labs   []string `json:"labs"`
	Proofs []string `json:"proofs"`
	Rules  []string `json:"rules"`
	Claims []string `json:"claims"`
}

//go:embed traps/*.txtar
var trapFiles embed.FS

// Traps lists the traps, the fatal ones first.
func Traps() []Trap { return slices.Clone(traps()) }

// FindTrap is the trap of a name.
func FindTrap(name string) (Trap, error) {
	for _, t := range traps() {
		if t.Name == name {
			return t, nil
		}
	}
	return Trap{}, fmt.Errorf("%q is not a trap", name)
}

// traps are the embedded files, whose names give the order.
var traps = sync.OnceValue(func() []Trap { return archives.All(trapFiles, "traps", parseTrap) })

func parseTrap(name string, text []byte) (Trap, error) {
	place, words, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".txtar"), "-")
	archive := txtar.Parse(text)
	t := Trap{Name: words, Title: strings.TrimSuffix(strings.TrimSpace(string(archive.Comment)), ".")}
	if len(place) == 1 {
		t.Number = int(place[0] - '0')
	}
	for _, f := range archive.Files {
		body := strings.TrimSpace(string(f.Data))
		switch f.Name {
		case "story":
			t.Story = body
		case "cure":
			t.Cure = body
		case "record":
			for line := range strings.SplitSeq(body, "\n") {
				if err := t.set(line); err != nil {
					return t, fmt.Errorf("read trap %s: %w", name, err)
				}
			}
		default:
			return t, fmt.Errorf("read trap %s: %q is not a section; there are story, cure and record", name, f.Name)
		}
	}
	return t, nil
}

// set takes a line of the record.
func (t *Trap) set(line string) error {
	key, value, err := recordLine(line)
	if err != nil {
		return err
	}
	list := map[string]*[]string{"lab": &t.Labs, "proof": &t.Proofs, "rule": &t.Rules, "claim": &t.Claims}[key]
	if list == nil {
		return fmt.Errorf("%q is not a key of a trap's record; there are lab, proof, rule and claim", key)
	}
	*list = append(*list, value)
	return nil
}
