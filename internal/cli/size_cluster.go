package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/size"
)

type sizeClusterOptions struct {
	sizeOutput
	stream                                        streamFlags
	nodes, zones, streams, connections, haAssets  quantity[float64]
	memory, disk, maxFile, maxMemory, memoryLimit quantity[int64]
	network                                       quantity[float64]
	sync                                          syncFlag
	reverse                                       bool
}

// syncFlag is sync_interval: a duration, or always.
type syncFlag struct {
	interval int64
	always   bool
	text     string
}

// Set takes a duration or always.
func (f *syncFlag) Set(s string) (err error) {
	f.text, f.always = s, s == "always"
	if f.always {
		return nil
	}
	if f.interval, err = design.ParseDuration(s); err == nil && f.interval == 0 {
		err = fmt.Errorf("%q is no interval; write always, or a duration such as 2m", s)
	}
	return err
}

// String returns what was written.
func (f *syncFlag) String() string { return f.text }

// Type names the flag's type in help texts.
func (f *syncFlag) Type() string { return "duration|always" }

// Bounds of what weir size cluster sizes one by one.
const (
	mostNodes   = 100
	mostStreams = 1_000
	// mostAssets is how many streams and consumers there may be together;
	// --reverse sizes the cluster some 200 times.
	mostAssets        = 100_000
	mostAssetsReverse = 2_000
)

// sizeCluster sizes a cluster of servers that are alike.
func (c *Command) sizeCluster() *cobra.Command {
	var o sizeClusterOptions
	cmd := &cobra.Command{
		Use:   "cluster --nodes COUNT --payload BYTES (--messages COUNT | --rate RATE --max-age DURATION)",
		Short: "What each server of a cluster needs, what is used up first, and the most that fits",
		Long: `Places streams that are alike over servers that are alike, as the server would, and sizes
each server: disk, heap, traffic, HA assets, and the numbers of a container: memory request
and limit, GOMEMLIMIT, volume, max_file_store and max_memory_store. With --memory and --disk it
says whether that is enough, and with --reverse how much more of the stream would fit.

--zones spreads the servers over zones and the replicas of a stream with them
(jetstream.unique_tag), so a stream needs as many zones as replicas.
` + sizeHelp,
		Example: `  weir size cluster --nodes 3 --rate 800/s --payload 800 --id-bytes 36 --replicas 3 --max-age 72h
  weir size cluster --nodes 3 --memory 8GiB --disk 200GiB --rate 800/s --payload 800 --replicas 3 --max-age 72h
  weir size cluster --nodes 6 --zones 3 --streams 20 --rate 50/s --payload 1KiB --replicas 3 --max-bytes 10GiB --memory 4GiB --disk 150GiB
  weir size cluster --nodes 3 --memory 8GiB --disk 300GiB --rate 800/s --payload 800 --replicas 3 --max-age 72h --reverse`,
	}
	cmd.RunE = c.run(func([]string) (int, error) { return c.runSizeCluster(&o) })
	o.nodes.add(cmd, "nodes", "how many servers", "count", few(mostNodes))
	o.zones.add(cmd, "zones", "how many zones they stand in (default 1)", "count", few(mostNodes))
	sizeFlag(cmd, &o.memory, "memory", "memory of a server: the container's limit, or the machine's")
	sizeFlag(cmd, &o.memoryLimit, "gomemlimit", "GOMEMLIMIT of a server")
	sizeFlag(cmd, &o.disk, "disk", "volume of a server")
	sizeFlag(cmd, &o.maxFile, "max-file-store", "max_file_store (default 75 % of the volume)")
	sizeFlag(cmd, &o.maxMemory, "max-memory-store", "max_memory_store (default 75 % of memory)")
	o.network.add(cmd, "network", "what a server's interface carries each way, such as 125MiB/s", "size/s", parseThroughput)
	o.haAssets.add(cmd, "max-ha-assets", "max_ha_assets", "count", parseCount)
	o.connections.add(cmd, "connections", "client connections to the cluster", "count", parseCount)
	cmd.Flags().Var(&o.sync, "sync-interval", "sync_interval (default 2m)")
	complete(cmd, "sync-interval", []string{"always", "2m"})
	o.streams.add(cmd, "streams", "how many streams like this one (default 1)", "count", few(mostStreams))
	cmd.Flags().BoolVar(&o.reverse, "reverse", false, "how much of the first stream the servers carry: rate, retention, subjects, consumers")
	o.stream.add(cmd)
	o.sizeOutput.add(cmd)
	return cmd
}

// cluster puts the cluster together, and returns notes on how.
func (o *sizeClusterOptions) cluster() (size.Cluster, []string, error) {
	if !o.nodes.given() {
		return size.Cluster{}, nil, badInput("no servers given; write --nodes 3")
	}
	if o.zones.value > o.nodes.value {
		return size.Cluster{}, nil, badInput("%q cannot be --zones: %s cannot stand in more zones than servers; give fewer zones or more --nodes",
			o.zones.text, counted(int(o.nodes.value), "server", "servers"))
	}
	assets, most := max(o.streams.value, 1)*(1+o.stream.consumers.value), float64(mostAssets)
	if o.reverse {
		most = mostAssetsReverse
	}
	if assets > most {
		return size.Cluster{}, nil, badInput("%q streams and consumers are more than are sized one by one; give fewer --streams or --consumers, at most %s together",
			size.FormatCount(assets), size.FormatCount(most))
	}
	s, notes, err := o.stream.stream("STREAM")
	if err != nil {
		return size.Cluster{}, nil, err
	}
	out := size.Cluster{SyncInterval: time.Duration(o.sync.interval), SyncAlways: o.sync.always,
		Connections: o.connections.value, Horizon: o.stream.horizon.span()}
	for i := range int(o.nodes.value) {
		n := size.Server{Name: fmt.Sprintf("n%d", i+1), Memory: o.memory.value, Disk: o.disk.value, GoMemLimit: o.memoryLimit.value,
			MaxFileStore: o.maxFile.value, MaxMemoryStore: o.maxMemory.value, MaxHAAssets: int64(o.haAssets.value), Network: o.network.value}
		if o.zones.given() {
			n.Zone = fmt.Sprintf("z%d", i%int(o.zones.value)+1)
			n.Tags = []string{"zone:" + n.Zone}
			out.UniqueTag = "zone:"
		}
		out.Servers = append(out.Servers, n)
	}
	for i := range max(int(o.streams.value), 1) {
		t := s
		if o.streams.value > 1 {
			t.Name = fmt.Sprintf("STREAM%d", i+1)
		}
		out.Streams = append(out.Streams, t)
	}
	return out, notes, nil
}

// clusterJSON is the answer of weir size cluster.
type clusterJSON struct {
	Says string `json:"says"`
	Fits bool   `json:"fits"`
	size.ClusterSize
	Pods    []size.Pod    `json:"pods"`
	Reverse *size.Reverse `json:"reverse,omitempty"`
	Notes   []string      `json:"notes,omitempty"`
}

func (c *Command) runSizeCluster(o *sizeClusterOptions) (int, error) {
	in, notes, err := o.cluster()
	if err != nil {
		return codeOf(err), err
	}
	a := clusterJSON{Notes: notes}
	if a.ClusterSize, err = size.OfCluster(in); err != nil {
		return ExitUsage, sizeError(err)
	}
	for i := range in.Servers {
		p, err := size.OfPod(in, a.ClusterSize, i)
		if err != nil {
			return ExitUsage, sizeError(err)
		}
		a.Pods = append(a.Pods, p)
	}
	if o.reverse {
		if o.memory.value == 0 || o.disk.value == 0 && o.maxFile.value == 0 {
			return ExitUsage, badInput("--reverse asks how much servers carry; say what they have with --memory and --disk")
		}
		r, err := size.OfReverse(in, in.Streams[0].Name)
		if err != nil {
			return ExitUsage, sizeError(err)
		}
		a.Reverse = &r
	}
	a.Says, a.Fits = clusterSays(in, a)
	a.Notes = append(a.Notes, saturatedNote(a.Disk, a.Heap)...)
	if o.memory.given() != o.disk.given() {
		a.Notes = append(a.Notes, "whether the other is enough was not judged: of --memory and --disk only one was given")
	}
	if o.format.value == "json" {
		if !o.explain {
			a.ClusterSize = a.Prune(0)
			pruneAnswers(a)
		}
		return yesNo(a.Fits), c.printJSON(a)
	}
	c.printCluster(in, a, o.explain)
	return yesNo(a.Fits), nil
}

func pruneAnswers(a clusterJSON) {
	for i := range a.Pods {
		p := &a.Pods[i]
		prune(false, &p.Memory, &p.GoMemLimit, &p.Volume, &p.MaxFileStore, &p.MaxMemoryStore)
	}
	if r := a.Reverse; r != nil {
		prune(false, &r.Rate.Most, &r.Retention.Most, &r.Subjects.Most, &r.Consumers.Most)
	}
}

// clusterSays is what a server needs, and whether it has it.
func clusterSays(in size.Cluster, a clusterJSON) (says string, fits bool) {
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
		return fmt.Sprintf("Does not fit; %s of disk and %s of heap together: no servers can hold that", amount(a.Disk), amount(a.Heap)), false
	}
	says = fmt.Sprintf("%s with %s of memory and a volume of %s each", counted(len(in.Servers), "server", "servers"), amount(need.Memory), amount(need.Volume))
	if need.MaxFileStore.Value > 0 {
		says = fmt.Sprintf("%s with %s of memory, a volume of %s and max_file_store set to %s each",
			counted(len(in.Servers), "server", "servers"), amount(need.Memory), amount(need.Volume), amount(need.MaxFileStore))
	}
	limits := serverBindings(in, a.Bindings)
	if len(limits) == 0 {
		return says + " hold the worst case", true
	}
	b := limits[0]
	used := fmt.Sprintf("%s of %s: %s of %s, %s", b.What, b.Where, amount(b.Used), amount(b.Limit), b.Share.Unit.Format(b.Share.Value))
	switch {
	case b.Share.Value > 1:
		if b.Limit.Note != "" {
			used += " (" + b.Limit.Note + ")"
		}
		return "Does not fit; " + used + ". " + says + " would hold the worst case", false
	case b.Share.High > 1:
		return fmt.Sprintf("Fits, but not at worst; most used is %s, at worst %s. %s would hold that", used, b.Share.Unit.Format(b.Share.High), says), true
	}
	return fmt.Sprintf("Fits; most used is %s", used), true
}

// serverBindings are the limits of servers, the most used first: not those of
// streams, which are meant to bind, not advice, not what nothing uses, and
// not what stands in for hardware that nobody named.
func serverBindings(in size.Cluster, all []size.Binding) []size.Binding {
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

// mostBindings is how many limits are shown.
const mostBindings = 6

func (c *Command) printCluster(in size.Cluster, a clusterJSON, explain bool) {
	c.print(cell{a.Says, "1"})
	c.out.WriteString("\n\n")
	if !anyPlaced(a) {
		return
	}
	c.table("  ", nodeRows(a.ClusterSize))
	c.out.WriteString("\nFor the worst case each needs\n")
	c.table("  ", podRows(a.Pods))
	if limits := serverBindings(in, a.Bindings); len(limits) > 0 {
		c.out.WriteString("\nMost used first\n")
		c.table("  ", bindingRows(limits, a.Nodes))
	}
	if a.Reverse != nil {
		fmt.Fprintf(c.out, "\nMost that fits of %s, one at a time\n", in.Streams[0].Name)
		c.table("  ", reverseRows(*a.Reverse))
	}
	fullest := 0
	for i, n := range a.Nodes {
		if n.Disk.Value+n.Heap.Value > a.Nodes[fullest].Disk.Value+a.Nodes[fullest].Heap.Value {
			fullest = i
		}
	}
	c.printClusterNotes(a, fullest)
	if !explain {
		return
	}
	n, p := a.Nodes[fullest], a.Pods[fullest]
	fmt.Fprintf(c.out, "\nThe working of %s, which holds the most\n", n.Server)
	for _, f := range []size.Figure{n.Disk, n.Heap, p.Memory, p.GoMemLimit, p.Volume} {
		c.out.WriteByte('\n')
		c.out.WriteString(size.Explain(f))
	}
}

func anyPlaced(a clusterJSON) bool {
	for _, p := range a.Placement {
		if p.Refused == "" {
			return true
		}
	}
	return false
}

// printClusterNotes prints what binds the streams, what the fullest server's
// container warns of, and reservations that are too much.
func (c *Command) printClusterNotes(a clusterJSON, fullest int) {
	notes := append([]string(nil), a.Notes...)
	if r := a.Streams[0].Retained; r.Binds != "messages" {
		notes = append(notes, bindsSays(r))
	}
	for _, w := range a.Pods[fullest].Warnings {
		notes = append(notes, a.Pods[fullest].Server+": "+w)
	}
	for _, e := range a.Ledger {
		if e.Over {
			notes = append(notes, e.Says)
		}
	}
	c.out.WriteByte('\n')
	for _, n := range notes {
		c.print(dim("note: " + n))
		c.out.WriteByte('\n')
	}
}

func nodeRows(all size.ClusterSize) [][]cell {
	rows := [][]cell{{dim("server"), dim("zone"), dim("streams"), dim("leads"), dim("disk"), dim("live heap"), dim("at worst"), dim("in"), dim("out"), dim("HA assets")}}
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
		rows = append(rows, []cell{plain(n.Server), plain(zone), plain(thousands(len(n.Parts))), plain(thousands(leads)),
			plain(amount(n.Disk)), plain(amount(n.Heap)), plain(size.FormatBytes(n.Heap.High)), plain(amount(n.In)), plain(amount(n.Out)), plain(amount(n.HAAssets))})
	}
	return rows
}

func podRows(pods []size.Pod) [][]cell {
	rows := [][]cell{{dim("server"), dim("memory"), dim("GOMEMLIMIT"), dim("volume"), dim("max_file_store"), dim("max_memory_store")}}
	for _, p := range pods {
		rows = append(rows, []cell{plain(p.Server), plain(amount(p.Memory)), plain(amount(p.GoMemLimit)), plain(amount(p.Volume)), plain(amount(p.MaxFileStore)), plain(amount(p.MaxMemoryStore))})
	}
	return merged(rows, 0)
}

// merged brings rows that differ in one column only together, that column's
// texts joined.
func merged(rows [][]cell, column int) [][]cell {
	at := map[string]int{}
	var out [][]cell
	for _, r := range rows {
		rest := append([]cell(nil), r...)
		rest[column] = cell{}
		key := fmt.Sprintf("%q", rest)
		if i, known := at[key]; known {
			out[i][column].text += ", " + r[column].text
			continue
		}
		at[key] = len(out)
		out = append(out, r)
	}
	return out
}

func bindingRows(limits []size.Binding, nodes []size.NodeSize) [][]cell {
	never := map[string]bool{}
	for _, n := range nodes {
		never[n.Server] = n.Full.Note != "" // limits bind before the volume is full
	}
	var rows [][]cell
	for _, b := range limits {
		paint := plain
		switch {
		case b.Share.Value > 1:
			paint = bad
		case b.Share.High > 1:
			paint = warn
		}
		says := b.Says
		if b.What == "disk" && never[b.Where] {
			says = "never full: limits bind first"
		}
		rows = append(rows, []cell{paint(b.Share.Unit.Format(b.Share.Value)), plain(b.What), plain(b.Where), plain(amount(b.Used) + " of " + amount(b.Limit)), dim(says)})
	}
	rows = merged(rows, 2)
	return rows[:min(mostBindings, len(rows))]
}

func reverseRows(r size.Reverse) [][]cell {
	return answerRows(r.Rate, r.Retention, r.Subjects, r.Consumers)
}

func answerRows(answers ...size.Answer) [][]cell {
	var rows [][]cell
	for _, a := range answers {
		ends := "nothing ends it below that"
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
		rows = append(rows, []cell{plain(a.Most.Name), plain(amount(a.Most)), dim(ends)})
	}
	return rows
}
