package design

import (
	"time"

	"weir/natsapi"
)

// view reads what is below one map of the tree, leniently: what is absent or
// wrong is zero, the problem was reported by the decoder.
type view struct {
	n    *Node
	set  *fieldSet
	path string
}

func (v view) value(name string) Value {
	n := v.n.Get(name)
	f := v.set.byName[name]
	if n == nil || f == nil || n.Kind != Scalar {
		return Value{}
	}
	val, err := f.shape.decode(n, f)
	if err != nil {
		return Value{}
	}
	return val
}

func (v view) text(name string) string         { return v.value(name).Text }
func (v view) flag(name string) bool           { return v.value(name).Bool }
func (v view) int64(name string) int64         { return v.value(name).Int }
func (v view) int(name string) int             { return int(v.value(name).Int) }
func (v view) float(name string) float64       { return v.value(name).Float }
func (v view) dur(name string) time.Duration   { return time.Duration(v.value(name).Int) }
func (v view) has(name string) bool            { return v.n.Get(name) != nil }
func (v view) at(name string) string           { return Join(v.path, name) }
func (v view) dist(name string) Distribution   { return readDist(v.n.Get(name), distShape(v.set, name)) }
func (v view) texts(name string) []string      { return scalarTexts(v.n.Get(name)) }
func (v view) orOne(name string, x int) int    { return orDefault(v, name, x, 1) }
func (v view) share(name string) float64       { return orDefault(v, name, v.float(name), 1) }
func (v view) object(name string) (view, bool) { return v.below(name, v.n.Get(name)) }

func orDefault[T any](v view, name string, x, absent T) T {
	if !v.has(name) {
		return absent
	}
	return x
}

func distShape(set *fieldSet, name string) *shape {
	s := set.byName[name].shape
	if s.kind != kindDist {
		panic("design: " + name + " is not a distribution")
	}
	return s
}

// below is the view of a map under a key, by the object of the key's shape.
func (v view) below(name string, n *Node) (view, bool) {
	if !n.IsMap() {
		return view{}, false
	}
	set := objectOf(v.set.byName[name].shape)
	return view{n, set, v.at(name)}, set != nil
}

// objectOf finds the object in a shape.
func objectOf(s *shape) (set *fieldSet) {
	s.each(func(s *shape) {
		if s.kind == kindObject && set == nil {
			set = s.set
		}
	})
	return set
}

// named calls f for each entry of a map of objects, in the order of the text.
func (v view) named(name string, f func(key string, v view)) {
	n := v.n.Get(name)
	if !n.IsMap() {
		return
	}
	set := objectOf(v.set.byName[name].shape)
	for i, key := range n.Keys {
		if n.find(key.Text) != i {
			continue // written again further down
		}
		f(key.Text, view{n.Items[i], set, Join(v.at(name), key.Text)})
	}
}

// listed calls f for each object of a list, or for the one object that stands in
// its place.
func (v view) listed(name string, f func(v view)) {
	n := v.n.Get(name)
	if n == nil {
		return
	}
	set := objectOf(v.set.byName[name].shape)
	if n.Kind != List {
		f(view{n, set, v.at(name)})
		return
	}
	for i, item := range n.Items {
		f(view{item, set, Index(v.at(name), i)})
	}
}

// scalarTexts are the texts of a list of scalars, or of the one in its place.
func scalarTexts(n *Node) []string {
	switch {
	case n == nil || n.Null || n.Kind == Map:
		return nil
	case n.Kind == Scalar:
		return []string{n.Text}
	}
	out := make([]string, 0, len(n.Items))
	for _, item := range n.Items {
		if item.Kind == Scalar && !item.Null {
			out = append(out, item.Text)
		}
	}
	return out
}

// build makes the model of a tree that the decoder has seen.
func build(root *Node) *Design {
	v := view{root, sets()["design"], ""}
	d := &Design{root: root, Name: v.text("name"), Description: v.text("description"), Version: natsapi.Embedded}
	d.Server = Server{Nodes: 1}
	if s, ok := v.object("server"); ok {
		d.Server = s.server()
		if ver, err := natsapi.ParseVersion(d.Server.Version); err == nil {
			d.Version = ver
		}
	}
	d.Scope = v.scope(Hub)
	v.named("accounts", func(name string, v view) { d.Accounts = append(d.Accounts, v.account(name)) })
	v.named("leafnodes", func(name string, v view) { d.Leafnodes = append(d.Leafnodes, v.leafnode(name)) })
	v.named("clusters", func(name string, v view) { d.Clusters = append(d.Clusters, &Cluster{name, v.server()}) })
	v.named("gateways", func(name string, v view) {
		d.Gateways = append(d.Gateways, &Gateway{name, v.path, v.texts("between"), v.dist("latency")})
	})
	d.Goals = v.goals()
	d.Scenarios = v.scenarios()
	return d
}

func (v view) server() Server {
	return Server{Path: v.path, Version: v.text("version"), Nodes: v.orOne("nodes", v.int("nodes")), Cores: v.int("cores"),
		Memory: v.int64("memory"), Disk: v.int64("disk"), Zones: v.texts("zones"), Tags: v.texts("tags"), Domain: v.text("domain")}
}

func (v view) scope(account string) Scope {
	s := Scope{Path: v.path, Account: account}
	v.named("streams", func(name string, v view) { s.Streams = append(s.Streams, v.stream(name)) })
	v.named("kv", func(name string, v view) { s.KV = append(s.KV, v.kv(name)) })
	v.named("objects", func(name string, v view) { s.Objects = append(s.Objects, v.objectStore(name)) })
	v.named("publishers", func(name string, v view) { s.Publishers = append(s.Publishers, v.publisher(name)) })
	v.named("subscribers", func(name string, v view) { s.Subscribers = append(s.Subscribers, v.subscriber(name)) })
	return s
}

func (v view) stream(name string) *Stream {
	s := &Stream{Name: name, Path: v.path, Goals: v.goals(), node: v.n}
	fillAPI(&s.Config, v.n, v.set)
	s.Config.Name = name
	v.named("consumers", func(key string, v view) {
		c := &Consumer{Name: key, Stream: name, Path: v.path, Goals: v.goals(), node: v.n}
		fillAPI(&c.Config, v.n, v.set)
		if !v.has("name") && !v.has("durable_name") && (v.n.Src == nil || !v.n.Src.API) {
			c.Config.Name, c.Config.Durable = key, key
		}
		v.listed("workers", func(v view) { c.Workers = append(c.Workers, v.workers()) })
		s.Consumers = append(s.Consumers, c)
	})
	return s
}

func (v view) workers() *Workers {
	w := &Workers{Name: v.text("name"), Path: v.path, Count: v.orOne("count", v.int("count")),
		Concurrency: v.orOne("concurrency", v.int("concurrency")), Fetch: v.int("fetch"), FetchBytes: v.int64("fetch_bytes"),
		Expires: v.dur("expires"), Heartbeat: v.dur("heartbeat"), ServiceTime: v.dist("service_time"), InProgress: v.dur("in_progress"),
		Loop: v.text("loop"), PendingLimit: v.int("pending_limit"), PendingBytes: v.int64("pending_bytes"), ReadPerSecond: v.int64("read_per_second")}
	if w.Loop == "" {
		w.Loop = v.set.byName["loop"].Default
	}
	v.listed("errors", func(v view) {
		e := Errors{Rate: v.float("rate"), Action: v.text("action"), Delay: v.dur("delay")}
		if e.Action == "" {
			e.Action = v.set.byName["action"].Default
		}
		w.Errors = append(w.Errors, e)
	})
	return w
}

func (v view) kv(name string) *Bucket {
	b := &Bucket{Name: name, Path: v.path, Stream: "KV_" + name, Keys: v.int64("keys"), Value: v.dist("value"), Writes: v.float("writes"),
		Reads: v.float("reads"), Watchers: v.int("watchers"), CompressesTo: v.share("compresses_to"), node: v.n}
	fillBucket(b)
	return b
}

func (v view) objectStore(name string) *Bucket {
	b := &Bucket{Name: name, Path: v.path, Stream: "OBJ_" + name, Keys: v.int64("count"), Value: v.dist("size"), Writes: v.float("writes"),
		Reads: v.float("reads"), Chunk: v.int64("chunk"), CompressesTo: 1, object: true, node: v.n}
	fillBucket(b)
	return b
}

// msgIDBytes are the lengths of the message ids of each scheme as text: RFC 9562
// for a UUID, 22 digits for a NUID (nats-io/nuid), 26 for a ULID, 64 hexadecimal
// digits for SHA-256.
var msgIDBytes = map[string]int{"uuid": 36, "nuid": 22, "ulid": 26, "sha256": 64}

func (v view) publisher(name string) *Publisher {
	p := &Publisher{Name: name, Path: v.path, Subject: v.text("subject"), After: v.text("after"), Count: v.orOne("count", v.int("count")), Rate: v.float("rate"),
		Payload: v.dist("payload"), Headers: v.dist("headers"), CompressesTo: v.share("compresses_to"), MsgID: "none", TTL: v.dur("ttl"),
		Mode: v.text("mode"), Batch: v.int("batch"), InFlight: v.int("in_flight"), AckTimeout: v.dur("ack_timeout"),
		RetryFor: v.dur("retry_for"), Repeats: v.float("repeats")}
	if p.Mode == "" {
		p.Mode = v.set.byName["mode"].Default
	}
	if id := v.value("msg_id"); id.Kind != Invalid {
		p.MsgID, p.MsgIDBytes = id.Node.Text, int(id.Int)
		if id.Kind == Text {
			p.MsgIDBytes = msgIDBytes[id.Text]
		}
	}
	if n := v.n.Get("tokens"); n.IsMap() {
		set := objectOf(v.set.byName["tokens"].shape)
		for i, key := range n.Keys {
			p.Tokens = append(p.Tokens, view{n.Items[i], set, Join(v.at("tokens"), key.Text)}.token(key.Text))
		}
	}
	v.listed("bursts", func(v view) {
		p.Bursts = append(p.Bursts, Burst{Rate: v.float("rate"), At: v.dur("at"), For: v.dur("for"), Every: v.dur("every")})
	})
	if n := v.n.Get("hours"); n.IsList() {
		for _, item := range n.Items {
			hour, err := (&shape{kind: kindNumber}).decode(item, nil)
			if err == nil {
				p.Hours = append(p.Hours, hour.Float)
			}
		}
	}
	if r, ok := v.object("on_reject"); ok {
		p.OnReject = OnReject{Retry: r.int("retry"), Backoff: r.dur("backoff"), Then: r.text("then")}
	}
	if p.OnReject.Then == "" {
		p.OnReject.Then = sets()["on_reject"].byName["then"].Default
	}
	return p
}

// token reads the values of one placeholder: a count, examples, or {count, skew}.
func (v view) token(name string) Token {
	t := Token{Name: name, Count: v.int64("count"), Skew: v.float("skew")}
	switch v.n.Kind {
	case List:
		t.Examples = scalarTexts(v.n)
		t.Count = int64(len(t.Examples))
	case Scalar:
		count, err := (&shape{kind: kindInt}).decode(v.n, nil)
		if err == nil {
			t.Count = count.Int
		}
	}
	return t
}

func (v view) subscriber(name string) *Subscriber {
	return &Subscriber{Name: name, Path: v.path, Subject: v.text("subject"), Queue: v.text("queue"), Count: v.orOne("count", v.int("count")),
		Concurrency: v.orOne("concurrency", v.int("concurrency")), ServiceTime: v.dist("service_time"), Reply: v.dist("reply"),
		PendingLimit: v.int("pending_limit"), PendingBytes: v.int64("pending_bytes")}
}

func (v view) account(name string) *Account {
	a := &Account{Scope: v.scope(name), Name: name}
	v.named("users", func(name string, v view) {
		u := &User{Name: name, Path: v.path, Publish: v.permission("publish"), Subscribe: v.permission("subscribe"), AllowResponses: v.flag("allow_responses")}
		if r, ok := v.object("allow_responses"); ok {
			u.AllowResponses, u.MaxResponses, u.Expires = true, r.int("max"), r.dur("expires")
		}
		a.Users = append(a.Users, u)
	})
	v.listed("exports", func(v view) {
		a.Exports = append(a.Exports, Export{Path: v.path, Subject: v.text("stream") + v.text("service"), Service: v.has("service"),
			Accounts: v.texts("accounts"), ResponseType: v.text("response_type"), Threshold: v.dur("response_threshold")})
	})
	v.listed("imports", func(v view) {
		i := Import{Path: v.path, Service: v.has("service"), To: v.text("to"), Prefix: v.text("prefix"), Share: v.flag("share")}
		for _, name := range oneOfKeys["import"] {
			if from, ok := v.object(name); ok {
				i.Account, i.Subject = from.text("account"), from.text("subject")
			}
		}
		a.Imports = append(a.Imports, i)
	})
	return a
}

func (v view) permission(name string) Permission {
	if p, ok := v.object(name); ok {
		return Permission{Allow: p.texts("allow"), Deny: p.texts("deny")}
	}
	return Permission{Allow: v.texts(name)}
}

func (v view) leafnode(name string) *Leafnode {
	l := &Leafnode{Scope: v.scope(orDefault(v, "account", v.text("account"), Hub)), Name: name, Count: v.orOne("count", v.int("count")),
		Domain: v.text("domain"), Cluster: v.text("cluster"), Latency: v.dist("latency"), Server: Server{Nodes: 1}}
	l.Scope.Leafnode, l.BindTo = name, l.Scope.Account
	if o, ok := v.object("outages"); ok {
		l.OutageFor, l.Every = o.dur("for"), o.dur("every")
	}
	if s, ok := v.object("server"); ok {
		l.Server = s.server()
	}
	return l
}

func (v view) goals() Goals {
	g, ok := v.object("goals")
	if !ok {
		return Goals{}
	}
	out := Goals{Path: g.path, LatencyP50: g.dur("latency_p50"), LatencyP95: g.dur("latency_p95"), LatencyP99: g.dur("latency_p99"),
		OldestPending: g.dur("oldest_pending"), Drain: g.dur("drain"), Pending: g.int64("pending"), HandledTwice: g.float("handled_twice"),
		Lost: g.float("lost"), Rejected: g.float("rejected"), Utilisation: g.float("utilisation")}
	for _, text := range g.texts("survive") {
		if s, err := ParseSurvive(text); err == nil {
			out.Survive = append(out.Survive, s)
		}
	}
	return out
}

func (v view) scenarios() []*Scenario {
	var out []*Scenario
	n := v.n.Get("scenarios")
	if !n.IsMap() {
		return nil
	}
	set := sets()["event"]
	for i, key := range n.Keys {
		s := &Scenario{Name: key.Text, Path: Join(v.at("scenarios"), key.Text)}
		for j, item := range n.Items[i].Items {
			e := view{item, set, Index(s.Path, j)}
			event := Event{Path: e.path, At: e.dur("at"), For: e.dur("for"), Factor: e.float("factor"), To: e.int("to"), Rate: e.float("rate")}
			for _, verb := range oneOfKeys["event"] {
				if target := e.text(verb); target != "" {
					event.Do, event.Target = verb, target
				}
			}
			s.Events = append(s.Events, event)
		}
		out = append(out, s)
	}
	return out
}
