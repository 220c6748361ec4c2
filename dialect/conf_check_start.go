package dialect

import (
	"strings"

	"weir/design"
)

// Defaults of max_payload and max_pending (server/const.go, v2.15.2).
const (
	confMaxPayload = 1 << 20
	confMaxPending = 64 << 20
)

// starts says what the server refuses after it has read the file
// (server/server.go validateOptions, server/jetstream.go validateJetStreamOptions,
// v2.15.2).
func (c *confChecker) starts(root *confValue) {
	payload, pending := int64(confMaxPayload), int64(confMaxPending)
	at := root.get("max_payload")
	if n, ok := wholeOf(at); ok && n != 0 {
		payload = n
	}
	if n, ok := wholeOf(root.get("max_pending")); ok && n != 0 {
		pending = n
		if at == nil {
			at = root.get("max_pending")
		}
	}
	if payload > pending && at != nil {
		c.refuse(design.CodeConf, at.place(), "max_payload (%d bytes) is larger than max_pending (%d bytes); the server does not start", payload, pending)
	}
	cluster := root.get("cluster")
	if !runsJetStream(root) || cluster.get("listen", "port") == nil {
		return
	}
	place := cluster.place()
	if root.get("server_name") == nil {
		c.say(design.CodeMissing, design.Warning, place, "the server does not start: JetStream in a cluster needs server_name, or -n on the command line")
	}
	if cluster.get("name") == nil {
		c.say(design.CodeMissing, design.Warning, place, "the server does not start: JetStream in a cluster needs cluster.name, or --cluster_name on the command line")
	}
}

// wholeOf is a value that is a whole number; ok is false for others.
func wholeOf(v *confValue) (n int64, ok bool) {
	if v == nil {
		return 0, false
	}
	n, ok = v.scalar.(int64)
	return n, ok
}

// runsJetStream reports whether a file turns JetStream on: by a block that does
// not say enabled: false, or by a word.
func runsJetStream(root *confValue) bool {
	js := root.get("jetstream")
	switch {
	case js == nil || js.isList:
		return false
	case js.isMap:
		on := js.get("enabled")
		return on == nil || enabledWord(on)
	}
	return enabledWord(js)
}

// enabledWord reports whether a value turns JetStream on (server/opts.go
// parseJetStream): true, enabled or enable.
func enabledWord(v *confValue) bool {
	if on, ok := v.scalar.(bool); ok {
		return on
	}
	word, _ := v.text()
	return strings.EqualFold(word, "enabled") || strings.EqualFold(word, "enable")
}
