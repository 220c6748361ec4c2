package design

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Refused is an asset of a design that a server refuses to create.
type Refused struct {
	Path string `json:"path"` // of the stream, bucket or consumer
	Text string `json:"text"` // the server's answer: "400/10138 …"
}

// RefusedSays is a sentence about what is refused, "" for nothing: the first with
// its answer, and how many more there are.
func RefusedSays(refused []Refused) string {
	if len(refused) == 0 {
		return ""
	}
	more := ""
	if n := len(refused) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("The server refuses %s (%s)%s, taken as not there: weir check says why.", refused[0].Path, refused[0].Text, more)
}

// Without is the design as it stands where a server refuses assets: their streams,
// buckets and consumers are not in its scopes, and events of scenarios that are
// about them are not in its scenarios. What was written stays: Value, Pos and
// Requests answer as before. The design itself does not change.
func (d *Design) Without(refused []Refused) *Design {
	if len(refused) == 0 {
		return d
	}
	gone := map[string]bool{}
	for _, r := range refused {
		gone[r.Path] = true
	}
	out := *d
	names := map[string]bool{} // of what is gone, as events name it
	out.Scope = d.Scope.without(gone, names)
	out.Accounts = slices.Clone(d.Accounts)
	for i, a := range out.Accounts {
		one := *a
		one.Scope = a.Scope.without(gone, names)
		out.Accounts[i] = &one
	}
	out.Leafnodes = slices.Clone(d.Leafnodes)
	for i, l := range out.Leafnodes {
		one := *l
		one.Scope = l.Scope.without(gone, names)
		out.Leafnodes[i] = &one
	}
	maps.DeleteFunc(names, func(n string, _ bool) bool { return out.names(n) })
	out.Scenarios = slices.Clone(d.Scenarios)
	for i, s := range out.Scenarios {
		one := *s
		one.Events = slices.DeleteFunc(slices.Clone(s.Events), func(e Event) bool { return e.Do != "burst" && names[strings.TrimPrefix(e.Target, "leader ")] })
		out.Scenarios[i] = &one
	}
	return &out
}

// without leaves out what is gone, and notes its names.
func (s Scope) without(gone, names map[string]bool) Scope {
	buckets := func(list []*Bucket) []*Bucket {
		return slices.DeleteFunc(slices.Clone(list), func(b *Bucket) bool { return gone[b.Path] })
	}
	s.KV, s.Objects = buckets(s.KV), buckets(s.Objects)
	streams := s.Streams
	s.Streams = nil
	for _, one := range streams {
		kept := *one
		kept.Consumers = nil
		for _, c := range one.Consumers {
			if gone[c.Path] || gone[one.Path] {
				names[c.Name], names[one.Name+"/"+c.Name] = true, true
				continue
			}
			kept.Consumers = append(kept.Consumers, c)
		}
		if gone[one.Path] {
			names[one.Name] = true
			continue
		}
		s.Streams = append(s.Streams, &kept)
	}
	return s
}

// names reports whether an event may name a stream or consumer of the design so.
func (d *Design) names(target string) bool {
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			if s.Name == target {
				return true
			}
			for _, c := range s.Consumers {
				if c.Name == target || s.Name+"/"+c.Name == target {
					return true
				}
			}
		}
	}
	return false
}
