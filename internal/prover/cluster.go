package prover

import (
	"fmt"
	"slices"
	"strings"

	"weir/prove"
)

// ShownCluster is what the servers did during a workload: a timeline, and what
// they were at each moment at which something changed. Moments has one at least
// once the servers were looked at.
type ShownCluster struct {
	Timeline Timeline `json:"timeline"`
	Moments  []Moment `json:"moments"`
}

// Moment is what the servers were from a time on.
type Moment struct {
	At      float64       `json:"at"`   // a share of the timeline's width
	Text    string        `json:"text"` // "11.2 s"
	Nodes   []ShownNode   `json:"nodes"`
	Streams []ShownStream `json:"streams"`
}

// ShownNode is a server at a Moment. Name is how faults name it.
type ShownNode struct {
	Name   string `json:"name"`
	Target string `json:"target"` // "node 2"
	Down   bool   `json:"down"`
	// Says is what it leads: "leads ORDERS", "leads 3 streams", "follows", "down".
	Says string `json:"says"`
}

// ShownStream is a stream at a Moment, and which nodes have it.
type ShownStream struct {
	Name   string   `json:"name"`
	Leader string   `json:"leader"` // "" while nobody leads
	Others []string `json:"others"` // its replicas that are current
	Behind []string `json:"behind"` // its replicas that are not
	Says   string   `json:"says"`
}

// clusterState is what is known while changes are read.
type clusterState struct {
	seen   prove.Cluster
	down   map[string]bool
	leader map[string]string          // of a stream
	behind map[string]map[string]bool // of a stream: node to whether it is behind
}

func newClusterState(seen prove.Cluster) *clusterState {
	s := &clusterState{seen: seen, down: map[string]bool{}, leader: map[string]string{}, behind: map[string]map[string]bool{}}
	for _, name := range seen.Streams {
		s.behind[name] = map[string]bool{}
	}
	return s
}

func (s *clusterState) take(c prove.ServerChange) {
	switch c.Kind {
	case prove.ChangeDown, prove.ChangeUp:
		s.down[c.Node] = c.Kind == prove.ChangeDown
	case prove.ChangeLeads:
		s.leader[c.Stream] = c.Node
	case prove.ChangeBehind, prove.ChangeCurrent:
		s.behind[c.Stream][c.Node] = c.Kind == prove.ChangeBehind
	}
}

// moment is the state as it is now.
func (s *clusterState) moment(at float64, text string) Moment {
	m := Moment{At: at, Text: text, Nodes: []ShownNode{}, Streams: []ShownStream{}}
	for i, node := range s.seen.Nodes {
		m.Nodes = append(m.Nodes, ShownNode{Name: node, Target: fmt.Sprintf("node %d", i+1), Down: s.down[node], Says: s.says(node)})
	}
	for _, name := range s.seen.Streams {
		stream := ShownStream{Name: name, Leader: s.leader[name], Others: []string{}, Behind: []string{}}
		for _, node := range s.seen.Nodes {
			behind, has := s.behind[name][node]
			switch {
			case !has || node == stream.Leader:
			case behind || s.down[node]:
				stream.Behind = append(stream.Behind, node)
			default:
				stream.Others = append(stream.Others, node)
			}
		}
		stream.Says = stream.says()
		m.Streams = append(m.Streams, stream)
	}
	return m
}

func (s ShownStream) says() string {
	says := "nobody leads"
	if s.Leader != "" {
		says = s.Leader + " leads"
	}
	if len(s.Others) > 0 {
		says += ", " + strings.Join(s.Others, " and ") + " in step"
	}
	if len(s.Behind) > 0 {
		says += ", " + strings.Join(s.Behind, " and ") + " behind"
	}
	return says
}

func (s *clusterState) says(node string) string {
	if s.down[node] {
		return "down"
	}
	var leads []string
	holds := false
	for _, name := range s.seen.Streams {
		if s.leader[name] == node {
			leads = append(leads, name)
		}
		_, has := s.behind[name][node]
		holds = holds || has
	}
	switch {
	case len(leads) > 1:
		return fmt.Sprintf("leads %d streams", len(leads))
	case len(leads) == 1:
		return "leads " + leads[0]
	case holds:
		return "follows"
	}
	return "no replica"
}

// shownCluster draws what was seen until now. Steps are those of the run; faults
// and what a scenario did are among them.
func shownCluster(seen prove.Cluster, steps []prove.Step, now int64) ShownCluster {
	d := clusterDrawing{w: window{from: seen.From, to: max(now, seen.From+1)}, state: newClusterState(seen), lanes: map[string]*Lane{}, says: map[string]string{}}
	moments := []Moment{}
	for i, c := range seen.Changes {
		d.take(c)
		if i+1 < len(seen.Changes) && seen.Changes[i+1].AtMS == c.AtMS {
			continue // seen at the same look
		}
		d.nodes(c.AtMS)
		if len(moments) < maxMoments {
			moments = append(moments, d.state.moment(d.w.at(c.AtMS), d.w.since(c.AtMS)))
		}
	}
	if n := len(moments); n > 0 {
		moments[n-1].At, moments[n-1].Text = 1, d.w.since(d.w.to) // as it is now
	}
	t := Timeline{Title: "What happened", Held: true, Ticks: d.w.ticks(), Lanes: []Lane{}}
	for _, name := range append(slices.Clone(seen.Nodes), acksLane) {
		if lane := d.lanes[name]; lane != nil {
			t.Lanes = append(t.Lanes, *lane)
		}
	}
	if lane := d.w.faults(steps); len(lane.Marks) > 0 {
		t.Lanes = append(t.Lanes, lane)
	}
	for i := range t.Lanes {
		t.Lanes[i].stack()
	}
	return ShownCluster{Timeline: t, Moments: moments}
}

// acksLane is the name of the lane below those of the nodes.
const acksLane = "PubAcks"

// clusterDrawing draws changes into a lane for each node and one for PubAcks.
type clusterDrawing struct {
	w     window
	state *clusterState
	lanes map[string]*Lane
	says  map[string]string // by lane, what its last span says
}

func (d *clusterDrawing) take(c prove.ServerChange) {
	d.state.take(c)
	switch c.Kind {
	case prove.ChangeAcks:
		d.begin(acksLane, "acks", "messages are acknowledged", c.AtMS)
	case prove.ChangeSilent:
		d.begin(acksLane, "down", "no PubAck", c.AtMS)
	}
}

// nodes draws what the nodes are from a time on.
func (d *clusterDrawing) nodes(at int64) {
	for _, name := range d.state.seen.Nodes {
		says := d.state.says(name)
		d.begin(name, spanKind(says), says, at)
	}
}

// begin ends the last span of a lane and begins another, where that says something
// else. Whatever says nothing yet has none.
func (d *clusterDrawing) begin(lane, kind, says string, at int64) {
	if d.says[lane] == says {
		return
	}
	d.says[lane] = says
	l := d.lanes[lane]
	if l == nil {
		l = &Lane{Name: lane}
		d.lanes[lane] = l
	}
	if n := len(l.Spans); n > 0 {
		l.Spans[n-1].To = d.w.at(at)
	}
	if len(l.Spans) < maxSpans {
		l.Spans = append(l.Spans, Span{From: d.w.at(at), To: 1, Text: says, Kind: kind, About: says + " from " + d.w.since(at)})
	}
}

// maxMoments bounds what is said of one run.
const maxMoments = 80

// spanKind is how what a node says is drawn.
func spanKind(says string) string {
	switch {
	case says == "down":
		return "down"
	case strings.HasPrefix(says, "leads"):
		return "run"
	}
	return "idle"
}

// faults marks what was done to the servers.
func (w window) faults(steps []prove.Step) Lane {
	lane := Lane{Name: "faults"}
	for _, s := range steps {
		what, isFault := strings.CutPrefix(s.Do, "fault: ")
		if !isFault {
			if what, isFault = strings.CutPrefix(s.Do, "scenario: "); !isFault {
				continue
			}
		}
		m := Mark{At: w.at(s.AtMS), Kind: "fault", Text: what, About: fmt.Sprintf("%s: %s", w.since(s.AtMS), what)}
		if s.Reply != nil && s.Reply.Text != "" {
			m.About += ": " + s.Reply.Text
		}
		if !s.OK && !s.Unfinished {
			m.Kind = "bad"
		}
		lane.Marks = append(lane.Marks, m)
	}
	return lane
}
