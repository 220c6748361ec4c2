package design

import "strings"

// KeysAt lists the keys that may stand in the map at a path, whether or not a
// design has it: what an editor offers there. It is nil where the keys are free
// names, or where no map can be.
func KeysAt(path string) []*Field {
	s := shapeAt(path)
	if s == nil {
		return nil
	}
	if set := objectOf(s); set != nil && s.kind != kindMap && s.kind != kindList {
		return set.list
	}
	return nil
}

// FieldAt is the row of the tables for a path, whether or not a design has it:
// what an editor shows when one points at it. ok is false for free names and for
// what the tables do not know.
func FieldAt(path string) (f *Field, ok bool) {
	steps := Split(path)
	if len(steps) == 0 {
		return nil, false
	}
	parent := shapeAt(Parent(path))
	if parent == nil {
		return nil, false
	}
	if set := objectOf(parent); set != nil && parent.kind != kindMap && parent.kind != kindList {
		f, ok = set.byName[steps[len(steps)-1]]
	}
	return f, ok
}

// shapeAt follows a path through the tables alone. Of a value that may be one
// thing or a list of them, either way of writing is followed.
func shapeAt(path string) *shape {
	s := &shape{kind: kindObject, set: sets()["design"]}
	for path != "" {
		path = strings.TrimPrefix(path, ".")
		if path == "" {
			return nil
		}
		var at string
		if at, path = cutStep(path); at == "" || s == nil {
			return nil
		}
		isIndex := at[0] == '[' && at[1] != '"'
		key := at
		if at[0] == '[' && !isIndex {
			key = Split(at)[0]
		}
		s = stepInto(s, key, isIndex)
	}
	return s
}

func stepInto(s *shape, key string, isIndex bool) *shape {
	switch s.kind {
	case kindEither:
		for _, a := range s.alts {
			if next := stepInto(a, key, isIndex); next != nil {
				return next
			}
		}
	case kindObject:
		if f := s.set.byName[key]; f != nil && !isIndex {
			return f.shape
		}
	case kindMap:
		if !isIndex {
			return s.elem
		}
	case kindList:
		if isIndex {
			return s.elem
		}
	case kindDist:
		if key == "mean" || key == "p50" || key == "p99" {
			return s.elem
		}
	}
	return nil
}

// PathAt is the design path of what stands at a line and column of a file, both
// from 1: the value there, or the one whose key is there. Between values it is
// the path of the map or list around; "" outside of everything.
func (d *Design) PathAt(file string, line, col int) string {
	return pathIn(d.root, "", file, line, col)
}

func pathIn(n *Node, path, file string, line, col int) string {
	for i, item := range n.Items {
		below := ""
		if n.Kind == Map {
			below = Join(path, n.Keys[i].Text)
			if covers(n.Keys[i], file, line, col) {
				return below
			}
		} else {
			below = Index(path, i)
		}
		if item.Src == nil || covers(item, file, line, col) {
			if found := pathIn(item, below, file, line, col); found != below || item.Src != nil {
				return found
			}
		}
	}
	return path
}

// covers reports whether a place lies in a node, its end included: behind the
// last character one still means the word.
func covers(n *Node, file string, line, col int) bool {
	if n.Src == nil || n.Src.Name != file {
		return false
	}
	off := n.Src.bytePos(line, col)
	return off >= n.Start && off <= n.End
}
