package dialect

import (
	"fmt"
	"strconv"
	"strings"

	"weir/design"
)

// pages are the replies in one text that each hold a part of a list: the server
// answers with at most 256 streams, 256 consumers or 1,024 names at a time
// (server/jetstream_api.go JSApiListLimit, JSApiNamesLimit).
type pages struct {
	total, held int64
	first       bool // the page that begins at 0 is among them
	at          *design.Node
}

// page notes what a reply says of the list that it holds a part of.
func (r *jsonReader) page(n *design.Node, key string, list *design.Node) {
	if missing := n.Get("missing"); missing.IsList() && len(missing.Items) > 0 {
		r.say(design.CodeMissing, design.Warning, missing, "the server could not say what it has of %s: not judged", fewTexts(missing))
	}
	total, ok := wholeNumber(n.Get("total"))
	if !ok {
		return
	}
	if r.pages == nil {
		r.pages = map[string]*pages{}
	}
	p := r.pages[key]
	if p == nil {
		p = &pages{}
		r.pages[key] = p
	}
	from, _ := wholeNumber(n.Get("offset"))
	p.total, p.held, p.at = max(p.total, total), p.held+int64(len(list.Items)), n.Get("total")
	p.first = p.first || from == 0
}

// sayCutOff warns of lists that the text holds a part of. Who has the pages in a file
// each is told of the first one; that all are there is not known in one of them.
func (r *jsonReader) sayCutOff() {
	for _, key := range []string{"streams", "consumers", "account_details"} {
		p := r.pages[key]
		if p == nil || p.held >= p.total {
			continue
		}
		severity := design.Warning
		if !p.first {
			severity = design.Info
		}
		r.say(design.CodeMissing, severity, p.at, "%d of %d %s are in this file, the others are not judged; the API answers in pages: ask again with offset %d", p.held, p.total, strings.ReplaceAll(key, "_", " "), p.held)
	}
}

func wholeNumber(n *design.Node) (int64, bool) {
	if n == nil || n.IsText() || n.IsMap() || n.IsList() {
		return 0, false
	}
	v, err := strconv.ParseInt(n.Text, 10, 64)
	return v, err == nil && v >= 0
}

// fewTexts quotes the first texts of a list.
func fewTexts(list *design.Node) string {
	const few = 3
	var out []string
	for _, item := range list.Items[:min(few, len(list.Items))] {
		if item.IsText() {
			out = append(out, strconv.Quote(item.Text[:min(len(item.Text), 64)]))
		}
	}
	if n := len(list.Items) - len(out); n > 0 {
		out = append(out, fmt.Sprintf("%d more", n))
	}
	return strings.Join(out, ", ")
}
