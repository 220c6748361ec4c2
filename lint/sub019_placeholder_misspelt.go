package lint

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB019",
	Name:     "placeholder-misspelt",
	Severity: design.Warning,
	Title:    "The values under tokens belong to no placeholder of the publisher's subject, or a brace in it makes none.",
	Why: "A placeholder is a token in braces, the whole of it. One that is not closed, or is a part of a token, is ordinary text, and every message goes to that one subject " +
		"(server/sublist.go IsValidSubject, v2.15.2, takes braces as it takes letters). Values under another name than the placeholder's count for nothing: how many subjects there are is then not known.",
	Fix:  "Write the placeholder in the subject and under tokens alike.",
	Refs: []string{"server/sublist.go IsValidSubject"},
	Check: func(f *Facts) {
		for _, scope := range f.Scopes() {
			for _, p := range scope.Publishers {
				f.misspeltPlaceholders(p)
			}
		}
	},
})

func (f *Facts) misspeltPlaceholders(p *design.Publisher) {
	var holes []string
	for _, t := range strings.Split(p.Subject, subject.Separator) {
		name, opened := strings.CutPrefix(t, "{")
		name, closed := strings.CutSuffix(name, "}")
		switch {
		case opened && closed && !strings.ContainsAny(name, "{}"):
			holes = append(holes, name)
		case strings.ContainsAny(t, "{}"):
			f.literalBrace(p, t, opened, closed)
			return
		}
	}
	for _, t := range p.Tokens {
		if slices.Contains(holes, t.Name) {
			continue
		}
		said := Said{What: fmt.Sprintf("gives values of {%s}, and the subject %s has no such placeholder", clip(t.Name), quote(p.Subject)),
			Write: "leave it out, or write {" + clip(t.Name) + "} in the subject", Figure: &Figure{"messages that have one of these values", 0, "msgs", Computed}}
		free := slices.DeleteFunc(slices.Clone(holes), func(hole string) bool {
			return slices.ContainsFunc(p.Tokens, func(o design.Token) bool { return o.Name == hole })
		})
		if near := natsapi.Suggest(t.Name, free); near != "" {
			said.Write = fmt.Sprintf("write {%s} in the subject in place of {%s}, or %s here", clip(t.Name), clip(near), clip(near))
		}
		f.Report(design.Join(design.Join(p.Path, "tokens"), t.Name), said)
	}
}

// literalBrace reports a token of a publisher's subject that has a brace and is no
// placeholder.
func (f *Facts) literalBrace(p *design.Publisher, token string, opened, closed bool) {
	what, write := "has a brace inside of the token %s, which makes no placeholder", "make the placeholder a token of its own"
	switch name := strings.Trim(token, "{}"); {
	case opened && !closed:
		what, write = "has a brace that nothing closes: %s is no placeholder", "write {"+clip(name)+"}"
	case closed && !opened && !strings.Contains(token, "{"):
		what, write = "has a brace that nothing opens: %s is no placeholder", "write {"+clip(name)+"}"
	}
	f.Report(design.Join(p.Path, "subject"), Said{What: fmt.Sprintf(what, quote(token)) + ", and every message goes to a subject with that very token", Write: write,
		Figure: &Figure{"values of the token", 1, "values", Computed}})
}
