package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/size"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "CON047",
	Name:     "partition-key-of-few-values",
	Severity: design.Warning,
	Title:    "The tokens that decide the partition have fewer values than there are partitions.",
	Why: "partition(n, i…) hashes the tokens that wildcards i… stand for (server/subject_transform.go, v2.15.2); the same values fall into the same partition. With one value one " +
		"partition gets everything.",
	Fix:   "Let tokens decide that differ: the customer or order, not the kind.",
	Refs:  []string{"server/subject_transform.go", "nats-server issue 3660"},
	Check: func(f *Facts) { f.AcceptedStreams(f.fewKeys) },
})

func (f *Facts) fewKeys(s *Stream) {
	for _, p := range f.Partitionings(s) {
		values, known := p.keyValues(s.Scope.Publishers)
		if !known || values == 0 || values >= float64(p.N) {
			continue
		}
		f.Report(p.Path, Said{
			What:   fmt.Sprintf("makes %d partitions from tokens that take %s: at most %.4g of them are used", p.N, size.Counted(values, "value", "different values"), values),
			Write:  "let a token decide that has many values",
			Figure: &Figure{"partitions used", values, "partitions", Bound}})
	}
}

// keyValues is how many different keys the publishers make, as far as their
// tokens say; known is false when one does not.
func (p Partitioning) keyValues(publishers []*design.Publisher) (values float64, known bool) {
	var wild []int
	for i, t := range subject.Tokens(p.Source) {
		if t == subject.One {
			wild = append(wild, i)
		}
	}
	keys := p.Keys
	if len(keys) == 0 {
		for i := range wild {
			keys = append(keys, i+1)
		}
	}
	literals := map[string]bool{}
	for _, pub := range publishers {
		if !subject.Meet(p.Source, pub.Pattern()) {
			continue
		}
		tokens, count, literal := subject.Tokens(pub.Subject), 1.0, ""
		for _, k := range keys {
			if k > len(wild) || wild[k-1] >= len(tokens) {
				return 0, false
			}
			t := tokens[wild[k-1]]
			if name, ok := strings.CutPrefix(t, "{"); ok {
				count *= tokenValues(pub, strings.TrimSuffix(name, "}"))
			} else {
				literal += t + subject.Separator
			}
		}
		if count == 0 {
			return 0, false
		}
		if count == 1 && literals[literal] {
			continue
		}
		literals[literal] = true
		values += count
	}
	return values, true
}

// tokenValues is how many values a placeholder takes, 0 when that is not said.
func tokenValues(p *design.Publisher, name string) float64 {
	for _, t := range p.Tokens {
		if t.Name == name {
			return float64(max(t.Count, int64(len(t.Examples))))
		}
	}
	return 0
}
