package lint

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB002",
	Name:     "wildcard-inside-a-token",
	Severity: design.Warning,
	Title:    "A * or > that is only a part of a token is an ordinary character and matches nothing else.",
	Why: "A wildcard is one only when it is the whole token. orders* is accepted everywhere and matches the subject orders* and no other " +
		"(server/sublist.go, v2.15.2; measured for subscriptions, streams and filters).",
	Fix:   "Make the part a token of its own, orders.eu.*, or name the subjects one by one.",
	Refs:  []string{"server/sublist.go IsValidSubject"},
	Proof: "literal-wildcard",
	Check: func(f *Facts) { f.eachPattern(f.literalWildcard) },
})

// eachPattern calls check for every subject and filter that is written in a
// design, with its path.
func (f *Facts) eachPattern(check func(path, subject string)) {
	for _, s := range slices.Concat(f.Streams, f.loose) {
		for i, subj := range s.Config.Subjects {
			if at := design.Index(design.Join(s.Path, "subjects"), i); s.Kind == "stream" && f.Has(at) {
				check(at, subj)
			}
		}
		for _, c := range s.Consumers {
			if c.Config.FilterSubject != "" {
				check(design.Join(c.Path, "filter_subject"), c.Config.FilterSubject)
			}
			for i, subj := range c.Config.FilterSubjects {
				check(design.Index(design.Join(c.Path, "filter_subjects"), i), subj)
			}
		}
	}
	for _, scope := range f.Scopes() {
		for _, s := range scope.Subscribers {
			check(design.Join(s.Path, "subject"), s.Subject)
		}
	}
}

func (f *Facts) literalWildcard(path, s string) {
	if strings.Contains(s, "/") && strings.ContainsAny(s, "#+") && subject.Valid(s) {
		if written, err := subject.FromMQTTFilter(s); err == nil {
			f.Report(path, Said{What: "is a topic filter of MQTT: here / # and + are ordinary characters, and it stands for itself alone", Write: "write " + clip(written),
				Figure: &Figure{"subjects that it matches", 1, "subjects", Computed}})
		}
		return
	}
	for _, t := range strings.Split(s, subject.Separator) {
		if len(t) > 1 && strings.ContainsAny(t, "*>") && subject.Valid(s) {
			f.Report(path, Said{What: fmt.Sprintf("has a wildcard inside of the token %s, where it is an ordinary character: the subject stands for itself alone", quote(t)),
				Write:  "make it a token of its own, such as " + clip(wholeToken(s)),
				Figure: &Figure{"subjects that the token matches", 1, "subjects", Computed}})
			return
		}
	}
}

// wholeToken is the subject with each wildcard inside of a token made a token of its
// own, what stands beside it too: a.*paid is a.*.paid, and paid* is paid.*.
func wholeToken(s string) string {
	var out []string
	for _, t := range strings.Split(s, subject.Separator) {
		start := 0
		for i := range len(t) {
			if one := t[i : i+1]; one == subject.One || one == subject.Rest {
				out = append(out, t[start:i], one)
				start = i + 1
			}
		}
		out = append(out, t[start:])
	}
	out = slices.DeleteFunc(out, func(t string) bool { return t == "" })
	for i, t := range out {
		if t == subject.Rest && i < len(out)-1 {
			out[i] = subject.One // the rest is at the end alone
		}
	}
	return strings.Join(out, subject.Separator)
}
