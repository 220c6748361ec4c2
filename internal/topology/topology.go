// Package topology is a design as a graph to draw: who publishes on which
// subjects, what stores them, what copies, who reads and who works, with rates,
// levels and findings. It places nothing: a drawing lays the graph out.
//
//	g := topology.Of(d, topology.Options{Size: &sized})
//
// Every text and number of the drawing is made here, from what packages design
// and size say; only what messages are is routed here (publisher to stream, to
// subscriber), by subject.
package topology

import (
	"weir/design"
	"weir/size"
)

// Kind is what a node is.
type Kind string

// The kinds of nodes. A subject is what one publisher publishes on.
const (
	Publisher  Kind = "publisher"
	Subject    Kind = "subject"
	Stream     Kind = "stream"
	Consumer   Kind = "consumer"
	Consumers  Kind = "consumers" // several consumers of one stream, folded
	Workers    Kind = "workers"
	Subscriber Kind = "subscriber"
)

// columns is where nodes of a kind stand, from the left.
var columns = map[Kind]int{Publisher: 0, Subject: 1, Stream: 2, Consumer: 3, Consumers: 3, Workers: 4, Subscriber: 4}

// Flow is why two nodes are joined.
type Flow string

// The flows. Publish goes to a subject and from it to streams, Core from a
// subject to subscribers of core NATS, Mirror and Source from stream to stream.
const (
	Publish Flow = "publish"
	Core    Flow = "core"
	Deliver Flow = "deliver"
	Work    Flow = "work"
	Mirror  Flow = "mirror"
	Source  Flow = "source"
)

// Graph is a design to draw. Nodes stand in the order in which they are best
// drawn from top to bottom: a copy after what it copies, readers in the order
// of their streams.
type Graph struct {
	Heads []Head `json:"heads"`
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
	// Says is the whole in one sentence; Note what was left out or folded, "" for
	// nothing.
	Says string `json:"says"`
	Note string `json:"note,omitempty"`
	// Folded is true when consumers are folded that could be opened, Foldable when
	// the graph is large enough that they may be.
	Folded   bool `json:"folded,omitempty"`
	Foldable bool `json:"foldable,omitempty"`
	// Legend are rates that show what a width of a line means.
	Legend []Sample `json:"legend"`
}

// Head is what stands above a column.
type Head struct {
	Column int    `json:"column"`
	Title  string `json:"title"`
	Count  string `json:"count"`
}

// Node is one box. ID is its design path, with something behind it where one
// path has several boxes; Path is what it stands for and is chosen with it.
type Node struct {
	ID     string          `json:"id"`
	Kind   Kind            `json:"kind"`
	Column int             `json:"column"`
	Name   string          `json:"name"`
	Path   string          `json:"path"`
	At     design.Position `json:"at"`
	Tags   []string        `json:"tags,omitempty"`
	Lines  []Line          `json:"lines,omitempty"`
	Level  *Level          `json:"level,omitempty"`
	// Vessels counts workers that are drawn one by one.
	Vessels int `json:"vessels,omitempty"`
	// Refused is true for what the server refuses to create.
	Refused bool  `json:"refused,omitempty"`
	Marks   Marks `json:"marks"`
	// Band is the stream that it belongs to, "" for what no stream stores.
	Band string `json:"band,omitempty"`
	// Says is the node in one sentence for those who do not see it: What it is, its
	// texts, and More, which a drawing shows without words.
	Says string `json:"says"`
	What string `json:"what"`
	More string `json:"more,omitempty"`
}

// Line is a line of text on a node. As is subject, bold, error or "".
type Line struct {
	Text string `json:"text"`
	As   string `json:"as,omitempty"`
}

// Level is how full a stream is in the steady state, or how busy workers are:
// a share from 0, above 1 for more than there is. Text is the same in words.
type Level struct {
	Share float64 `json:"share"`
	Text  string  `json:"text"`
}

// Marks counts findings on a node.
type Marks struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
}

// Edge joins two nodes. Rate is in messages a second, 0 when not known; Text is
// what stands on the line.
type Edge struct {
	From    string  `json:"from"`
	To      string  `json:"to"`
	Flow    Flow    `json:"flow"`
	Rate    float64 `json:"rate"`
	Text    string  `json:"text,omitempty"`
	Subject string  `json:"subject,omitempty"`
	Refused bool    `json:"refused,omitempty"`
}

// Sample is a rate of the legend.
type Sample struct {
	Rate float64 `json:"rate"`
	Text string  `json:"text"`
}

// Finding is what a drawing shows of a finding: a mark at its place, and whether
// a server refuses it.
type Finding struct {
	Path     string
	Severity design.Severity
	ErrCode  int // of a refusal, else 0
}

// Options say what is known beside the design.
type Options struct {
	// Size gives rates and levels; without it only what is written is said.
	Size     *size.DesignSize
	Findings []Finding
	// Open are design paths of streams whose consumers are not folded; All opens
	// every one.
	Open []string
	All  bool
}

// Bounds. A drawing with more than MostOpen nodes has consumers folded, one
// with more than MostNodes is cut.
const (
	MostOpen  = 150
	MostNodes = 5_000
)

// Of is the graph of a design.
func Of(d *design.Design, o Options) Graph {
	b := &builder{d: d, o: o, at: map[string]int{}, heads: map[Kind]int{}, byPattern: map[string]bool{}}
	if o.Size != nil {
		b.sized = make(map[string]*size.DesignStream, len(o.Size.Streams))
		for i := range o.Size.Streams {
			b.sized[o.Size.Streams[i].Path] = &o.Size.Streams[i]
		}
	}
	b.fold = b.count() > MostOpen
	for _, scope := range d.Scopes() {
		b.scope(scope)
	}
	b.copies()
	b.order()
	b.mark()
	b.say()
	return b.g
}

type builder struct {
	d     *design.Design
	o     Options
	g     Graph
	sized map[string]*size.DesignStream
	at    map[string]int // by ID, in g.Nodes
	fold  bool
	cut   int
	// heads counts what the columns hold, folded or not.
	heads     map[Kind]int
	workers   int
	copied    []copied
	byPattern map[string]bool
}

// count is how many nodes there would be with nothing folded.
func (b *builder) count() int {
	n := 0
	for _, s := range b.d.Scopes() {
		n += len(s.Streams) + len(s.KV) + len(s.Objects) + 2*len(s.Publishers) + len(s.Subscribers)
		for _, st := range s.Streams {
			n += 2 * len(st.Consumers)
		}
	}
	return n
}

// add puts a node in; false when there are too many already.
func (b *builder) add(n Node) bool {
	if len(b.g.Nodes) >= MostNodes {
		b.cut++
		return false
	}
	n.Column, n.At = columns[n.Kind], b.d.Where(n.Path)
	if n.ID == "" {
		n.ID = n.Path
	}
	b.at[n.ID] = len(b.g.Nodes)
	b.g.Nodes = append(b.g.Nodes, n)
	return true
}

func (b *builder) join(e Edge) {
	if _, ok := b.at[e.From]; !ok {
		return
	}
	if _, ok := b.at[e.To]; ok {
		b.g.Edges = append(b.g.Edges, e)
	}
}
