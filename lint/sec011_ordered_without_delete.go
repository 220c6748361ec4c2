package lint

import (
	"fmt"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SEC011",
	Name:     "ordered-without-delete",
	Severity: design.Warning,
	Title:    "A user may create consumers of its own and not delete them.",
	Why: "Ordered consumers, watches and listings of keys create a consumer and delete it: at their end, and whenever they start anew behind a gap. Without the right to it the call fails only " +
		"then, and consumers stay until their inactive_threshold, five minutes with nats.go (nats.go jetstream/ordered.go, kv.go, v1.55).",
	Fix:   "Allow $JS.API.CONSUMER.DELETE.<stream>.* as well.",
	Refs:  []string{"nats.go jetstream/ordered.go", "ADR-17", "kube-agents #1393"},
	Check: func(f *Facts) { f.createWithoutDelete() },
})

// orderedThreshold is the inactive_threshold, in seconds, of the ordered consumers
// of nats.go 1.55.
const orderedThreshold = 300

func (f *Facts) createWithoutDelete() {
	for _, a := range f.Accounts {
		for _, u := range a.Users {
			for _, subj := range allowed(u.Publish) {
				stream, rest := streamOfAPI(subj, "$JS.API.CONSUMER.CREATE.")
				if stream == "" || len(rest) > 0 && rest[0] != subject.One && rest[0] != subject.Rest {
					continue // none, or one durable by name
				}
				need := "$JS.API.CONSUMER.DELETE." + stream + ".*"
				if stream == subject.Rest {
					need = "$JS.API.CONSUMER.DELETE.>"
				}
				if may(u.Publish, need) {
					continue
				}
				f.Report(design.Join(u.Path, "publish"), Said{What: fmt.Sprintf("lets it create consumers (%s) and not delete them: an ordered reader or a listing of keys fails when it starts anew, and each leaves a consumer for %d s",
					clip(subj), orderedThreshold), Write: "allow " + need, Figure: &Figure{"life of a consumer left behind", orderedThreshold, "s", Bound}})
				break
			}
		}
	}
}
