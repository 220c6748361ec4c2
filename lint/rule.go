package lint

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// Rule is one thing that servers accept and that hurts, or a refusal that
// deserves a code and a page of its own. It lives in lint/<code>_<name>.go, beside
// a .txtar of that name with its explanation and examples (see Page); nothing else
// has to be written for it.
type Rule struct {
	// Code is stable and never used again: SUB, STR, CON, PUB, KV, CLU, SRV, SEC or
	// CAP and three digits.
	Code string
	// Name is the rule in words with dashes, as in the file's name.
	Name string
	// Severity is what Report reports. error: this server version refuses it; such
	// a rule has Explains and no Check (but see Said.Severity). warning: accepted, and it will hurt. info:
	// worth knowing.
	Severity design.Severity
	// Title says in one sentence what is wrong.
	Title string
	// Why says what happens and from where that is known: a server file and
	// version, an ADR or a measurement.
	Why string
	// Fix says what to do about it.
	Fix string
	// Since and Until are the first and the last release that the rule is about;
	// zero is no bound. Until counts whole minors: 2.11.0 means all of 2.11.
	Since, Until natsapi.Version
	// Refs name documents, server files and discussions.
	Refs []string
	// Explains are the refusals whose findings get the rule's code; the API code
	// stays an alias.
	Explains []Refusal
	// Proof names the proof of package prove that shows the harm on a live server;
	// a section proof of the .txtar does as well.
	Proof string
	// Check looks at a design and reports. It is nil where Explains says it all.
	Check func(*Facts)
}

// Refusal is an err_code, and words that the server's description must hold.
type Refusal struct {
	ErrCode int
	Words   string
	// When narrows it further; nil is always. It looks at the value at fault.
	When func(value string) bool
}

// registered fills as the rules' variables are made. Files come in any order, and
// Rules sorts.
var registered []*Rule

// rule checks a rule and puts it on the list. A fault in one is a fault of the
// program, so it panics, in every test.
func rule(r Rule) *Rule {
	family := strings.TrimRight(r.Code, "0123456789")
	switch {
	case !slices.ContainsFunc(families, func(f ruleFamily) bool { return f.code == family }) || len(r.Code) != len(family)+3:
		panic("lint: " + r.Code + " is not a code of rules")
	case slices.ContainsFunc(registered, func(o *Rule) bool { return o.Code == r.Code || o.Name == r.Name }):
		panic("lint: two rules are called " + r.Code + " or " + r.Name)
	case r.Check == nil && len(r.Explains) == 0:
		panic("lint: " + r.Code + " checks nothing")
	case (r.Severity == design.Error) != (r.Check == nil):
		panic("lint: " + r.Code + ": errors are refusals of the server, and only they are")
	}
	registered = append(registered, &r)
	return &r
}

// ruleFamily is what codes with the same letters are about.
type ruleFamily struct{ code, about string }

var families = []ruleFamily{
	{"SUB", "subjects and filters"},
	{"STR", "streams and their limits"},
	{"CON", "consumers and their workers"},
	{"PUB", "publishers"},
	{"KV", "key-value and object store buckets"},
	{"CLU", "clusters, replicas and placement"},
	{"SRV", "servers and server.conf"},
	{"SEC", "accounts and permissions"},
	{"CAP", "capacity"},
}

// Rules lists the rules by family and number.
func Rules() []*Rule {
	out := slices.Clone(registered)
	rank := func(r *Rule) int {
		return slices.IndexFunc(families, func(f ruleFamily) bool { return f.code == r.Family() })
	}
	slices.SortFunc(out, func(a, b *Rule) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a.Code, b.Code)
	})
	return out
}

// Family is the letters of the code.
func (r *Rule) Family() string { return strings.TrimRight(r.Code, "0123456789") }

// About is what the rule's family is about: "subjects and filters".
func (r *Rule) About() string {
	i := slices.IndexFunc(families, func(f ruleFamily) bool { return f.code == r.Family() })
	return families[i].about
}

// FindRule finds a rule by code in any letter case, or by name. The error
// suggests the one that was meant.
func FindRule(word string) (*Rule, error) {
	var names []string
	for _, r := range Rules() {
		if strings.EqualFold(word, r.Code) || strings.EqualFold(word, r.Name) {
			return r, nil
		}
		names = append(names, r.Code, r.Name)
	}
	if near := natsapi.Suggest(word, names); near != "" {
		return nil, fmt.Errorf("%q is not a rule; did you mean %s?", word, near)
	}
	return nil, fmt.Errorf("%q is not a rule; weir rules lists them", word)
}

// holds reports whether the rule is about a release.
func (r *Rule) holds(v natsapi.Version) bool {
	until := natsapi.Version{Major: r.Until.Major, Minor: r.Until.Minor, Patch: 1 << 20}
	return v.AtLeast(r.Since) && (r.Until == natsapi.Version{} || until.AtLeast(v))
}

// ruleOf is the rule that explains a refusal, nil when none does.
func ruleOf(errCode int, description, value string) *Rule {
	for _, r := range registered {
		for _, e := range r.Explains {
			if e.ErrCode == errCode && strings.Contains(description, e.Words) && (e.When == nil || e.When(value)) {
				return r
			}
		}
	}
	return nil
}
