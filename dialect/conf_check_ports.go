package dialect

import (
	"net/url"
	"strconv"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// confDoors are the blocks in which a server is told to listen; at the top stand the
// clients' own port, and those of monitoring and profiling.
var confDoors = []natsapi.Asset{"conf", "conf.cluster", "conf.gateway", "conf.leafnodes", "conf.websocket", "conf.mqtt"}

// confClientPort is the port that clients have where a file names none
// (server/const.go, DEFAULT_PORT, v2.15.2).
const confClientPort = 4222

// highestPort is the last port that TCP has.
const highestPort = 1<<16 - 1

// named is the value of a key of a block under any of its spellings.
func named(asset natsapi.Asset, block *confValue, name string) *confValue {
	for _, f := range block.all() {
		if row, ok := natsapi.Lookup(asset, f.text); ok && row.Name == name {
			return f.value
		}
	}
	return nil
}

// portRange is what a port may be: -1 is a free one, 0 is none.
func (c *confChecker) portRange(n int64, at design.Position) {
	if n < -1 || n > highestPort {
		c.refuse(design.CodeConf, at, "%d is no port, which is at most %d; the server does not start", n, highestPort)
	}
}

// port is a key that takes a number only.
func (c *confChecker) port(f confField) {
	if n, ok := f.value.scalar.(int64); ok {
		c.portRange(n, f.value.place())
		return
	}
	c.refuse(design.CodeType, f.value.place(), "%s: %s is not what the server takes here, and it does not start; write a number without quotes", f.text, f.value.written())
}

// confAddress is one host and port that a server listens on; at is nil for the
// default port of clients.
type confAddress struct {
	key, host string
	port      int64
	at        *confValue
}

// addresses: no two listeners of a server have the same host and port. Hosts are
// compared as they are written, and one that stands for all meets every other.
func (c *confChecker) addresses(root *confValue) {
	var all []confAddress
	for _, asset := range confDoors {
		block := root
		if asset != natsapi.Conf {
			block = named(natsapi.Conf, root, strings.TrimPrefix(string(asset), "conf."))
		}
		a := listenerOf(asset, block, "listen", "port")
		if asset == natsapi.Conf {
			if a.at == nil || a.port == 0 && !a.at.open {
				a.port = confClientPort
			}
			client := a.host
			all = append(all, a)
			for _, keys := range [][2]string{{"http", "http_port"}, {"https", "https_port"}, {"", "prof_port"}} {
				m := listenerOf(asset, root, keys[0], keys[1])
				if m.host == "" || keys[0] == "" || root.get(keys[0]) == nil {
					m.host = client
				}
				all = append(all, m)
			}
			c.monitoring(root, all[1], all[2])
			continue
		}
		all = append(all, a)
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if a.at != nil && a.port > 0 && a.port == b.port && (a.host == b.host || everyHost(a.host) || everyHost(b.host)) {
				c.refuse(design.CodeDuplicate, a.at.place(), "port %d is that of %s too; the server does not start", a.port, b.key)
				break
			}
		}
	}
}

// monitoring: the server has one port for it, and https needs tls (server/server.go,
// StartMonitoring, v2.15.2).
func (c *confChecker) monitoring(root *confValue, http, https confAddress) {
	switch {
	case https.port == 0 || https.at == nil:
	case http.port != 0:
		c.refuse(design.CodeConf, https.at.place(), "monitoring has http or https, and not both; the server does not start")
	case root.get("tls") == nil && !c.partial:
		c.refuse(design.CodeMissing, https.at.place(), "%s needs tls; the server does not start", https.key)
	}
}

// listenerOf is where a block listens; the port is 0 where that is not known.
func listenerOf(asset natsapi.Asset, block *confValue, listen, port string) confAddress {
	a := confAddress{key: port}
	if asset != natsapi.Conf {
		a.key = strings.TrimPrefix(string(asset), "conf.")
	}
	a.host, _ = block.get("host", "net").text()
	if a.at = block.get(port); a.at != nil {
		a.port, _ = wholeOf(a.at)
	}
	if v := block.get(listen); listen != "" && v != nil {
		a.at = v
		a.port, _ = wholeOf(v)
		if s, ok := v.text(); ok {
			host, digits := splitListen(s)
			a.host = host
			a.port, _ = strconv.ParseInt(digits, 10, 64)
		}
	}
	return a
}

func splitListen(s string) (host, port string) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return "", ""
	}
	return strings.Trim(s[:i], "[]"), s[i+1:]
}

func everyHost(host string) bool { return host == "" || host == "0.0.0.0" || host == "::" }

// webSocket is what the server asks of the block when it opens a port
// (server/websocket.go, validateWebsocketOptions, v2.15.2).
func (c *confChecker) webSocket(root, ws *confValue) {
	if off := ws.get("no_tls"); ws.get("tls") == nil && (off == nil || !enabledWord(off)) {
		c.refuse(design.CodeMissing, ws.place(), "websocket needs tls, or no_tls: true behind a proxy; the server does not start")
	}
	for _, v := range textsIn(named("conf.websocket", ws, "allowed_origins")) {
		s, _ := v.text()
		u, err := url.ParseRequestURI(s)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			c.refuse(design.CodeConf, v.place(), "the origin %q is not http://host or https://host; the server does not start", s)
		}
	}
	for _, f := range ws.get("headers").all() {
		switch k := strings.ToLower(f.text); {
		case k == "host", k == "content-length", k == "connection", k == "upgrade", k == "nats-no-masking", strings.HasPrefix(k, "sec-websocket-"):
			c.refuse(design.CodeConf, f.place(), "the header %q cannot be set; the server does not start", f.text)
		}
	}
	c.noAuthUser(root, ws.get("no_auth_user"))
	if v := ws.get("jwt_cookie"); v != nil && v.scalar != "" && !c.partial && !operated(root) {
		c.refuse(design.CodeConf, v.place(), "jwt_cookie needs an operator or trusted keys; the server does not start")
	}
	auth := ws.get("authorization")
	user, _, token := loginOf(auth)
	if (user != "" || token != "") && len(allUsers(root)) > 0 {
		c.refuse(design.CodeConf, auth.place(), "websocket has a login of its own, and the file has users; the server does not start")
	}
}

// operated reports whether accounts come from an operator's JWTs.
func operated(root *confValue) bool {
	return root.get("operator", "operators", "roots", "root", "trusted", "trusted_keys") != nil
}
