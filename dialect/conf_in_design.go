package dialect

import (
	"strconv"

	"weir/design"
	"weir/natsapi"
)

// confInDesign says with which values under conf of a design's servers no server
// starts. A design says a part of a configuration, so that what is missing in it is
// no fault; types and bounds it has judged by itself.
func confInDesign(d *design.Design) design.Problems {
	p := newConfParser(nil)
	p.partial = true
	c := &confChecker{confParser: p, rules: confRules()}
	servers, domains := []string{"server"}, []string{"server"}
	for _, l := range d.Leafnodes {
		at := design.Join(l.Path, "server")
		servers, domains = append(servers, at), append(domains, at, l.Path)
	}
	for _, cluster := range d.Clusters {
		servers = append(servers, design.Join("clusters", cluster.Name))
	}
	for _, at := range servers {
		if v, ok := d.Value(design.Join(at, "conf")); ok && v.Node.IsMap() {
			root := confOf(v.Node)
			c.ofRules(natsapi.Conf, root)
			c.addresses(root)
			c.namedAccounts(root)
		}
	}
	for _, at := range domains {
		if v, ok := d.Value(design.Join(at, "domain")); ok {
			c.domain(confOf(v.Node))
		}
	}
	return p.problems
}

// ofRules applies the rules of ports and listeners. (Cluster, gateways and leaf nodes
// follow from the design.)
func (c *confChecker) ofRules(asset natsapi.Asset, block *confValue) {
	for _, f := range block.all() {
		row, ok := natsapi.Lookup(asset, f.text)
		if !ok {
			continue
		}
		switch row.Name {
		case "port", "http_port", "https_port", "prof_port", "listen", "http", "https":
			if rule := c.rules[string(asset)+"."+row.Name]; rule != nil {
				rule(c, f)
			}
		default:
			for _, v := range f.value.each() {
				c.ofRules(row.Of, v)
			}
		}
	}
}

// confOf is a value of a design as a configuration has it.
func confOf(n *design.Node) *confValue {
	v := &confValue{node: &confNode{src: n.Src, start: n.Start, end: n.End}}
	switch n.Kind {
	case design.Map:
		v.isMap = true
		for i, key := range n.Keys {
			v.fields = append(v.fields, confField{confKey{key.Text, key.Src, key.Start, key.End}, confOf(n.Items[i])})
		}
	case design.List:
		v.isList = true
		for _, item := range n.Items {
			v.items = append(v.items, confOf(item))
		}
	default:
		v.scalar = n.Text
		if whole, err := strconv.ParseInt(n.Text, 10, 64); err == nil && !n.Quoted {
			v.scalar = whole
		} else if on, err := strconv.ParseBool(n.Text); err == nil && !n.Quoted {
			v.scalar = on
		}
	}
	return v
}
