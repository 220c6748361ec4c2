package synth

import (
	"fmt"
	"strings"

	"weir/design"
)

// clientProject is a project of client code: what is the same for every design,
// and the design's settings at a path. Without publishers and consumers there is
// none.
func clientProject(d *design.Design, archive string, c *clientSettings, path string, settings func(*design.Design, *clientSettings) string) ([]File, []Note, error) {
	if c.empty() {
		return nil, nil, nil
	}
	files, err := projectFiles(archive)
	if err != nil {
		return nil, nil, err
	}
	for i, f := range files {
		if f.Path == "README.md" {
			files[i].Text = strings.ReplaceAll(f.Text, exampleSubject, exampleOf(d))
		}
	}
	return append(files, File{Path: path, Text: settings(d, c)}), c.notes, nil
}

// exampleSubject is what the README of each language publishes on.
const exampleSubject = "orders.eu.created"

// exampleOf is a subject that the first publisher of a design may publish on.
func exampleOf(d *design.Design) string {
	for _, scope := range d.Scopes() {
		if len(scope.Publishers) > 0 {
			return exampleOfPublisher(scope.Publishers[0])
		}
	}
	return exampleSubject
}

func exampleOfPublisher(p *design.Publisher) string {
	subj := p.Subject
	for _, t := range p.Tokens {
		value := "1"
		if len(t.Examples) > 0 {
			value = t.Examples[0]
		}
		subj = strings.ReplaceAll(subj, "{"+t.Name+"}", value)
	}
	subj = strings.ReplaceAll(withoutTokens(subj), "*", "1")
	if strings.ContainsFunc(subj, func(r rune) bool { return !strings.ContainsRune(plainInFormats, r) }) {
		return "SUBJECT" // it would need quotes, in a shell or for printf
	}
	return subj
}

// plainInFormats are the characters that stand for themselves in printf's format between a
// shell's single quotes.
const plainInFormats = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.$_-"

// settingsList are the settings of one kind, which code calls publishers, consumers or
// movers, and each of them a Publisher and so on.
type settingsList struct {
	name, kind string
	items      [][]setting
}

// lists are the settings by kind, the movers last.
func (c *clientSettings) lists() []settingsList {
	return []settingsList{{"publishers", "Publisher", c.publishers}, {"consumers", "Consumer", c.consumers}, {"movers", "Mover", c.movers}}
}

// lines are those of one publisher, consumer or mover: a format gets each reason, name and
// value as the language has them.
func lines(format string, item []setting, why, name func(string) string, value func(any) string) string {
	var b strings.Builder
	for _, s := range item {
		fmt.Fprintf(&b, format, why(s.why), name(s.name), value(s.value))
	}
	return b.String()
}

// quotedList are words in the quotes of a language, with commas between.
func quotedList(words []string, quoted func(string) string) string {
	out := make([]string, len(words))
	for i, s := range words {
		out[i] = quoted(s)
	}
	return strings.Join(out, ", ")
}

// sameName is the name of a setting in languages that write lowerCamelCase.
func sameName(name string) string { return name }
