package lint

import (
	"fmt"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "CLU013",
	Name:     "captured-on-both-sides",
	Severity: design.Warning,
	Title:    "A stream of the hub and one of a leaf node capture the same subject, so each message is stored twice.",
	Why: "A leaf node is one subject space with its hub while the link is up: a publish reaches the streams of both sides, and the publisher takes whichever PubAck " +
		"comes first. A hub that also sources the site's stream gets each message a second time, under another sequence (server/leafnode.go, v2.15.2).",
	Fix:   "Let the hub only source the site's stream, give each site a prefix of its own, or deny the subject on the link (deny_exports, deny_imports).",
	Refs:  []string{"server/leafnode.go", "nats-server #3161", "nats-server #4148"},
	Check: func(f *Facts) { f.capturedOnBothSides() },
})

func (f *Facts) capturedOnBothSides() {
	for _, leaf := range f.Leafnodes {
		denied := f.deniedOnLink(leaf)
		for _, near := range f.Streams {
			if near.Scope != &leaf.Scope || !near.Accepted {
				continue
			}
			for _, far := range f.Streams {
				if far.Scope.Leafnode != "" || !far.Accepted || far.Scope.Account != leaf.BindTo || far.Kind != "stream" {
					continue
				}
				if subj, at := sharedSubject(far, near, denied); subj != "" {
					f.reportBothSides(leaf, far, near, subj, at)
				}
			}
		}
	}
}

// sharedSubject is a subject of one stream that another captures too, unless the
// link lets none of it through.
func sharedSubject(far, near *Stream, denied []string) (subj string, at int) {
	for i, a := range far.Config.Subjects {
		for _, b := range near.Config.Subjects {
			if !subject.Meet(a, b) {
				continue
			}
			through := true
			for _, d := range denied {
				through = through && !subject.CoversAll(d, a) && !subject.CoversAll(d, b)
			}
			if through {
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

// deniedOnLink are the subjects that a leaf node's remotes keep back, either way.
func (f *Facts) deniedOnLink(leaf *design.Leafnode) []string {
	v, ok := f.Conf(leaf.Server, "conf.leafnodes", "remotes")
	if !ok || !v.Node.IsList() {
		return nil
	}
	var out []string
	for _, remote := range v.Node.Items {
		for _, key := range []string{"deny_exports", "deny_export", "deny_imports", "deny_import"} {
			switch list := remote.Get(key); {
			case list.IsList():
				for _, item := range list.Items {
					out = append(out, item.Text)
				}
			case list.IsText():
				out = append(out, list.Text)
			}
		}
	}
	return out
}
