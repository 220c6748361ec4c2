package advise

import (
	"fmt"
	"strings"

	"weir/design"
)

// Edits are what puts the open settings of an advice into the design's text,
// each with its reason as a comment where the notation has comments. Settings
// that the text has no place for are returned too.
func Edits(d *design.Design, a Advice) (edits []design.Edit, without []Setting) {
	for _, asset := range a.Assets {
		for _, group := range byParent(d, asset.Settings) {
			e, left := group.edits(d)
			edits, without = append(edits, e...), append(without, left...)
		}
	}
	return edits, without
}

// siblings are open settings of one map.
type siblings struct {
	parent string
	list   []Setting
}

// byParent groups the open settings by the map that they go into.
func byParent(d *design.Design, settings []Setting) []siblings {
	var out []siblings
	for _, s := range settings {
		if s.State != Open || s.Path == "" {
			continue
		}
		parent := design.Parent(s.Path)
		if n := len(out); n > 0 && out[n-1].parent == parent {
			out[n-1].list = append(out[n-1].list, s)
			continue
		}
		out = append(out, siblings{parent, []Setting{s}})
	}
	return out
}

func (g siblings) edits(d *design.Design) (edits []design.Edit, without []Setting) {
	if v, ok := d.Value(g.parent); !ok || !v.Node.IsMap() {
		// The map is not there yet: all of it is one edit.
		var parts []string
		for _, s := range g.list {
			parts = append(parts, lastKey(s.Path)+": "+s.Advised)
		}
		if fix := d.SetFix("set what is advised", g.parent, "{"+strings.Join(parts, ", ")+"}"); fix != nil {
			return fix.Edits, nil
		}
		return nil, g.list
	}
	for _, s := range g.list {
		fix := d.SetFix(fmt.Sprintf("set %s to %s", s.Field, s.Advised), s.Path, s.Advised)
		if fix == nil {
			without = append(without, s)
			continue
		}
		for _, e := range fix.Edits {
			edits = append(edits, commented(e, s.Reason))
		}
	}
	return edits, without
}

func lastKey(path string) string {
	steps := design.Split(path)
	return steps[len(steps)-1]
}

// commented adds a reason to a setting that gets a line of its own.
func commented(e design.Edit, reason string) design.Edit {
	first, rest, two := strings.Cut(e.Text, "\n")
	switch {
	case two && first == "": // a new line behind another one
		e.Text = "\n" + rest + " # " + reason
	case two && strings.TrimSpace(rest) == "": // a new first line
		e.Text = first + " # " + reason + "\n" + rest
	}
	return e
}
