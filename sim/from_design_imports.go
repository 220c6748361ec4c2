package sim

import (
	"weir/design"
	"weir/subject"
)

// arrivesAs is the subjects under which what is published in one scope arrives in
// another: as it is where it is heard, and renamed by the stream imports of an
// account.
//
// Source: nats-server v2.15.2 server/accounts.go, AddMappedStreamImport: a prefix
// goes before the subject, "to" takes its place.
func (b *builder) arrivesAs(stream, publisher *design.Scope, subj string) (out []string) {
	if b.hears(stream, publisher) {
		out = append(out, subj)
	}
	if stream.Leafnode != "" {
		return out
	}
	from := publisher.Account
	if publisher.Leafnode != "" {
		from = b.boundTo(publisher.Leafnode)
	}
	for _, a := range b.d.Accounts {
		if a.Name != stream.Account {
			continue
		}
		for _, in := range a.Imports {
			if in.Service || in.Account != from || !subject.Match(in.Subject, subj) {
				continue
			}
			switch {
			case in.To != "":
				out = append(out, renamed(in.Subject, in.To, subj))
			case in.Prefix != "":
				out = append(out, in.Prefix+"."+subj)
			default:
				out = append(out, subj)
			}
		}
	}
	return out
}

// boundTo is the hub's account that a leaf node site is connected to.
func (b *builder) boundTo(leafnode string) string {
	for _, l := range b.d.Leafnodes {
		if l.Name == leafnode && l.BindTo != "" {
			return l.BindTo
		}
	}
	return design.Hub
}
