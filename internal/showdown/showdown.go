// Package showdown compares architectures: core NATS with JetStream, retentions,
// pull with push, NATS with Kafka. One comparison is one .txtar, with at most one
// .go for what has to be computed. Texts and outside figures stand in the .txtar,
// each with its proof or source; numbers about a workload are computed here, from
// the designs in the .txtar or from the caller's own.
//
//	s, err := showdown.Find("pull-push")
//	c, err := s.Compare(ctx, nil, showdown.Options{})
//
// Proofs are named and not run: package prove runs them.
package showdown

import (
	"embed"
	"fmt"
	"strings"
	"sync"
	"time"

	"weir/internal/archives"
	"weir/internal/claims"
)

//go:embed *.txtar
var files embed.FS

// Showdown is one comparison as it is written down. Nothing in it is measured by
// Weir on the reader's machine: that is what its proofs are for.
type Showdown struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Question string `json:"question"`
	// Verdict answers the question in a sentence or two.
	Verdict string `json:"verdict"`
	About   string `json:"about"`
	// Sides are two or three, in the order of their letters.
	Sides  []Side   `json:"sides"`
	Decide []Reason `json:"decide"`
	Truth  *Truth   `json:"truth,omitempty"`
	Loses  []Loss   `json:"loses"`
	// Claims are those of the ledger that it is about.
	Claims   []claims.Claim `json:"claims"`
	Outside  []Outside      `json:"outside"`
	Sources  []Source       `json:"sources"`
	order    int
	chart    string
	outage   outage
	length   time.Duration
	stalls   []stalled
	toKafka  []translation
	designOf map[string]string
}

// Side is one of what is compared; Design is the text of a design file that shows
// it, "" where it is not NATS.
type Side struct {
	Letter string `json:"letter"`
	Name   string `json:"name"`
	Design string `json:"design,omitempty"`
}

// Reason says when to take a side, and why.
type Reason struct {
	Side    string `json:"side"`
	When    string `json:"when"`
	Because string `json:"because"`
}

// Truth is a table of what happens on each side, every cell of which a proof
// shows: the claims of Row.Proof stand in the order of Columns.
type Truth struct {
	Title   string     `json:"title"`
	Columns []string   `json:"columns"`
	Rows    []TruthRow `json:"rows"`
}

// TruthRow is one case.
type TruthRow struct {
	Case  string   `json:"case"`
	Proof string   `json:"proof"`
	Cells []string `json:"cells"`
}

// Grounds is what a statement rests on: a proof, a source, or figures that the
// comparison computes. Exactly one is set.
type Grounds struct {
	Proof    string `json:"proof,omitempty"`
	Source   string `json:"source,omitempty"`
	Computed bool   `json:"computed,omitempty"`
}

// Loss is where a side loses.
type Loss struct {
	Side string `json:"side"`
	Text string `json:"text"`
	Grounds
}

// Outside is a figure that somebody published, and what is wrong with it.
type Outside struct {
	Figure string `json:"figure"`
	Setup  string `json:"setup"`
	Source string `json:"source"`
	Defect string `json:"defect"`
}

// Source is where a figure or statement comes from. Bias says whose side its
// writer is on.
type Source struct {
	Key     string `json:"key"`
	What    string `json:"what"`
	Version string `json:"version"`
	Date    string `json:"date"`
	Bias    string `json:"bias"`
}

// outage is what all readers go through while sides are simulated.
type outage struct {
	kind    string // crash or freeze
	at, how time.Duration
}

// List returns all showdowns, in the order of their pages.
func List() []*Showdown { return all() }

// all are the embedded archives in their order, which is as much a part of the
// program as they are.
var all = sync.OnceValue(func() []*Showdown {
	read := archives.All(files, ".", parse)
	out := make([]*Showdown, len(read))
	for _, s := range read {
		if s.order < 1 || s.order > len(out) || out[s.order-1] != nil {
			panic(fmt.Errorf("%s: order %d is taken or not from 1 to %d", s.Name, s.order, len(out)))
		}
		out[s.order-1] = s
	}
	return out
})

// Find returns the showdown of a name.
func Find(name string) (*Showdown, error) {
	var names []string
	for _, s := range all() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("%q is not a showdown; there are %s", name, strings.Join(names, ", "))
}

// Side returns the side of a letter.
func (s *Showdown) Side(letter string) Side {
	for _, one := range s.Sides {
		if one.Letter == letter {
			return one
		}
	}
	return Side{}
}

// Proofs are the names of all proofs that the showdown rests on, in the order in
// which they are first named.
func (s *Showdown) Proofs() []string {
	var out []string
	seen := map[string]bool{"": true}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	if s.Truth != nil {
		for _, r := range s.Truth.Rows {
			add(r.Proof)
		}
	}
	for _, r := range s.stalls {
		add(r.proof)
	}
	for _, l := range s.Loses {
		add(l.Proof)
	}
	for _, c := range s.Claims {
		for _, name := range c.Proofs {
			add(name)
		}
	}
	return out
}

// SourceOf returns the source of a key.
func (s *Showdown) SourceOf(key string) (Source, bool) {
	for _, one := range s.Sources {
		if one.Key == key {
			return one, true
		}
	}
	return Source{}, false
}
