package lint

import (
	"fmt"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SEC014",
	Name:     "bucket-user-cannot-bind",
	Severity: design.Warning,
	Title:    "A user may use the keys of a bucket and not look the bucket up.",
	Why: "A client asks $JS.API.STREAM.INFO.KV_<bucket> before anything else, and reads with $JS.API.DIRECT.GET or $JS.API.STREAM.MSG.GET; writing a key is a publish to $KV.<bucket>.<key> " +
		"(nats.go kv.go, v1.55; ADR-8). A subject that is missing ends the call in a time-out.",
	Fix:   "Allow $JS.API.STREAM.INFO.KV_<bucket> and $JS.API.DIRECT.GET.KV_<bucket>.>.",
	Refs:  []string{"ADR-8", "nats.go jetstream/kv.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.bucketUsers) },
})

func (f *Facts) bucketUsers(s *Stream) {
	if s.Kind != "kv" {
		return
	}
	for _, u := range f.usersOf(s.Scope) {
		writes := false
		for _, a := range allowed(u.Publish) {
			writes = writes || subject.Meet(a, "$KV."+s.Name+".>") && a != subject.Rest
		}
		info := "$JS.API.STREAM.INFO." + s.Config.Name
		if !writes || may(u.Publish, info) {
			continue
		}
		f.Report(design.Join(u.Path, "publish"), Said{What: fmt.Sprintf("lets it write keys of bucket %s and not ask for the bucket (%s): the client waits %d s in vain before its first key", clip(s.Name), clip(info), clientTimeout),
			Write: "allow " + clip(info), Figure: &Figure{"time that the client waits in vain", clientTimeout, "s", Bound}})
	}
}
