package calculator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"weir/design"
	"weir/size"
)

func cluster() Calculator {
	at := func(pick func(*clusterInput) *Quantity[float64]) func(*Input) *Quantity[float64] {
		return func(in *Input) *Quantity[float64] { return pick(&in.cluster) }
	}
	sized := func(pick func(*clusterInput) *Quantity[int64]) func(*Input) *Quantity[int64] {
		return func(in *Input) *Quantity[int64] { return pick(&in.cluster) }
	}
	return Calculator{
		Name: "cluster", About: "What each server of a cluster needs, what is used up first, and the most that fits",
		Fields: append([]Field{
			number("nodes", "how many servers", "count", Few(mostNodes), at(func(c *clusterInput) *Quantity[float64] { return &c.nodes })),
			number("zones", "how many zones they stand in (default 1)", "count", Few(mostNodes), at(func(c *clusterInput) *Quantity[float64] { return &c.zones })),
			bytes("memory", "memory of a server: the container's limit, or the machine's", sized(func(c *clusterInput) *Quantity[int64] { return &c.memory })),
			bytes("gomemlimit", "GOMEMLIMIT of a server", sized(func(c *clusterInput) *Quantity[int64] { return &c.memoryLimit })),
			bytes("disk", "volume of a server", sized(func(c *clusterInput) *Quantity[int64] { return &c.disk })),
			bytes("max-file-store", "max_file_store (default 75 % of the volume)", sized(func(c *clusterInput) *Quantity[int64] { return &c.maxFile })),
			bytes("max-memory-store", "max_memory_store (default 75 % of memory)", sized(func(c *clusterInput) *Quantity[int64] { return &c.maxMemory })),
			number("network", "what a server's interface carries each way, such as 125MiB/s", "size/s", ParseThroughput, at(func(c *clusterInput) *Quantity[float64] { return &c.network })),
			number("max-ha-assets", "max_ha_assets", "count", ParseCount, at(func(c *clusterInput) *Quantity[float64] { return &c.haAssets })),
			number("connections", "client connections to the cluster", "count", ParseCount, at(func(c *clusterInput) *Quantity[float64] { return &c.connections })),
			{Name: "sync-interval", Usage: "sync_interval (default 2m)", Suggest: []string{"always", "2m"}, at: func(in *Input) Value { return &in.cluster.sync }},
			number("streams", "how many streams like this one (default 1)", "count", Few(mostStreams), at(func(c *clusterInput) *Quantity[float64] { return &c.streams })),
			{Name: "reverse", Usage: "how much of the first stream the servers carry: rate, retention, subjects, consumers", at: func(in *Input) Value { return &in.cluster.reverse }},
		}, streamFields()...),
		Example: map[string]string{"nodes": "3", "memory": "8GiB", "disk": "300GiB", "rate": "800/s", "payload": "800", "id-bytes": "36", "replicas": "3", "max-age": "72h"},
		Answer:  answerCluster,
	}
}

// clusterInput describes servers that are alike.
type clusterInput struct {
	nodes, zones, streams, connections, haAssets, network Quantity[float64]
	memory, disk, maxFile, maxMemory, memoryLimit         Quantity[int64]
	sync                                                  syncValue
	reverse                                               flagValue
}

// syncValue is sync_interval: a duration, or always.
type syncValue struct {
	interval int64
	always   bool
	Text     string
}

// Set takes a duration or always.
func (f *syncValue) Set(s string) (err error) {
	f.Text, f.always = s, s == "always"
	if f.always {
		return nil
	}
	if f.interval, err = design.ParseDuration(s); err == nil && f.interval == 0 {
		err = fmt.Errorf("%q is no interval; write always, or a duration such as 2m", s)
	}
	return err
}

// String returns what was written.
func (f *syncValue) String() string { return f.Text }

// Type names the flag's type in help texts.
func (f *syncValue) Type() string { return "duration|always" }

// Bounds of what the cluster calculator sizes one by one.
const (
	mostNodes   = 100
	mostStreams = 1_000
	// mostAssets is how many streams and consumers there may be together.
	mostAssets = 100_000
)

// clusterOf puts the cluster together, and returns notes on how.
func (in *Input) clusterOf() (size.Cluster, []string, error) {
	c := &in.cluster
	if !c.nodes.Given() {
		return size.Cluster{}, nil, refuse("no servers given; write --nodes 3")
	}
	if c.zones.Value > c.nodes.Value {
		return size.Cluster{}, nil, refuse("%q cannot be --zones: %s cannot stand in more zones than servers; give fewer zones or more --nodes",
			c.zones.Text, size.Counted(int(c.nodes.Value), "server", "servers"))
	}
	assets, most := max(c.streams.Value, 1)*(1+in.stream.consumers.Value), float64(mostAssets)
	if c.reverse.on {
		most = MostAssetsReverse
	}
	if assets > most {
		return size.Cluster{}, nil, refuse("%q streams and consumers are more than are sized one by one; give fewer --streams or --consumers, at most %s together",
			size.FormatCount(assets), size.FormatCount(most))
	}
	s, notes, err := in.streamOf("STREAM")
	if err != nil {
		return size.Cluster{}, nil, err
	}
	out := size.Cluster{SyncInterval: time.Duration(c.sync.interval), SyncAlways: c.sync.always,
		Connections: c.connections.Value, Horizon: in.stream.horizon.Span()}
	for i := range int(c.nodes.Value) {
		n := size.Server{Name: fmt.Sprintf("n%d", i+1), Memory: c.memory.Value, Disk: c.disk.Value, GoMemLimit: c.memoryLimit.Value,
			MaxFileStore: c.maxFile.Value, MaxMemoryStore: c.maxMemory.Value, MaxHAAssets: int64(c.haAssets.Value), Network: c.network.Value}
		if c.zones.Given() {
			n.Zone = fmt.Sprintf("z%d", i%int(c.zones.Value)+1)
			n.Tags = []string{"zone:" + n.Zone}
			out.UniqueTag = "zone:"
		}
		out.Servers = append(out.Servers, n)
	}
	for i := range max(int(c.streams.Value), 1) {
		t := s
		if c.streams.Value > 1 {
			t.Name = fmt.Sprintf("STREAM%d", i+1)
		}
		out.Streams = append(out.Streams, t)
	}
	return out, notes, nil
}

// clusterValues is the answer for machines.
type clusterValues struct {
	Says string `json:"says"`
	Fits bool   `json:"fits"`
	size.ClusterSize
	Pods    []size.Pod    `json:"pods"`
	Reverse *size.Reverse `json:"reverse,omitempty"`
	Notes   []string      `json:"notes,omitempty"`
}

func answerCluster(in *Input) (Answer, error) {
	ask, notes, err := in.clusterOf()
	if err != nil {
		return Answer{}, err
	}
	v := clusterValues{Notes: notes}
	if v.ClusterSize, err = size.OfCluster(ask); err != nil {
		return Answer{}, Refused(err)
	}
	for i := range ask.Servers {
		p, err := size.OfPod(ask, v.ClusterSize, i)
		if err != nil {
			return Answer{}, Refused(err)
		}
		v.Pods = append(v.Pods, p)
	}
	c := &in.cluster
	if c.reverse.on {
		if c.memory.Value == 0 || c.disk.Value == 0 && c.maxFile.Value == 0 {
			return Answer{}, refuse("--reverse asks how much servers carry; say what they have with --memory and --disk")
		}
		r, err := size.OfReverse(ask, ask.Streams[0].Name)
		if err != nil {
			return Answer{}, Refused(err)
		}
		v.Reverse = &r
	}
	v.Says, v.Fits = clusterSays(ask, v)
	v.Notes = append(v.Notes, saturatedNote(v.Disk, v.Heap)...)
	if c.memory.Given() != c.disk.Given() {
		v.Notes = append(v.Notes, "whether the other is enough was not judged: of --memory and --disk only one was given")
	}
	return clusterAnswer(ask, v), nil
}

// clusterAnswer lays the values out for people.
func clusterAnswer(in size.Cluster, v clusterValues) Answer {
	a := Answer{Says: v.Says, Yes: v.Fits, Values: func(working bool) any {
		if working {
			return v
		}
		v := v
		v.ClusterSize = v.Prune(0)
		v.Pods = slices.Clone(v.Pods)
		for i := range v.Pods {
			p := &v.Pods[i]
			prune(false, &p.Memory, &p.GoMemLimit, &p.Volume, &p.MaxFileStore, &p.MaxMemoryStore)
		}
		if v.Reverse != nil {
			r := *v.Reverse
			prune(false, &r.Rate.Most, &r.Retention.Most, &r.Subjects.Most, &r.Consumers.Most)
			v.Reverse = &r
		}
		return v
	}}
	if !slices.ContainsFunc(v.Placement, func(p size.Placement) bool { return p.Refused == "" }) {
		return a
	}
	a.Tables = []Table{ServerTable(v.ClusterSize), PodTable(v.Pods)}
	if limits := ServerBindings(in, v.Bindings); len(limits) > 0 {
		a.Tables = append(a.Tables, BindingTable(limits, v.Nodes))
	}
	if v.Reverse != nil {
		a.Tables = append(a.Tables, reverseTable(in.Streams[0].Name, *v.Reverse))
	}
	fullest := 0
	for i, n := range v.Nodes {
		if n.Disk.Value+n.Heap.Value > v.Nodes[fullest].Disk.Value+v.Nodes[fullest].Heap.Value {
			fullest = i
		}
	}
	a.Notes = clusterNotes(v, fullest)
	server := in.Servers[fullest]
	a.Bars = []Bar{
		{Name: "Disk of " + v.Nodes[fullest].Server, Total: v.Nodes[fullest].Disk, Parts: partsOf(v.Nodes[fullest].Disk), Limits: limitsOf(server.Disk, "volume", server.MaxFileStore, "max_file_store")},
		{Name: "Heap of " + v.Nodes[fullest].Server, Total: v.Nodes[fullest].Heap, Parts: partsOf(v.Nodes[fullest].Heap), Limits: limitsOf(server.Memory, "memory", server.GoMemLimit, "GOMEMLIMIT")},
	}
	n, p := v.Nodes[fullest], v.Pods[fullest]
	a.ExplainedOf = n.Server + ", which holds the most"
	a.Explained = []size.Figure{n.Disk, n.Heap, p.Memory, p.GoMemLimit, p.Volume}
	return a
}

func limitsOf(one int64, what string, other int64, otherWhat string) []size.Figure {
	return []size.Figure{{Name: what, Value: float64(one), Unit: size.Bytes}, {Name: otherWhat, Value: float64(other), Unit: size.Bytes}}
}

// clusterNotes say what binds the streams, what the fullest server's container
// warns of, and reservations that are too much.
func clusterNotes(v clusterValues, fullest int) []string {
	notes := slices.Clone(v.Notes)
	if r := v.Streams[0].Retained; r.Binds != "messages" {
		notes = append(notes, BindsSays(r))
	}
	for _, w := range v.Pods[fullest].Warnings {
		notes = append(notes, v.Pods[fullest].Server+": "+w)
	}
	if n := v.Nodes[fullest]; n.HAAssets.Value > size.AdvisedHAAssets {
		notes = append(notes, fmt.Sprintf("%s holds %s HA assets; advised are at most %s a server, which max_ha_assets would hold it to", n.Server, n.HAAssets.Amount(), size.FormatCount(size.AdvisedHAAssets)))
	}
	for _, e := range v.Ledger {
		if e.Over {
			notes = append(notes, e.Says)
		}
	}
	return notes
}

// clusterSays is what a server needs, and whether it has it.
func clusterSays(in size.Cluster, a clusterValues) (says string, fits bool) {
	for _, p := range a.Placement {
		if p.Refused != "" {
			return fmt.Sprintf("%s cannot be placed: %s", p.Stream, strings.TrimSuffix(p.Refused, " ()")), false
		}
	}
	var need size.Pod
	for i, p := range a.Pods {
		if i == 0 || p.Memory.Value > need.Memory.Value {
			need.Memory = p.Memory
		}
		if i == 0 || p.Volume.Value > need.Volume.Value {
			need.Volume, need.MaxFileStore = p.Volume, p.MaxFileStore
		}
	}
	if need.Memory.Saturated || need.Volume.Saturated || a.Disk.Saturated || a.Heap.Saturated {
		return fmt.Sprintf("Does not fit; %s of disk and %s of heap together: no servers can hold that", a.Disk.Amount(), a.Heap.Amount()), false
	}
	says = fmt.Sprintf("%s with %s of memory and a volume of %s each", size.Counted(len(in.Servers), "server", "servers"), need.Memory.Amount(), need.Volume.Amount())
	if need.MaxFileStore.Value > 0 {
		says = fmt.Sprintf("%s with %s of memory, a volume of %s and max_file_store set to %s each",
			size.Counted(len(in.Servers), "server", "servers"), need.Memory.Amount(), need.Volume.Amount(), need.MaxFileStore.Amount())
	}
	for _, e := range a.Ledger {
		if e.Over {
			return "Does not fit; " + e.Says, false
		}
	}
	limits := ServerBindings(in, a.Bindings)
	if len(limits) == 0 {
		return says + " hold the worst case", true
	}
	b := limits[0]
	used := fmt.Sprintf("%s of %s: %s of %s, %s", b.What, b.Where, b.Used.Amount(), b.Limit.Amount(), b.Share.Unit.Format(b.Share.Value))
	switch {
	case b.Share.Value > 1:
		if b.Limit.Note != "" {
			used += " (" + b.Limit.Note + ")"
		}
		return "Does not fit; " + used + ". " + says + " would hold the worst case", false
	case b.Share.High > 1:
		return fmt.Sprintf("Fits, but not at worst; most used server limit is %s, at worst %s. %s would hold that", used, b.Share.Unit.Format(b.Share.High), says), true
	}
	for i, s := range in.Servers {
		// The worst case with room for the collector, as the table of needs has it.
		if i < len(a.Pods) && s.Memory > 0 && a.Pods[i].Memory.Value > float64(s.Memory) {
			return fmt.Sprintf("Fits, but %s has %s of memory and needs %s for the worst case, with room for Go's collector; most used server limit is %s",
				s.Name, size.FormatBytes(float64(s.Memory)), a.Pods[i].Memory.Amount(), used), true
		}
	}
	return fmt.Sprintf("Fits; most used server limit is %s", used), true
}

// ServerBindings are the limits of servers, the most used first: not those of
// streams, which are meant to bind, not advice, not what nothing uses, and
// not what stands in for hardware that nobody named.
func ServerBindings(in size.Cluster, all []size.Binding) []size.Binding {
	var out []size.Binding
	for _, b := range all {
		standsIn := len(b.Limit.Terms) == 0 && b.Limit.Basis != size.Given
		ofServer := false
		for _, s := range in.Servers {
			ofServer = ofServer || s.Name == b.Where
		}
		if ofServer && !standsIn && b.Used.Value > 0 {
			out = append(out, b)
		}
	}
	return out
}

// MostAssetsReverse is how many streams and consumers of a cluster reverse searches,
// which sizes it some 200 times.
const MostAssetsReverse = 2_000

// mostBindings is how many limits are shown.
const mostBindings = 6

// ServerTable is what each server of a cluster carries.
func ServerTable(all size.ClusterSize) Table {
	t := Table{Columns: []string{"server", "zone", "streams", "leads", "disk", "live heap", "at worst", "in", "out", "HA assets"}}
	for _, n := range all.Nodes {
		leads := 0
		for _, p := range n.Parts {
			if p.Leader {
				leads++
			}
		}
		zone := n.Zone
		if zone == "" {
			zone = "-"
		}
		t.Rows = append(t.Rows, []Cell{text(n.Server), text(zone), text(counted(len(n.Parts))), text(counted(leads)),
			shown(n.Disk), shown(n.Heap), text(size.FormatBytes(n.Heap.High)), shown(n.In), shown(n.Out), shown(n.HAAssets)})
	}
	return t
}

// PodTable is the containers of servers; those alike share a row.
func PodTable(pods []size.Pod) Table {
	t := Table{Title: "For the worst case each needs", Columns: []string{"server", "memory", "GOMEMLIMIT", "volume", "max_file_store", "max_memory_store"}}
	for _, p := range pods {
		t.Rows = append(t.Rows, []Cell{text(p.Server), shown(p.Memory), shown(p.GoMemLimit), shown(p.Volume), shown(p.MaxFileStore), shown(p.MaxMemoryStore)})
	}
	t.Rows = merged(t.Rows, 0)
	return t
}

// merged brings rows that differ in one column only together, that column's texts
// joined.
func merged(rows [][]Cell, column int) [][]Cell {
	at := map[string]int{}
	var out [][]Cell
	for _, r := range rows {
		key := ""
		for i, c := range r {
			if i != column {
				key += fmt.Sprintf("%q %q ", c.Text, c.Tone)
			}
		}
		if i, known := at[key]; known {
			out[i][column].Text += ", " + r[column].Text
			continue
		}
		at[key] = len(out)
		out = append(out, r)
	}
	return out
}

// BindingTable is limits, the most used first; nodes are the servers of the
// cluster.
func BindingTable(limits []size.Binding, nodes []size.NodeSize) Table {
	never := map[string]bool{}
	for _, n := range nodes {
		never[n.Server] = n.Full.Note != "" // limits bind before the volume is full
	}
	t := Table{Title: "Most used first"}
	for _, b := range limits {
		share := Cell{Text: b.Share.Unit.Format(b.Share.Value), Figure: &b.Share}
		switch {
		case b.Share.Value > 1:
			share.Tone = Bad
		case b.Share.High > 1:
			share.Tone = Warn
		}
		says := b.Says
		if b.What == "disk" && never[b.Where] {
			says = "never full: limits bind first"
		}
		t.Rows = append(t.Rows, []Cell{share, text(b.What), text(b.Where), text(b.Used.Amount() + " of " + b.Limit.Amount()), quiet(says)})
	}
	t.Rows = merged(t.Rows, 2)
	t.Rows = t.Rows[:min(mostBindings, len(t.Rows))]
	return t
}

func reverseTable(stream string, r size.Reverse) Table {
	return AnswerTable(fmt.Sprintf("Most that fits of %s, one at a time", stream), r.Rate, r.Retention, r.Subjects, r.Consumers)
}

// AnswerTable is the most that fits, and what ends it.
func AnswerTable(title string, answers ...size.Answer) Table {
	t := Table{Title: title}
	for _, a := range answers {
		ends := a.Most.Note
		switch {
		case a.Most.Value == 0 && a.Most.Note != "":
			ends = a.Most.Note
		case a.Ends != "":
			ends = "then " + a.Ends
			if a.Where != "" {
				ends += " of " + a.Where
			}
			ends += " ends it"
		}
		t.Rows = append(t.Rows, []Cell{text(a.Most.Name), shown(a.Most), quiet(ends)})
	}
	return t
}

// DesignSays is whether everything fits, and what is used up first.
func DesignSays(z size.DesignSize) (string, bool) {
	says, fits := designSays(z)
	if refused := design.RefusedSays(z.Refused); refused != "" {
		return refused + " " + says, false
	}
	return says, fits
}

func designSays(z size.DesignSize) (string, bool) {
	if len(z.Streams) == 0 {
		return "The design has no streams: there is nothing to size", true
	}
	var worst []string
	fits := true
	for _, s := range z.Sites {
		if len(s.Cluster.Streams) == 0 {
			continue
		}
		says, ok := clusterSays(s.Cluster, clusterValues{ClusterSize: s.All(), Pods: s.Pods})
		fits = fits && ok
		if len(z.Sites) > 1 {
			says = s.Name + ": " + says
		}
		worst = append(worst, says)
	}
	for _, s := range z.Streams {
		for _, c := range s.Consumers {
			if c.Utilisation.Value > 1 {
				worst = append(worst, fmt.Sprintf("Consumer %s/%s falls behind: %s arrive and its workers take %s", s.Name, c.Name, c.Arriving.Amount(), c.Capacity.Amount()))
				return strings.Join(worst, ". "), fits
			}
		}
	}
	return strings.Join(worst, ". "), fits
}
