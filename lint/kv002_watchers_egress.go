package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "KV002",
	Name:     "watchers-egress",
	Severity: design.Warning,
	Title:    "Each write goes to every watcher, and that is much traffic.",
	Why: "A watcher is a consumer that gets a copy of each change (nats.go kv.go; server/consumer.go, v2.15.2), so the traffic is writes times watchers. 125 MB a second fill a network of " +
		"1 Gbit/s.",
	Fix:   "Watch prefixes, share one watcher in a process, or write less often.",
	Refs:  []string{"ADR-8", "server/consumer.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.watcherTraffic) },
})

// muchTraffic is a network of 1 Gbit/s, in bytes a second.
const muchTraffic = 125e6

func (f *Facts) watcherTraffic(s *Stream) {
	if s.Kind != "kv" || s.Bucket.Watchers == 0 || s.Bucket.Writes == 0 {
		return
	}
	mean, known := Mean(s.Bucket.Value)
	if !known {
		f.Need("value, keys and writes of the buckets")
		return
	}
	bytes := float64(s.Bucket.Watchers) * s.Bucket.Writes * float64(mean)
	if bytes < muchTraffic {
		return
	}
	f.Report(design.Join(s.Path, "watchers"), Said{
		What:   fmt.Sprintf("get %.4g writes of %s a second each: %s a second in all", s.Bucket.Writes, size.FormatBytes(float64(mean)), size.FormatBytes(bytes)),
		Write:  "watch prefixes, or share a watcher in each process",
		Figure: &Figure{"traffic to watchers", bytes, "B/s", Computed}})
}
