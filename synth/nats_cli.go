package synth

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/dialect"
	"weir/internal/shell"
)

var _ = target(Target{
	Name: "nats-cli", Title: "Script for the NATS CLI", Group: Configuration, Order: 2,
	About: "apply.sh creates every stream, bucket and consumer in the order in which servers take them, from the JSON files beside it; it stops at the first refusal, and changes nothing that exists.",
	Proof: "TestNatsCLI", Proves: "a shell runs it with a nats that creates what it is told to on a real server",
	write: writeCLI,
})

const cliHead = `#!/bin/sh
# Creates what the design %s describes, in the order in which servers take it.
# Needs the NATS CLI; which servers, the CLI's own context or NATS_URL says.
# What exists already makes it stop: nothing that runs is changed.
set -eu
cd "$(dirname "$0")"
`

// writeCLI writes the script and the files that it names.
func writeCLI(d *design.Design) ([]File, []Note, error) {
	var files []File
	var notes []Note
	var b strings.Builder
	fmt.Fprintf(&b, cliHead, shellComment(d.Name))
	scope := ""
	for _, r := range d.Requests() {
		if r.Assumed {
			continue
		}
		where := scopeName(r.Scope)
		if where != scope {
			scope = where
			fmt.Fprintf(&b, "\n# %s: run this part with a context that is bound to it.\n", comment(where))
			notes = append(notes, Note{r.Scope.Path, "apply.sh sends everything to one account: run the part of " + where + " with a context of its own"})
		}
		config := dialect.ConfigFile(r)
		files = append(files, File{Path: config.Path, Text: string(config.Text)})
		line := "nats stream add --config " + shell.Quote(config.Path)
		if r.Kind == "consumer" {
			of, _, _ := strings.Cut(r.Name, "/")
			line = "nats consumer add " + shell.Quote(of) + " --config " + shell.Quote(config.Path)
		}
		b.WriteString(line + "\n")
	}
	if len(files) == 0 {
		return nil, nil, nil
	}
	return append(files, File{Path: "apply.sh", Text: b.String(), Run: true}), notes, nil
}

func shellComment(name string) string {
	if name == "" {
		return "(without a name)"
	}
	return comment(name)
}

// scopeName is an account or site for people, "" for the hub's $G.
func scopeName(s *design.Scope) string {
	switch {
	case s.Leafnode != "":
		return "leaf node site " + s.Leafnode
	case s.Account != design.Hub:
		return "account " + s.Account
	}
	return ""
}
