package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "SRV015",
	Name:     "payload-differs-across-the-link",
	Severity: design.Warning,
	Title:    "One side of a leaf node link takes larger messages than the other.",
	Why: "max_payload is of each server. A message that one side took and the other does not breaks the connection between them, and with it everything else that goes over it " +
		"(server/client.go maxPayloadViolation, v2.15.2).",
	Fix:   "Write the same max_payload on both sides.",
	Refs:  []string{"server/client.go", "server/leafnode.go"},
	Check: func(f *Facts) { f.payloadsAcross() },
})

func (f *Facts) payloadsAcross() {
	hub, path := f.confNumber(f.Server, natsapi.Conf, "max_payload")
	if path == "" {
		hub = size.MiB
	}
	for _, leaf := range f.Leafnodes {
		own, at := f.confNumber(leaf.Server, natsapi.Conf, "max_payload")
		if at == "" {
			own = size.MiB
		}
		if own == hub || path == "" && at == "" {
			continue
		}
		if at == "" {
			at = path
		}
		f.Report(at, Said{What: fmt.Sprintf("goes with %s on the hub and %s on leaf node %s: a message between the two breaks the link for all", size.FormatBytes(float64(hub)), size.FormatBytes(float64(own)), clip(leaf.Name)),
			Write: "write the same max_payload on both sides", Figure: &Figure{"largest message that crosses", float64(min(hub, own)), "B", Bound}})
	}
}
