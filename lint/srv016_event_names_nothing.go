package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "SRV016",
	Name:     "event-names-nothing",
	Severity: design.Warning,
	Title:    "An event of a scenario happens to something that the design does not have, so nothing happens.",
	Why: "A scenario is judged by what its events name: node 2, zone a, leader ORDERS, a consumer or a publisher. One that names nothing is left out of simulation and proof, " +
		"and the scenario looks survived.",
	Fix:   "Write node N, zone NAME or leader STREAM for servers, the name or STREAM/name for consumers, the name of a publisher for burst.",
	Refs:  []string{"docs/cli.md"},
	Check: func(f *Facts) { f.eventsNameSomething() },
})

func (f *Facts) eventsNameSomething() {
	for _, s := range f.Scenarios {
		for _, e := range s.Events {
			if e.Target == "" {
				continue
			}
			wanted := ""
			switch e.Do {
			case "kill", "restart", "partition":
				wanted = f.namesServer(e.Target)
			case "burst":
				wanted = f.namesPublisher(e.Target)
			case "step_down":
				if !f.namesStream(strings.SplitN(e.Target, "/", 2)[0]) {
					wanted = "a stream, or STREAM/consumer"
				}
			default:
				wanted = f.namesConsumer(e.Target)
			}
			if wanted != "" {
				f.Report(design.Join(e.Path, e.Do), Said{What: "names nothing of the design, and the event does not happen", Write: "write " + wanted,
					Figure: &Figure{"events that happen", 0, "events", Computed}})
			}
		}
	}
}

// namesServer is what to write in place of the name of a node, zone, leader or
// leaf node; "" where it names one.
func (f *Facts) namesServer(target string) string {
	what, which, _ := strings.Cut(target, " ")
	nodes := max(f.Server.Nodes, 1)
	switch what {
	case "node":
		n, err := strconv.Atoi(which)
		for _, l := range f.Leafnodes {
			if l.Name == which {
				return ""
			}
		}
		if which != "" && (err != nil || n < 1 || n > nodes) {
			return fmt.Sprintf("node 1 to node %d", nodes)
		}
		return ""
	case "zone":
		if which != "" && !slices.Contains(f.Server.Zones, which) {
			return "a zone of server.zones"
		}
		return ""
	case "leader":
		if which != "" && !f.namesStream(which) {
			return "leader and a stream"
		}
		return ""
	}
	for _, l := range f.Leafnodes {
		if l.Name == what {
			return ""
		}
	}
	// n2, node-2 and server2 are what people call it.
	if n, err := strconv.Atoi(strings.TrimLeft(target, "nodesrv-_ ")); err == nil && n >= 1 && n <= nodes {
		return fmt.Sprintf("node %d", n)
	}
	return "node 1, zone NAME or leader STREAM"
}

func (f *Facts) namesStream(name string) bool {
	for _, s := range f.Streams {
		if s.Name == name || s.Config.Name == name {
			return true
		}
	}
	return false
}

func (f *Facts) namesConsumer(target string) string {
	for _, s := range f.Streams {
		for _, c := range s.Consumers {
			if c.Name == target || s.Name+"/"+c.Name == target {
				return ""
			}
		}
	}
	return "a consumer, its name or STREAM/name"
}

func (f *Facts) namesPublisher(target string) string {
	for _, scope := range f.Scopes() {
		for _, p := range scope.Publishers {
			if p.Name == target {
				return ""
			}
		}
	}
	return "a publisher"
}
