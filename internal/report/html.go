package report

import (
	_ "embed"
	"fmt"
	"html"
	"strconv"
	"strings"
)

//go:embed report.css
var style string

// HTML writes the document.
func HTML(d Document) string {
	w := &writer{seen: map[string]int{}}
	w.add(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>`, text(d.Title), `</title>
<style>
`, style, `</style>
</head>
<body>
<header>
<h1>`, text(d.Title), "</h1>\n")
	for _, l := range d.Lead {
		w.add("<p>", text(l), "</p>\n")
	}
	w.add("</header>\n<nav aria-label=\"Contents\"><ol>\n")
	for _, s := range d.Sections {
		w.add(`<li><a href="#`, text(s.ID), `">`, text(s.Title), "</a>")
		if s.Says != "" {
			w.add(` <span class="`, level(s.Level), `">`, text(s.Says), "</span>")
		}
		w.add("</li>\n")
	}
	w.add("</ol></nav>\n<main>\n")
	for _, s := range d.Sections {
		w.section(s)
	}
	w.workings()
	w.add("</main>\n<footer><p>", text(d.Foot), "</p></footer>\n</body>\n</html>\n")
	return w.b.String()
}

// writer writes HTML. Workings are kept for the end, each once.
type writer struct {
	b     strings.Builder
	seen  map[string]int // number of a working by what it says
	works []Working
}

func (w *writer) add(parts ...string) {
	for _, p := range parts {
		w.b.WriteString(p)
	}
}

// text escapes a text for the content of elements and for quoted attributes.
// What no document may hold, control characters, is shown as U+FFFD.
func text(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r == 0x7f || r == '\ufffe' || r == '\uffff' {
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd")))
}

// level is the class of a level; anything else is none.
func level(l Level) string {
	switch l {
	case OK, Info, Warning, Error:
		return "l-" + string(l)
	}
	return "l-plain"
}

func (w *writer) section(s Section) {
	w.add(`<section id="`, text(s.ID), `">`, "\n<h2>", text(s.Title), "</h2>\n")
	if s.Says != "" {
		w.add(`<p class="says `, level(s.Level), `">`, text(s.Says), "</p>\n")
	}
	for _, n := range s.Notes {
		w.add("<p>", text(n), "</p>\n")
	}
	for _, b := range s.Blocks {
		if b.Title != "" {
			w.add("<h3>", text(b.Title), "</h3>\n")
		}
		switch {
		case b.Table != nil:
			w.table(b.Table, b.Title)
		case b.Code != nil:
			w.code(b.Code)
		case b.Chart != nil:
			w.chart(b.Chart)
		case b.Text != "":
			w.add("<p>", text(b.Text), "</p>\n")
		}
	}
	w.add("</section>\n")
}

func (w *writer) table(t *Table, title string) {
	if title == "" {
		title = "Table"
	}
	w.add(`<div class="scroll" tabindex="0" role="region" aria-label="`, text(title), `"><table>`, "\n<thead><tr>")
	for _, c := range t.Columns {
		w.add(`<th scope="col"`, num(c.Num), ">", text(c.Title), "</th>")
	}
	w.add("</tr></thead>\n<tbody>\n")
	for _, r := range t.Rows {
		w.add(`<tr class="`, level(r.Level), `">`)
		for i, c := range r.Cells {
			w.add("<td", num(i < len(t.Columns) && t.Columns[i].Num), ">")
			w.cell(c)
			w.add("</td>")
		}
		w.add("</tr>\n")
	}
	w.add("</tbody>\n</table></div>\n")
	if t.Left > 0 {
		w.add("<p>", strconv.Itoa(t.Left), " more rows are left out.</p>\n")
	}
}

func num(yes bool) string {
	if yes {
		return ` class="num"`
	}
	return ""
}

func (w *writer) cell(c Cell) {
	content := text(c.Text)
	if c.Mono && c.Text != "" {
		content = "<code>" + content + "</code>"
	}
	if c.Working == nil {
		w.add(content)
		return
	}
	n := strconv.Itoa(w.number(*c.Working))
	w.add(content, ` <a class="how" href="#w`, n, `" title="how it is computed">[`, n, "]</a>") // brackets keep the numbers apart where text is copied
	if c.Working.Range != "" && c.Text == c.Working.Text {                                      // another text says more than the number
		w.add(` <span class="range">`, text(c.Working.Range), "</span>")
	}
}

// number is the place of a working at the end; equal ones share it.
func (w *writer) number(k Working) int {
	key := fmt.Sprintf("%q", k)
	n, ok := w.seen[key]
	if !ok {
		w.works = append(w.works, k)
		n = len(w.works)
		w.seen[key] = n
	}
	return n
}

func (w *writer) workings() {
	if len(w.works) == 0 {
		return
	}
	w.add("<section id=\"workings\">\n<h2>How the numbers are computed</h2>\n<ol class=\"works\">\n")
	for i, k := range w.works {
		w.add(`<li id="w`, strconv.Itoa(i+1), `">`)
		w.working(k, 0)
		w.add("</li>\n")
	}
	w.add("</ol>\n</section>\n")
}

// deepestWorking is how many levels of terms are written.
const deepestWorking = 4

func (w *writer) working(k Working, depth int) {
	w.add("<b>", text(k.Name), ": ", text(k.Text), "</b>")
	if k.Range != "" {
		w.add(` <span class="range">`, text(k.Range), "</span>")
	}
	if k.Formula != "" {
		w.add(" = <code>", text(k.Formula), "</code>")
	}
	for _, more := range []string{k.Rests, k.Source, k.Note} {
		if more != "" {
			w.add(` <span class="src">`, text(more), "</span>")
		}
	}
	if len(k.Terms) == 0 || depth >= deepestWorking {
		return
	}
	w.add("<ul>")
	for _, t := range k.Terms {
		w.add("<li>")
		w.working(t, depth+1)
		w.add("</li>")
	}
	w.add("</ul>")
}

func (w *writer) code(c *Code) {
	w.add("<figure><figcaption><code>", text(c.Name), "</code></figcaption>\n", `<pre tabindex="0" aria-label="`, text(c.Name), `">`)
	if !c.Numbered {
		w.add(text(c.Text), "</pre></figure>\n")
		return
	}
	for i, line := range strings.Split(strings.TrimSuffix(c.Text, "\n"), "\n") {
		w.add(`<span class="ln">`, strconv.Itoa(i+1), "</span>", text(line), "\n")
	}
	w.add("</pre></figure>\n")
}
