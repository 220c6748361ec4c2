package dialect

import (
	"slices"
	"strconv"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
)

// confRelease is the release whose rules for subjects hold while a file is read:
// which server it is for is not in it.
var confRelease = subject.Release{Major: natsapi.Embedded.Major, Minor: natsapi.Embedded.Minor}

// accounts checks the accounts block: a map of accounts, or a list of names.
func (c *confChecker) accounts(f confField) {
	if f.value.isList {
		seen := map[string]bool{}
		for _, item := range f.value.items {
			name, ok := c.textOf(confField{f.confKey, item})
			switch {
			case !ok:
			case name == design.Hub:
				c.reserved(item.place(), name)
			case seen[name]:
				c.refuse(design.CodeDuplicate, item.place(), "account %q is listed twice; the server does not start", name)
			}
			seen[name] = true
		}
		return
	}
	if !f.value.isMap {
		return // the server looks at nothing else
	}
	for _, account := range f.value.fields {
		switch {
		case account.value.used || account.value.open:
		case !account.value.isMap:
			c.refuse(design.CodeType, account.value.place(), "account %q: %s is not a block { … }; the server does not start", account.text, account.value.written())
		case account.text == design.Hub:
			c.reserved(account.place(), account.text)
		default:
			c.block("conf.accounts", account.value)
		}
	}
}

func (c *confChecker) reserved(at design.Position, name string) {
	c.refuse(design.CodeName, at, "%q is the account that the server has by itself, and it does not start; its users stand under authorization, its mappings under mappings", name)
}

// users checks a list of users.
func (c *confChecker) users(f confField) {
	c.maps(f, "", "a user { user: …, password: … }", func(user *confValue) {
		c.block("conf.users", user)
		c.userKeys(user)
	})
}

// maps checks that a field is a list of maps, and each of them. what is one of them
// for people, before stands in front of an entry that is none. What an include or a
// variable leaves open is passed over.
func (c *confChecker) maps(f confField, before, what string, check func(*confValue)) {
	if !f.value.isList {
		c.refuse(design.CodeType, f.value.place(), "%s: %s is not a list [ … ]; the server does not start", f.text, f.value.written())
		return
	}
	for _, item := range f.value.items {
		switch {
		case item.open:
		case !item.isMap:
			c.refuse(design.CodeType, item.place(), "%s%s is not %s; the server does not start", before, item.written(), what)
		default:
			check(item)
		}
	}
}

func (c *confChecker) userKeys(user *confValue) {
	name, _ := user.get("user", "username").text()
	pass, _ := user.get("pass", "password").text()
	key, _ := user.get("nkey").text()
	switch {
	case isOpen(user.get("user", "username"), user.get("nkey"), user.get("pass", "password")):
	case key == "" && name == "":
		c.refuse(design.CodeMissing, user.place(), "the user has neither user nor nkey; the server does not start")
	case key == "":
	case !isPublicKey('U', key):
		c.refuse(design.CodeConf, user.get("nkey").place(), "nkey: this is not the public key of a user, which begins with U; the server does not start")
	case name != "" || pass != "":
		c.refuse(design.CodeConf, user.place(), "a user with an nkey takes neither user nor password; the server does not start")
	}
}

func isOpen(values ...*confValue) bool {
	return slices.ContainsFunc(values, func(v *confValue) bool { return v != nil && v.open })
}

// nkeyRule asks for a public key of a kind.
func nkeyRule(prefix byte, what string) confRule {
	return func(c *confChecker, f confField) {
		if s, ok := c.textOf(f); ok && !isPublicKey(prefix, s) {
			c.refuse(design.CodeConf, f.value.place(), "%s: this is not the public key of the kind %s, which begins with %c; the server does not start", f.text, what, prefix)
		}
	}
}

// authorization checks the users of account $G, and that one way of logging in
// is used at a time.
func (c *confChecker) authorization(f confField) {
	if !f.value.isMap {
		c.refuse(design.CodeType, f.value.place(), "%s: %s is not a block { … }; the server does not start", f.text, f.value.written())
		return
	}
	c.block("conf.authorization", f.value)
	user, pass, token := loginOf(f.value)
	users := f.value.get("users")
	switch {
	case (user != "" || pass != "") && token != "":
		c.refuse(design.CodeConf, f.place(), "%s has a user and a token; the server takes one of them, and does not start", f.text)
	case users == nil:
	case user != "":
		c.refuse(design.CodeConf, f.place(), "%s has a single user and a list of users; the server does not start", f.text)
	case token != "":
		c.refuse(design.CodeConf, f.place(), "%s has a token and a list of users; the server does not start", f.text)
	}
}

func loginOf(v *confValue) (user, pass, token string) {
	user, _ = v.get("user", "username").text()
	pass, _ = v.get("pass", "password").text()
	token, _ = v.get("token").text()
	return user, pass, token
}

// oneUser checks the login of routes and gateways.
func oneUser(what string) confRule {
	return func(c *confChecker, f confField) {
		if !f.value.isMap {
			c.refuse(design.CodeType, f.value.place(), "%s: %s is not a block { … }; the server does not start", f.text, f.value.written())
			return
		}
		c.block("conf.authorization", f.value)
		for _, key := range [][]string{{"users"}, {"token"}, {"auth_callout", "auth_hook"}} {
			if v := f.value.get(key...); v != nil && v.scalar != "" {
				c.refuse(design.CodeConf, f.place(), "%s.authorization takes one user and password, and no %s; the server does not start", what, key[0])
				return
			}
		}
		if perms := f.value.get("default_permission", "default_permissions", "permissions"); perms != nil && what == "cluster" {
			c.routeSubjects(perms)
		}
	}
}

func (c *confChecker) clusterPermissions(f confField) {
	row, _ := natsapi.Lookup("conf.cluster", "permissions")
	c.typed(row, f)
	c.routeSubjects(f.value)
	if v := f.value.get("publish_allow_responses", "allow_responses"); v != nil && v.scalar != false {
		c.refuse(design.CodeConf, v.place(), "routes have no allow_responses; the server does not start")
	}
}

// routeSubjects: routes know no queue names in their permissions.
func (c *confChecker) routeSubjects(perms *confValue) {
	sub := perms.get("sub", "subscribe", "export")
	if sub == nil || sub.open {
		return
	}
	lists := []*confValue{sub}
	if sub.isMap {
		lists = []*confValue{sub.get("allow"), sub.get("deny")}
	}
	for _, list := range lists {
		for _, v := range textsIn(list) {
			if s, _ := v.text(); len(strings.Fields(s)) == 2 {
				c.refuse(design.CodeConf, v.place(), "%q: the permissions of routes take no queue names; the server does not start", s)
			}
		}
	}
}

// textsIn are the texts of a list, or of a single one.
func textsIn(v *confValue) []*confValue {
	if v == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(v.each()), func(v *confValue) bool { _, ok := v.text(); return !ok })
}

func (c *confChecker) callout(f confField) {
	if !f.value.isMap {
		c.refuse(design.CodeType, f.value.place(), "%s: %s is not a block { … }; the server does not start", f.text, f.value.written())
		return
	}
	c.block("conf.auth_callout", f.value)
	if f.value.get("issuer") == nil {
		c.refuse(design.CodeMissing, f.place(), "%s needs an issuer; the server does not start", f.text)
	}
	if users := f.value.get("auth_users", "users"); users == nil || users.isList && len(users.items) == 0 {
		c.refuse(design.CodeMissing, f.place(), "%s needs auth_users, the users of the callout service itself; the server does not start", f.text)
	}
}

// leafAuthorization checks the login of leaf nodes.
func (c *confChecker) leafAuthorization(f confField) {
	if !f.value.isMap {
		c.refuse(design.CodeType, f.value.place(), "%s: %s is not a block { … }; the server does not start", f.text, f.value.written())
		return
	}
	c.block("conf.leafnodes.authorization", f.value)
	users := f.value.get("users")
	if users == nil || len(users.items) == 0 {
		return
	}
	user, _, _ := loginOf(f.value)
	nkey, _ := f.value.get("nkey").text()
	if user != "" || nkey != "" {
		c.refuse(design.CodeConf, f.place(), "leafnodes.authorization has a single login and a list of users; the server does not start")
		return
	}
	seen := map[string]bool{}
	for _, u := range users.items {
		name, _ := u.get("user", "username").text()
		if seen[name] && !isOpen(u.get("user", "username")) {
			c.refuse(design.CodeDuplicate, u.place(), "leafnodes.authorization has user %q twice; the server does not start", name)
		}
		seen[name] = true
	}
}

func (c *confChecker) leafVersion(f confField) {
	s, ok := c.textOf(f)
	if !ok {
		return
	}
	var parts [3]int
	numbers := strings.SplitN(strings.TrimPrefix(s, "v"), ".", 3)
	good := len(numbers) == 3
	for i := range numbers {
		digits := numbers[i]
		if i == 2 {
			digits = digits[:len(digits)-len(strings.TrimLeft(digits, "0123456789"))]
		}
		n, err := strconv.Atoi(digits)
		good = good && err == nil
		parts[i] = n
	}
	if !good || slices.Compare(parts[:], []int{2, 8, 0}) < 0 {
		c.refuse(design.CodeVersion, f.value.place(), "%s: %q is no server version from 2.8.0 on; the server does not start", f.text, s)
	}
}

// mappings checks subject mappings.
func (c *confChecker) mappings(f confField) {
	if !f.value.isMap {
		c.refuse(design.CodeType, f.value.place(), "%s: %s is not a block { subject: destination }; the server does not start", f.text, f.value.written())
		return
	}
	for _, m := range f.value.fields {
		if !subject.Valid(m.text) {
			c.refuse(design.CodeConf, m.place(), "%q is not a valid subject; the server does not start", m.text)
			continue
		}
		switch to, isText := m.value.text(); {
		case m.value.open:
		case isText:
			c.destination(m.text, to, m.value.place())
		case m.value.isList:
			c.destinations(m, m.value.items)
		default:
			c.destinations(m, []*confValue{m.value})
		}
	}
}

func (c *confChecker) destination(from, to string, at design.Position) {
	err := subject.ValidateMapping(from, to, confRelease)
	if err == nil {
		_, err = subject.NewTransform(from, to, subject.TransformOptions{Release: confRelease})
	}
	if err != nil {
		c.refuse(design.CodeConf, at, "%q cannot be mapped to %q: %s; the server does not start", from, to, err)
	}
}

// destinations checks weighted destinations: together at most 100 % in a
// cluster, none twice.
func (c *confChecker) destinations(m confField, list []*confValue) {
	total, seen := map[string]int64{}, map[string]bool{}
	for _, d := range list {
		if !d.isMap {
			c.refuse(design.CodeType, d.place(), "%q: %s is not a destination { destination: …, weight: … }; the server does not start", m.text, d.written())
			continue
		}
		before := c.refused
		c.block("conf.mappings", d)
		to, _ := d.get("dest", "destination").text()
		cluster, _ := d.get("cluster").text()
		weight, ok := percent(d.get("weight"))
		switch {
		case c.refused > before:
			continue
		case d.get("weight") == nil:
			c.refuse(design.CodeMissing, d.place(), "the destination %q has no weight; the server does not start", to)
			continue
		case isOpen(d.get("weight")):
			continue
		case !ok || weight < 0 || weight > 100:
			c.refuse(design.CodeConf, d.get("weight").place(), "weight: %s is not a share from 0 to 100; the server does not start", d.get("weight").written())
			continue
		case seen[to]:
			c.refuse(design.CodeDuplicate, d.place(), "%q has the destination %q twice; the server does not start", m.text, to)
			continue
		}
		seen[to] = true
		if total[cluster] += weight; total[cluster] > 100 {
			c.refuse(design.CodeConf, d.place(), "the weights of %q are more than 100 together; the server does not start", m.text)
		}
		c.destination(m.text, to, d.place())
	}
}

// percent reads 50 or "50%".
func percent(v *confValue) (int64, bool) {
	if v == nil {
		return 0, false
	}
	switch x := v.scalar.(type) {
	case int64:
		return x, true
	case string:
		n, err := strconv.Atoi(strings.TrimSuffix(x, "%"))
		return int64(n), err == nil
	}
	return 0, false
}

func (c *confChecker) msgTrace(f confField) {
	dest := f.value
	if f.value.isMap {
		c.block("conf.accounts.msg_trace", f.value)
		dest = f.value.get("dest")
		if v := f.value.get("sampling"); v != nil && !v.open {
			if n, ok := percent(v); !ok || n < 1 || n > 100 {
				c.refuse(design.CodeConf, v.place(), "sampling: %s is not a share from 1 to 100; the server does not start", v.written())
			}
		}
	}
	if dest == nil {
		return
	}
	if s, ok := c.textOf(confField{f.confKey, dest}); ok && !publishSubject(s) {
		c.refuse(design.CodeConf, dest.place(), "%q is no subject to publish on; the server does not start", s)
	}
}

// publishSubject is the server's IsValidPublishSubject: valid and literal.
func publishSubject(s string) bool { return subject.Valid(s) && subject.IsLiteral(s) }

// latency checks the latency tracking of a service.
func (c *confChecker) latency(f confField) {
	if f.value.open {
		return
	}
	if !f.value.isMap {
		c.textOf(f)
		return
	}
	c.block("conf.accounts.exports.latency", f.value)
	if v := f.value.get("sampling"); v != nil && !v.open {
		s, _ := v.text()
		if n, ok := percent(v); !strings.EqualFold(strings.TrimSpace(s), "headers") && (!ok || n < 1 || n > 100) {
			c.refuse(design.CodeConf, v.place(), "sampling: %s is not a share from 1 to 100; the server does not start", v.written())
		}
	}
	if f.value.get("subject") == nil {
		c.refuse(design.CodeMissing, f.place(), "%s needs a subject; the server does not start", f.text)
	}
}

// whole checks what one block says against another.
func (c *confChecker) whole(root *confValue) {
	c.storeDirs(root)
	c.starts(root)
	auth := root.get("authorization")
	user, _, token := loginOf(auth)
	seen := map[string]bool{}
	for _, u := range usersOf(auth) {
		c.once(seen, u)
	}
	accounts := root.get("accounts")
	if accounts == nil {
		c.calloutAccounts(auth, nil)
		return
	}
	for _, a := range accounts.fields {
		for _, u := range usersOf(a.value) {
			if user != "" || token != "" {
				c.refuse(design.CodeConf, u.place(), "account %q has users, and authorization has a single login; the server does not start", a.text)
				break
			}
			c.once(seen, u)
		}
	}
	c.calloutAccounts(auth, accounts)
}

func usersOf(v *confValue) []*confValue {
	if list := v.get("users"); list != nil && list.isList {
		return list.items
	}
	return nil
}

// once refuses a user that another list has already.
func (c *confChecker) once(seen map[string]bool, u *confValue) {
	for _, key := range []*confValue{u.get("user", "username"), u.get("nkey")} {
		name, ok := key.text()
		if !ok || name == "" {
			continue
		}
		if seen[name] {
			c.refuse(design.CodeDuplicate, key.place(), "user %q is there twice; names are unique over all accounts, and the server does not start", name)
		}
		seen[name] = true
	}
}

func (c *confChecker) storeDirs(root *confValue) {
	var all []confField
	for _, f := range root.fields {
		if strings.EqualFold(f.text, "store_dir") || strings.EqualFold(f.text, "storedir") {
			all = append(all, f)
		}
	}
	if js := root.get("jetstream"); js != nil && js.isMap {
		for _, f := range js.fields {
			if row, ok := natsapi.Lookup("conf.jetstream", f.text); ok && row.Name == "store_dir" {
				all = append(all, f)
			}
		}
	}
	all = slices.DeleteFunc(all, func(f confField) bool { s, ok := f.value.text(); return !ok || s == "" })
	if len(all) > 1 {
		c.refuse(design.CodeDuplicate, all[1].place(), "store_dir is given twice, at the top and in jetstream; the server does not start")
	}
}

// calloutAccounts: the accounts that a callout may put users into have to exist.
func (c *confChecker) calloutAccounts(auth, accounts *confValue) {
	callout := auth.get("auth_callout", "auth_hook")
	if callout.get("issuer") == nil {
		return
	}
	for _, v := range textsIn(callout.get("allowed_accounts")) {
		name, _ := v.text()
		if !slices.Contains(accountNames(accounts), name) {
			c.refuse(design.CodeConf, v.place(), "auth_callout allows account %q, which accounts does not have; the server does not start", name)
		}
	}
}

func accountNames(accounts *confValue) []string {
	var names []string
	if accounts == nil {
		return nil
	}
	for _, f := range accounts.fields {
		names = append(names, f.text)
	}
	for _, v := range textsIn(accounts) {
		s, _ := v.text()
		names = append(names, s)
	}
	return names
}
