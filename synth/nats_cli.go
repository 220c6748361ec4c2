package synth

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/dialect"
	"weir/internal/shell"
)

var _ = target(Target{
	Name: "nats-cli", Title: "Script for the NATS CLI", Group: Configuration, Order: 2,
	About: "apply.sh creates every stream, bucket and consumer in the order in which servers take them, from the JSON files beside it; it stops at the first refusal. A stream that exists otherwise is one, a consumer that exists is left as it is: nothing that runs is changed. Accounts and leaf node sites are parts that it is called with; without one it creates the hub's.",
	Proof: "TestNatsCLI", Proves: "a shell runs it with the real NATS CLI, which creates everything on a real server, and a second run changes nothing there",
	write: writeCLI,
})

const cliHead = `#!/bin/sh
# Creates what the design %s describes, in the order in which servers take it.
# Needs the NATS CLI; which servers, the CLI's own context or NATS_URL says.
# Nothing that runs is changed: servers refuse a stream that exists with another
# configuration, which makes this stop, and a consumer that exists is left as it is.
set -eu
cd "$(dirname "$0")"

# A server without room for the stream a second time says so (10047, 10028) before it
# looks whether it has the stream already (2.15.2).
stream() {
  if nats stream info -- "$1" >/dev/null 2>&1; then
    said=$(nats stream add --config "$2" 2>&1) && return
    case $said in
      *"(10047)"* | *"(10028)"*) echo "stream $1 exists already: left as it is, and the server did not compare it with $2" >&2 ;;
      *)
        echo "$said" >&2
        exit 1
        ;;
    esac
  else
    nats stream add --config "$2"
  fi
}

# nats consumer add would change a consumer that exists (measured, CLI 0.5.1). A name may
# begin with a dash: what comes behind -- is no flag.
consumer() {
  if nats consumer info -- "$1" "$2" >/dev/null 2>&1; then
    echo "consumer $2 of $1 exists already: left as it is" >&2
  else
    nats consumer add --config "$3" -- "$1" "$2"
  fi
}

`

// cliUsers gives the CLI the inboxes that the users who create everything may read: it
// takes them from a context or a flag, not from a variable (CLI 0.5.1).
func cliUsers(d *design.Design) string {
	clients := usersOf(d)
	for _, l := range d.Leafnodes {
		clients = append(clients, clientsAt(d, l.Name)...)
	}
	var names []string
	for _, c := range clients {
		if slices.Contains(c.publish, allOfJetStream) && slices.Contains(c.subscribe, inboxOf(c.name)+".>") && !slices.Contains(names, c.name) {
			names = append(names, c.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# With the files of the output server-conf: NATS_USER=%s and its NATS_PASSWORD.\n", comment(names[0]))
	b.WriteString("# That user may read inboxes of its own alone.\nnats() {\n  case \"${NATS_USER:-}\" in\n")
	for _, name := range names {
		fmt.Fprintf(&b, "    %s) command nats --inbox-prefix %s \"$@\" ;;\n", shell.Quote(name), shell.Quote(inboxOf(name)))
	}
	b.WriteString("    *) command nats \"$@\" ;;\n  esac\n}\n\n")
	return b.String()
}

// writeCLI writes the script and the files that it names.
func writeCLI(d *design.Design) ([]File, []Note, error) {
	var files []File
	var notes []Note
	var b strings.Builder
	fmt.Fprintf(&b, cliHead, shellComment(d.Name))
	b.WriteString(cliUsers(d))
	var parts []cliPart
	for _, r := range dialect.ConfigFiles(d) {
		i := slices.IndexFunc(parts, func(p cliPart) bool { return p.scope.Path == r.Scope.Path })
		if i < 0 {
			i = len(parts)
			parts = append(parts, cliPart{scope: r.Scope})
		}
		path := r.File.Path
		files = append(files, File{Path: path, Text: string(r.Text)})
		line := "stream " + shell.Quote(strings.TrimPrefix(r.Subject, "STREAM.CREATE.")) + " " + shell.Quote(path)
		if r.Kind == "consumer" {
			of, name, _ := strings.Cut(r.Name, "/")
			line = "consumer " + shell.Quote(of) + " " + shell.Quote(name) + " " + shell.Quote(path)
		}
		parts[i].lines = append(parts[i].lines, line)
	}
	b.WriteString(cliParts(parts))
	for _, p := range parts {
		if where := scopeName(p.scope); where != "" {
			notes = append(notes, Note{p.scope.Path, "run apply.sh for " + where + " with a context that is bound to it" + p.argument(parts)})
		}
	}
	if len(files) == 0 {
		return nil, nil, nil
	}
	return append(files, File{Path: "apply.sh", Text: b.String(), Run: true}), notes, nil
}

// cliPart is what one account or leaf node site is asked for.
type cliPart struct {
	scope *design.Scope
	lines []string
}

// word is the argument that a part is called by.
func (p cliPart) word() string {
	if p.scope.Path == "" {
		return "hub"
	}
	return p.scope.Path
}

// argument says how a part is asked for, where there are several.
func (p cliPart) argument(parts []cliPart) string {
	if len(parts) < 2 {
		return ""
	}
	return ": sh apply.sh " + shell.Quote(comment(p.word()))
}

// cliParts is the end of the script: one part as it is, and several by an argument, since a
// server that is asked for the part of another would store everything twice.
func cliParts(parts []cliPart) string {
	var b strings.Builder
	if len(parts) == 1 {
		if where := scopeName(parts[0].scope); where != "" {
			fmt.Fprintf(&b, "# %s: run this with a context that is bound to it.\n", comment(where))
		}
		return b.String() + strings.Join(parts[0].lines, "\n") + "\n"
	}
	var words []string
	b.WriteString("# Accounts and leaf node sites are parts of their own: run each with a context that is\n# bound to it.\ncase \"${1:-hub}\" in\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "  %s)\n    %s\n    ;;\n", shell.Quote(p.word()), strings.Join(p.lines, "\n    "))
		words = append(words, shell.Quote(p.word()))
	}
	list := strings.Join(words, " ")
	fmt.Fprintf(&b, "  *)\n    echo \"there is no part ${1:-hub}; write sh apply.sh PART with one of\" %s >&2\n    exit 2\n    ;;\nesac\n", list)
	fmt.Fprintf(&b, "echo \"the part ${1:-hub} is done; there are\" %s >&2\n", list)
	return b.String()
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
