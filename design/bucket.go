package design

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// bucketDuplicates is the duplicate window of a KV bucket, unless its ttl is
// shorter (nats.go 1.55.0, jetstream/kv.go prepareKeyValueConfig).
const bucketDuplicates = 2 * time.Minute

// fillBucket makes the stream configuration of a bucket from the request that
// clients send for it.
func fillBucket(b *Bucket) {
	// The body is our own JSON; a value that the struct cannot hold leaves zero.
	_ = json.Unmarshal(b.body(), &b.Config)
}

func (b *Bucket) request(scope *Scope) *Request {
	r := &Request{Subject: "STREAM.CREATE." + b.Stream, Body: b.body(), Kind: "kv", Name: b.Name, Path: b.Path, Scope: scope, fields: map[string]string{}}
	set := sets()["kv"]
	if b.object {
		r.Kind, set = "object_store", sets()["object_store"]
	}
	for _, f := range set.list {
		for _, field := range f.Sets {
			// The first row that names a stream field is the one that people set.
			if _, ok := r.fields[field]; !ok {
				r.fields[field] = f.Name
			}
		}
	}
	return r
}

// body is the stream configuration that a client sends for a bucket, with what
// the design says in it. It follows nats.go 1.55.0: prepareKeyValueConfig in
// jetstream/kv.go and prepareObjectStoreConfig in jetstream/object.go.
func (b *Bucket) body() []byte {
	set := sets()["kv"]
	if b.object {
		set = sets()["object_store"]
	}
	v := view{b.node, set, b.Path}
	w := &bodyWriter{}
	w.open()
	w.text("name", b.Stream)
	if b.object {
		w.raw("subjects", `["$O.`+jsonText(b.Name)+`.C.>","$O.`+jsonText(b.Name)+`.M.>"]`)
	} else if !v.n.Get("mirror").IsMap() {
		w.raw("subjects", `["$KV.`+jsonText(b.Name)+`.>"]`)
	}
	if v.has("description") {
		w.text("description", v.text("description"))
	}
	w.number("max_bytes", orMinusOne(v.int64("max_bytes")))
	if !b.object {
		b.kvFields(w, v)
	} else if v.has("max_age") {
		w.number("max_age", v.int64("max_age"))
	}
	w.text("discard", "new")
	for _, name := range []string{"storage", "num_replicas", "placement", "republish", "metadata"} {
		if n := v.n.Get(name); n != nil && set.byName[name] != nil && (name != "num_replicas" || v.int64(name) != 0) {
			w.field(name, n, set.byName[name].shape, set.byName[name])
		}
	}
	if v.flag("compression") {
		w.text("compression", "s2")
	}
	w.raw("allow_rollup_hdrs", "true")
	w.raw("allow_direct", "true")
	w.close()
	return w.b
}

// kvFields writes what a KV bucket has and an object store has not.
func (b *Bucket) kvFields(w *bodyWriter, v view) {
	w.raw("max_msgs", "-1")
	w.raw("max_consumers", "-1")
	w.number("max_msgs_per_subject", max(1, v.int64("history")))
	w.number("max_msg_size", orMinusOne(v.int64("max_value_size")))
	ttl := v.dur("ttl")
	if v.has("ttl") {
		w.number("max_age", int64(ttl))
	}
	window := bucketDuplicates
	if ttl > 0 && ttl < window {
		window = ttl
	}
	w.number("duplicate_window", int64(window))
	w.raw("deny_delete", "true")
	if marker := v.int64("limit_marker_ttl"); marker != 0 {
		w.raw("allow_msg_ttl", "true")
		w.number("subject_delete_marker_ttl", marker)
	}
	source := sets()["source"]
	if mirror, ok := v.object("mirror"); ok {
		w.key("mirror")
		b.source(w, mirror, source, false)
		w.raw("mirror_direct", "true")
		return
	}
	if list := v.n.Get("sources"); list.IsList() {
		w.key("sources")
		w.b = append(w.b, '[')
		for i, item := range list.Items {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			b.source(w, view{item, source, ""}, source, true)
		}
		w.b = append(w.b, ']')
	}
}

// source writes a mirror or source of a KV bucket. Clients take its name for a
// bucket's and, for a source, map the other bucket's keys to this one's, unless
// it brings transforms of its own.
func (b *Bucket) source(w *bodyWriter, v view, set *fieldSet, transform bool) {
	name := v.text("name")
	own := transform && v.n.Get("subject_transforms").IsList() && len(v.n.Get("subject_transforms").Items) > 0
	bucket := strings.TrimPrefix(name, "KV_")
	if !own {
		name = "KV_" + bucket
	}
	w.open()
	w.text("name", name)
	w.fields(v.n, set, "name")
	if transform && !own && (!v.has("external") || bucket != b.Name) {
		w.raw("subject_transforms", `[{"src":"$KV.`+jsonText(bucket)+`.>","dest":"$KV.`+jsonText(b.Name)+`.>"}]`)
	}
	w.close()
}

func (w *bodyWriter) number(name string, n int64) { w.raw(name, strconv.FormatInt(n, 10)) }

// orMinusOne is what clients make of a limit that is not given: unlimited.
func orMinusOne(n int64) int64 {
	if n == 0 {
		return -1
	}
	return n
}

// jsonText is a text as it stands inside a JSON string.
func jsonText(s string) string {
	b := appendJSONString(nil, s)
	return string(b[1 : len(b)-1])
}
