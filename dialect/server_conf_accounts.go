package dialect

import (
	"slices"
	"strconv"

	"weir/design"
	"weir/natsapi"
)

func itoa(n int) string { return strconv.Itoa(n) }

// accountLimitNames are what a design calls the limits that an account has in
// its jetstream block.
var accountLimitNames = map[string]string{
	"max_memory": "max_memory", "max_store": "max_storage", "max_streams": "max_streams", "max_consumers": "max_consumers",
	"max_bytes_required": "max_bytes_required", "mem_max_stream_bytes": "memory_max_stream_bytes",
	"disk_max_stream_bytes": "storage_max_stream_bytes", "max_ack_pending": "max_ack_pending",
}

// accounts puts accounts, their users, exports and imports into a design; the
// users of authorization belong to account $G. Credentials stay behind.
func (w *confWriter) accounts(root *design.Node, conf *confValue) {
	out := confMap(conf)
	if auth := conf.get("authorization"); auth != nil {
		if users := w.users(auth); users != nil {
			account := confMap(auth)
			w.put(account, "users", users)
			w.put(out, design.Hub, account)
		}
	}
	if block := conf.get("accounts"); block != nil {
		for _, f := range block.fields {
			if f.value.isMap && !f.value.used {
				out.Put(confKeyNode(f.text, f.confKey), w.account(f.value))
			}
		}
		for _, v := range textsIn(block) {
			name, _ := v.text()
			w.put(out, name, confMap(v))
		}
	}
	if len(out.Keys) > 0 {
		w.put(root, "accounts", out)
	}
}

func (w *confWriter) account(v *confValue) *design.Node {
	out := confMap(v)
	js := v.get("jetstream")
	if js != nil && !js.isMap && !js.isList && enabledWord(js) {
		w.put(out, "limits", confMap(js)) // JetStream without a limit
	}
	if js != nil && js.isMap {
		limits := confMap(js)
		for _, f := range js.fields {
			row, ok := natsapi.Lookup("conf.accounts.jetstream", f.text)
			if !ok || accountLimitNames[row.Name] == "" {
				continue
			}
			if n := w.value(row, f.value); n != nil {
				limits.Put(confKeyNode(accountLimitNames[row.Name], f.confKey), n)
			}
		}
		w.put(out, "limits", limits)
	}
	w.put(out, "users", w.users(v))
	w.put(out, "exports", w.traffic(v.get("exports")))
	w.put(out, "imports", w.traffic(v.get("imports")))
	return out
}

// users are the users of a block by name, with what they may do; nil without
// any.
func (w *confWriter) users(v *confValue) *design.Node {
	list := v.get("users")
	if list == nil || !list.isList {
		return nil
	}
	all := v.get("default_permissions", "default_permission", "permissions")
	out := confMap(list)
	for _, u := range list.items {
		name, ok := u.get("user", "username").text()
		if !ok {
			name, ok = u.get("nkey").text()
		}
		if !ok || out.Get(name) != nil {
			continue
		}
		perms := u.get("permissions", "permission", "authorization")
		if perms == nil {
			perms = all
		}
		w.put(out, name, w.permissions(u, perms))
	}
	return out
}

func (w *confWriter) permissions(u, perms *confValue) *design.Node {
	out := confMap(u)
	if perms == nil {
		return out
	}
	w.put(out, "publish", w.subjects(perms.get("publish", "pub")))
	w.put(out, "subscribe", w.subjects(perms.get("subscribe", "sub")))
	v := perms.get("allow_responses", "publish_allow_responses")
	switch {
	case v == nil:
	case v.isMap:
		responses := confMap(v)
		if n := v.get("max", "max_msgs", "max_messages", "max_responses"); n != nil {
			row, _ := natsapi.Lookup("conf.permissions.allow_responses", "max")
			w.put(responses, "max", w.value(row, n))
		}
		if d := v.get("expires", "expiration", "ttl"); d != nil {
			row, _ := natsapi.Lookup("conf.permissions.allow_responses", "expires")
			w.put(responses, "expires", w.value(row, d))
		}
		w.put(out, "allow_responses", responses)
	default:
		w.put(out, "allow_responses", w.value(natsapi.Field{Type: natsapi.Bool}, v))
	}
	return out
}

func (w *confWriter) subjects(v *confValue) *design.Node {
	switch {
	case v == nil:
		return nil
	case v.isMap:
		out := confMap(v)
		w.put(out, "allow", w.subjects(v.get("allow")))
		w.put(out, "deny", w.subjects(v.get("deny")))
		return out
	}
	out := confMap(v)
	out.Kind = design.List
	for _, item := range textsIn(v) {
		s, _ := item.text()
		out.Items = append(out.Items, confText(s, item))
	}
	return out
}

// traffic are exports or imports.
func (w *confWriter) traffic(v *confValue) *design.Node {
	if v == nil || !v.isList {
		return nil
	}
	out := confMap(v)
	out.Kind = design.List
	for _, item := range v.items {
		if !item.isMap || item.get("stream") == nil && item.get("service") == nil {
			continue
		}
		entry := confMap(item)
		for _, key := range []string{"stream", "service"} {
			w.put(entry, key, w.offered(item.get(key)))
		}
		for _, key := range []string{"to", "prefix"} {
			if s, ok := item.get(key).text(); ok {
				w.put(entry, key, confText(s, item.get(key)))
			}
		}
		if share := item.get("share"); share != nil {
			w.put(entry, "share", w.value(natsapi.Field{Type: natsapi.Bool}, share))
		}
		if accounts := item.get("accounts"); accounts != nil {
			w.put(entry, "accounts", w.subjects(accounts))
		}
		w.response(entry, item)
		out.Items = append(out.Items, entry)
	}
	return out
}

func (w *confWriter) offered(v *confValue) *design.Node {
	if v == nil {
		return nil
	}
	if s, ok := v.text(); ok {
		return confText(s, v)
	}
	out := confMap(v)
	for _, key := range []string{"account", "subject"} {
		if s, ok := v.get(key).text(); ok {
			w.put(out, key, confText(s, v.get(key)))
		}
	}
	return out
}

// response says how a service answers. The server has several words for it.
func (w *confWriter) response(entry *design.Node, item *confValue) {
	words := map[string]string{"single": "single", "singleton": "single", "stream": "stream", "chunk": "chunked", "chunked": "chunked"}
	if v := item.get("response", "response_type"); v != nil {
		s, _ := v.text()
		if word := words[s]; word != "" {
			w.put(entry, "response_type", confText(word, v))
		}
	}
	row, _ := natsapi.Lookup("conf.accounts.exports", "threshold")
	names := slices.Concat([]string{row.Name}, row.Aliases)
	if v := item.get(names...); v != nil {
		w.put(entry, "response_threshold", w.value(row, v))
	}
}
