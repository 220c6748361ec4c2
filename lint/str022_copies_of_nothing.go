package lint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "STR022",
	Name:     "copies-of-nothing",
	Severity: design.Warning,
	Title:    "The stream copies from one that is not there, or a part of it that is empty.",
	Why: "A mirror or source of a missing stream is accepted: the server tries again and again, and the copy stays empty without a finding of its own. So does one whose filter matches none of " +
		"the origin's subjects (server/stream.go, v2.15.2; measured: a mirror of a missing stream is created).",
	Fix:   "Correct the name, the external api or the filter.",
	Refs:  []string{"server/stream.go setupMirrorConsumer, setupSourceConsumer"},
	Check: func(f *Facts) { f.AcceptedStreams(f.copiesOfNothing) },
})

func (f *Facts) copiesOfNothing(s *Stream) {
	if s.Kind != "stream" || !f.Has("weir") {
		return // a design file says which streams there are; a few JSON files do not
	}
	look := func(path, name, filter, api string) {
		if f.noSuchDomain(path, api) {
			return
		}
		origin, known := f.originOf(s, name, api)
		said := Said{Figure: &Figure{"messages copied", 0, "msgs", Computed}}
		switch {
		case !known:
			return
		case origin == nil && api != "":
			said.What, said.Write = fmt.Sprintf("is no stream of the site or account behind %s, and is copied from for ever: 0 messages arrive", clip(api)), "correct the name or the api"
		case origin == nil:
			said.What, said.Write = "is no stream of this account, and is copied from for ever: 0 messages arrive", "correct the name, or write external where it lives elsewhere"
		case filter != "" && len(origin.Config.Subjects) > 0 && !meetsAny(origin.Config.Subjects, filter):
			path = design.Join(design.Parent(path), "filter_subject")
			said.What, said.Write = fmt.Sprintf("matches no subject of stream %s: 0 messages are copied", clip(origin.Name)), "write a filter within "+clip(origin.Config.Subjects[0])
		default:
			return
		}
		f.Report(path, said)
	}
	if m := s.Config.Mirror; m != nil {
		look(design.Join(design.Join(s.Path, "mirror"), "name"), m.Name, m.FilterSubject, apiOf(m.External))
	}
	for i, src := range s.Config.Sources {
		look(design.Join(design.Index(design.Join(s.Path, "sources"), i), "name"), src.Name, src.FilterSubject, apiOf(src.External))
	}
}

// noSuchDomain reports an api with a domain that no server of the design has: above
// all that of several sites, since each needs one of its own. Where the design
// says nothing of domains it is a note: another may describe that one.
func (f *Facts) noSuchDomain(path, api string) bool {
	domain, ok := domainOfAPI(api)
	if !ok || domain == f.Server.Domain {
		return false
	}
	said := Said{What: "has the domain " + clip(domain) + ", which no server and no site of the design has: 0 messages arrive",
		Write: "correct the domain, or give it to the server that is meant", Figure: &Figure{"messages copied", 0, "msgs", Computed}}
	var domains []string
	if f.Server.Domain != "" {
		domains = append(domains, f.Server.Domain)
	}
	for _, leaf := range f.Leafnodes {
		own := domainOf(leaf)
		switch {
		case leaf.Count > 1 && own == domain:
			said.What = fmt.Sprintf("has the domain %s of %d sites, and each needs one of its own, such as %[1]s-1: 0 messages arrive", clip(domain), leaf.Count)
			said.Write = "write a source for each site: $JS." + clip(domain) + "-1.API and so on"
		case leaf.Count > 1:
			if n, err := strconv.Atoi(strings.TrimPrefix(domain, own+"-")); err == nil && n >= 1 && n <= leaf.Count {
				return false
			}
		case own == domain:
			return false
		}
		if own != "" {
			domains = append(domains, own)
		}
	}
	if near := natsapi.Suggest(domain, domains); near != "" && near != domain {
		said.Write = "write $JS." + near + ".API"
	}
	if len(domains) == 0 {
		said.Severity = design.Info
	}
	f.Report(design.Join(design.Join(design.Parent(path), "external"), "api"), said)
	return true
}

// domainOfAPI is the domain in an api prefix, such as plant in $JS.plant.API.
func domainOfAPI(api string) (domain string, ok bool) {
	domain, ok = strings.CutPrefix(api, "$JS.")
	domain, whole := strings.CutSuffix(domain, ".API")
	return domain, ok && whole
}

func apiOf(e *api.ExternalStream) string {
	if e == nil {
		return ""
	}
	return e.ApiPrefix
}

func meetsAny(subjects []string, filter string) bool {
	for _, s := range subjects {
		if subject.Meet(s, filter) {
			return true
		}
	}
	return false
}

// originOf is the stream that a copy names; nil when the design has none of that
// name there. known is false when the design does not say what is there: another
// account's exports, or a domain that it does not describe.
func (f *Facts) originOf(s *Stream, name, api string) (origin *Stream, known bool) {
	leafnode, account := s.Scope.Leafnode, s.Scope.Account
	if api != "" {
		domain, ok := domainOfAPI(api)
		if !ok {
			return nil, false
		}
		at := -1
		for i, leaf := range f.Leafnodes {
			if domainOf(leaf) == domain && leaf.Count <= 1 {
				at = i
			}
		}
		if at < 0 {
			return nil, false
		}
		leafnode, account = f.Leafnodes[at].Name, f.Leafnodes[at].Account
	}
	for _, o := range f.Streams {
		if o.Config.Name == name && o.Scope.Leafnode == leafnode && o.Scope.Account == account {
			return o, true
		}
	}
	return nil, true
}
