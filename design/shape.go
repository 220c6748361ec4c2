package design

import (
	"strings"

	"weir/natsapi"
)

// kind says what a value is to the design file.
type kind uint8

const (
	kindString kind = iota
	kindBool
	kindInt
	kindNumber
	kindSize
	kindDuration
	kindRate
	kindShare
	kindTime
	kindEnum
	kindVersion // a server version
	kindSurvive // an entry of goals.survive
	kindDist    // a distribution of elem
	kindObject  // a map of known keys
	kindList
	kindMap
	kindEither // one of alts
)

// shape is the type of a value. Fields give bounds and enums; a shape knows how
// values nest.
type shape struct {
	kind kind
	elem *shape    // of lists, maps and distributions
	set  *fieldSet // of objects
	alts []*shape  // of either
	enum []string
}

var kindNames = map[string]kind{
	"string": kindString, "bool": kindBool, "int": kindInt, "number": kindNumber, "size": kindSize, "duration": kindDuration,
	"rate": kindRate, "share": kindShare, "time": kindTime, "enum": kindEnum, "version": kindVersion, "survive": kindSurvive,
}

func enumNames(f natsapi.Field) []string {
	names := make([]string, 0, len(f.Enum))
	for _, e := range f.Enum {
		if e.Name != "" {
			names = append(names, e.Name)
		}
	}
	return names
}

// shapeOf is the shape of a field of natsapi. A conf key that takes a size or a
// duration takes bare integers too in nats-server.conf; in a design it does not.
func shapeOf(f natsapi.Field, set func(string) *fieldSet) *shape {
	main := apiShape(f.Type, f, set)
	alts := []*shape{main}
	for _, t := range f.Also {
		if t == natsapi.Int && (f.Type == natsapi.Size || f.Type == natsapi.Duration) {
			continue
		}
		alts = append(alts, apiShape(t, f, set))
	}
	if len(alts) == 1 {
		return main
	}
	return &shape{kind: kindEither, alts: alts}
}

func apiShape(t natsapi.Type, f natsapi.Field, set func(string) *fieldSet) *shape {
	switch t {
	case natsapi.Object:
		return &shape{kind: kindObject, set: set(string(f.Of))}
	case natsapi.List, natsapi.Map:
		k := kindList
		if t == natsapi.Map {
			k = kindMap
		}
		if f.Elem == natsapi.List { // conf mappings: a destination, one with its weight, or several of these
			one := []*shape{{kind: kindString}, apiShape(natsapi.Object, f, set)}
			several := &shape{kind: kindList, elem: apiShape(natsapi.Object, f, set)}
			return &shape{kind: k, elem: &shape{kind: kindEither, alts: append(one, several)}}
		}
		if f.Elem == "" {
			return &shape{kind: k, elem: &shape{kind: kindString}}
		}
		return &shape{kind: k, elem: apiShape(f.Elem, f, set)}
	case natsapi.Enum:
		return &shape{kind: kindEnum, enum: enumNames(f)}
	}
	return &shape{kind: kindNames[string(t)]}
}

// parseShape reads a type of keys.tsv and returns what is left of the text.
func parseShape(s string, f natsapi.Field, set func(string) *fieldSet) (*shape, string) {
	var alts []*shape
	for {
		var one *shape
		if one, s = parseOneShape(s, f, set); one == nil {
			return nil, s
		}
		alts = append(alts, one)
		rest, more := strings.CutPrefix(s, " | ")
		if !more {
			break
		}
		s = rest
	}
	if len(alts) == 1 {
		return alts[0], s
	}
	return &shape{kind: kindEither, alts: alts}, s
}

func parseOneShape(s string, f natsapi.Field, set func(string) *fieldSet) (*shape, string) {
	end := strings.IndexAny(s, " |()")
	if end < 0 {
		end = len(s)
	}
	name, rest := s[:end], s[end:]
	if asset, isObject := strings.CutPrefix(name, "@"); isObject {
		return &shape{kind: kindObject, set: set(asset)}, rest
	}
	if k, compound := map[string]kind{"list": kindList, "map": kindMap, "dist": kindDist}[name]; compound && strings.HasPrefix(rest, "(") {
		elem, after := parseShape(rest[1:], f, set)
		if elem == nil || !strings.HasPrefix(after, ")") {
			return nil, s
		}
		return &shape{kind: k, elem: elem}, after[1:]
	}
	k, ok := kindNames[name]
	if !ok {
		return nil, s
	}
	if k == kindEnum {
		return &shape{kind: k, enum: enumNames(f)}, rest
	}
	return &shape{kind: k}, rest
}

// each calls f for the shape and all that are in it, without entering objects.
func (s *shape) each(f func(*shape)) {
	f(s)
	if s.elem != nil {
		s.elem.each(f)
	}
	for _, a := range s.alts {
		a.each(f)
	}
}

// choice is what to write, in a sentence: one of the words, or "a size".
func (s *shape) choice() string {
	if s.kind == kindEnum {
		return oneOf(s.enum)
	}
	return article(s.text())
}

// text names the shape for people.
func (s *shape) text() string {
	switch s.kind {
	case kindObject:
		return strings.ReplaceAll(s.set.asset, "_", " ")
	case kindList:
		return "list of " + plural(s.elem)
	case kindMap:
		return "map of names to " + plural(s.elem)
	case kindDist:
		return s.elem.text() + " or distribution"
	case kindEither:
		words := make([]string, len(s.alts))
		for i, a := range s.alts {
			words[i] = a.text()
		}
		return oneOf(words)
	case kindEnum:
		return oneOf(s.enum)
	case kindVersion:
		return "server version"
	case kindSurvive:
		return "fault"
	}
	for name, k := range kindNames {
		if k == s.kind {
			return name
		}
	}
	return ""
}

// pick chooses the alternative that fits a node's kind; for scalars the first
// scalar one, which decode tries in order.
func (s *shape) pick(n *Node) *shape {
	if s.kind != kindEither {
		return s
	}
	for _, a := range s.alts {
		switch {
		case n.Kind == Map && (a.kind == kindObject || a.kind == kindMap || a.kind == kindDist),
			n.Kind == List && a.kind == kindList,
			n.Kind == Scalar && a.kind != kindObject && a.kind != kindMap && a.kind != kindList:
			return a
		}
	}
	return s.alts[0]
}

func plural(s *shape) string {
	if s.kind == kindEither || s.kind == kindEnum || s.kind == kindDist {
		return s.text()
	}
	return strings.TrimSuffix(s.text(), "s") + "s"
}
