package prover

import (
	"fmt"
	"strings"

	"weir/prove"
	"weir/subject"
)

var wildcardLab = Lab{
	Name: "wildcard", Title: "A wildcard in the middle is refused",
	About: "> is one or more tokens and only the last one, * is exactly one token, and both only as a whole token. What a stream is on decides which publishes find it.",
	Values: []prove.ProofValue{
		{Name: "subjects", Doc: "of the stream", Stops: []string{"orders.>.processed", "orders.*.processed", "orders.*.*.processed", "orders.>", "orders*"}, Default: "orders.>.processed"},
		{Name: "published", Doc: "the subject of a message", Stops: []string{"orders", "orders.eu", "orders.eu.processed", "orders.eu.fr.processed"}, Default: "orders.eu.processed"},
	},
	script: wildcardScript,
}

// wildcardScript: 10052 for a stream on a subject that is not valid; 503, no
// responders, for a publish that no stream takes.
func wildcardScript(v labValues) string {
	pattern, published := v["subjects"], v["published"]
	cure := strings.Split(published, subject.Separator)
	for i := 1; i < len(cure) && cure[i] != "processed"; i++ {
		cure[i] = "*"
	}
	repaired := []string{
		fmt.Sprintf("cure %q", strings.Join(cure, subject.Separator)+" takes it"),
		"stream MEANT subjects=" + strings.Join(cure, subject.Separator),
		"publish " + published, "expect MEANT.messages == 1",
	}
	create, lost := "stream ORDERS subjects="+pattern, "? publish "+published+` text="503"`
	switch {
	case !subject.Valid(pattern):
		return lines(append([]string{fmt.Sprintf("harm %q", pattern+" is refused, and a message finds no stream"), "? " + create + ` err_code=10052 text="invalid subject"`, lost}, repaired...)...)
	case subject.Match(pattern, published):
		return lines(fmt.Sprintf("claim %q", pattern+" takes "+published), create, "publish "+published, "expect ORDERS.messages == 1")
	}
	return lines(append([]string{fmt.Sprintf("harm %q", pattern+" is accepted, and "+published+" finds no stream"), create, lost, "expect ORDERS.messages == 0"}, repaired...)...)
}
