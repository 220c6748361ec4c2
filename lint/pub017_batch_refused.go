package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
)

var _ = rule(Rule{
	Code:     "PUB017",
	Name:     "batch-refused",
	Severity: design.Warning,
	Title:    "Atomic batches are refused by the stream, or are none.",
	Why: "A message with the header Nats-Batch-Id is refused with 10174 where allow_atomic is not set (server/stream.go, v2.15.2; measured). Servers before 2.12 do not know the header and store " +
		"the messages one by one: a reader sees half of a batch.",
	Fix:   "Write allow_atomic: true at the stream, on servers from 2.12 on; or publish one by one with message ids.",
	Refs:  []string{"ADR-50", "server/stream.go", "err_code 10174"},
	Check: func(f *Facts) { f.AcceptedStreams(f.batchRefused) },
})

func (f *Facts) batchRefused(s *Stream) {
	known := s.Version.AtLeast(natsapi.Version{Major: 2, Minor: 12})
	if known && s.Config.AllowAtomicPublish {
		return
	}
	for _, p := range s.Publishers() {
		if p.Mode != "batch" {
			continue
		}
		said := Said{What: fmt.Sprintf("is refused with 10174, as stream %s does not allow atomic batches", clip(s.Name)), Write: "write allow_atomic: true at the stream",
			Figure: &Figure{"publishes refused", LoadOf([]Feed{p}).High, "msgs/s", Computed}}
		if !known {
			said.What = fmt.Sprintf("does nothing on nats-server %s: the messages are stored one by one, and a reader sees a part of a batch", s.Version)
			said.Write, said.Figure.Name = "use 2.12, or mode: async with message ids", "messages stored one by one"
		}
		f.Report(design.Join(p.Path, "mode"), said)
	}
}
