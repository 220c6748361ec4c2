package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CLU021",
	Name:     "memory-ends-with-its-server",
	Severity: design.Warning,
	Title:    "A stream in the memory of one server is empty when that server restarts.",
	Why: "Memory storage ends with the process, also with a planned restart; only other replicas keep it (server/memstore.go, v2.15.2). What was acknowledged and not read is gone, and the " +
		"stream's sequences begin anew.",
	Fix:   "Write storage: file, or num_replicas: 3 and restart one server at a time.",
	Refs:  []string{"server/memstore.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.memoryOfOne) },
})

func (f *Facts) memoryOfOne(s *Stream) {
	if s.Kind != "stream" || s.storage() != size.Memory || s.Config.Replicas > 1 || s.Config.Mirror != nil {
		return
	}
	goals := f.goalsOf(s)
	strict := goals.Path != "" && f.Has(design.Join(goals.Path, "lost")) && goals.Lost == 0
	for _, g := range goals.Survive {
		strict = strict || g.Fault == "restart" || g.Fault == "node"
	}
	said := Said{What: "keeps the messages in one process: a restart of its server loses all of them", Write: "write storage: file, or num_replicas: 3"}
	if sized := f.SizeOf(s.Path); sized != nil && len(s.Publishers()) > 0 && sized.Size.Retained.Messages.Value > 0 {
		held := sized.Size.Retained.Messages.Value
		said.What += fmt.Sprintf(", up to %s", size.FormatCount(held))
		said.Figure = &Figure{"messages lost by a restart", held, "msgs", Bound}
	} else {
		said.Figure = &Figure{"share of its messages lost by a restart", 1, "share", Computed}
	}
	if !strict {
		said.Severity = design.Info
	}
	f.Report(design.Join(s.Path, "storage"), said)
}
