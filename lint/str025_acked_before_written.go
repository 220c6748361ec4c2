package lint

import (
	"fmt"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR025",
	Name:     "acked-before-written",
	Severity: design.Warning,
	Title:    "With persist_mode async a PubAck says that the message is in the server's memory.",
	Why: "A stream of one replica with persist_mode async acknowledges first and writes some milliseconds later (server/filestore.go, v2.15.2): not only a power cut, " +
		"the end of the process takes what is not written.",
	Fix:   "Leave persist_mode out, or let publishers keep what they sent for some milliseconds after the ack.",
	Since: natsapi.Version{Major: 2, Minor: 12},
	Refs:  []string{"server/filestore.go", "server/stream.go AsyncPersistMode"},
	Check: func(f *Facts) { f.AcceptedStreams(f.ackedBeforeWritten) },
})

func (f *Facts) ackedBeforeWritten(s *Stream) {
	if s.Config.PersistMode != api.AsyncPersistMode || s.Config.Replicas > 1 || s.Config.NoAck {
		return
	}
	said := Said{Severity: design.Info, What: "acknowledges before anything is written: a server process that ends takes what came in last", Write: "leave it out where an ack is a promise"}
	for _, e := range f.exposures(s) {
		if e.Failure == size.ProcessKill && e.AtRisk.High > 0 {
			said.What += fmt.Sprintf(", up to %s", messages(e.AtRisk.High))
			said.Figure = &Figure{"acknowledged messages lost", e.AtRisk.High, "msgs", Bound}
		}
	}
	goals := f.goalsOf(s)
	strict := goals.Path != "" && f.Has(design.Join(goals.Path, "lost")) && goals.Lost == 0
	for _, g := range goals.Survive {
		strict = strict || g.Fault == "restart" || g.Fault == "node"
	}
	if strict {
		said.Severity = design.Warning
	}
	f.Report(design.Join(s.Path, "persist_mode"), said)
}

// exposures are what failures cost a stream, none where it has no size.
func (f *Facts) exposures(s *Stream) []size.Exposure {
	if sized := f.SizeOf(s.Path); sized != nil {
		return sized.Exposure
	}
	return nil
}
