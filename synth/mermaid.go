package synth

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/size"
	"weir/subject"
)

var _ = target(Target{
	Name: "mermaid", Title: "Mermaid topology", Group: Configuration, Order: 5,
	About: "A flowchart of publishers, streams, consumers and workers with their subjects and rates, for a README or a wiki.",
	Proof: "TestMermaid", Proves: "every node is declared once and every edge joins two of them",
	write: writeMermaid,
})

func writeMermaid(d *design.Design) ([]File, []Note, error) {
	sized, err := size.FromDesign(d, size.DesignOptions{})
	if err != nil {
		return nil, nil, fmt.Errorf("size the design: %w", err)
	}
	m := &mermaid{ids: map[string]string{}}
	for _, scope := range d.Scopes() {
		for _, p := range scope.Publishers {
			m.node(p.Path, "([", p.Name, rateOf(p.Rate), "])")
		}
	}
	for i := range sized.Streams {
		s := &sized.Streams[i]
		m.node(s.Path, "[(", s.Name, fmt.Sprintf("R%d", max(s.Input.Replicas, 1)), ")]")
	}
	for i := range sized.Streams {
		s := &sized.Streams[i]
		for _, a := range s.Arrivals {
			from := a.From
			if a.Via != "" {
				from = a.Via
			}
			m.edge(from, s.Path, a.Subject)
		}
	}
	m.consumers(d)
	m.subscribers(d)
	if len(m.nodes) == 0 {
		return nil, nil, nil
	}
	text := "flowchart LR\n" + strings.Join(m.nodes, "") + strings.Join(m.edges, "")
	return []File{{Path: "topology.mmd", Text: text}}, nil, nil
}

func rateOf(perSecond float64) string { return size.FormatCount(perSecond) + "/s" }

// mermaid collects nodes and edges.
type mermaid struct {
	ids          map[string]string // design path to id
	nodes, edges []string
}

func (m *mermaid) node(path, open, name, detail, shut string) {
	if m.ids[path] != "" {
		return
	}
	m.ids[path] = fmt.Sprintf("n%d", len(m.ids)+1)
	m.nodes = append(m.nodes, fmt.Sprintf("  %s%s\"%s<br/>%s\"%s\n", m.ids[path], open, label(name), label(detail), shut))
}

// edge joins two nodes; one of which nothing is known is left out.
func (m *mermaid) edge(from, to, text string) {
	a, b := m.ids[from], m.ids[to]
	if a == "" || b == "" {
		return
	}
	line := fmt.Sprintf("  %s -->|\"%s\"| %s\n", a, label(text), b)
	for _, e := range m.edges {
		if e == line {
			return
		}
	}
	m.edges = append(m.edges, line)
}

// label is a text inside a label's quotes: Mermaid takes entities for what would
// end them or be read as markup.
func label(s string) string {
	var b strings.Builder
	for _, r := range comment(s) {
		if strings.ContainsRune("\"<>&#`;|[](){}\\", r) {
			fmt.Fprintf(&b, "#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (m *mermaid) consumers(d *design.Design) {
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			for _, c := range s.Consumers {
				workers := 0
				for _, w := range c.Workers {
					workers += w.Count
				}
				m.node(c.Path, "[/", c.Name, size.Counted(workers, "worker", "workers"), "/]")
				filters := c.Config.FilterSubjects
				if c.Config.FilterSubject != "" {
					filters = []string{c.Config.FilterSubject}
				}
				text := strings.Join(filters, ", ")
				if text == "" {
					text = "all"
				}
				m.edge(s.Path, c.Path, text)
			}
		}
	}
}

// subscribers are joined to the publishers whose messages they see.
func (m *mermaid) subscribers(d *design.Design) {
	for _, scope := range d.Scopes() {
		for _, s := range scope.Subscribers {
			m.node(s.Path, "{{", s.Name, size.Counted(max(s.Count, 1), "subscriber", "subscribers"), "}}")
			for _, p := range scope.Publishers {
				if rel := subject.Relate(s.Subject, withoutTokens(p.Subject)); rel.Relation != subject.Disjoint {
					m.edge(p.Path, s.Path, s.Subject)
				}
			}
		}
	}
}
