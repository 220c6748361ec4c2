package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
)

var _ = rule(Rule{
	Code:     "CAP019",
	Name:     "watchers-above-the-default",
	Severity: design.Warning,
	Title:    "Each watcher is a consumer, and there are more of them than a stream may have.",
	Why: "A watch, a listing of keys and an ordered reader each make a consumer. Since 2.15 a stream has at most 1,000 unless its max_consumers or the server's default_max_consumers " +
		"says otherwise; the next one is refused with 10026 (server/jetstream_api.go, v2.15.2; measured).",
	Fix:   "Share one watcher in each process, watch through core subscriptions to republished subjects, or raise default_max_consumers for the memory it takes.",
	Refs:  []string{"server/jetstream_api.go", "err_code 10026", "numaflow #345"},
	Since: natsapi.Version{Major: 2, Minor: 15},
	Check: func(f *Facts) { f.AcceptedStreams(f.watchersOf) },
})

// usualMaxConsumers is the server's own default_max_consumers.
const usualMaxConsumers = 1000

func (f *Facts) watchersOf(s *Stream) {
	most := s.Site.Setting.Server.DefaultMaxConsumers
	if most == 0 {
		most = usualMaxConsumers
	}
	if n := s.Config.MaxConsumers; n > 0 {
		most = n
	}
	if s.Bucket == nil || most <= 0 || s.Bucket.Watchers <= most {
		return
	}
	f.Report(design.Join(s.Path, "watchers"), Said{What: fmt.Sprintf("is more than the %d consumers that the bucket's stream may have: %d watchers are refused with 10026", most, s.Bucket.Watchers-most),
		Write: "share watchers, or raise default_max_consumers of the server", Figure: &Figure{"watchers refused", float64(s.Bucket.Watchers - most), "watchers", Computed}})
}
