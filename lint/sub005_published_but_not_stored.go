package lint

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB005",
	Name:     "published-but-not-stored",
	Severity: design.Warning,
	Title:    "A publisher waits for the answer of a stream, and no stream captures its subject.",
	Why: "A JetStream publish is a request: without a stream that captures the subject the server answers 503 no responders, and with a plain " +
		"subscriber on the subject nobody answers at all until the time-out (server/client.go, v2.15.2; measured).",
	Fix:  "Add the subject to a stream, correct the publisher's subject, or write mode: core when the message is not meant to be stored.",
	Refs: []string{"server/client.go"},
	Check: func(f *Facts) {
		for _, scope := range f.Scopes() {
			stored := f.captured(scope)
			for _, p := range scope.Publishers {
				f.notStored(scope, p, stored)
			}
		}
	},
})

func (f *Facts) notStored(scope *design.Scope, p *design.Publisher, stored []string) {
	pattern := p.Pattern()
	if p.Mode == "core" || p.Mode == "" || !subject.Valid(pattern) || len(stored) == 0 || f.leavesScope(scope, pattern) || f.unreadStream(scope) {
		return
	}
	missing, low, high := Feed{Publisher: p, Pattern: pattern}.outside(stored)
	if missing == "" {
		return
	}
	if low < high {
		// The values of the placeholders decide, and they need not be named.
		f.Report(design.Join(p.Path, "subject"), Said{Severity: design.Info, What: fmt.Sprintf("is stored only in part: no stream captures %s", clip(missing)),
			Write: "make sure that the placeholders have no such value"})
		return
	}
	if high < 1 {
		said := Said{What: fmt.Sprintf("is stored only in part: no stream captures %s, and what is published there ends with 503 no responders", clip(missing)),
			Write: "add the subject to a stream"}
		if p.Rate > 0 {
			said.Figure = &Figure{"publishes that fail", p.Rate * high, "msgs/s", Computed}
		}
		f.Report(design.Join(p.Path, "subject"), said)
		return
	}
	said := Said{What: fmt.Sprintf("is captured by no stream: every publish ends with 503 no responders, %s for instance", clip(missing)),
		Write: "add the subject to a stream, or write mode: core"}
	if p.Rate > 0 {
		said.Figure = &Figure{"publishes that fail", p.Rate, "msgs/s", Computed}
	}
	f.Report(design.Join(p.Path, "subject"), said)
}

// unreadStream reports whether what a stream of the scope captures could not be read.
func (f *Facts) unreadStream(scope *design.Scope) bool {
	streams := design.Join(scope.Path, "streams")
	return slices.ContainsFunc(f.checker.broken, func(b brokenValue) bool {
		rest, below := strings.CutPrefix(b.path, streams)
		steps := design.Split(strings.TrimPrefix(rest, "."))
		return below && (len(steps) < 2 || steps[1] == "subjects") && f.checker.readFrom(b)
	})
}

// leavesScope reports whether messages on a pattern can be captured elsewhere: by
// a stream of another account that imports it, or of the hub behind a leaf node.
func (f *Facts) leavesScope(scope *design.Scope, pattern string) bool {
	if scope.Leafnode != "" || len(f.Leafnodes) > 0 || f.Has("server.conf.mappings") {
		return true // which mapping applies to which subject is not looked at
	}
	for _, a := range f.Accounts {
		for _, i := range a.Imports {
			if subject.Valid(i.Subject) && subject.Meet(i.Subject, pattern) {
				return true
			}
		}
	}
	return false
}
