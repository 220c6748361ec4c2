package topology_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"weir/design"
	"weir/internal/topology"
	"weir/size"
)

func graphOf(t *testing.T, text string, findings ...topology.Finding) topology.Graph {
	t.Helper()
	d, problems := design.Parse("weir.yaml", []byte(text))
	if problems.Failed() {
		t.Fatal(problems)
	}
	z, err := size.FromDesign(d, size.DesignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return topology.Of(d, topology.Options{Size: &z, Findings: findings})
}

// write is a graph as text, for goldens.
func write(g topology.Graph) string {
	var b strings.Builder
	fmt.Fprintln(&b, g.Says)
	for _, h := range g.Heads {
		fmt.Fprintf(&b, "column %d: %s %s\n", h.Column, h.Title, h.Count)
	}
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "\n%d %s\n  %s\n", n.Column, n.ID, n.Says)
		if n.Level != nil {
			fmt.Fprintf(&b, "  level %.3f %s\n", n.Level.Share, n.Level.Text)
		}
		if n.Refused {
			fmt.Fprintln(&b, "  refused")
		}
	}
	fmt.Fprintln(&b)
	for _, e := range g.Edges {
		refused := ""
		if e.Refused {
			refused = " refused"
		}
		fmt.Fprintf(&b, "%s > %s: %s %.4g %q %q%s\n", e.From, e.To, e.Flow, e.Rate, e.Text, e.Subject, refused)
	}
	return b.String()
}

func TestOfPresets(t *testing.T) {
	for _, p := range design.Presets() {
		t.Run(p.Name, func(t *testing.T) {
			findings := []topology.Finding{}
			if p.Name == "five-traps" {
				findings = append(findings, topology.Finding{Path: "streams.ORDERS.consumers.fraud.filter_subject", Severity: design.Error, ErrCode: 10052},
					topology.Finding{Path: "streams.ORDERS.duplicate_window", Severity: design.Warning}, topology.Finding{Path: "server.conf", Severity: design.Info})
			}
			got := write(graphOf(t, p.Text, findings...))
			file := "testdata/" + p.Name + ".txt"
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil || string(want) != got {
				t.Errorf("%s differs (%v); UPDATE=1 writes it. got:\n%s", file, err, got)
			}
		})
	}
}

func TestOf(t *testing.T) {
	const text = `
weir: 1
streams:
  A: {subjects: [a.>], max_bytes: 1GiB}
  C: {subjects: [c.*]}
  B: {mirror: {name: A}}
  RING1: {sources: [{name: RING2}]}
  RING2: {sources: [{name: RING1}]}
publishers:
  both: {subject: "*.{x}", tokens: {x: 3}, rate: 6/s}
  core: {subject: live.x, rate: 1/s}
  void: {subject: void.x, rate: 1/m}
subscribers:
  ui: {subject: live.>, queue: q}
`
	g := graphOf(t, text)
	var streams []string
	node := map[string]topology.Node{}
	for _, n := range g.Nodes {
		if node[n.ID] = n; n.Kind == topology.Stream {
			streams = append(streams, n.Name)
		}
	}
	if got := strings.Join(streams, " "); got != "A B C RING1 RING2" {
		t.Errorf("streams stand as %s; a copy comes after what it copies", got)
	}
	joined := map[string]topology.Edge{}
	for _, e := range g.Edges {
		joined[e.From+" "+e.To] = e
	}
	for _, want := range []struct {
		edge string
		flow topology.Flow
	}{
		{"publishers.both publishers.both.subject", topology.Publish},
		{"publishers.both.subject streams.A", topology.Publish},
		{"publishers.both.subject streams.C", topology.Publish},
		{"streams.A streams.B", topology.Mirror},
		{"streams.RING2 streams.RING1", topology.Source},
		{"publishers.core.subject subscribers.ui", topology.Core},
	} {
		if joined[want.edge].Flow != want.flow {
			t.Errorf("%s: flow %q, want %q", want.edge, joined[want.edge].Flow, want.flow)
		}
	}
	if got := node["publishers.void.subject"].Lines; got[0].Text != "1/min, nobody stores or reads it" {
		t.Errorf("what nobody reads says %v", got)
	}
	if got := node["publishers.core.subject"].Lines[0].Text; got != "1/s, not stored" {
		t.Errorf("what is not stored says %q", got)
	}
}

func TestOfFoldsLargeDesigns(t *testing.T) {
	var b strings.Builder
	b.WriteString("weir: 1\nstreams:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  S%d:\n    subjects: [s.%d.>]\n    consumers:\n", i, i)
		for c := range 4 {
			fmt.Fprintf(&b, "      c%d: {ack_policy: explicit, workers: {count: 2}}\n", c)
		}
	}
	d, problems := design.Parse("weir.yaml", []byte(b.String()))
	if problems.Failed() {
		t.Fatal(problems)
	}
	finding := topology.Finding{Path: "streams.S1.consumers.c2.ack_wait", Severity: design.Warning}
	count := func(o topology.Options) (nodes, folded int, marked string) {
		o.Findings = []topology.Finding{finding}
		g := topology.Of(d, o)
		for _, n := range g.Nodes {
			if n.Kind == topology.Consumers {
				folded++
			}
			if n.Marks.Warnings > 0 {
				marked = n.ID
			}
		}
		return len(g.Nodes), folded, marked
	}
	for _, tt := range []struct {
		name          string
		o             topology.Options
		nodes, folded int
		marked        string
	}{
		{"folded", topology.Options{}, 80, 40, "streams.S1.consumers"},
		{"one open", topology.Options{Open: []string{"streams.S1"}}, 87, 39, "streams.S1.consumers.c2"},
		{"all open", topology.Options{All: true}, 360, 0, "streams.S1.consumers.c2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if nodes, folded, marked := count(tt.o); nodes != tt.nodes || folded != tt.folded || marked != tt.marked {
				t.Errorf("got %d nodes, %d folded, the finding at %s; want %d, %d, %s", nodes, folded, marked, tt.nodes, tt.folded, tt.marked)
			}
		})
	}
}
