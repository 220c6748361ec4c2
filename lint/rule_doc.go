package lint

import (
	"fmt"
	"strconv"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// RuleDoc is a rule for those who print it: a page of the documentation, the
// command line, the studio, SARIF.
type RuleDoc struct {
	Code     string          `json:"code"`
	Name     string          `json:"name"`
	Severity design.Severity `json:"severity"`
	// Family is what the letters of the code stand for: "subjects and filters".
	Family string `json:"family"`
	Title  string `json:"title"`
	Why    string `json:"why"`
	Fix    string `json:"fix"`
	// Since and Until are releases such as 2.12, "" without a bound.
	Since string   `json:"since,omitempty"`
	Until string   `json:"until,omitempty"`
	Refs  []string `json:"refs"`
	// ErrCodes are what the server answers where the rule explains a refusal.
	ErrCodes []int `json:"err_codes"`
	// Proof is the name of the proof that shows the harm on a live server, "" for
	// none. The rule's own script has the rule's code as its name.
	Proof string `json:"proof,omitempty"`
	// About is the explanation, in paragraphs; the examples are designs.
	About string        `json:"about"`
	Bad   []RuleExample `json:"bad"`
	Fixed RuleExample   `json:"fixed"`
	Good  []RuleExample `json:"good"`
}

// RuleExample is a design of a rule's page, with the lines from 1 at which the
// rule finds something.
type RuleExample struct {
	Name  string `json:"name"`
	Text  string `json:"text"`
	Lines []int  `json:"lines"`
}

// Doc is the rule with its page. It panics on a page that cannot be read: it is
// part of the program, and a test reads all of them.
func (r *Rule) Doc() RuleDoc {
	p, err := r.Page()
	if err != nil {
		panic(err)
	}
	d := RuleDoc{Code: r.Code, Name: r.Name, Severity: r.Severity, Family: r.About(), Title: r.Title, Why: r.Why, Fix: r.Fix,
		Since: minorText(r.Since), Until: minorText(r.Until), Refs: r.Refs, Proof: r.Proof, About: p.About, Fixed: p.Fixed.of(r)}
	if p.Proof != "" {
		d.Proof = r.Code
	}
	seen := map[int]bool{}
	for _, e := range r.Explains {
		if !seen[e.ErrCode] {
			d.ErrCodes = append(d.ErrCodes, e.ErrCode)
		}
		seen[e.ErrCode] = true
	}
	for _, e := range p.Bad {
		d.Bad = append(d.Bad, e.of(r))
	}
	for _, e := range p.Good {
		d.Good = append(d.Good, e.of(r))
	}
	return d
}

func minorText(v natsapi.Version) string {
	if v == (natsapi.Version{}) {
		return ""
	}
	return fmt.Sprintf("%d.%d", v.Major, v.Minor)
}

// of is an example without its marks.
func (e Example) of(r *Rule) RuleExample {
	out := RuleExample{Name: e.Name, Text: e.Plain()}
	wants := e.Wants()
	for line := range 1 + strings.Count(e.Text, "\n") {
		for _, code := range wants[line] {
			if code == r.Code {
				out.Lines = append(out.Lines, line)
			}
		}
	}
	return out
}

// Holds says for which releases the rule is: "2.12 and newer", "" for all.
func (d RuleDoc) Holds() string {
	switch {
	case d.Since != "" && d.Until != "":
		return d.Since + " to " + d.Until
	case d.Since != "":
		return d.Since + " and newer"
	case d.Until != "":
		return "up to " + d.Until
	}
	return ""
}

// Means says in a word what a severity means for a rule.
func (d RuleDoc) Means() string {
	switch d.Severity {
	case design.Error:
		var codes []string
		for _, e := range d.ErrCodes {
			codes = append(codes, strconv.Itoa(e))
		}
		return "the server refuses it: err_code " + oneOf(codes)
	case design.Warning:
		return "the server accepts it, and it will hurt"
	}
	return "worth knowing"
}

// Page is docs/rules/CODE.md.
func (d RuleDoc) Page() string {
	return fmt.Sprintf("<!-- Generated from lint/%s.go and .txtar; go generate ./internal/docs -->\n", (&Rule{Code: d.Code, Name: d.Name}).File()) + d.Markdown()
}

// Markdown is what a page says, for whoever shows it.
func (d RuleDoc) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n%s\n\n**%s**: %s.", d.Code, strings.ReplaceAll(d.Name, "-", " "), d.Title, d.Severity, d.Means())
	if h := d.Holds(); h != "" {
		fmt.Fprintf(&b, " nats-server %s.", h)
	}
	fmt.Fprintf(&b, "\n\n%s\n\n## Why\n\n%s\n\n## What to do\n\n%s\n", d.About, d.Why, d.Fix)
	for i, e := range d.Bad {
		title := "Found here"
		if i > 0 {
			title = "And here"
		}
		fmt.Fprintf(&b, "\n## %s\n\n```yaml\n%s```\n", title, marked(e))
	}
	fmt.Fprintf(&b, "\n## Repaired\n\n```yaml\n%s```\n", d.Fixed.Text)
	for _, e := range d.Good {
		fmt.Fprintf(&b, "\n## Quiet\n\n```yaml\n%s```\n", e.Text)
	}
	b.WriteString("\n## Known from\n\n")
	for _, r := range d.Refs {
		fmt.Fprintf(&b, "- %s\n", r)
	}
	if d.Proof != "" {
		fmt.Fprintf(&b, "\nSee it on a real server: `weir prove --proof %s`.\n", d.Proof)
	}
	fmt.Fprintf(&b, "\nWhere it is meant so: `# weir:ignore %s reason` at the end of the line.\n", d.Code)
	return b.String()
}

// marked is an example with an arrow at the lines that are found.
func marked(e RuleExample) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(e.Text) {
		n++
		for _, at := range e.Lines {
			if at == n {
				line = strings.TrimSuffix(line, "\n") + " # <- here\n"
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// RulesIndex is the page docs/rules/README.md.
func RulesIndex() string {
	var b strings.Builder
	b.WriteString("<!-- Generated from lint/; go generate ./internal/docs -->\n# Rules\n\n")
	b.WriteString("What `weir check` finds beside what a server refuses. error: this server version refuses it. warning: accepted, and it will\n" +
		"hurt; the message has the number that shows it, and says where that is a bound. info: worth knowing.\n" +
		"`weir explain CODE` prints a page.\n")
	family := ""
	for _, r := range Rules() {
		if r.Family() != family {
			family = r.Family()
			fmt.Fprintf(&b, "\n## %s: %s\n\n| code | severity | what |\n|---|---|---|\n", family, r.About())
		}
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s |\n", r.Code, r.Code, r.Severity, r.Title)
	}
	return b.String()
}
