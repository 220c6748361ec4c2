package design

// NodeKind says what a Node is.
type NodeKind uint8

// The kinds of nodes.
const (
	Scalar NodeKind = iota
	List
	Map
)

// Node is a piece of a parsed text, whatever its notation: a scalar, a list or a
// map in document order, with the bytes it stands in. Nodes are shared and must
// not be changed.
type Node struct {
	Kind NodeKind
	// Text is the scalar's value, unquoted. Numbers keep the digits as written.
	Text string
	// Quoted scalars are strings whatever they look like.
	Quoted bool
	// Null is a scalar that says nothing: YAML's empty value, ~ and null.
	Null bool
	// alias is what was written as the alias of another node: it stands where the
	// alias is, its parts where they were written.
	alias bool
	// Keys are the map's keys, one for each of Items.
	Keys []*Node
	// Items are the values of a map or the elements of a list.
	Items []*Node
	// Start and End are byte positions in Src, End exclusive.
	Start, End int
	// Src is the text that the node stands in, nil for a map that was put
	// together from several.
	Src *Source
	// index finds keys in large maps.
	index map[string]int
}

// indexFrom is the number of keys from which a map gets an index: below it a
// look through the keys is faster.
const indexFrom = 12

// put adds a key and its value at the end of a map.
func (n *Node) put(key, value *Node) {
	n.Keys = append(n.Keys, key)
	n.Items = append(n.Items, value)
	switch {
	case n.index != nil:
		n.index[key.Text] = len(n.Keys) - 1
	case len(n.Keys) == indexFrom:
		n.index = make(map[string]int, 2*indexFrom)
		for i, k := range n.Keys {
			n.index[k.Text] = i
		}
	}
}

// Put adds a key and its value at the end of a map that a dialect puts together;
// the maps of a text that was parsed must not be changed.
func (n *Node) Put(key, value *Node) { n.put(key, value) }

// find is the place of a key in a map, -1 when it is not there. With a key
// written twice the last one counts, as in encoding/json and in the server.
func (n *Node) find(key string) int {
	if n.index != nil {
		if i, ok := n.index[key]; ok {
			return i
		}
		return -1
	}
	for i := len(n.Keys) - 1; i >= 0; i-- {
		if n.Keys[i].Text == key {
			return i
		}
	}
	return -1
}

// Place is where the node stands; the zero Position for one put together from
// several texts.
func (n *Node) Place() Position {
	if n == nil || n.Src == nil {
		return Position{}
	}
	return n.Src.Place(n.Start, n.End)
}

// nodeSlab hands out nodes from blocks, which is cheaper than one by one.
type nodeSlab struct{ free []Node }

func (s *nodeSlab) node() *Node {
	if len(s.free) == 0 {
		s.free = make([]Node, 256)
	}
	n := &s.free[0]
	s.free = s.free[1:]
	return n
}

// Get is the value of a map's key, nil when there is none.
func (n *Node) Get(key string) *Node {
	if n == nil || n.Kind != Map {
		return nil
	}
	if i := n.find(key); i >= 0 {
		return n.Items[i]
	}
	return nil
}

// IsMap reports whether n is there and a map.
func (n *Node) IsMap() bool { return n != nil && n.Kind == Map }

// IsList reports whether n is there and a list.
func (n *Node) IsList() bool { return n != nil && n.Kind == List }

// IsScalar reports whether n is there and a scalar.
func (n *Node) IsScalar() bool { return n != nil && n.Kind == Scalar }

// IsText reports whether n is there and a scalar with a text value, as against a
// number, a boolean or null.
func (n *Node) IsText() bool {
	return n != nil && n.Kind == Scalar && !n.Null && (n.Quoted || !isNumber(n.Text) && n.Text != "true" && n.Text != "false")
}

// what names the node for a message: "a list", "the number 5"…
func (n *Node) what() string {
	switch {
	case n == nil || n.Null:
		return "nothing"
	case n.Kind == Map:
		return "a map"
	case n.Kind == List:
		return "a list"
	}
	return quote(n.Text)
}

// isNumber reports whether a plain scalar is a decimal number in JSON's sense.
func isNumber(s string) bool {
	i := 0
	digits := func() bool {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if !digits() {
		return false
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}

// isInteger reports whether s is a decimal integer.
func isInteger(s string) bool {
	if len(s) > 0 && s[0] == '-' {
		s = s[1:]
	}
	if s == "" {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
