package lint

import "weir/design"

var _ = rule(Rule{
	Code:     "CLU011",
	Name:     "more-replicas-than-servers",
	Severity: design.Error,
	Title:    "There are fewer servers than the stream has replicas.",
	Why: "Each replica stands on another server. A single server refuses more than one with 10074, and a cluster that is too small answers 10005 " +
		"(server/stream.go, server/jetstream_cluster.go, v2.15.2).",
	Fix:      "Write num_replicas for the servers there are, or more server.nodes.",
	Refs:     []string{"server/jetstream_cluster.go selectPeerGroup", "err_code 10074", "err_code 10005"},
	Explains: []Refusal{{ErrCode: 10074}},
})
