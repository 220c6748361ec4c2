package dialect

import (
	"slices"
	"strconv"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
)

// exports checks what an account offers, each entry by itself.
func (c *confChecker) exports(f confField) { c.traffics(f, "conf.accounts.exports", c.export) }

// imports checks what an account takes from others, each entry by itself.
func (c *confChecker) imports(f confField) { c.traffics(f, "conf.accounts.imports", c.imported) }

func (c *confChecker) traffics(f confField, asset natsapi.Asset, one func(*confValue)) {
	c.maps(f, f.text+": ", "a block with stream or service", func(item *confValue) {
		c.block(asset, item)
		if item.get("stream") != nil && item.get("service") != nil {
			c.refuse(design.CodeConf, item.place(), "%s: an entry has a stream or a service, and this one has both; the server does not start", f.text)
			return
		}
		one(item)
	})
}

func (c *confChecker) export(item *confValue) {
	if item.get("stream") == nil {
		return
	}
	for _, key := range [][]string{{"response", "response_type"}, {"threshold", "response_threshold", "response_max_time", "response_time"}, {"latency"}, {"allow_trace"}} {
		if v := item.get(key...); v != nil {
			c.refuse(design.CodeConf, v.place(), "%s belongs to a service, and this export is a stream; the server does not start", key[0])
		}
	}
}

func (c *confChecker) imported(item *confValue) {
	for _, key := range []string{"stream", "service"} {
		from := item.get(key)
		if from == nil || !from.isMap || isOpen(from.get("account"), from.get("subject")) {
			continue
		}
		account, _ := from.get("account").text()
		subj, _ := from.get("subject").text()
		if account == "" || subj == "" {
			c.refuse(design.CodeMissing, from.place(), "%s needs an account and a subject; the server does not start", key)
		}
	}
	prefix, _ := item.get("prefix").text()
	if item.get("stream") != nil && prefix != "" && item.get("to") != nil {
		c.refuse(design.CodeConf, item.place(), "the import of a stream takes a prefix or to, and not both; the server does not start")
	}
	if v := item.get("allow_trace"); v != nil && item.get("service") != nil {
		c.refuse(design.CodeConf, v.place(), "allow_trace belongs to the import of a stream, and this one is a service; the server does not start")
	}
}

// confAccount is what an account offers and has taken so far.
type confAccount struct {
	name              string
	streams, services map[string]*confExport
	taken             []confImport // streams
	used              []confImport // services
}

// confExport is one subject offered: to the accounts named, or to all.
type confExport struct {
	accounts map[string]bool // nil for everybody
	position int             // of the account's name in the subject, 0 for none
}

// confImport is a subject that an account has from another: as it is called
// there and here.
type confImport struct {
	from    *confAccount
	subject string
	local   string
}

// traffic checks imports against exports, in the order in which the server adds
// them (server/opts.go, parseAccounts, v2.15.2); it does so only in a file that
// has no other fault.
func (c *confChecker) traffic(root *confValue) {
	block := root.get("accounts")
	if block == nil {
		return
	}
	accounts := map[string]*confAccount{}
	for _, name := range accountNames(block) {
		accounts[name] = &confAccount{name: name, streams: map[string]*confExport{}, services: map[string]*confExport{}}
	}
	for _, kind := range []string{"stream", "service"} {
		for _, f := range block.fields {
			for _, e := range itemsOf(f.value.get("exports")) {
				c.addExport(accounts, accounts[f.text], kind, e)
			}
		}
	}
	for _, kind := range []string{"stream", "service"} {
		for _, f := range block.fields {
			for _, i := range itemsOf(f.value.get("imports")) {
				c.addImport(accounts, accounts[f.text], kind, i)
			}
		}
	}
}

func itemsOf(v *confValue) []*confValue {
	if v == nil {
		return nil
	}
	return v.items
}

func (c *confChecker) addExport(accounts map[string]*confAccount, a *confAccount, kind string, e *confValue) {
	subj, ok := e.get(kind).text()
	if !ok {
		return
	}
	out := &confExport{}
	if v := e.get("account_token_position"); v != nil {
		n, _ := v.scalar.(int64)
		out.position = int(n)
	}
	for _, v := range textsIn(e.get("accounts")) {
		name, _ := v.text()
		if accounts[name] == nil {
			c.refuse(design.CodeConf, v.place(), "the %s %q is exported to account %q, which accounts does not have; the server does not start", kind, subj, name)
			continue
		}
		if out.accounts == nil {
			out.accounts = map[string]bool{}
		}
		out.accounts[name] = true
	}
	if !c.position(out, kind, subj, e) {
		return
	}
	if kind == "stream" {
		a.streams[subj] = out
		return
	}
	a.services[subj] = out
	c.latencySubject(a, subj, e.get("latency"))
}

// position checks account_token_position (server/accounts.go, setExportAuth).
func (c *confChecker) position(out *confExport, kind, subj string, e *confValue) bool {
	if out.position == 0 {
		return true
	}
	tokens := strings.Split(subj, ".")
	if out.position > len(tokens) || out.position < 0 || tokens[out.position-1] != "*" {
		c.refuse(design.CodeConf, e.get("account_token_position").place(),
			"account_token_position has to be that of a * in %q; the server does not start", subj)
		return false
	}
	return true
}

func (c *confChecker) latencySubject(a *confAccount, service string, latency *confValue) {
	if latency == nil {
		return
	}
	to := latency
	if latency.isMap {
		to = latency.get("subject")
	}
	s, ok := to.text()
	if !ok {
		return
	}
	_, own := a.services[s]
	if !publishSubject(s) || own {
		c.refuse(design.CodeConf, to.place(), "the latency of %q cannot be published on %q; the server does not start", service, s)
	}
}

func (c *confChecker) addImport(accounts map[string]*confAccount, a *confAccount, kind string, i *confValue) {
	from := i.get(kind)
	if from == nil || !from.isMap {
		return
	}
	name, _ := from.get("account").text()
	subj, _ := from.get("subject").text()
	exporter := accounts[name]
	if exporter == nil {
		c.refuse(design.CodeConf, from.place(), "%q is imported from account %q, which accounts does not have; the server does not start", subj, name)
		return
	}
	to, _ := i.get("to").text()
	if kind == "service" {
		c.addService(a, exporter, subj, to, i)
		return
	}
	prefix, _ := i.get("prefix").text()
	c.addStream(a, exporter, subj, to, prefix, i)
}

func (c *confChecker) notAllowed(a, exporter *confAccount, subj string, i *confValue) {
	c.refuse(design.CodeConf, i.place(), "account %q may not import %q: account %q does not export it to it; the server does not start", a.name, subj, exporter.name)
}

func (c *confChecker) addStream(a, exporter *confAccount, subj, to, prefix string, i *confValue) {
	if !subject.Valid(subj) || !allowed(exporter.streams, a, subj) {
		c.notAllowed(a, exporter, subj, i)
		return
	}
	if prefix != "" {
		if !subject.IsLiteral(prefix) {
			c.refuse(design.CodeConf, i.get("prefix").place(), "the prefix %q has wildcards; the server does not start", prefix)
			return
		}
		to = strings.TrimSuffix(prefix, ".") + "." + subj
	}
	if to == "" {
		to = subj
	}
	if streamCycle(exporter, to, map[string]bool{a.name: true}) || streamCycle(exporter, subj, map[string]bool{a.name: true}) {
		c.refuse(design.CodeConf, i.place(), "importing %q from account %q makes a circle; the server does not start", subj, exporter.name)
		return
	}
	if strings.ContainsAny(subj, "*>") && to != subj {
		if _, err := subject.NewTransform(subj, tokenize(to), subject.TransformOptions{Strict: true, Release: confRelease}); err != nil {
			c.refuse(design.CodeConf, i.place(), "%q cannot be imported as %q: %s; the server does not start", subj, to, err)
			return
		}
	}
	if slices.ContainsFunc(a.taken, func(t confImport) bool { return t.from == exporter && t.subject == subj }) {
		c.refuse(design.CodeDuplicate, i.place(), "account %q imports %q from account %q twice; the server does not start", a.name, subj, exporter.name)
		return
	}
	a.taken = append(a.taken, confImport{from: exporter, subject: subj, local: to})
}

func (c *confChecker) addService(a, exporter *confAccount, subj, to string, i *confValue) {
	local := to
	if local == "" {
		local = subj
	}
	switch {
	case !subject.Valid(local) || !subject.Valid(subj):
		c.refuse(design.CodeConf, i.place(), "%q and %q have to be valid subjects; the server does not start", subj, local)
		return
	case !allowed(exporter.services, a, subj):
		c.notAllowed(a, exporter, subj, i)
		return
	case slices.ContainsFunc(a.used, func(t confImport) bool { return t.from == exporter && t.local == local }):
		c.refuse(design.CodeDuplicate, i.place(), "account %q imports a service of account %q as %q twice; the server does not start", a.name, exporter.name, local)
		return
	case serviceCycle(exporter, mapped(local, subj), map[string]bool{a.name: true}):
		c.refuse(design.CodeConf, i.place(), "importing the service %q from account %q makes a circle; the server does not start", subj, exporter.name)
		return
	}
	if strings.ContainsAny(subj, "*>") && local != subj {
		if _, err := subject.NewTransform(untokenize(subj), tokenize(local), subject.TransformOptions{Strict: true, Release: confRelease}); err != nil {
			c.refuse(design.CodeConf, i.place(), "the service %q cannot be imported as %q: %s; the server does not start", subj, local, err)
			return
		}
		local = untokenize(local)
	}
	a.used = append(a.used, confImport{from: exporter, subject: subj, local: local})
}

// mapped is the local subject as the server looks for circles with it.
func mapped(local, subj string) string {
	if strings.ContainsAny(subj, "*>") {
		return untokenize(local)
	}
	return local
}

// allowed reports whether an account may import a subject: the export is that
// subject, or covers it (server/accounts.go, checkStreamExportApproved, v2.15.2).
func allowed(exports map[string]*confExport, a *confAccount, subj string) bool {
	if e := exports[subj]; e != nil {
		return e.admits(a, nil)
	}
	var keys []string
	for key := range exports {
		if subject.Valid(key) && subject.CoversAll(key, subj) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		if exports[key].admits(a, strings.Split(subj, ".")) {
			return true
		}
	}
	return false
}

func (e *confExport) admits(a *confAccount, tokens []string) bool {
	switch {
	case e.position > 0:
		return e.position <= len(tokens) && tokens[e.position-1] == a.name
	case e.accounts == nil:
		return true
	}
	return e.accounts[a.name]
}

// streamCycle follows imports of streams that meet the subject
// (checkStreamImportsForCycles).
func streamCycle(a *confAccount, to string, visited map[string]bool) bool {
	exported := false
	for key := range a.streams {
		exported = exported || subject.Valid(key) && subject.Valid(to) && subject.CoversAll(key, to)
	}
	if !exported {
		return false
	}
	for _, t := range a.taken {
		if !subject.Collide(to, t.local) {
			continue
		}
		if visited[t.from.name] {
			return true
		}
		visited[a.name] = true
		next := to
		if subject.Valid(t.local) && subject.CoversAll(to, t.local) {
			next = t.local
		}
		if streamCycle(t.from, next, visited) {
			return true
		}
	}
	return false
}

// serviceCycle follows imports of services that meet the subject
// (checkServiceImportsForCycles).
func serviceCycle(a *confAccount, from string, visited map[string]bool) bool {
	for _, t := range a.used {
		if !subject.Collide(from, t.subject) {
			continue
		}
		if visited[t.from.name] {
			return true
		}
		visited[a.name] = true
		next := from
		if subject.Valid(t.local) && subject.Valid(from) && subject.CoversAll(from, t.local) {
			next = t.local
		}
		if serviceCycle(t.from, next, visited) {
			return true
		}
	}
	return false
}

// tokenize writes wildcards as $1, $2… (server/subject_transform.go,
// transformTokenize).
func tokenize(s string) string {
	tokens, n := strings.Split(s, "."), 0
	for i, token := range tokens {
		if token == "*" {
			n++
			tokens[i] = "$" + strconv.Itoa(n)
		}
	}
	return strings.Join(tokens, ".")
}

// untokenize writes $1, $2… as wildcards.
func untokenize(s string) string {
	tokens := strings.Split(s, ".")
	for i, token := range tokens {
		if len(token) > 1 && token[0] == '$' && strings.Trim(token[1:], "0123456789") == "" {
			tokens[i] = "*"
		}
	}
	return strings.Join(tokens, ".")
}
