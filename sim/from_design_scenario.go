package sim

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/design"
	"weir/size"
)

func (b *builder) findScenario() error {
	if b.o.Scenario == "" {
		return nil
	}
	var names []string
	for _, s := range b.d.Scenarios {
		if s.Name == b.o.Scenario {
			b.scenario, b.m.Scenario = s, s.Name
			return nil
		}
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		return fmt.Errorf("%q is not one of its scenarios: it has none", b.o.Scenario)
	}
	return fmt.Errorf("%q is not one of its scenarios: %s", b.o.Scenario, strings.Join(names, ", "))
}

// faults makes faults of the scenario's events. Bursts and scale-outs are part
// of publishers and workers already.
func (b *builder) faults() error {
	if b.scenario == nil {
		return nil
	}
	for i := range b.scenario.Events {
		e := &b.scenario.Events[i]
		list, err := b.faultsOf(e)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Path, err)
		}
		b.m.Faults = append(b.m.Faults, list...)
	}
	return nil
}

// marks lists what happens in the run.
func (b *builder) marks() {
	if b.scenario != nil {
		for _, e := range b.scenario.Events {
			if e.At >= b.m.Until {
				b.m.Late = append(b.m.Late, Late{e.Path, eventText(&e), e.At, e.For})
				continue
			}
			if e.Do != "burst" {
				mark := Mark{At: e.At, For: min(e.For, b.m.Until-e.At), Text: eventText(&e)}
				if c := b.consumersNamed(e.Target); len(c) == 1 {
					mark.Consumer = c[0].stream.name + "/" + c[0].Name
				}
				b.m.Marks = append(b.m.Marks, mark)
			}
		}
	}
	for _, x := range b.m.Bursts {
		if x.For < b.m.Until {
			b.m.Marks = append(b.m.Marks, Mark{x.At, x.For, "burst of " + x.Publisher + ": " + size.PerSecond.Format(x.Rate), true, ""})
		}
	}
	slices.SortStableFunc(b.m.Marks, func(x, y Mark) int { return cmp.Compare(x.At, y.At) })
}

func eventText(e *design.Event) string {
	switch e.Do {
	case "slow":
		return fmt.Sprintf("%s takes %s times as long", e.Target, size.FormatCount(e.Factor))
	case "scale":
		return fmt.Sprintf("%s has %d workers", e.Target, e.To)
	case "partition":
		return e.Target + " is cut off"
	}
	return strings.ReplaceAll(e.Do, "_", " ") + " of " + e.Target
}

func (b *builder) faultsOf(e *design.Event) ([]Fault, error) {
	f := Fault{At: e.At, For: e.For}
	switch e.Do {
	case "kill", "restart", "partition":
		return b.serverFault(f, e)
	case "step_down":
		f.Kind = FaultStepDown
		if strings.Contains(e.Target, "/") {
			b.say(e.Path, "not simulated: the leader of a consumer hands over in some 20 ms")
			return nil, nil
		}
		return b.ofStreams(f, e.Target)
	case "burst":
		for _, s := range b.d.Scopes() {
			for _, p := range s.Publishers {
				if p.Name == e.Target {
					return nil, nil
				}
			}
		}
		return nil, fmt.Errorf("%q is not a publisher", e.Target)
	}
	targets := b.consumersNamed(e.Target)
	if len(targets) == 0 {
		return nil, fmt.Errorf("%q is not a consumer; write its name or STREAM/name", e.Target)
	}
	var out []Fault
	for _, c := range targets {
		out = append(out, b.workerFaults(f, e, c)...)
	}
	return out, nil
}

// workerFaults are the faults of one event on the groups of a consumer.
func (b *builder) workerFaults(f Fault, e *design.Event, c *readConsumer) (out []Fault) {
	name := c.stream.name + "/" + c.Name
	f.Stream, f.Consumer, f.Worker = c.stream.name, c.Name, -1
	if f.For <= 0 {
		f.For = forGood
	}
	switch e.Do {
	case "stall":
		f.Kind = FaultStall
	case "freeze":
		f.Kind = FaultFreeze
	case "slow":
		f.Kind, f.Factor = FaultSlow, e.Factor
	case "crash":
		f.Kind, f.Worker, f.For = FaultCrash, 0, e.For
	default:
		return nil
	}
	for _, g := range b.m.Workers {
		if g.Name == name || strings.HasPrefix(g.Name, name+"/") || strings.HasPrefix(g.Name, name+"+") {
			f.Workers = g.Name
			out = append(out, f)
			if e.Do == "crash" {
				break
			}
		}
	}
	return out
}

// forGood lasts longer than any run.
const forGood = 2 * longestRun

func (b *builder) ofStreams(f Fault, target string) (out []Fault, err error) {
	list := b.streamsNamed(target)
	if len(list) == 0 {
		return nil, fmt.Errorf("%q is not a stream", target)
	}
	for _, h := range list {
		f.Stream = h.name
		out = append(out, f)
	}
	return out, nil
}

// serverFault is the loss of a node, of a zone's nodes or of a leader.
func (b *builder) serverFault(f Fault, e *design.Event) ([]Fault, error) {
	if f.For <= 0 {
		f.For = forGood
	}
	what, which, _ := strings.Cut(e.Target, " ")
	nodes := b.m.Server.Nodes
	if e.Do == "partition" {
		b.say(e.Path, "simulated as if the part that is cut off were down")
	}
	graceful := e.Do == "restart"
	switch {
	case what == "leader" && graceful:
		f.Kind = FaultStopLeader
		return b.ofStreams(f, which)
	case what == "leader":
		f.Kind = FaultKillLeader
		return b.ofStreams(f, which)
	case what == "zone":
		return b.zoneFault(f, e, which)
	case what != "node" || b.isLeafnode(which):
		b.say(e.Path, "not simulated: %q is none of the hub's nodes, zones and leaders", e.Target)
		return nil, nil
	}
	f.Kind = FaultKillNode
	if graceful {
		f.Kind = FaultRestartNode
	}
	n, err := strconv.Atoi(which)
	switch {
	case which == "":
		n = 1
	case err != nil || n < 1 || n > nodes:
		return nil, fmt.Errorf("%q is not one of the %d nodes; write node 1 to node %d", e.Target, nodes, nodes)
	}
	f.Nodes = []int{n}
	return []Fault{f}, nil
}

func (b *builder) isLeafnode(name string) bool {
	for _, l := range b.d.Leafnodes {
		if l.Name == name {
			return true
		}
	}
	return false
}

// zoneFault takes every node of a zone down. Nodes are in the zones in turn.
func (b *builder) zoneFault(f Fault, e *design.Event, zone string) ([]Fault, error) {
	zones := b.d.Server.Zones
	for i, z := range zones {
		if z != zone && zone != "" {
			continue
		}
		f.Kind = FaultKillNode
		for n := i + 1; n <= b.m.Server.Nodes; n += len(zones) {
			f.Nodes = append(f.Nodes, n)
		}
		return []Fault{f}, nil
	}
	return nil, fmt.Errorf("%q is not one of the zones; write them under server.zones", e.Target)
}

// WithFault is the model with one fault of goals.survive in place of its own
// faults, after a quarter of the run.
func (m *Model) WithFault(s design.Survive) (*Model, error) {
	out := *m
	out.Scenario, out.Faults, out.Goals = "survive "+s.Fault, nil, nil
	f := Fault{At: m.Until / 4, For: s.For, Worker: -1}
	if f.For <= 0 {
		f.For = min(10*time.Minute, m.Until/4)
	}
	out.Marks = []Mark{{At: f.At, For: f.For, Text: s.Fault}}
	switch s.Fault {
	case "node":
		f.Kind, f.Nodes = FaultKillNode, []int{1}
	case "zone":
		f.Kind = FaultKillNode
		for n := 1; n <= m.Server.Nodes; n += max(1, m.Server.Zones) {
			f.Nodes = append(f.Nodes, n)
		}
	case "leader":
		f.Kind = FaultKillLeader
	case "restart":
		f.Kind, f.Nodes = FaultRestartNode, []int{1}
	case "worker-stall":
		f.Kind = FaultStall
	case "worker-crash":
		f.Kind = FaultCrash
	default:
		return nil, fmt.Errorf("simulate survive: %q is not a fault that is simulated", s.Fault)
	}
	if f.Kind != FaultStall && f.Kind != FaultCrash {
		out.Faults = []Fault{f}
		return &out, nil
	}
	for _, g := range m.Workers {
		f.Workers = g.Name
		if f.Kind == FaultCrash {
			f.Worker = 0
		}
		out.Faults = append(out.Faults, f)
	}
	return &out, nil
}
