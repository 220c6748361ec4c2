package size

import "math"

// This file sizes the server's two subject trees (server/stree): one per stream,
// from subject to its blocks (psim, file store) or messages (fss, memory store),
// and one per loaded block of a file store (fss).

const treeSource = "server/stree (node4 to node256, leaf), v2.15.2; measured with 100,000 to 1,000,000 subjects"

const (
	// psimLeaf is a leaf that holds count, first and last block: 16 B, and the
	// subject's suffix: 16 B.
	psimLeaf = 32
	// fssLeaf holds a SimpleState (32 B) and the suffix.
	fssLeaf = 48
	// fullNode is a node10: what subjects that end in digits fill.
	fullNode     = 208
	digits       = 10
	hexDigits    = 16
	uuidKey      = 36
	maxTreeDepth = 64
)

// treeNode is the heap of a tree node with so many children.
func treeNode(children int) float64 {
	switch {
	case children <= 4:
		return 96
	case children <= 10:
		return fullNode
	case children <= 16:
		return 320
	case children <= 48:
		return 1152
	}
	return 4864
}

// treeShape is what one subject costs in a tree beside its leaf.
type treeShape struct {
	nodes  float64 // share of inner nodes, in bytes
	suffix float64 // heap of the suffix string in its leaf
}

// shapeOf works out a tree's shape from the set of its subjects.
func shapeOf(s SubjectSet) treeShape {
	n := max(s.Count, 1)
	if n == 1 {
		return treeShape{suffix: stringBytes(max(s.Key, 1) + s.Shared)}
	}
	if s.Shape == Random {
		key := s.Key
		if key <= 0 {
			key = uuidKey
		}
		return randomShape(n, hexDigits, key+s.Shared)
	}
	// Every node is full, so n leaves hang on n/10 nodes, those on n/100, …; a
	// leaf keeps the last digit and what follows it.
	return treeShape{nodes: fullNode / (digits - 1), suffix: stringBytes(1 + s.Shared)}
}

// randomShape is the expected shape of a tree of n keys of random digits of one
// alphabet. A node at depth d exists where two or more different digits follow;
// a key's leaf hangs on the deepest such node and keeps the rest of the key.
func randomShape(n float64, alphabet int, length float64) treeShape {
	var out treeShape
	a := float64(alphabet)
	placed := 0.0
	for d := 0; d < maxTreeDepth; d++ {
		prefixes := math.Pow(a, float64(d))
		keys := n / prefixes // mean keys below one prefix
		if keys < 1e-6 {
			break
		}
		occupied := 1 - math.Exp(-keys/a)
		out.nodes += prefixes / n * expectedNode(alphabet, occupied)
		leaves := prefixes * keys * math.Exp(-keys/a) * (1 - math.Exp(-keys*(a-1)/a))
		out.suffix += leaves / n * stringBytes(max(length-float64(d), 0))
		placed += leaves / n
	}
	if placed > 0 {
		out.suffix /= placed
	}
	return out
}

// expectedNode is the mean heap of a node whose children each exist with
// probability p, counting it only when it has two.
func expectedNode(alphabet int, p float64) float64 {
	total := 0.0
	choose := 1.0
	for k := 0; k <= alphabet; k++ {
		if k >= 2 {
			total += choose * math.Pow(p, float64(k)) * math.Pow(1-p, float64(alphabet-k)) * treeNode(k)
		}
		choose = choose * float64(alphabet-k) / float64(k+1)
	}
	return total
}

// subjectEntry is the heap of one subject in a tree with leaves of so many bytes.
func subjectEntry(name string, s SubjectSet, leaf float64) Figure {
	shape := shapeOf(s)
	f := sum(name, Bytes,
		coefficient("leaf", leaf, Bytes, Measured, treeSource),
		coefficient("inner nodes", shape.nodes, Bytes, Measured, treeSource),
		coefficient("suffix", shape.suffix, Bytes, Measured, treeSource))
	// Shapes between full and random nodes, and keys that share more or less.
	return f.between(f.Value*0.85, f.Value*1.3)
}
