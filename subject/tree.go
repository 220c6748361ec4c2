package subject

// tree holds patterns by token, so that one walk of a subject finds all the
// patterns that match it. Patterns are known by their index.
type tree struct {
	nodes []treeNode
}

type treeNode struct {
	literal map[string]int32 // children by token; nil when there are none
	one     int32            // child behind "*", 0 for none (0 is the root)
	ends    []int32          // patterns that end at this node
	rest    []int32          // patterns that end with ">" behind this node
}

func newTree() *tree { return &tree{nodes: make([]treeNode, 1)} }

// add puts a Valid pattern into the tree under id.
func (t *tree) add(pattern string, id int32) {
	at := int32(0)
	for c := (cursor{s: pattern}); c.next(); {
		if c.token == Rest {
			t.nodes[at].rest = append(t.nodes[at].rest, id)
			return
		}
		at = t.child(at, c.token)
	}
	t.nodes[at].ends = append(t.nodes[at].ends, id)
}

func (t *tree) child(at int32, token string) int32 {
	n := &t.nodes[at]
	if token == One {
		if n.one == 0 {
			n.one = int32(len(t.nodes))
			t.nodes = append(t.nodes, treeNode{})
			return int32(len(t.nodes) - 1)
		}
		return n.one
	}
	if next, ok := n.literal[token]; ok {
		return next
	}
	if n.literal == nil {
		n.literal = map[string]int32{}
	}
	next := int32(len(t.nodes))
	n.literal[token] = next
	t.nodes = append(t.nodes, treeNode{})
	return next
}

// match sets the bit of every pattern that matches the rest of a subject from
// node at on. subject has no empty token.
func (t *tree) match(at int32, subject string, row []uint64) {
	for {
		n := &t.nodes[at]
		setBits(row, n.rest)
		end := 0
		for end < len(subject) && subject[end] != '.' {
			end++
		}
		token, last := subject[:end], end == len(subject)
		next, literal := n.literal[token]
		switch {
		case last:
			if literal {
				setBits(row, t.nodes[next].ends)
			}
			if n.one != 0 {
				setBits(row, t.nodes[n.one].ends)
			}
			return
		case literal && n.one != 0:
			t.match(n.one, subject[end+1:], row)
			at = next
		case literal:
			at = next
		case n.one != 0:
			at = n.one
		default:
			return
		}
		subject = subject[end+1:]
	}
}

func setBits(row []uint64, ids []int32) {
	for _, id := range ids {
		row[id>>6] |= 1 << (id & 63)
	}
}
