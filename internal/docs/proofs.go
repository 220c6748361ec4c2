package docs

import (
	"fmt"
	"strings"

	"weir/natsapi"
	"weir/prove"
)

// Proofs is the page about proof scripts and the proofs that Weir brings along.
func Proofs() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Proofs\n")
	line("A proof is a small script that shows a trap of NATS and its cure on real servers: `weir prove --proof NAME`.")
	line("It runs on the server inside Weir, on another release with `--with`, and in the browser tab.")
	line("This page is made from the tables that the parser and the runs use (`go generate ./internal/docs`).\n")
	line("## Writing one\n")
	line("A proof is a txtar file: text that says what it is about, a section `claim` of one sentence, and a section `proof`")
	line("with one step a line: a verb, its arguments, then key=value pairs. Parts with blanks stand in double quotes, `#`")
	line("begins a comment. A step that begins with `?` must be refused, with the err_code or the text that it names.")
	line("A section `values` names what can be set, one a line: `ack_wait 300ms of 200ms 300ms 1s: what it is`; the script has `{ack_wait}` in its")
	line("place, `weir prove --proof NAME --set ack_wait=1s` sets it, and the trap labs have a slider for it.")
	line("`repeat N` before a step repeats it, with `{i}` for the number. Streams are named in capitals, readers in small letters.\n")
	line("| step | what it does |\n|---|---|")
	for _, v := range prove.Verbs() {
		doc := v.Doc
		if v.Name != "server" {
			for _, k := range v.Keys {
				doc += fmt.Sprintf(" `%s`: %s.", k.Name, strings.TrimSuffix(k.Doc, "."))
			}
		} else {
			var names []string
			for _, k := range v.Keys {
				names = append(names, "`"+k.Name+"`")
			}
			doc += " Keys: " + strings.Join(names, ", ") + "."
		}
		line("| `%s` | %s |", tableCell(v.Usage), tableCell(doc))
	}
	line("\n## What can be compared\n")
	line("With `==` `!=` `<` `<=` `>` `>=`, and `~` for a text that contains another; `+ - * /` and parentheses compute. Numbers")
	line("may have a unit (`300ms`, `1KiB`). A field of a stream or consumer that stands alone means the one named last.\n")
	line("| value | what it is |\n|---|---|")
	for _, v := range prove.Values() {
		name := v.Name
		if v.Of != "" {
			name = v.Of + "." + v.Name
		}
		line("| `%s` | %s |", name, tableCell(v.Doc))
	}
	line("\n## The proofs\n")
	for _, p := range prove.Proofs() {
		line("### %s\n\n%s.\n\n%s\n", p.Name, strings.TrimSuffix(p.Claim, "."), p.About)
		var not []string
		for _, v := range natsapi.Known() {
			if !p.AppliesTo(v) {
				not = append(not, v.String())
			}
		}
		if len(not) > 0 {
			line("Not about %s.\n", strings.Join(not, ", "))
		}
		for _, v := range p.Values {
			line("- `%s` %s, of %s: %s", v.Name, v.Default, strings.Join(v.Stops, ", "), v.Doc)
		}
		if p.Fixed != "" {
			line("No setting to vary: %s.", p.Fixed)
		}
		line("\n```\n%s\n```\n", strings.TrimSpace(p.Text))
	}
	return strings.TrimSpace(b.String()) + "\n"
}

func tableCell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
