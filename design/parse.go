package design

import (
	"strings"
)

// Parse reads a design file, YAML or JSON. The design is never nil: where there
// are problems of severity Error it holds what could be read, so that an editor
// can go on showing the rest, and must not be taken for what was meant. Problems
// are in the order of the text.
func Parse(name string, text []byte) (*Design, Problems) {
	return ParseSource(NewSource(name, text))
}

// ParseSource is Parse for a text that is already a Source.
func ParseSource(src *Source) (*Design, Problems) {
	root, problems := parseTree(src)
	if root == nil || root.Kind != Map {
		if root != nil {
			problems = append(problems, src.problem(CodeType, root.Start, root.End, "%s where a design file has a map that begins with weir: 1", root.what()))
		}
		return build(&Node{Kind: Map, Src: src}), problems
	}
	d, more := finish(root)
	problems = append(problems, more...)
	problems.Sort()
	return d, problems
}

func parseTree(src *Source) (*Node, Problems) {
	if strings.HasSuffix(strings.ToLower(src.Name), ".json") {
		root, problems := ParseJSON(src)
		if root != nil {
			problems = append(problems, duplicateKeys(root)...)
		}
		return root, problems
	}
	return ParseYAML(src)
}

// duplicateKeys reports keys written twice in a design file that is JSON.
func duplicateKeys(n *Node) Problems {
	var out Problems
	if n.Kind == Map {
		seen := make(map[string]*Node, len(n.Keys))
		for _, key := range n.Keys {
			if first := seen[key.Text]; first != nil && len(out) < MaxProblems {
				out = append(out, n.Src.problem(CodeDuplicate, key.Start, key.End, "%s is written twice; first in line %d", quote(key.Text), first.Place().Line))
			}
			seen[key.Text] = key
		}
	}
	for _, item := range n.Items {
		out = append(out, duplicateKeys(item)...)
	}
	return out
}

// finish checks a tree and makes its model.
func finish(root *Node) (*Design, Problems) {
	c := &decoder{}
	c.object(root, sets()["design"], nil)
	d := build(root)
	c.names(d)
	c.groups(d)
	return d, c.problems
}

// names holds the names inside of streams, buckets and consumers to the keys
// that they stand under.
func (c *decoder) names(d *Design) {
	same := func(n *Node, key, path string, fields ...string) {
		for _, field := range fields {
			if at := n.Get(field); at.IsScalar() && !at.Null && at.Text != key {
				c.report(CodeName, at, Join(path, field), "%s: %s, and the key it stands under is %s; give both the same name, or leave %s out", field, quote(at.Text), quote(key), field)
			}
		}
	}
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			same(s.node, s.Name, s.Path, "name")
			for _, consumer := range s.Consumers {
				same(consumer.node, consumer.Name, consumer.Path, "name", "durable_name")
			}
		}
		for _, b := range append(scope.KV[:len(scope.KV):len(scope.KV)], scope.Objects...) {
			same(b.node, b.Name, b.Path, "bucket")
		}
	}
}

// groups holds several worker groups of one consumer to names of their own, and
// a gateway to two ends.
func (c *decoder) groups(d *Design) {
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			for _, consumer := range s.Consumers {
				c.groupNames(consumer)
			}
		}
	}
	for _, g := range d.Gateways {
		n, _, _ := d.find(Join(g.Path, "between"))
		if n.IsList() && len(n.Items) != 2 {
			c.report(CodeType, n, Join(g.Path, "between"), "between: a gateway links two clusters, and here are %d", len(n.Items))
		}
	}
}

func (c *decoder) groupNames(consumer *Consumer) {
	list := consumer.node.Get("workers")
	if !list.IsList() || len(list.Items) < 2 {
		return
	}
	first := map[string]*Node{}
	for i, item := range list.Items {
		name := item.Get("name")
		path := Index(Join(consumer.Path, "workers"), i)
		switch {
		case !item.IsMap() || name != nil && !name.IsScalar():
		case name == nil:
			c.report(CodeMissing, item, path, "name has to be given where a consumer has several groups of workers; it is missing in %s", path)
		case first[name.Text] != nil:
			c.report(CodeDuplicate, name, Join(path, "name"), "name: %s is a group of workers already, in line %d", quote(name.Text), first[name.Text].Place().Line)
		default:
			first[name.Text] = name
		}
	}
}
