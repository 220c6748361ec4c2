package claims

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

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
	t := Trap{Name: words}
	if len(place) == 1 {
		t.Number = int(place[0] - '0')
	}
	title, err := archives.Record(text, map[string]*string{"story": &t.Story, "cure": &t.Cure}, t.set)
	if err != nil {
		return t, fmt.Errorf("read trap %s: %w", name, err)
	}
	t.Title = strings.TrimSuffix(title, ".")
	return t, nil
}

// set takes a line of the record.
func (t *Trap) set(key, value string) error {
	list := map[string]*[]string{"lab": &t.Labs, "proof": &t.Proofs, "rule": &t.Rules, "claim": &t.Claims}[key]
	if list == nil {
		return fmt.Errorf("%q is not a key of a trap's record; there are lab, proof, rule and claim", key)
	}
	*list = append(*list, value)
	return nil
}
