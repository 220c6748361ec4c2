//go:build !server

package dialect

// confRules are the values that have a rule, by block and key. A rule takes the
// place of the check of types.
func confRules() map[string]confRule {
	return map[string]confRule{
		"conf.listen": (*confChecker).listen, "conf.http": (*confChecker).listen, "conf.https": (*confChecker).listen,
		"conf.cluster.listen": (*confChecker).listen, "conf.gateway.listen": (*confChecker).listen,
		"conf.leafnodes.listen": (*confChecker).listen, "conf.websocket.listen": (*confChecker).listen, "conf.mqtt.listen": (*confChecker).listen,
		"conf.port": (*confChecker).port, "conf.http_port": (*confChecker).port, "conf.https_port": (*confChecker).port, "conf.prof_port": (*confChecker).port,
		"conf.cluster.port": (*confChecker).port, "conf.gateway.port": (*confChecker).port, "conf.leafnodes.port": (*confChecker).port,
		"conf.websocket.port": (*confChecker).port, "conf.mqtt.port": (*confChecker).port,
		"conf.server_name": noSpaces("server name"), "conf.cluster.name": noSpaces("cluster name"), "conf.gateway.name": noSpaces("gateway name"),
		"conf.accounts": (*confChecker).accounts, "conf.mappings": (*confChecker).mappings, "conf.accounts.mappings": (*confChecker).mappings,
		"conf.accounts.imports": (*confChecker).imports, "conf.accounts.exports": (*confChecker).exports,
		"conf.accounts.msg_trace":         (*confChecker).msgTrace,
		"conf.accounts.nkey":              nkeyRule('A', "account"),
		"conf.authorization.users":        (*confChecker).users,
		"conf.accounts.users":             (*confChecker).users,
		"conf.authorization":              (*confChecker).authorization,
		"conf.cluster.authorization":      oneUser("cluster"),
		"conf.gateway.authorization":      oneUser("gateway"),
		"conf.cluster.permissions":        (*confChecker).clusterPermissions,
		"conf.auth_callout.issuer":        nkeyRule('A', "account"),
		"conf.auth_callout.xkey":          nkeyRule('X', "curve key"),
		"conf.authorization.auth_callout": (*confChecker).callout,
		"conf.permissions.pub":            permission(false), "conf.permissions.sub": permission(true),
		"conf.leafnodes.authorization":        (*confChecker).leafAuthorization,
		"conf.leafnodes.authorization.nkey":   nkeyRule('U', "user"),
		"conf.leafnodes.min_version":          (*confChecker).leafVersion,
		"conf.leafnodes.remotes":              (*confChecker).remotes,
		"conf.leafnodes.remotes.url":          urls("leafnode"),
		"conf.leafnodes.remotes.nkey":         (*confChecker).seed,
		"conf.leafnodes.remotes.deny_imports": (*confChecker).plainSubjects, "conf.leafnodes.remotes.deny_exports": (*confChecker).plainSubjects,
		"conf.leafnodes.remotes.proxy.tls": (*confChecker).proxyTLS,
		"conf.cluster.routes":              urls("route"), "conf.gateway.gateways.urls": urls("gateway"), "conf.gateway.gateways.url": urls("gateway"),
		"conf.write_timeout": (*confChecker).writeTimeout, "conf.cluster.write_timeout": (*confChecker).writeTimeout,
		"conf.gateway.write_timeout": (*confChecker).writeTimeout, "conf.leafnodes.write_timeout": (*confChecker).writeTimeout,
		"conf.accounts.jetstream.cluster_traffic": oneOfWords("system", "owner", ""),
		"conf.cluster.compression":                (*confChecker).compression, "conf.leafnodes.compression": (*confChecker).compression,
		"conf.leafnodes.remotes.compression": (*confChecker).compression, "conf.compression.mode": func(*confChecker, confField) {}, // compression looks at it
		"conf.resolver":         (*confChecker).resolver,
		"conf.operator":         (*confChecker).operator,
		"conf.resolver_preload": (*confChecker).preload,
		"conf.trusted":          (*confChecker).trusted, "conf.proxies.trusted.key": (*confChecker).proxyKey,
		"conf.ocsp.urls":             (*confChecker).ocspURLs,
		"conf.tls.min_version":       oneOfWords("1.2", "1.3"),
		"conf.tls.cipher_suites":     (*confChecker).cipherSuites,
		"conf.tls.curve_preferences": (*confChecker).curves,
		"conf.tls.pinned_certs":      (*confChecker).pinnedCerts,
		"conf.tls.handshake_first":   (*confChecker).handshakeFirst,
		"conf.tls.cert_store":        (*confChecker).windowsOnly, "conf.tls.cert_match_by": (*confChecker).windowsOnly,
		"conf.tls.cert_match":               (*confChecker).notEmpty,
		"conf.tls.ca_certs_match":           (*confChecker).textsOnly,
		"conf.accounts.exports.latency":     (*confChecker).latency,
		"conf.mqtt.consumer_replicas":       func(*confChecker, confField) {}, // the server ignores the key
		"conf.simple_authorization.timeout": func(*confChecker, confField) {}, // what is no number is 1 s
		"conf.jetstream.sync_interval":      (*confChecker).syncInterval,
	}
}
