package dialect

import (
	"slices"
	"strings"
	"time"

	"weir/design"
	"weir/subject"
)

// links are the cluster's routes, gateways and leaf nodes (server/server.go
// validateCluster, server/gateway.go validateGatewayOptions, server/leafnode.go
// validateLeafNode, v2.15.2).
func (c *confChecker) links(root *confValue) {
	c.pinned(root.get("cluster"))
	c.gateway(root)
	seen := map[string]bool{}
	for _, r := range itemsOf(root.get("leafnodes", "leaf").get("remotes")) {
		c.remoteURLs(r, seen)
	}
}

// pinned are the accounts that have a route of their own.
func (c *confChecker) pinned(cluster *confValue) {
	accounts := textsIn(cluster.get("accounts"))
	if n, ok := wholeOf(cluster.get("pool_size")); ok && n < 0 && len(accounts) > 0 {
		c.refuse(design.CodeConf, cluster.get("pool_size").place(), "pool_size cannot be negative beside accounts; the server does not start")
	}
	seen := map[string]bool{}
	for _, v := range accounts {
		name, _ := v.text()
		if seen[name] {
			c.refuse(design.CodeDuplicate, v.place(), "account %q is listed twice; the server does not start", name)
		}
		seen[name] = true
	}
}

func (c *confChecker) gateway(root *confValue) {
	g := root.get("gateway")
	if g == nil || !g.isMap || c.partial {
		return
	}
	name := g.get("name")
	unnamed := name == nil || name.scalar == ""
	switch {
	case unnamed && !listens(g):
		return
	case unnamed:
		c.refuse(design.CodeMissing, g.place(), "gateway needs a name; the server does not start")
	case !listens(g):
		c.refuse(design.CodeMissing, g.place(), "gateway needs a port or listen; the server does not start")
	}
	for _, other := range itemsOf(g.get("gateways")) {
		if !other.isMap {
			continue
		}
		if v := other.get("name"); v == nil || v.scalar == "" {
			c.refuse(design.CodeMissing, other.place(), "an entry of gateways needs a name; the server does not start")
		}
		if v := other.get("urls", "url"); v == nil || v.isList && len(v.items) == 0 {
			c.refuse(design.CodeMissing, other.place(), "an entry of gateways needs a url or urls; the server does not start")
		}
	}
	if leaf := root.get("leafnodes", "leaf"); listens(leaf) {
		if v := root.get("system_account", "system"); v == nil || v.scalar == "" {
			c.refuse(design.CodeMissing, leaf.place(), "leafnodes and a gateway in one file need system_account; the server does not start")
		}
	}
}

// remoteURLs: no remote is there twice, and its URLs are of one kind.
func (c *confChecker) remoteURLs(r *confValue, seen map[string]bool) {
	urls := textsIn(named("conf.leafnodes.remotes", r, "url"))
	account, _ := r.get("account", "local").text()
	if account == "" {
		account = design.Hub
	}
	creds, _ := r.get("creds", "credentials").text()
	if creds == "" {
		creds, _ = r.get("nkey", "seed").text()
	}
	id, web := []string{account, creds}, 0
	for _, v := range urls {
		s, _ := v.text()
		s = strings.TrimSpace(s)
		id = append(id, s)
		if scheme, _, _ := strings.Cut(strings.ToLower(s), ":"); scheme == "ws" || scheme == "wss" {
			web++
		}
	}
	if web > 0 && web < len(urls) {
		c.refuse(design.CodeConf, r.place(), "the URLs of a remote are of WebSocket all or none; the server does not start")
	}
	key := strings.Join(id, "\n")
	if seen[key] && r.isMap {
		c.refuse(design.CodeDuplicate, r.place(), "this remote is there twice; the server does not start")
	}
	seen[key] = true
}

// compressionModes are the words of server/server.go,
// validateAndNormalizeCompressionOption (v2.15.2), in any letter case.
var compressionModes = []string{"on", "enabled", "true", "not supported", "not_supported", "disabled", "off", "false", "accept", "auto", "s2_auto",
	"fast", "s2_fast", "better", "s2_better", "best", "s2_best"}

// compressionMode is a word for compression; the thresholds count for auto alone.
func (c *confChecker) compressionMode(f confField, thresholds *confValue) {
	mode, ok := c.textOf(f)
	mode = strings.ToLower(mode)
	switch {
	case !ok || mode == "":
	case !slices.Contains(compressionModes, mode):
		c.refuse(design.CodeConf, f.value.place(), "%s: %q is no mode of compression, such as s2_fast or s2_auto; the server does not start", f.text, mode)
	case mode == "auto" || mode == "s2_auto":
		c.thresholds(thresholds)
	}
}

// thresholds are round trip times in rising order; 0 leaves a mode out.
func (c *confChecker) thresholds(v *confValue) {
	var times []time.Duration
	var highest time.Duration
	for _, item := range itemsOf(v) {
		s, _ := item.text()
		d, err := time.ParseDuration(s)
		if err != nil {
			return
		}
		if d = max(d, 0); d != 0 && d < highest {
			c.refuse(design.CodeConf, item.place(), "%s is less than the one before it; the server does not start", s)
			return
		}
		highest = max(highest, d)
		times = append(times, d)
	}
	given := len(times)
	for len(times) > 0 && times[len(times)-1] == 0 {
		times = times[:len(times)-1]
	}
	if given > 0 && (len(times) == 0 || len(times) > 4) {
		c.refuse(design.CodeConf, v.place(), "s2_auto takes one to four thresholds that are not 0; the server does not start")
	}
}

// namedAccounts: an account that a file speaks of is one of its accounts
// (server/server.go configureAccounts, server/jetstream.go validateJetStreamOptions,
// v2.15.2).
func (c *confChecker) namedAccounts(root *confValue) {
	c.sentinel(root)
	c.domain(root.get("jetstream").get("domain"))
	if c.partial || operated(root) || root.get("resolver", "account_resolver", "accounts_resolver") != nil {
		return
	}
	accounts := root.get("accounts")
	names := append(accountNames(accounts), design.Hub, "")
	at := root.get("system_account", "system")
	system, given := at.text()
	if given && !slices.Contains(names, system) {
		c.refuse(design.CodeConf, at.place(), "system_account: accounts has no %q; the server does not start", system)
	}
	if system == "" {
		system = "$SYS"
	}
	if js := accounts.exactly(system).get("jetstream"); js != nil && runsJetStream(root) && (js.isMap || enabledWord(js)) {
		c.refuse(design.CodeConf, js.place(), "the system account cannot have JetStream; the server does not start")
	}
	if off := root.get("no_system_account", "no_system", "no_sys_acc"); !given && (off == nil || off.scalar != true) {
		names = append(names, system)
	}
	leaf := root.get("leafnodes", "leaf")
	auth := leaf.get("authorization")
	for _, v := range append(append(slices.Clone(usersOf(auth)), itemsOf(leaf.get("remotes"))...), auth) {
		of := v.get("account", "local")
		if name, ok := of.text(); ok && !slices.Contains(names, name) {
			c.refuse(design.CodeConf, of.place(), "account: accounts has no %q; the server does not start", name)
		}
	}
}

// exactly is the value of a key in its own letter case.
func (v *confValue) exactly(name string) *confValue {
	for _, f := range v.all() {
		if f.text == name {
			return f.value
		}
	}
	return nil
}

// sentinel: the JWT of those who have none of their own is an operator's matter.
func (c *confChecker) sentinel(root *confValue) {
	if v := root.get("default_sentinel"); v != nil && v.scalar != "" && !v.open && !c.partial && root.get("operator", "operators", "roots", "root") == nil {
		c.refuse(design.CodeConf, v.place(), "default_sentinel needs an operator; the server does not start")
	}
}

// domain is the name of a JetStream domain: one token.
func (c *confChecker) domain(v *confValue) {
	if s, ok := v.text(); ok && s != "" && (strings.ContainsAny(s, " \t\r\n\f.*>") || !subject.Valid("$JS."+s+".API.>")) {
		c.refuse(design.CodeConf, v.place(), "domain: %q has a blank or one of . * >; the server does not start", s)
	}
}
