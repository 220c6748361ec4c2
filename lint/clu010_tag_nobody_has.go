package lint

import "weir/design"

var _ = rule(Rule{
	Code:     "CLU010",
	Name:     "tag-nobody-has",
	Severity: design.Error,
	Title:    "The stream asks for tags that too few servers have.",
	Why: "A server is a candidate only when it has every tag of placement.tags; with fewer candidates than replicas the request is refused with 10005, tags not matched " +
		"(server/jetstream_cluster.go selectPeerGroup, v2.15.2).",
	Fix:      "Write a tag that the servers have, or give it to them (server_tags).",
	Refs:     []string{"server/jetstream_cluster.go selectPeerGroup", "err_code 10005"},
	Explains: []Refusal{{ErrCode: 10005, Words: "tags not matched"}},
})
