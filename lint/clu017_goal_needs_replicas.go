package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CLU017",
	Name:     "goal-needs-replicas",
	Severity: design.Warning,
	Title:    "The goals ask to survive the loss of a server, and this stream has no majority without it.",
	Why: "What one replica has acknowledged is on one server; of two, both are needed (server/raft.go, v2.15.2; measured). survive: node means that the stream goes on and no " +
		"acknowledged message is lost, which takes three replicas.",
	Fix:   "Write num_replicas: 3, or goals of this stream without survive: node.",
	Refs:  []string{"server/raft.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.survivesNode) },
})

func (f *Facts) survivesNode(s *Stream) {
	r := max(s.Config.Replicas, 1)
	if s.Config.Mirror != nil || s.Scope.Leafnode != "" || r-1 >= size.Quorum(r) {
		return
	}
	asked := f.toSurvive(s)
	if asked == "" {
		return
	}
	said := Said{Value: fmt.Sprintf("%d, the default", r), Write: "write num_replicas: 3", Figure: &Figure{"servers that may be lost", float64(r - size.Quorum(r)), "servers", Computed},
		What: fmt.Sprintf("leaves no majority when its server is lost, and the goals say survive: %s; until it is back, nothing can be published to or read from it", asked)}
	if sized := f.SizeOf(s.Path); sized != nil && sized.Size.Retained.Messages.Value > 0 && len(s.Publishers()) > 0 {
		said.What += ", up to " + messages(sized.Size.Retained.Messages.Value)
	}
	path := design.Join(s.Path, "num_replicas")
	if s.Kind == "object_store" && f.Has(path) {
		said.Severity = design.Info // one copy was chosen for what is large
	}
	f.Report(path, said)
}

// toSurvive is the loss, node or zone, that the goals ask a stream to survive; "" for
// neither.
func (f *Facts) toSurvive(s *Stream) string {
	asked := ""
	for _, g := range f.goalsOf(s).Survive {
		if g.Fault == "node" || g.Fault == "zone" {
			asked = g.Fault
		}
	}
	return asked
}

// goalsOfConsumer are the goals that hold for a consumer: its own, else those of its
// stream, else those at the top.
func (f *Facts) goalsOfConsumer(c *Consumer) design.Goals {
	if c.Goals.Path != "" {
		return c.Goals
	}
	return f.goalsOf(c.Of)
}

// goalsOf are the goals that hold for a stream: its own, else those at the top.
func (f *Facts) goalsOf(s *Stream) design.Goals {
	if s.Written != nil && s.Written.Goals.Path != "" {
		return s.Written.Goals
	}
	return f.Goals
}
