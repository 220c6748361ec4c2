package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "SRV013",
	Name:     "large-max-payload",
	Severity: design.Warning,
	Title:    "max_payload lets messages in of which a few fill a connection.",
	Why: "A message is held whole in the memory of every server and client on its way. The server warns above 8 MiB and closes a connection for which more than max_pending waits " +
		"(server/server.go, server/client.go, v2.15.2).",
	Fix:   "Send the data in chunks or through an object store, and a reference in the message.",
	Refs:  []string{"server/server.go", "server/client.go"},
	Check: func(f *Facts) { f.largePayloads() },
})

func (f *Facts) largePayloads() {
	for _, s := range f.everyServer() {
		payload, path := f.confNumber(s, natsapi.Conf, "max_payload")
		pending, raised := f.confNumber(s, natsapi.Conf, "max_pending")
		if raised == "" {
			pending = 64 * size.MiB
		}
		if path == "" || payload <= 8*size.MiB {
			continue
		}
		severity := design.Warning
		if payload <= pending/4 {
			severity = design.Info
		}
		what := fmt.Sprintf("is above the 8 MiB from which the server warns: %s of that size at a time fill a connection (max_pending %s), and the next one closes it", counted(int(pending/payload), "message"), size.FormatBytes(float64(pending)))
		if payload > pending {
			what = fmt.Sprintf("is above max_pending, %s: no connection can hold such a message", size.FormatBytes(float64(pending)))
		}
		f.Report(path, Said{Severity: severity, What: what,
			Write: "write 8MiB or less, and use an object store", Figure: &Figure{"messages that fill a connection", float64(pending / payload), "msgs", Bound}})
	}
}
