package dialect

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"weir/design"
	"weir/natsapi"
)

// cipherSuites are the names that the server takes, those that it takes only
// with allow_insecure_cipher_suites under true: what Go 1.26's crypto/tls lists
// (server/ciphersuites.go, v2.15.2).
var cipherSuites = map[string]bool{
	"TLS_AES_128_GCM_SHA256": false, "TLS_AES_256_GCM_SHA384": false, "TLS_CHACHA20_POLY1305_SHA256": false,
	"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA": false, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA": false,
	"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA": false, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA": false,
	"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256": false, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384": false,
	"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256": false, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384": false,
	"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256": false, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256": false,
	"TLS_RSA_WITH_RC4_128_SHA": true, "TLS_RSA_WITH_3DES_EDE_CBC_SHA": true, "TLS_RSA_WITH_AES_128_CBC_SHA": true,
	"TLS_RSA_WITH_AES_256_CBC_SHA": true, "TLS_RSA_WITH_AES_128_CBC_SHA256": true, "TLS_RSA_WITH_AES_128_GCM_SHA256": true,
	"TLS_RSA_WITH_AES_256_GCM_SHA384": true, "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA": true, "TLS_ECDHE_RSA_WITH_RC4_128_SHA": true,
	"TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA": true, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256": true, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256": true,
}

// curveNames are those of server/ciphersuites.go (v2.15.2).
var curveNames = []string{"SecP384r1MLKEM1024", "SecP256r1MLKEM768", "X25519MLKEM768", "X25519", "CurveP256", "CurveP384", "CurveP521"}

// names checks a list of names that is not empty.
func (c *confChecker) names(f confField, known func(string) bool) {
	if !f.value.isList || len(f.value.items) == 0 {
		c.refuse(design.CodeType, f.value.place(), "%s: %s is not a list of names; the server does not start", f.text, f.value.written())
		return
	}
	for _, item := range f.value.items {
		if s, ok := c.textOf(confField{f.confKey, item}); ok && !known(s) {
			c.refuse(design.CodeConf, item.place(), "%s: %q is not known; the server does not start", f.text, s)
		}
	}
}

func (c *confChecker) cipherSuites(f confField) {
	c.names(f, func(s string) bool { _, ok := cipherSuites[s]; return ok })
}

func (c *confChecker) curves(f confField) {
	c.names(f, func(s string) bool { return slices.Contains(curveNames, s) })
}

func (c *confChecker) pinnedCerts(f confField) {
	if f.value.isList && len(f.value.items) == 0 {
		return
	}
	c.names(f, func(s string) bool {
		return len(s) == 64 && strings.Trim(strings.ToLower(s), "0123456789abcdef") == ""
	})
}

func (c *confChecker) handshakeFirst(f confField) {
	if _, isBool := f.value.scalar.(bool); isBool {
		return
	}
	s, ok := c.textOf(f)
	if !ok || slices.Contains([]string{"true", "on", "false", "off", "auto", "auto_fallback"}, strings.ToLower(s)) {
		return
	}
	if _, err := time.ParseDuration(s); err != nil {
		c.refuse(design.CodeConf, f.value.place(), "%s: %q is neither a boolean nor auto nor a duration; the server does not start", f.text, s)
	}
}

// windowsOnly: the certificate store of Windows; other systems refuse it.
func (c *confChecker) windowsOnly(f confField) {
	if s, ok := c.textOf(f); ok && s == "" {
		c.refuse(design.CodeConf, f.value.place(), "%s: the text is empty; the server does not start", f.text)
	} else if ok {
		c.say(design.CodeConf, design.Warning, f.place(), "%s works on Windows; on other systems the server does not start", f.text)
	}
}

// notEmpty asks for a text with something in it.
func (c *confChecker) notEmpty(f confField) {
	if s, ok := c.textOf(f); ok && s == "" {
		c.refuse(design.CodeConf, f.value.place(), "%s: the text is empty; the server does not start", f.text)
	}
}

// textsOnly: the server looks at the elements of a list, and at nothing else.
func (c *confChecker) textsOnly(f confField) {
	for _, item := range f.value.items {
		c.textOf(confField{f.confKey, item})
	}
}

// knownURLs: only routes and gateways compare a certificate with known URLs.
func (c *confChecker) knownURLs(row natsapi.Field, v *confValue) {
	known := v.get("verify_cert_and_check_known_urls")
	if row.Of != "conf.tls" || known == nil || known.scalar != true || row.Asset == "conf.cluster" || strings.HasPrefix(string(row.Asset), "conf.gateway") {
		return
	}
	c.refuse(design.CodeConf, known.place(), "verify_cert_and_check_known_urls belongs to the tls of routes and gateways; the server does not start")
}

func (c *confChecker) ocspURLs(f confField) {
	c.refuse(design.CodeConf, f.value.place(), "urls: the server cannot read its own list of OCSP URLs and does not start (server/opts.go, v2.15.2); write url: with one")
}

// tlsPairs: a certificate and its key belong together.
func (c *confChecker) tlsPairs(v *confValue) {
	if v == nil || !v.isMap {
		return
	}
	cert, _ := v.get("cert_file").text()
	key, _ := v.get("key_file").text()
	switch {
	case isOpen(v.get("cert_file"), v.get("key_file")):
	case cert != "" && key == "" && v.get("cert_store") == nil:
		c.refuse(design.CodeMissing, v.place(), "tls has a cert_file and no key_file; the server does not start")
	case key != "" && cert == "" && v.get("cert_store") == nil:
		c.refuse(design.CodeMissing, v.place(), "tls has a key_file and no cert_file; the server does not start")
	}
	if certs := v.get("certs", "certificates"); certs != nil && len(certs.items) > 0 && cert != "" {
		c.refuse(design.CodeConf, certs.place(), "tls has a cert_file and certs; the server takes one of them, and does not start")
	}
	c.certPairs(v.get("certs", "certificates"))
	c.insecureCiphers(v)
}

func (c *confChecker) certPairs(certs *confValue) {
	if certs == nil {
		return
	}
	for _, pair := range certs.items {
		cert, _ := pair.get("cert_file").text()
		key, _ := pair.get("key_file").text()
		if pair.isMap && !isOpen(pair.get("cert_file"), pair.get("key_file")) && (cert == "" || key == "") {
			c.refuse(design.CodeMissing, pair.place(), "an entry of certs needs cert_file and key_file; the server does not start")
		}
	}
}

func (c *confChecker) insecureCiphers(v *confValue) {
	if allow := v.get("allow_insecure_cipher_suites"); allow != nil && allow.scalar != false {
		return
	}
	for _, item := range textsIn(v.get("cipher_suites")) {
		if s, _ := item.text(); cipherSuites[s] {
			c.refuse(design.CodeConf, item.place(), "%q is insecure; the server does not start without allow_insecure_cipher_suites: true", s)
		}
	}
}

// seed is the private key of a leaf node.
func (c *confChecker) seed(f confField) {
	s, ok := c.textOf(f)
	if !ok {
		return
	}
	if !isUserSeed(s) {
		c.refuse(design.CodeConf, f.value.place(), "%s: this is not the seed of a user, which begins with SU; the server does not start", f.text)
	}
}

func (c *confChecker) proxyKey(f confField) {
	if s, ok := c.textOf(f); ok && !isAnyPublicKey(s) {
		c.refuse(design.CodeConf, f.value.place(), "%s: this is not a public key; the server does not start", f.text)
	}
}

// trusted takes the public key of an operator, or several.
func (c *confChecker) trusted(f confField) {
	for _, item := range f.value.each() {
		nkeyRule('O', "operator")(c, confField{f.confKey, item})
	}
}

// looksLikeJWT reports whether the parts of a JWT can be read; whether it is
// signed rightly is not judged.
func looksLikeJWT(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 3 {
		return false
	}
	for _, part := range parts[:2] {
		text, err := base64.RawURLEncoding.DecodeString(part)
		if err != nil || !json.Valid(text) {
			return false
		}
	}
	return true
}

// operator takes JWTs or files that hold them; the files are not judged.
func (c *confChecker) operator(f confField) {
	for _, item := range f.value.each() {
		if s, ok := c.textOf(confField{f.confKey, item}); ok && strings.HasPrefix(s, "eyJ") && !looksLikeJWT(s) {
			c.refuse(design.CodeConf, item.place(), "%s: this JWT of an operator cannot be read; the server does not start", f.text)
		}
	}
}

func (c *confChecker) preload(f confField) {
	if !f.value.isMap {
		c.refuse(design.CodeType, f.value.place(), "%s: %s is not a block { account key: JWT }; the server does not start", f.text, f.value.written())
		return
	}
	for _, entry := range f.value.fields {
		if s, ok := c.textOf(entry); ok && !looksLikeJWT(s) {
			c.refuse(design.CodeConf, entry.value.place(), "this JWT of an account cannot be read; the server does not start")
		}
	}
}

// resolver takes MEM, URL(…), or a block with a directory.
func (c *confChecker) resolver(f confField) {
	if f.value.isMap {
		c.resolverBlock(f)
		return
	}
	s, ok := c.textOf(f)
	upper := strings.ToUpper(s)
	if !ok || strings.Contains(upper, "MEM") {
		return
	}
	if !strings.Contains(upper, "URL") {
		c.refuse(design.CodeConf, f.value.place(), "%s: %q is neither MEM nor URL(…); the server does not start", f.text, s)
		return
	}
	_, address, _ := strings.Cut(upper, "URL(")
	if _, err := url.Parse(strings.Trim(s[len(s)-len(address):], ` ")`)); err != nil {
		c.refuse(design.CodeConf, f.value.place(), "%s: the server cannot read this URL, and does not start", f.text)
	}
}

func (c *confChecker) resolverBlock(f confField) {
	c.block("conf.resolver", f.value)
	kind, _ := f.value.get("type").text()
	kind = strings.ToUpper(kind)
	set := func(key string) bool {
		v := f.value.get(key)
		return v != nil && !v.open && v.scalar != false
	}
	switch {
	case isOpen(f.value.get("type")):
	case kind != "FULL" && kind != "CACHE" && kind != "MEM" && kind != "MEMORY":
		c.refuse(design.CodeMissing, f.place(), "%s needs a type: full, cache or mem; the server does not start", f.text)
	case strings.HasPrefix(kind, "MEM"):
	case f.value.get("dir") == nil || f.value.get("dir").scalar == "":
		c.refuse(design.CodeMissing, f.place(), "%s of type %s needs a dir; the server does not start", f.text, kind)
	case kind == "CACHE" && (set("interval") || set("allow_delete") || f.value.get("hard_delete") != nil):
		c.refuse(design.CodeConf, f.place(), "a cache resolver takes no interval, allow_delete or hard_delete; the server does not start")
	case kind == "FULL" && set("ttl"):
		c.refuse(design.CodeConf, f.place(), "a full resolver takes no ttl; the server does not start")
	case kind == "FULL" && f.value.get("hard_delete") != nil && !set("allow_delete"):
		c.refuse(design.CodeConf, f.place(), "hard_delete has no effect without allow_delete; the server does not start")
	}
}

// proxyTLSKeys are the keys of tls that a leaf node's proxy takes
// (server/opts.go, proxyTLSSupportedKeys, v2.15.2).
var proxyTLSKeys = []string{"cert_file", "key_file", "ca_file", "insecure", "cipher_suites", "allow_insecure_cipher_suites", "curve_preferences",
	"min_version", "timeout", "cert_store", "cert_match_by", "cert_match", "cert_match_skip_invalid", "ca_certs_match", "certs", "certificates"}

func (c *confChecker) proxyTLS(f confField) {
	for _, key := range f.value.fields {
		if !slices.Contains(proxyTLSKeys, strings.ToLower(key.text)) {
			c.refuse(design.CodeUnknown, key.place(), "%s: the TLS of a proxy has no such key; the server does not start", key.text)
			return
		}
	}
	row, _ := natsapi.Lookup("conf.leafnodes.remotes.proxy", "tls")
	c.typed(row, f)
}

// remotes checks the servers that a leaf node connects to.
func (c *confChecker) remotes(f confField) {
	c.maps(f, "", "a remote { url: … }", func(r *confValue) {
		c.block("conf.leafnodes.remotes", r)
		if r.get("creds", "credentials") != nil && r.get("nkey", "seed") != nil {
			c.refuse(design.CodeConf, r.place(), "a remote takes creds or an nkey, and not both; the server does not start")
		}
		c.proxy(r.get("proxy"))
	})
}

func (c *confChecker) proxy(p *confValue) {
	if p == nil || !p.isMap {
		return
	}
	address, _ := p.get("url").text()
	user, _ := p.get("username").text()
	pass, _ := p.get("password").text()
	u, err := url.Parse(address)
	switch {
	case isOpen(p.get("url"), p.get("username"), p.get("password")):
	case address == "":
		if t := p.get("timeout"); user != "" || pass != "" || p.get("tls") != nil || t != nil && t.scalar != int64(0) {
			c.refuse(design.CodeMissing, p.place(), "the proxy has no url; the server does not start")
		}
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		c.refuse(design.CodeConf, p.get("url").place(), "the proxy's url has to be http://host:port or https://host:port; the server does not start")
	case p.get("tls") != nil && u.Scheme != "https":
		c.refuse(design.CodeConf, p.get("url").place(), "a proxy with tls needs an https url; the server does not start")
	case (user == "") != (pass == ""):
		c.refuse(design.CodeConf, p.place(), "the proxy needs both username and password, or neither; the server does not start")
	}
}
