// Package claims is the ledger of what is often repeated about NATS and about
// the systems it is compared with: each claim with a verdict, with what is so
// instead, and with the evidence. It runs nothing: proofs are named, and package
// prove runs them.
//
//	c, err := claims.Find("C05")
//
// One claim is one file, cNN-name.txtar: the claim, a section so with what
// holds, and a section record with lines of "key: value".
package claims

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"weir/internal/archives"
	"weir/natsapi"
)

// Verdict is what became of a claim.
type Verdict string

// The verdicts. Depends is true under a condition that the claim leaves out, or
// was true of an older release.
const (
	True        Verdict = "true"
	False       Verdict = "false"
	Depends     Verdict = "depends"
	NotVerified Verdict = "not verified"
)

// Verdicts lists the verdicts in the order in which they are counted.
func Verdicts() []Verdict { return []Verdict{True, False, Depends, NotVerified} }

// Claim is something that is often repeated, and what is known of it.
type Claim struct {
	// ID is stable and never used again: C05. Name is the file's name in words.
	ID   string `json:"id"`
	Name string `json:"name"`
	// About is what it is about, one of Subjects.
	About   string  `json:"about"`
	Verdict Verdict `json:"verdict"`
	// Often is the claim as people repeat it, in Weir's words.
	Often string `json:"often"`
	// So is what holds instead, or what has to be added.
	So string `json:"so"`
	// Figure is the number with its unit, "" where the claim has none.
	Figure string `json:"figure,omitempty"`
	// Refs are the sources: a server file and version with the names to look for, a
	// measurement, an outside source with its version or date.
	Refs []string `json:"refs"`
	// Proofs are names of package prove, Rules codes of package lint.
	Proofs []string `json:"proofs"`
	Rules  []string `json:"rules"`
}

//go:embed *.txtar
var files embed.FS

// subjects are what claims are about, in the order of the page.
var subjects = []string{"Subjects", "Duplicates", "Consumers", "Streams", "The server", "Kafka", "RabbitMQ and MQTT"}

// Subjects lists what claims are about, in the order of the page.
func Subjects() []string { return slices.Clone(subjects) }

// All lists the claims by id.
func All() []Claim { return slices.Clone(ledger()) }

// ledger are the embedded files by id.
var ledger = sync.OnceValue(func() []Claim {
	out := archives.All(files, ".", parse)
	slices.SortFunc(out, func(a, b Claim) int { return cmp.Compare(a.ID, b.ID) })
	return out
})

// Find is the claim of an id in any letter case, or of a name. The error
// suggests the one that was meant.
func Find(word string) (Claim, error) {
	var names []string
	for _, c := range ledger() {
		if strings.EqualFold(word, c.ID) || strings.EqualFold(word, c.Name) {
			return c, nil
		}
		names = append(names, c.ID, c.Name)
	}
	if near := natsapi.Suggest(word, names); near != "" {
		return Claim{}, fmt.Errorf("%q is not a claim; did you mean %s?", word, near)
	}
	return Claim{}, fmt.Errorf("%q is not a claim; weir claims lists them", word)
}

// Sentence counts claims by verdict: "48 often repeated: 20 are true, …".
func Sentence(list []Claim) string {
	count := map[Verdict]int{}
	for _, c := range list {
		count[c.Verdict]++
	}
	var parts []string
	for _, v := range Verdicts() {
		switch n := count[v]; {
		case n == 0:
		case v == Depends && n == 1:
			parts = append(parts, "1 depends")
		case v == Depends:
			parts = append(parts, fmt.Sprintf("%d depend", n))
		case n == 1:
			parts = append(parts, "1 is "+string(v))
		default:
			parts = append(parts, fmt.Sprintf("%d are %s", n, v))
		}
	}
	return fmt.Sprintf("%d often repeated: %s", len(list), strings.Join(parts, ", "))
}

// parse reads a claim's file; name is that of the file.
func parse(name string, text []byte) (Claim, error) {
	id, words, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".txtar"), "-")
	c := Claim{ID: strings.ToUpper(id), Name: words}
	often, err := archives.Record(text, map[string]*string{"so": &c.So}, c.set)
	if err != nil {
		return c, fmt.Errorf("read claim %s: %w", name, err)
	}
	c.Often = often
	return c, nil
}

// set takes a line of the record.
func (c *Claim) set(key, value string) error {
	switch key {
	case "verdict":
		c.Verdict = Verdict(value)
	case "about":
		c.About = value
	case "figure":
		c.Figure = value
	case "ref":
		c.Refs = append(c.Refs, value)
	case "proof":
		c.Proofs = append(c.Proofs, value)
	case "rule":
		c.Rules = append(c.Rules, value)
	default:
		return fmt.Errorf("%q is not a key of a record; there are verdict, about, figure, ref, proof and rule", key)
	}
	return nil
}
