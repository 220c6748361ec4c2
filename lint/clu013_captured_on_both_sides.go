package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "CLU013",
	Name:     "captured-on-both-sides",
	Severity: design.Warning,
	Title:    "A stream of the hub and one of a leaf node capture the same subject, so each message is stored twice.",
	Why: "A leaf node is one subject space with its hub while the link is up: a publish reaches the streams of both sides, and the publisher takes whichever PubAck " +
		"comes first. A hub that also sources the site's stream gets each message a second time, under another sequence (server/leafnode.go, v2.15.2).",
	Fix:  "Let the hub only source the site's stream, give each site a prefix of its own, or deny the subject on the link (deny_exports, deny_imports).",
	Refs: []string{"server/leafnode.go", "nats-server #3161", "nats-server #4148"},
	Check: func(f *Facts) {
		f.capturedOnBothSides()
		f.capturedAtManySites()
	},
})

func (f *Facts) capturedOnBothSides() {
	for _, leaf := range f.Leafnodes {
		for _, near := range f.Streams {
			if near.Scope != &leaf.Scope || !near.Accepted {
				continue
			}
			for _, far := range f.Streams {
				if far.Scope.Leafnode != "" || !far.Accepted || far.Scope.Account != leaf.BindTo || far.Kind != "stream" {
					continue
				}
				if subj, at := sharedSubject(far, near); subj != "" {
					f.reportBothSides(leaf, far, near, subj, at)
				}
			}
		}
	}
}

// sharedSubject is a subject of one stream that another captures too. What a link keeps
// back is no part of a design.
func sharedSubject(far, near *Stream) (subj string, at int) {
	for i, a := range far.Config.Subjects {
		for _, b := range near.Config.Subjects {
			if subject.Meet(a, b) {
				return b, i
			}
		}
	}
	return "", 0
}

func (f *Facts) reportBothSides(leaf *design.Leafnode, far, near *Stream, subj string, at int) {
	said := Said{Write: "take the subject out of the hub's stream, or give each site a prefix of its own", Figure: &Figure{"copies of a message", 2, "copies", Computed}}
	copies := false
	for _, src := range far.Config.Sources {
		copies = copies || src.Name == near.Config.Name && src.External != nil && (leaf.Domain == "" || src.External.ApiPrefix == "$JS."+leaf.Domain+".API")
	}
	said.What = fmt.Sprintf("meets %s of stream %s on leaf node %s: while the link is up each message is stored 2 times and answered 2 times, and the publisher takes the first answer", clip(subj), clip(near.Name), clip(leaf.Name))
	if copies {
		said.What = fmt.Sprintf("meets %s of stream %s on leaf node %s, which this stream sources as well: each message gets here 2 times, by subject and by source", clip(subj), clip(near.Name), clip(leaf.Name))
	}
	f.Report(design.Index(design.Join(far.Path, "subjects"), at), said)
}

// capturedAtManySites is about sites whose streams capture the same subject: the hub
// passes the interest of one leaf node on to the others, so that what is published at
// one site is stored at each (measured on 2.15.2), until isolate_leafnode_interest
// (2.12) or a deny in a nats-server.conf keeps it back.
func (f *Facts) capturedAtManySites() {
	at := map[string][]*Stream{} // by the site's path
	f.AcceptedStreams(func(s *Stream) {
		if s.Scope.Leafnode != "" && s.Kind == "stream" {
			at[s.Scope.Path] = append(at[s.Scope.Path], s)
		}
	})
	for i, leaf := range f.Leafnodes {
		for _, s := range at[leaf.Path] {
			sites, other := max(leaf.Count, 1), ""
			subj, n := sharedSubject(s, s)
			for _, later := range f.Leafnodes[i+1:] {
				for _, o := range at[later.Path] {
					if both, k := sharedSubject(s, o); later.BindTo == leaf.BindTo && both != "" {
						subj, n, sites, other = both, k, sites+max(later.Count, 1), o.Name
					}
				}
			}
			if sites > 1 && subj != "" {
				f.reportSites(leaf, s, subj, n, sites, other)
			}
		}
	}
}

func (f *Facts) reportSites(leaf *design.Leafnode, s *Stream, subj string, at, sites int, other string) {
	where := fmt.Sprintf("in each of %d sites", sites)
	if other != "" {
		where = fmt.Sprintf("here and by stream %s, at %d sites", clip(other), sites)
	}
	write := "give each site a prefix of its own, or write isolate_leafnode_interest: true under leafnodes in the hub's nats-server.conf"
	if !f.VersionAt(leaf.Path).AtLeast(natsapi.Version{Major: 2, Minor: 12}) {
		write = "give each site a prefix of its own, or deny_imports of it in the leafnodes.remotes of each site"
	}
	severity := design.Severity("")
	if other == "" {
		severity = design.Info // one description for all sites, which cannot say what differs
	}
	f.Report(design.Index(design.Join(s.Path, "subjects"), at), Said{Write: write, Severity: severity,
		What: fmt.Sprintf("is captured %s, and the hub passes on what each is interested in: while links are up a message on %s is stored %d times and answered %d times, and the publisher takes the first answer",
			where, clip(subj), sites, sites),
		Figure: &Figure{"copies of a message", float64(sites), "copies", Computed}})
}
