package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON043",
	Name:     "many-consumers",
	Severity: design.Warning,
	Title:    "The stream has, or its bucket's watchers make, more consumers than servers from 2.15 on allow.",
	Why: "Every consumer is asked about every message that is stored, takes about 29 KB of memory, and with more than one replica is a RAFT group of its own (measured on v2.15.2). From " +
		"2.15 a stream may have 1000 unless limits.default_max_consumers says otherwise; before there is no limit.",
	Fix:   "Let a process watch or read once for all its users; use core subscriptions for those who only look on.",
	Refs:  []string{"server/consumer.go", "nats-server issue 5609", "numaflow issue 345"},
	Check: func(f *Facts) { f.AcceptedStreams(f.manyConsumers) },
})

// consumerHeap is what an idle consumer takes of the server's memory, in bytes
// (measured, v2.15.2).
const consumerHeap = 29_000

// defaultMaxConsumers is the server's limit for a stream from 2.15 on, unless
// server.conf says another.
const defaultMaxConsumers = 1000

func (f *Facts) manyConsumers(s *Stream) {
	n, path := len(s.Consumers), s.Path
	if s.Bucket != nil && s.Bucket.Watchers > 0 {
		n, path = n+s.Bucket.Watchers, design.Join(s.Path, "watchers")
	}
	if seen, ok := f.Observed(s.Path, "state", "consumer_count"); ok {
		n = max(n, int(min(seen, 1<<30)))
	}
	limit := defaultMaxConsumers
	if v, ok := f.Value("server.conf.jetstream.limits.default_max_consumers"); ok && v.Int != 0 {
		limit = int(v.Int)
	}
	if most := s.Config.MaxConsumers; most > 0 {
		limit = most
	}
	if n <= limit || limit < 0 && n <= defaultMaxConsumers || n == len(s.Consumers) && n <= defaultMaxConsumers {
		return // of those that are written each one too many is refused by itself
	}
	said := Said{Write: "let a process watch once for all its users, or use core subscriptions",
		Figure: &Figure{"consumers", float64(n), "consumers", Computed}}
	said.What = fmt.Sprintf("has %s consumers on one stream, with about %s of memory", size.FormatCount(float64(n)), size.FormatBytes(float64(n)*consumerHeap))
	if limit > 0 && f.VersionAt(path).AtLeast(natsapi.Version{Major: 2, Minor: 15}) {
		said.What += fmt.Sprintf(": the server refuses all above %d with 10026", limit)
	} else if limit > 0 {
		said.What += fmt.Sprintf(", and servers from 2.15 on refuse all above %d with 10026", limit)
	}
	f.Report(path, said)
}
