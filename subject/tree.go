package subject

// tree holds patterns by token, so that one walk of a subject finds all the
// patterns that match it. Patterns are known by their index. Nodes refer to each
// other by index and tokens are numbered, which keeps a token of a pattern below
// some 80 bytes.
type tree struct {
	nodes  []treeNode
	tokens map[string]int32 // number of each literal token
	edges  map[uint64]int32 // child behind a literal token
	next   []int32          // by pattern: the next one that ends at the same place
	stack  []treeWalk
	ids    []int32 // numbers of a subject's tokens, -1 for one that no pattern has
	steps  int     // nodes that colliding has visited
}

// treeNode refers to nodes by index, of which 0, the root, means none, and to
// patterns by index+1.
type treeNode struct {
	child   int32 // first child behind a literal token
	sibling int32 // next child of the same parent
	one     int32 // child behind "*"
	ends    int32 // first pattern that ends at this node
	rest    int32 // first pattern that ends with ">" behind this node
}

// edgeKey joins a node and the number of a token: maps of one integer are faster
// than maps of two.
func edgeKey(node, token int32) uint64 { return uint64(node)<<32 | uint64(uint32(token)) }

// treeWalk is a node that waits for its turn, with the place in the subject or
// pattern that is compared there.
type treeWalk struct {
	node int32
	at   int
}

func newTree(patterns int) *tree {
	return &tree{nodes: make([]treeNode, 1), tokens: map[string]int32{}, edges: map[uint64]int32{}, next: make([]int32, patterns)}
}

// add puts a Valid pattern into the tree under id.
func (t *tree) add(pattern string, id int32) {
	at := int32(0)
	for c := (cursor{s: pattern}); c.next(); {
		if c.token == Rest {
			t.next[id] = t.nodes[at].rest
			t.nodes[at].rest = id + 1
			return
		}
		at = t.child(at, c.token)
	}
	t.next[id] = t.nodes[at].ends
	t.nodes[at].ends = id + 1
}

func (t *tree) child(at int32, token string) int32 {
	if token == One {
		if t.nodes[at].one == 0 {
			t.nodes[at].one = t.newNode(treeNode{})
		}
		return t.nodes[at].one
	}
	number, ok := t.tokens[token]
	if !ok {
		number = int32(len(t.tokens))
		t.tokens[token] = number
	}
	edge := edgeKey(at, number)
	next, ok := t.edges[edge]
	if !ok {
		next = t.newNode(treeNode{sibling: t.nodes[at].child})
		t.edges[edge] = next
		t.nodes[at].child = next
	}
	return next
}

func (t *tree) newNode(n treeNode) int32 {
	t.nodes = append(t.nodes, n)
	return int32(len(t.nodes) - 1)
}

// match sets the bit of every pattern that matches a subject without empty
// tokens.
func (t *tree) match(subject string, row []uint64) {
	t.ids = t.ids[:0]
	for c := (cursor{s: subject}); c.next(); {
		number, ok := t.tokens[c.token]
		if !ok {
			number = -1
		}
		t.ids = append(t.ids, number)
	}
	t.stack = append(t.stack[:0], treeWalk{})
	for len(t.stack) > 0 {
		w := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		n := &t.nodes[w.node]
		if w.at == len(t.ids) {
			t.setBits(row, n.ends)
			continue
		}
		t.setBits(row, n.rest)
		if n.one != 0 {
			t.stack = append(t.stack, treeWalk{n.one, w.at + 1})
		}
		if n.child == 0 || t.ids[w.at] < 0 {
			continue
		}
		if next, ok := t.edges[edgeKey(w.node, t.ids[w.at])]; ok {
			t.stack = append(t.stack, treeWalk{next, w.at + 1})
		}
	}
}

func (t *tree) setBits(row []uint64, first int32) {
	for id := first; id != 0; id = t.next[id-1] {
		row[(id-1)>>6] |= 1 << ((id - 1) & 63)
	}
}

// colliding collects the patterns of the tree that share a subject with a Valid
// pattern, in no order.
func (t *tree) colliding(pattern string, found []int32) []int32 {
	t.stack = append(t.stack[:0], treeWalk{})
	for len(t.stack) > 0 {
		w := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.steps++
		n := &t.nodes[w.node]
		if w.at > len(pattern) {
			found = t.collect(found, n.ends)
			continue
		}
		found = t.collect(found, n.rest)
		token := firstToken(pattern[w.at:])
		behind := w.at + len(token) + 1
		switch token {
		case Rest:
			found = t.below(w.node, found)
			continue
		case One:
			for next := n.child; next != 0; next = t.nodes[next].sibling {
				t.stack = append(t.stack, treeWalk{next, behind})
			}
		default:
			number, ok := t.tokens[token]
			next := t.edges[edgeKey(w.node, number)]
			if ok && next != 0 {
				t.stack = append(t.stack, treeWalk{next, behind})
			}
		}
		if n.one != 0 {
			t.stack = append(t.stack, treeWalk{n.one, behind})
		}
	}
	return found
}

// below collects the patterns that end below a node. It works on the part of the
// stack above what colliding has there.
func (t *tree) below(node int32, found []int32) []int32 {
	floor := len(t.stack)
	push := func(n *treeNode) {
		for next := n.child; next != 0; next = t.nodes[next].sibling {
			t.stack = append(t.stack, treeWalk{node: next})
		}
		if n.one != 0 {
			t.stack = append(t.stack, treeWalk{node: n.one})
		}
	}
	push(&t.nodes[node])
	for len(t.stack) > floor {
		n := &t.nodes[t.stack[len(t.stack)-1].node]
		t.stack = t.stack[:len(t.stack)-1]
		t.steps++
		found = t.collect(t.collect(found, n.ends), n.rest)
		push(n)
	}
	return found
}

func (t *tree) collect(found []int32, first int32) []int32 {
	for id := first; id != 0; id = t.next[id-1] {
		found = append(found, id-1)
	}
	return found
}

func firstToken(s string) string {
	for i := range len(s) {
		if s[i] == '.' {
			return s[:i]
		}
	}
	return s
}
