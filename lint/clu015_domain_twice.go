package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CLU015",
	Name:     "domain-twice",
	Severity: design.Warning,
	Title:    "Two JetStreams that know nothing of each other have the same domain.",
	Why: "A domain is the address of one JetStream: $JS.<domain>.API. When hub and leaf node, or two leaf nodes, have the same one, a request is answered by whichever is " +
		"nearer, and a stream seems to come and go (server/leafnode.go, v2.15.2).",
	Fix:   "Give each side a domain of its own. Only servers that share one JetStream, through a system account and a cluster, share a domain.",
	Refs:  []string{"server/leafnode.go", "nats-server #3019"},
	Check: func(f *Facts) { f.domainsTwice() },
})

func (f *Facts) domainsTwice() {
	has, sites := map[string][]string{}, map[string]int{}
	if d := f.Server.Domain; d != "" {
		has[d], sites[d] = append(has[d], "the hub"), 1
	}
	for _, leaf := range f.Leafnodes {
		if d := domainOf(leaf); d != "" {
			has[d] = append(has[d], "leaf node "+clip(leaf.Name))
			sites[d] += max(leaf.Count, 1)
		}
	}
	for _, leaf := range f.Leafnodes {
		d := domainOf(leaf)
		own := "leaf node " + clip(leaf.Name)
		if d == "" || len(has[d]) < 2 || has[d][0] == own {
			continue
		}
		path := design.Join(leaf.Path, "domain")
		if leaf.Domain == "" {
			path = design.Join(leaf.Server.Path, "domain")
		}
		f.Report(path, Said{What: fmt.Sprintf("is the domain of %s too: %d JetStreams answer to $JS.%s.API, and which one is chance", has[d][0], sites[d], clip(d)),
			Write: "write a domain of its own", Figure: &Figure{"JetStreams of this domain", float64(sites[d]), "JetStreams", Computed}})
	}
}
