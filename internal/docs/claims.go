package docs

import (
	"fmt"
	"strings"

	"weir/internal/claims"
)

// Claims is the page about what is often repeated, made from the ledger.
func Claims() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("<!-- Generated from internal/claims; go generate ./internal/docs -->\n# What is often repeated about NATS\n")
	line("%s. `weir claims ID` prints one, `weir claims --prove` runs all that can be run again on the", claims.Sentence(claims.All()))
	line("real server, and the page \"How do we know\" of the studio does so in the browser tab. depends: true under a condition that")
	line("the claim leaves out, or of an older release.\n")
	line("In the code: `server/FILE vVERSION: NAMES` is a file of nats-server and names to look for in it; a test finds them there.")
	for _, about := range claims.Subjects() {
		line("\n## %s\n", about)
		for _, c := range claims.All() {
			if c.About != about {
				continue
			}
			line("**%s, %s:** %s\n", c.ID, c.Verdict, stars.Replace(c.Often))
			so := stars.Replace(c.So)
			if c.Figure != "" {
				so += " Figure: " + c.Figure + "."
			}
			line("%s  ", so)
			line("From %s.%s%s\n", strings.Join(c.Refs, "; "), linked("Proved by", "proofs.md#%[1]s", c.Proofs), linked("Rules:", "rules/%[1]s.md", c.Rules))
		}
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// stars keeps Markdown from taking wildcards for emphasis.
var stars = strings.NewReplacer("*", `\*`)

// linked is " WORDS [name](address), … ." for names, "" without any.
func linked(words, address string, names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, fmt.Sprintf("[%s](%s)", n, fmt.Sprintf(address, n)))
	}
	if len(out) == 0 {
		return ""
	}
	return " " + words + " " + strings.Join(out, ", ") + "."
}
