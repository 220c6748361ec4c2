package design

import (
	"strings"
	"time"

	"github.com/nats-io/jsm.go/api"

	"weir/natsapi"
)

// Hub is the account that everything at the top of a design belongs to.
const Hub = "$G"

// Design is a design as it was read. The exported fields hold what was written
// in Go's own types, zero where nothing was; Has tells the difference. A Design
// is not changed after it was made and may be read from several goroutines.
type Design struct {
	Name, Description string
	// Version is the server version to judge by; the embedded one when the design
	// names none.
	Version natsapi.Version
	Server  Server
	// Scope holds what stands at the top: account $G on the hub.
	Scope
	Accounts  []*Account
	Leafnodes []*Leafnode
	Clusters  []*Cluster
	Gateways  []*Gateway
	Goals     Goals
	Scenarios []*Scenario

	root     *Node
	confKeys []ConfKey          // of files of servers
	bodies   map[string]rawBody // by design path
	infos    map[string]*Node   // by design path
}

// Scope is one subject space with its streams: an account of the hub, or a leaf
// node site.
type Scope struct {
	// Path is where it stands: "", accounts.APP or leafnodes.plant.
	Path string
	// Account is the account's name, $G for the top.
	Account string
	// Leafnode is the site's name, "" on the hub.
	Leafnode    string
	Streams     []*Stream
	KV          []*Bucket
	Objects     []*Bucket
	Publishers  []*Publisher
	Subscribers []*Subscriber
}

// Server is one kind of node and how many of it make a cluster. Memory and Disk
// are bytes for one node.
type Server struct {
	Path         string
	Version      string // as written
	Nodes, Cores int    // Nodes is 1 when not given
	Memory, Disk int64
	Zones, Tags  []string
	Domain       string
}

// Stream is a stream of a design.
type Stream struct {
	Name, Path string
	// Config is the configuration as written; absent settings have Go's zero
	// value and not the server's default.
	Config    api.StreamConfig
	Consumers []*Consumer
	Goals     Goals
	// Assumed is true for a stream that no file defines and a consumer names.
	Assumed bool
	node    *Node
}

// Consumer is a consumer of a stream.
type Consumer struct {
	// Name is the consumer's, Stream that of its stream; people read
	// STREAM/consumer.
	Name, Stream, Path string
	// Config is the configuration as written, see Stream.Config.
	Config  api.ConsumerConfig
	Workers []*Workers
	Goals   Goals
	node    *Node
}

// Workers is a group of workers that share a consumer.
type Workers struct {
	Name, Path         string
	Count, Concurrency int // 1 when not given
	Fetch              int
	FetchBytes         int64
	Loop               string // consume or fetch
	Expires            time.Duration
	Heartbeat          time.Duration // of pull requests
	ServiceTime        Distribution  // nanoseconds
	InProgress         time.Duration
	Errors             []Errors
	PendingLimit       int
	PendingBytes       int64
	ReadPerSecond      int64 // bytes; 0 is as much as comes
}

// Errors is a share of deliveries that workers cannot handle.
type Errors struct {
	Rate   float64 // from 0 to 1
	Action string  // nak, term, ack, nothing or ack_lost
	Delay  time.Duration
}

// WaitsOut says that the server hears nothing, so that ack_wait runs out.
func (e Errors) WaitsOut() bool { return e.Action == "nothing" || e.Action == "ack_lost" }

// Redelivers says that the message comes again.
func (e Errors) Redelivers() bool { return e.Action == "nak" || e.WaitsOut() }

// Bucket is a key-value or object store bucket, and the stream that it becomes.
type Bucket struct {
	Name, Path string
	// Stream is the name of the bucket's stream, KV_NAME or OBJ_NAME.
	Stream string
	// Config is the stream that clients create for the bucket.
	Config api.StreamConfig
	// Keys counts the keys of a KV bucket or the objects of an object store.
	Keys          int64
	Value         Distribution // bytes of a value or object
	Writes, Reads float64      // a second
	Watchers      int
	Chunk         int64   // bytes, of an object store
	CompressesTo  float64 // from 0 to 1; 1 when not given
	object        bool
	node          *Node
}

// Publisher is a group of processes that publish alike.
type Publisher struct {
	Name, Path, Subject string
	// After is the consumer whose workers publish, as written: STREAM/consumer or
	// its name alone; "" for a publisher of its own.
	After                string
	Tokens               []Token
	Count                int     // 1 when not given
	Rate                 float64 // messages a second, all processes together
	Bursts               []Burst
	Hours                []float64    // weights of the hours of a day, nil for an even one
	Payload, Headers     Distribution // bytes
	CompressesTo         float64      // from 0 to 1; 1 when not given
	MsgID                string       // none, uuid… or a size as written
	MsgIDBytes           int          // length of the message id, 0 for none
	TTL                  time.Duration
	Mode                 string // core, sync, async or batch
	Batch, InFlight      int
	AckTimeout, RetryFor time.Duration
	Repeats              float64 // from 0 to 1
	OnReject             OnReject
}

// Pattern is the publisher's subject with * in the place of each word in braces:
// orders.{region}.created is orders.*.created.
func (p *Publisher) Pattern() string {
	tokens := strings.Split(p.Subject, ".")
	for i, t := range tokens {
		if strings.HasPrefix(t, "{") && strings.HasSuffix(t, "}") {
			tokens[i] = "*"
		}
	}
	return strings.Join(tokens, ".")
}

// Token is a placeholder in a publisher's subject.
type Token struct {
	Name     string
	Count    int64    // different values
	Examples []string // some or all of them, where they are named
	Skew     float64  // Zipf exponent
}

// Burst is a time at which a publisher has another rate.
type Burst struct {
	Rate           float64
	At, For, Every time.Duration
}

// OnReject is what a publisher does when the stream refuses a message for good.
type OnReject struct {
	Retry   int
	Backoff time.Duration
	Then    string // drop, dlq, block or file
}

// Subscriber is a group of core NATS subscribers, or of a service's instances.
type Subscriber struct {
	Name, Path, Subject, Queue string
	Count, Concurrency         int          // 1 when not given
	ServiceTime                Distribution // nanoseconds
	Reply                      Distribution // bytes; absent when it does not answer
	PendingLimit               int
	PendingBytes               int64
}

// Account is an account of the hub.
type Account struct {
	Scope
	Name    string
	Users   []*User
	Exports []Export
	Imports []Import
}

// User is a user of an account and what it may do.
type User struct {
	Name, Path         string
	Publish, Subscribe Permission
	// AllowResponses is true when the user may answer requests; MaxResponses and
	// Expires are 0 for the server's defaults.
	AllowResponses bool
	MaxResponses   int
	Expires        time.Duration
}

// Permission lists subjects. With nothing in either list everything is allowed.
type Permission struct{ Allow, Deny []string }

// Export is a subject that an account offers to others.
type Export struct {
	Path, Subject string
	Service       bool
	Accounts      []string // those that may import it; all when empty
	ResponseType  string
	Threshold     time.Duration
}

// Import is a subject of another account.
type Import struct {
	Path, Account, Subject string
	Service                bool
	To, Prefix             string
	Share                  bool
}

// Leafnode is a kind of site that connects to the hub as a leaf node.
type Leafnode struct {
	Scope
	Name      string
	Count     int // 1 when not given
	Domain    string
	BindTo    string // account of the hub, $G when not given
	Cluster   string
	Latency   Distribution // nanoseconds
	OutageFor time.Duration
	Every     time.Duration // between outages
	Server    Server
}

// Cluster is a further cluster beside the hub.
type Cluster struct {
	Name string
	Server
}

// Gateway is a link between two clusters.
type Gateway struct {
	Name, Path string
	Between    []string
	Latency    Distribution // nanoseconds
}

// Goals are what has to be achieved. Zero is "no such goal"; Has on the goal's
// path tells a goal of 0.
type Goals struct {
	Path                               string
	LatencyP50, LatencyP95, LatencyP99 time.Duration
	OldestPending, Drain               time.Duration
	Pending                            int64
	HandledTwice, Lost, Rejected       float64 // from 0 to 1
	Utilisation                        float64
	Survive                            []Survive
}

// Scenario is a named sequence of events.
type Scenario struct {
	Name, Path string
	Events     []Event
}

// Event is one step of a scenario.
type Event struct {
	Path   string
	At     time.Duration
	Do     string // kill, restart, step_down, stall, freeze, crash, slow, scale, burst or partition
	Target string
	For    time.Duration
	Factor float64
	To     int
	Rate   float64
}

// Scopes lists every subject space: the top, the accounts, the leaf nodes.
func (d *Design) Scopes() []*Scope {
	out := []*Scope{&d.Scope}
	for _, a := range d.Accounts {
		out = append(out, &a.Scope)
	}
	for _, l := range d.Leafnodes {
		out = append(out, &l.Scope)
	}
	return out
}

// Has reports whether something is written at a path.
func (d *Design) Has(path string) bool {
	n, _, _ := d.find(path)
	return n != nil
}

// Value is what is written at a path; ok is false when nothing is.
func (d *Design) Value(path string) (v Value, ok bool) {
	n, s, f := d.find(path)
	if n == nil {
		return Value{}, false
	}
	if n.Kind != Scalar {
		return Value{Node: n, Field: f, Kind: Container}, true
	}
	if s == nil {
		return Value{Node: n, Field: f}, true
	}
	v, _ = s.decode(n, f)
	v.Field = f
	return v, true
}

// Pos is where a path is written; ok is false when it is not. What an alias
// stands for is written where the alias is: its text belongs to other paths too.
func (d *Design) Pos(path string) (p Position, ok bool) {
	w := d.walk(path)
	switch {
	case w.n == nil:
		return Position{}, false
	case w.alias != nil && w.alias != w.n:
		return w.alias.Place(), true
	}
	return d.place(path, w.n), true
}

// Where is where a path is written, or where its nearest parent is that is.
func (d *Design) Where(path string) Position {
	for {
		if p, ok := d.Pos(path); ok && p.Line > 0 || path == "" {
			return p
		}
		path = Parent(path)
	}
}

// WhereKey is Where for what is wrong with the key of a path and not with its value:
// the place of the key, where one is written.
func (d *Design) WhereKey(path string) Position {
	parent, _, _ := d.find(Parent(path))
	if steps := Split(path); parent.IsMap() && len(steps) > 0 {
		if i := parent.find(steps[len(steps)-1]); i >= 0 && parent.Keys[i].Src != nil && parent.Keys[i].Start < parent.Keys[i].End {
			return parent.Keys[i].Place()
		}
	}
	return d.Where(path)
}

// place is where to point for a node: at a scalar itself, at the key of a map or
// list, whose own text may be long.
func (d *Design) place(path string, n *Node) Position {
	if n.Kind == Scalar && !n.Null || path == "" {
		return n.Place()
	}
	parent, _, _ := d.find(Parent(path))
	if steps := Split(path); parent.IsMap() && len(steps) > 0 {
		if i := parent.find(steps[len(steps)-1]); i >= 0 && parent.Keys[i].Src != nil {
			return parent.Keys[i].Place()
		}
	}
	return n.Place()
}

// walked is where a path leads: the node, nil where nothing is, what the tables
// say of it, and the first alias on the way or at its end.
type walked struct {
	n     *Node
	s     *shape
	f     *Field
	alias *Node
}

// find is where a path leads.
func (d *Design) find(path string) (*Node, *shape, *Field) {
	w := d.walk(path)
	return w.n, w.s, w.f
}

// walk follows a path through the tree and the tables at once.
func (d *Design) walk(path string) walked {
	w := walked{n: d.root, s: &shape{kind: kindObject, set: sets()["design"]}}
	for path != "" {
		if path[0] == '.' {
			path = path[1:]
		}
		if path == "" {
			return walked{}
		}
		var at string
		if at, path = cutStep(path); at == "" || w.n == nil {
			return walked{alias: w.alias}
		}
		if w.n, w.s, w.f = descend(w.n, w.s, w.f, at); w.n != nil && w.n.alias && w.alias == nil {
			w.alias = w.n
		}
	}
	return w
}

// descend takes one step: a key, ["key"] or [index].
func descend(n *Node, s *shape, f *Field, at string) (*Node, *shape, *Field) {
	if s != nil {
		s = s.pick(n)
	}
	key, index := at, -1
	if at[0] == '[' {
		steps := Split(at)
		if len(steps) != 1 {
			return nil, nil, nil
		}
		key, index = steps[0], -1
		if at[1] != '"' {
			index = parseIndex(at)
		}
	}
	if index >= 0 {
		if !n.IsList() || index >= len(n.Items) {
			return nil, nil, nil
		}
		if s != nil && s.kind == kindList {
			return n.Items[index], s.elem, f
		}
		return n.Items[index], nil, nil
	}
	next := n.Get(key)
	if s == nil || next == nil {
		return next, nil, nil
	}
	switch s.kind {
	case kindObject:
		if f := s.set.byName[key]; f != nil {
			return next, f.shape, f
		}
	case kindMap:
		return next, s.elem, nil
	case kindDist:
		if key == "trace" {
			return next, &shape{kind: kindString}, nil
		}
		return next, s.elem, f
	}
	return next, nil, nil
}

func parseIndex(at string) int {
	i := 0
	for _, c := range []byte(at[1 : len(at)-1]) {
		if c < '0' || c > '9' || i > MaxNodes {
			return -1
		}
		i = i*10 + int(c-'0')
	}
	return i
}
