package design

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"weir/natsapi"
)

// decoder checks a tree against the tables and collects what is wrong.
type decoder struct {
	problems Problems
}

// report adds a problem, up to MaxProblems; those beyond go
// nowhere.
func (c *decoder) report(code Code, n *Node, path, format string, args ...any) *Problem {
	if len(c.problems) >= MaxProblems {
		return &Problem{}
	}
	c.problems = append(c.problems, Problem{Code: code, Severity: Error, Message: fmt.Sprintf(format, args...), Path: path, Position: n.Place()})
	return &c.problems[len(c.problems)-1]
}

// replaceFix offers to put text in the place of a node.
func replaceFix(n *Node, title, text string) *Fix {
	p := n.Place()
	if p.EndLine == 0 {
		return nil
	}
	return &Fix{Title: title, Edits: []Edit{{File: p.File, Line: p.Line, Col: p.Col, EndLine: p.EndLine, EndCol: p.EndCol, Text: text}}}
}

// value checks a node against a shape. path is only put together for problems
// and containers: at, where not nil, gives the step below it.
func (c *decoder) value(n *Node, s *shape, f *Field, at *step) {
	s = s.pickFor(n)
	switch s.kind {
	case kindObject:
		c.object(n, s.set, at)
	case kindMap:
		if !n.IsMap() {
			c.wrongKind(n, s, f, at)
			return
		}
		for i, key := range n.Keys {
			c.value(n.Items[i], s.elem, nil, &step{up: at, key: key.Text})
		}
	case kindList:
		if !n.IsList() {
			c.wrongKind(n, s, f, at)
			return
		}
		for i, item := range n.Items {
			c.value(item, s.elem, f, &step{up: at, index: i, list: true})
		}
	case kindDist:
		if n.IsMap() {
			c.distribution(n, s, f, at)
			return
		}
		c.scalar(n, s, f, at)
	default:
		c.scalar(n, s, f, at)
	}
}

// pickFor is pick for the check: an alternative of scalars stays one, so that
// decode can try each.
func (s *shape) pickFor(n *Node) *shape {
	if s.kind == kindEither && n.Kind != Scalar {
		return s.pick(n)
	}
	return s
}

// step is one step of a path, kept as a chain so that the text of a path is only
// made where somebody reads it.
type step struct {
	up    *step
	key   string
	index int
	list  bool
}

func (s *step) path() string {
	switch {
	case s == nil:
		return ""
	case s.list:
		return Index(s.up.path(), s.index)
	}
	return Join(s.up.path(), s.key)
}

func (c *decoder) wrongKind(n *Node, s *shape, f *Field, at *step) {
	p := c.report(CodeType, n, at.path(), "%s%s where %s is expected", subject(f), n.what(), article(s.text()))
	if s.kind == kindList && n.Kind == Scalar && !n.Null && n.Src != nil && s.elem.kind != kindObject {
		p.Fix = replaceFix(n, "Make it a list", "["+string(n.Src.Text[n.Start:n.End])+"]")
		p.Message += "; write [" + shorten(n.Text) + "]"
	}
}

// shorten is a text on one line, not longer than a message can bear.
func shorten(s string) string {
	q := quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

func (c *decoder) scalar(n *Node, s *shape, f *Field, at *step) {
	_, err := s.decode(n, f)
	if err == nil {
		return
	}
	p := c.report(err.code, n, at.path(), "%s", err.msg)
	if err.write != "" {
		p.Fix = replaceFix(n, "Write "+err.write, err.write)
	}
}

// oneOfKeys are the assets of which exactly one of some keys has to be there.
var oneOfKeys = map[string][]string{
	"event":  {"kill", "restart", "step_down", "stall", "freeze", "crash", "slow", "scale", "burst", "partition"},
	"export": {"stream", "service"},
	"import": {"stream", "service"},
}

func (c *decoder) object(n *Node, set *fieldSet, at *step) {
	if n.Null {
		if c.required(n, set, at); len(set.list) > 0 {
			return // an empty block: all of it is left open
		}
	}
	if !n.IsMap() {
		c.report(CodeType, n, at.path(), "%s where a map of %s settings is expected", n.what(), strings.ReplaceAll(set.asset, "_", " "))
		return
	}
	for i, key := range n.Keys {
		f := set.byName[key.Text]
		if f == nil {
			c.unknown(key, set, at)
			continue
		}
		if n.Items[i].Null && f.shape.kind != kindObject && f.shape.kind != kindMap {
			c.report(CodeType, n.Items[i], (&step{up: at, key: key.Text}).path(), "%s: nothing is written; write %s, or remove the key", f.Name, f.shape.choice())
			continue
		}
		if f.shape.kind == kindMap && n.Items[i].Null {
			continue
		}
		c.value(n.Items[i], f.shape, f, &step{up: at, key: key.Text})
	}
	c.required(n, set, at)
	if choice := oneOfKeys[set.asset]; choice != nil {
		c.exactlyOne(n, set, choice, at)
	}
}

func (c *decoder) required(n *Node, set *fieldSet, at *step) {
	for _, f := range set.list {
		if f.Required && n.Get(f.Name) == nil {
			where := "it is missing at the top of the file"
			if at != nil {
				where = "it is missing in " + at.path()
			}
			if at == nil && f.Name == "weir" {
				where += "; write weir: 1, the version of the format, in its first line"
			}
			c.report(CodeMissing, n, at.path(), "%s has to be given; %s", f.Name, where)
		}
	}
}

func (c *decoder) exactlyOne(n *Node, set *fieldSet, choice []string, at *step) {
	found := 0
	for _, name := range choice {
		if n.Get(name) != nil {
			found++
		}
	}
	if found != 1 {
		c.report(CodeMissing, n, at.path(), "%s has exactly one of %s, and here are %d", article(set.asset), oneOf(choice), found)
	}
}

// unknown reports a key that is not in the tables, with what was probably meant.
func (c *decoder) unknown(key *Node, set *fieldSet, at *step) {
	path := (&step{up: at, key: key.Text}).path()
	if why := confNotHere[strings.ToLower(key.Text)]; why != "" && natsapi.Asset(set.asset).IsConf() {
		c.report(CodeUnknown, key, path, "%s: %s", key.Text, why)
		return
	}
	what := strings.ReplaceAll(set.asset, "_", " ")
	if set.asset == "design" {
		what = "design file"
	}
	msg := fmt.Sprintf("%s has no key %s", article(what), quote(key.Text))
	if strings.HasSuffix(what, "s") { // limits, goals
		msg = fmt.Sprintf("%s have no key %s", what, quote(key.Text))
	}
	near, sure := natsapi.SuggestSure(key.Text, set.names())
	if other := otherWords[key.Text]; near == "" && set.byName[other] != nil {
		near = other
	}
	if near == "" {
		if other := ownerOf(key.Text); other != "" {
			if msg += "; it belongs to "; !strings.HasSuffix(other, "s") {
				other = article(other)
			}
			msg += other
		}
		c.report(CodeUnknown, key, path, "%s", msg)
		return
	}
	p := c.report(CodeUnknown, key, path, "%s; did you mean %s?", msg, near)
	if p.Fix = replaceFix(key, "Write "+near, near); p.Fix != nil {
		p.Fix.Guess = !sure
	}
}

// otherWords are what people call keys whose names are not alike.
var otherWords = map[string]string{
	"object_stores": "objects", "object_store": "objects", "objectstores": "objects", "buckets": "kv", "key_value": "kv", "key_values": "kv", "kvs": "kv",
	"max_file": "max_storage", "max_store": "max_storage", "max_file_store": "max_storage", "max_disk": "max_storage", "disk": "max_storage", "store": "max_storage",
	"max_mem": "max_memory", "max_memory_store": "max_memory", "mem": "max_memory", "memory": "max_memory",
	"producers": "publishers", "services": "subscribers", "leafs": "leafnodes", "ttl": "max_age",
}

// ownerOf names an asset that has a key, for a key that stands in the wrong
// place.
func ownerOf(key string) string {
	for _, asset := range []string{"design", "server", "stream", "consumer", "worker", "publisher", "goals", "kv", "object_store"} {
		if sets()[asset].byName[key] != nil {
			return strings.ReplaceAll(asset, "_", " ")
		}
	}
	return ""
}

// distribution checks the map form of a distribution.
func (c *decoder) distribution(n *Node, s *shape, f *Field, at *step) {
	known := []string{"mean", "p50", "p99", "trace"}
	for i, key := range n.Keys {
		below := &step{up: at, key: key.Text}
		switch key.Text {
		case "mean", "p50", "p99":
			row := &Field{Field: natsapi.Field{Name: key.Text, Unit: f.Unit}, Own: true, shape: s.elem}
			c.scalar(n.Items[i], s.elem, row, below)
		case "trace":
			c.scalar(n.Items[i], &shape{kind: kindString}, nil, below)
		default:
			p := c.report(CodeUnknown, key, below.path(), "a distribution has no key %s; it is {p50, p99}, {mean, p99}, {mean}, {trace} or one value", quote(key.Text))
			if near := natsapi.Suggest(key.Text, known); near != "" {
				p.Fix = replaceFix(key, "Write "+near, near)
			}
			return
		}
	}
	d := readDist(n, s)
	switch {
	case d.Kind == DistAbsent:
		c.report(CodeMissing, n, at.path(), "%sa distribution is {p50, p99}, {mean, p99}, {mean}, {trace} or one value", subject(f))
	case d.Kind == DistLognormal && d.P99 < max(d.P50, d.Mean):
		c.report(CodeType, n.Get("p99"), Join(at.path(), "p99"), "%sp99 is less than %s", subject(f), map[bool]string{true: "p50", false: "mean"}[d.P50 > 0])
	case d.Kind == DistLognormal && d.P50 == 0 && d.P99 > mostOfMean*d.Mean:
		c.report(CodeType, n.Get("p99"), Join(at.path(), "p99"), "%sp99 is %s times mean, and cannot be: one in a hundred is that large or larger, which alone makes the mean a hundredth of p99 or more; write p50 for the middle value, or a larger mean",
			subject(f), strconv.FormatFloat(math.Trunc(d.P99/d.Mean), 'f', -1, 64))
	}
}
