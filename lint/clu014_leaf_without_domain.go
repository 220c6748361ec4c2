package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CLU014",
	Name:     "leaf-without-domain",
	Severity: design.Warning,
	Title:    "A leaf node with JetStream and no domain cannot be addressed from elsewhere.",
	Why: "The JetStream API does not cross a leaf node link: $JS.API is answered by the servers of the own side only. A domain gives each side a name, $JS.<domain>.API, by which " +
		"others create, read, mirror and source its streams (server/jetstream.go, v2.15.2; ADR on domains in the JetStream design).",
	Fix:   "Write a domain for each kind of site, different from the hub's and from each other's.",
	Refs:  []string{"server/leafnode.go", "server/jetstream.go", "wasmcloud-otp #273"},
	Check: func(f *Facts) { f.leavesWithoutDomain() },
})

func (f *Facts) leavesWithoutDomain() {
	for _, leaf := range f.Leafnodes {
		jetStream := len(leaf.Streams)+len(leaf.KV)+len(leaf.Objects) > 0 || f.Has(design.Join(design.Join(leaf.Server.Path, "conf"), "jetstream"))
		if !jetStream || domainOf(leaf) != "" {
			continue
		}
		apart := 1 + max(leaf.Count, 1)
		f.Report(leaf.Path, Said{What: fmt.Sprintf("has JetStream and no domain: what is created there is seen there only, and %d JetStreams answer to the same $JS.API, each on its side", apart),
			Write: "write domain: " + clip(leaf.Name), Fix: f.SetFix("Write domain: "+leaf.Name, design.Join(leaf.Path, "domain"), leaf.Name), Figure: &Figure{"JetStreams without a name of their own", float64(apart), "JetStreams", Computed}})
	}
}

// domainOf is the JetStream domain of a leaf node site.
func domainOf(leaf *design.Leafnode) string {
	if leaf.Domain != "" {
		return leaf.Domain
	}
	return leaf.Server.Domain
}
