package docs

import (
	"fmt"
	"strings"

	"weir/synth"
)

// Targets is the page about what Weir writes from a design.
func Targets() string {
	var b strings.Builder
	b.WriteString("# What Weir writes\n\n`weir generate TARGET DESIGN` writes one of these; `weir generate --list` lists them. A target is kept only with the test that runs what it writes\n" +
		"(`go generate ./internal/docs` makes this page from the same records).\n")
	var group synth.Group
	for _, t := range synth.Targets() {
		if t.Group != group {
			group = t.Group
			fmt.Fprintf(&b, "\n## %s\n", strings.ToUpper(string(group[:1]))+string(group[1:]))
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s. %s\n\nProved by `%s`: %s.\n", t.Name, t.Title, t.About, t.Proof, t.Proves)
		rows := synth.Faults(t.Name)
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s.\n\n| fault | messages | stored or handled | fallback | both | lost | handled twice |\n|---|---|---|---|---|---|---|\n", synth.FaultsSay(t.Name))
		for _, r := range rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", tableCell(r.Fault), r.Messages, r.Stored, r.Fallback, r.Both, r.Lost, r.Twice)
		}
	}
	return b.String()
}
