package dialect

import (
	"slices"
	"strings"
	"time"

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
	c.endsInTime(root)
	c.frontDoors(root)
	c.addresses(root)
	c.links(root)
	c.namedAccounts(root)
	cluster := root.get("cluster")
	if gateway, name := root.get("gateway").get("name"), cluster.get("name"); gateway != nil && name != nil {
		a, _ := gateway.text()
		b, _ := name.text()
		if a != "" && b != "" && a != b {
			c.refuse(design.CodeConf, gateway.place(), "the gateway is named %q and the cluster %q; the server does not start", a, b)
		}
	}
	if !runsJetStream(root) || !listens(cluster) {
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

// endsInTime: lame duck mode begins with a grace period, which is a part of it.
func (c *confChecker) endsInTime(root *confValue) {
	long, grace := 2*time.Minute, 10*time.Second // server/const.go
	d, ok := timeOf(root.get("lame_duck_duration"))
	if ok {
		long = d
	}
	g, given := timeOf(root.get("lame_duck_grace_period"))
	if given {
		grace = max(g, -g)
	}
	if (ok || given) && long > 0 && grace >= long {
		at := root.get("lame_duck_grace_period")
		if at == nil {
			at = root.get("lame_duck_duration")
		}
		c.refuse(design.CodeConf, at.place(), "the grace period of %s is no shorter than the lame duck duration of %s; the server does not start", grace, long)
	}
}

// timeOf is a duration that is written as one; ok is false for others.
func timeOf(v *confValue) (d time.Duration, ok bool) {
	if n, whole := wholeOf(v); whole {
		return time.Duration(n) * time.Second, true
	}
	text, _ := v.text()
	d, err := time.ParseDuration(text)
	return d, err == nil
}

// frontDoors: WebSocket, MQTT and clients without credentials.
func (c *confChecker) frontDoors(root *confValue) {
	if ws := root.get("websocket", "ws"); listens(ws) {
		c.webSocket(root, ws)
	}
	apart := !listens(root.get("cluster")) && !listens(root.get("gateway"))
	if mqtt := root.get("mqtt"); listens(mqtt) {
		if apart && root.get("leafnodes", "leaf") == nil && !runsJetStream(root) {
			c.say(design.CodeMissing, design.Warning, mqtt.place(), "the server does not start: MQTT needs JetStream here, in this file or with -js on the command line")
		}
		if !apart && root.get("server_name") == nil {
			c.say(design.CodeMissing, design.Warning, mqtt.place(), "the server does not start: MQTT in a cluster needs server_name, or -n on the command line")
		}
	}
	c.noAuthUser(root, root.get("no_auth_user"))
}

// noAuthUser: who logs in without credentials is a user of the file.
func (c *confChecker) noAuthUser(root, v *confValue) {
	name, ok := v.text()
	if !ok || name == "" || c.partial || operated(root) {
		return
	}
	for _, u := range allUsers(root) {
		for _, key := range []string{"user", "username", "nkey"} {
			if known, _ := u.get(key).text(); known == name {
				return
			}
		}
	}
	c.refuse(design.CodeConf, v.place(), "no_auth_user: %q is no user of this file; the server does not start", name)
}

// allUsers are the users of authorization and of the accounts.
func allUsers(root *confValue) []*confValue {
	users := slices.Clone(usersOf(root.get("authorization")))
	for _, f := range root.get("accounts").all() {
		users = append(users, usersOf(f.value)...)
	}
	return users
}

// listens reports whether a block opens a port; 0 is none.
func listens(block *confValue) bool {
	port := block.get("listen", "port")
	n, whole := wholeOf(port)
	return port != nil && (!whole || n != 0)
}

// all is the fields of a map; none for other values.
func (v *confValue) all() []confField {
	if v == nil {
		return nil
	}
	return v.fields
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
