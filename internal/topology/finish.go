package topology

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

// order puts streams behind what they copy, and what belongs to a stream in the
// order of the streams.
func (b *builder) order() {
	rank := map[string]int{}
	into := map[string][]string{}
	head := map[string]bool{}
	var streams []string
	for _, n := range b.g.Nodes {
		if n.Kind == Stream {
			streams = append(streams, n.ID)
			head[n.ID] = true
		}
	}
	for _, e := range b.g.Edges {
		if (e.Flow == Mirror || e.Flow == Source) && e.From != e.To {
			into[e.From] = append(into[e.From], e.To)
			head[e.To] = false
		}
	}
	var walk func(string)
	walk = func(id string) {
		if _, done := rank[id]; done {
			return
		}
		rank[id] = len(rank)
		for _, next := range into[id] {
			walk(next)
		}
	}
	for _, id := range streams {
		if head[id] {
			walk(id)
		}
	}
	for _, id := range streams { // streams that copy from each other in a ring
		walk(id)
	}
	key := func(n *Node) int {
		if r, ok := rank[n.Band]; ok {
			return r
		}
		return len(rank)
	}
	sort.SliceStable(b.g.Nodes, func(i, j int) bool {
		x, y := &b.g.Nodes[i], &b.g.Nodes[j]
		if x.Column != y.Column {
			return x.Column < y.Column
		}
		return key(x) < key(y)
	})
	for i := range b.g.Nodes {
		b.at[b.g.Nodes[i].ID] = i
	}
}

// owner is the node that a design path belongs to, the nearest one above it that
// there is; "" for none.
func owner(at map[string]int, path string) string {
	for ; path != ""; path = design.Parent(path) {
		if _, ok := at[path]; ok {
			return path
		}
	}
	return ""
}

// mark puts findings on nodes, and refusals on what they are of and on its edges.
func (b *builder) mark() {
	for _, f := range b.o.Findings {
		id := owner(b.at, f.Path)
		if id == "" {
			continue
		}
		n := &b.g.Nodes[b.at[id]]
		switch f.Severity {
		case design.Error:
			n.Marks.Errors++
		case design.Warning:
			n.Marks.Warnings++
		default:
			n.Marks.Infos++
		}
		if f.ErrCode != 0 && f.Severity == design.Error && n.Kind != Consumers && !n.Refused {
			n.Refused = true
			if n.Kind == Consumer || n.Kind == Stream {
				n.Lines = slices.DeleteFunc(n.Lines, func(l Line) bool { return l.As != "subject" })
				n.Level = nil
			}
			n.Lines = append(n.Lines, Line{Text: "refused: " + refusal(f.ErrCode), As: "error"})
		}
	}
	for i := range b.g.Edges {
		e := &b.g.Edges[i]
		from, to := &b.g.Nodes[b.at[e.From]], &b.g.Nodes[b.at[e.To]]
		e.Refused = to.Refused || from.Refused && e.Flow != Publish
		if from.Refused && e.Flow == Work { // nobody gives it anything
			to.Refused, to.Level, to.Name = true, nil, "idle"
			to.Lines = slices.DeleteFunc(to.Lines, func(l Line) bool { return l.As == "error" })
		}
		switch {
		case e.Refused && e.Flow == Deliver:
			e.Rate, e.Text = 0, rateText(0)
		case e.Refused && e.Flow == Work:
			e.Rate = 0
		}
	}
}

// refusal is an err_code with its status, as the server's answer has them:
// 500/10052.
func refusal(errCode int) string {
	text := strconv.Itoa(errCode)
	if e, ok := natsapi.ErrorByCode(errCode); ok {
		return strconv.Itoa(e.Code) + "/" + text
	}
	return text
}

// say writes the sentences: of the columns, of the nodes, of the whole.
func (b *builder) say() {
	parts := []string{
		size.Counted(b.heads[Publisher], "publisher", "publishers"),
		size.Counted(b.heads[Stream], "stream", "streams"),
		size.Counted(b.heads[Consumer], "consumer", "consumers"),
		size.Counted(b.workers, "worker", "workers"),
	}
	if n := b.heads[Subscriber]; n > 0 {
		parts = append(parts, size.Counted(n, "subscriber", "subscribers"))
	}
	b.g.Says = strings.Join(parts, ", ")
	b.g.Foldable = b.fold
	if b.cut > 0 {
		b.g.Note = "drawn are the first " + size.FormatCount(MostNodes) + "; " + size.FormatCount(float64(b.cut)) + " more are left out"
	}
	b.columnHeads()
	b.legend()
	from, to := map[string][]string{}, map[string][]string{}
	for _, e := range b.g.Edges {
		from[e.To] = append(from[e.To], b.g.Nodes[b.at[e.From]].Name)
		name := b.g.Nodes[b.at[e.To]].Name
		if e.Flow == Work { // named by how busy they are
			name = "its workers"
		}
		to[e.From] = append(to[e.From], name)
	}
	for i := range b.g.Nodes {
		n := &b.g.Nodes[i]
		n.What, n.More = kindNames[n.Kind], moreOf(n, from[n.ID], to[n.ID])
		n.Says = says(n)
	}
}

func (b *builder) columnHeads() {
	last := "Workers"
	if b.heads[Subscriber] > 0 {
		last = "Workers, subscribers"
	}
	for _, h := range []struct {
		column int
		title  string
		count  int
	}{
		{0, "Publishers", b.heads[Publisher]}, {1, "Subjects", len(b.byPattern)}, {2, "Streams", b.heads[Stream]},
		{3, "Consumers", b.heads[Consumer]}, {4, last, b.workers + b.heads[Subscriber]},
	} {
		if h.count > 0 {
			b.g.Heads = append(b.g.Heads, Head{h.column, h.title, size.FormatCount(float64(h.count))})
		}
	}
}

// legend names three rates in the range of the design, ten apart.
func (b *builder) legend() {
	most := 0.0
	for _, e := range b.g.Edges {
		most = max(most, e.Rate)
	}
	if most < 1 {
		return
	}
	top := 1.0
	for top*10 <= most {
		top *= 10
	}
	for _, r := range []float64{top / 100, top / 10, top} {
		if r >= 1 {
			b.g.Legend = append(b.g.Legend, Sample{r, rateText(r)})
		}
	}
}

var kindNames = map[Kind]string{Publisher: "Publisher", Subject: "Subject", Stream: "Stream", Consumer: "Consumer", Consumers: "Folded", Workers: "Workers", Subscriber: "Subscriber"}

// says is a node in one sentence.
func says(n *Node) string {
	parts := append([]string{n.What + " " + n.Name}, n.Tags...)
	for _, l := range n.Lines {
		parts = append(parts, l.Text)
	}
	if n.More != "" {
		parts = append(parts, n.More)
	}
	return strings.Join(parts, ", ")
}

// moreOf is what a drawing shows of a node without words: its level, its
// findings, what it is joined to.
func moreOf(n *Node, from, to []string) string {
	var parts []string
	if n.Level != nil && n.Kind == Stream {
		parts = append(parts, n.Level.Text)
	}
	for _, m := range []struct {
		n         int
		one, many string
	}{{n.Marks.Errors, "error", "errors"}, {n.Marks.Warnings, "warning", "warnings"}, {n.Marks.Infos, "note", "notes"}} {
		if m.n > 0 {
			parts = append(parts, size.Counted(m.n, m.one, m.many))
		}
	}
	if len(from) > 0 {
		parts = append(parts, "from "+named(from))
	}
	if len(to) > 0 {
		parts = append(parts, "to "+named(to))
	}
	return strings.Join(parts, ", ")
}

// named lists names, the first few of many.
func named(list []string) string {
	const most = 5
	if len(list) > most {
		return strings.Join(list[:most], ", ") + " and " + size.FormatCount(float64(len(list)-most)) + " more"
	}
	return strings.Join(list, ", ")
}
