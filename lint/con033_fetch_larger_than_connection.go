package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON033",
	Name:     "fetch-larger-than-connection",
	Severity: design.Warning,
	Title:    "One fetch brings more bytes than the server keeps for a connection.",
	Why: "A fetch is sent as fast as the stream gives it, and what the client has not read waits in the server, at most max_pending, 64 MiB; beyond that, or when a write blocks for 10 s, " +
		"the connection is closed (server/client.go, v2.15.2; measured: 1000 x 128 KiB to a client that did not read).",
	Fix:   "Limit fetches by bytes: fetch_bytes of some MiB.",
	Refs:  []string{"server/client.go"},
	Check: func(f *Facts) { f.Consumers(f.fetchTooLarge) },
})

func (f *Facts) fetchTooLarge(c *Consumer) {
	limit := float64(maxPending)
	if v, ok := f.Value("server.conf.max_pending"); ok && v.Int > 0 {
		limit = float64(v.Int)
	}
	mean := meanBytes(c.Publishers())
	for _, w := range c.Workers {
		count := w.Fetch
		if most := c.Config.MaxAckPending; c.Acks() && most > 0 {
			count = min(count, most)
		}
		bytes := float64(count) * mean
		if c.IsPush() || w.FetchBytes > 0 || c.Config.MaxRequestMaxBytes > 0 || bytes <= limit {
			continue
		}
		f.Report(design.Join(w.Path, "fetch"), Said{
			What: fmt.Sprintf("brings %s at once, and the server keeps %s for a connection: a worker that reads too slowly is disconnected, and all of it comes again after ack_wait",
				size.FormatBytes(bytes), size.FormatBytes(limit)),
			Write:  fmt.Sprintf("write fetch_bytes: 8MiB, or fetch: %d or less", int(limit/mean/2)),
			Figure: &Figure{"bytes of a fetch", bytes, "B", Computed}})
	}
}
