package engine

import (
	"context"
	"fmt"
	"slices"

	"weir/design"
	"weir/internal/topology"
	"weir/lint"
	"weir/size"
)

// GraphRequest asks design.graph. Open are paths of streams whose consumers stay
// apart where a large design folds them, All opens every one. Plain leaves rates
// of streams, levels and findings out: a thumbnail has no use for them.
type GraphRequest struct {
	Files  []File   `json:"files"`
	Target string   `json:"target,omitempty"`
	Open   []string `json:"open,omitempty"`
	All    bool     `json:"all,omitempty"`
	Plain  bool     `json:"plain,omitempty"`
}

// GraphReply is the topology of a design.
type GraphReply struct {
	topology.Graph
	// Goals says that the design sets some: what a run says of them has a place.
	Goals bool `json:"goals"`
}

// graphDesign draws what can be read: a text that is being edited need not be
// whole. Of several designs the first is drawn.
func graphDesign(_ context.Context, in GraphRequest, _ Progress) (GraphReply, error) {
	target, err := parseTarget(in.Target)
	if err != nil {
		return GraphReply{}, err
	}
	designs, _, err := read(in.Files, "files")
	if err != nil || len(designs) == 0 {
		return GraphReply{}, err
	}
	o := topology.Options{Open: in.Open, All: in.All}
	if !in.Plain {
		if z, err := size.FromDesign(designs[0], size.DesignOptions{}); err == nil { // what has no size is drawn without
			o.Size = &z
		}
		report, err := judgements.judge(in.Files, target)
		if err != nil {
			return GraphReply{}, err
		}
		o.Findings = findingsOf(report.Findings)
	}
	g := topology.Of(designs[0], o)
	if n := len(designs); n > 1 && g.Note == "" {
		g.Note = fmt.Sprintf("drawn is the first of %d designs", n)
	}
	return GraphReply{g, setsGoals(designs[0])}, nil
}

func setsGoals(d *design.Design) bool {
	if d.Goals.Path != "" {
		return true
	}
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			if s.Goals.Path != "" || slices.ContainsFunc(s.Consumers, func(c *design.Consumer) bool { return c.Goals.Path != "" }) {
				return true
			}
		}
	}
	return false
}

func findingsOf(list []lint.Finding) []topology.Finding {
	out := make([]topology.Finding, 0, len(list))
	for _, f := range list {
		out = append(out, topology.Finding{Path: f.Path, Severity: f.Severity, ErrCode: f.ErrCode})
	}
	return out
}
