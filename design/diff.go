package design

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"weir/natsapi"
)

// Op says what became of a path between two designs.
type Op string

// The operations of a Change.
const (
	Created Op = "created"
	Deleted Op = "deleted"
	Changed Op = "changed"
)

// Change is one difference between two designs.
type Change struct {
	Op   Op
	Path string
	// From and To are the values as written; maps and lists are shown by their
	// first line. From is "" for Created, To for Deleted.
	From, To string
	// FromPos and ToPos are where they stand.
	FromPos, ToPos Position
}

// Diff lists what is different between two designs, in the order of paths. It
// compares meaning: 24h and 1d are equal, the order of keys does not count, that
// of lists does; of a list of maps that became longer or shorter only the items are
// named that came or went. A thing with a name (a stream, a consumer, a publisher…) that
// is only in one of them is one change, not one for each of its settings.
//
// A setting that is written in one of them and has the default there is no
// difference, nor is what servers write themselves: metadata of _nats.*, and the name
// of an asset inside of it. Where one of them is no design file but what the API or a
// configuration says, what only design files have (workers, publishers, goals, the
// servers) is not looked at.
func Diff(from, to *Design) []Change {
	d := differ{from: from, to: to}
	d.node("", from.root, to.root, &shape{kind: kindObject, set: sets()["design"]}, nil)
	sort.SliceStable(d.changes, func(i, j int) bool { return d.changes[i].Path < d.changes[j].Path })
	return d.changes
}

type differ struct {
	from, to *Design
	changes  []Change
}

func (d *differ) add(op Op, path string, from, to *Node) {
	c := Change{Op: op, Path: path}
	if from != nil {
		c.From, c.FromPos = Value{Node: from}.Raw(), d.from.Where(path)
	}
	if to != nil {
		c.To, c.ToPos = Value{Node: to}.Raw(), d.to.Where(path)
	}
	d.changes = append(d.changes, c)
}

func (d *differ) node(path string, from, to *Node, s *shape, f *Field) {
	switch {
	case from.Kind == List && to.Kind == List && len(from.Items) != len(to.Items) && structured(from) && structured(to):
		d.items(path, from, to, s, f)
	case from.Kind != to.Kind || from.Kind == List && len(from.Items) != len(to.Items):
		if canonical(from, s, f) != canonical(to, s, f) {
			d.add(Changed, path, from, to)
		}
	case path == "server.version" && d.from.Version == d.to.Version: // 2.12 is its newest patch
	case from.Kind == Scalar:
		if canonical(from, s, f) != canonical(to, s, f) {
			d.add(Changed, path, from, to)
		}
	case from.Kind == List:
		for i := range from.Items {
			_, below, field := descend(from, s, f, "["+strconv.Itoa(i)+"]")
			d.node(Index(path, i), from.Items[i], to.Items[i], below, field)
		}
	default:
		d.maps(path, from, to, s, f)
	}
}

// structured reports whether the items of a list are maps or lists, of which people do
// not see at a glance what is new.
func structured(list *Node) bool {
	return !slices.ContainsFunc(list.Items, func(n *Node) bool { return n.Kind == Scalar })
}

// items compares lists of different lengths: what both begin and end with is left out.
func (d *differ) items(path string, from, to *Node, s *shape, f *Field) {
	same := func(a, b *Node) bool {
		_, below, field := descend(from, s, f, "[0]")
		return canonical(a, below, field) == canonical(b, below, field)
	}
	shorter, first, last := min(len(from.Items), len(to.Items)), 0, 0
	for first < shorter && same(from.Items[first], to.Items[first]) {
		first++
	}
	for last < shorter-first && same(from.Items[len(from.Items)-1-last], to.Items[len(to.Items)-1-last]) {
		last++
	}
	if first+last < shorter || shorter == 0 { // more than items put in or taken out
		d.add(Changed, path, from, to)
		return
	}
	for i := first; i < len(from.Items)-last; i++ {
		d.add(Deleted, Index(path, i), from.Items[i], nil)
	}
	for i := first; i < len(to.Items)-last; i++ {
		d.add(Created, Index(path, i), nil, to.Items[i])
	}
}

func (d *differ) maps(path string, from, to *Node, s *shape, f *Field) {
	for _, key := range sortedKeys(from) {
		at, other := from.Get(key), to.Get(key)
		if other == nil {
			if !d.saysNothing(path, key, from, s, f, d.to) {
				d.add(Deleted, Join(path, key), at, nil)
			}
			continue
		}
		_, below, field := descend(from, s, f, stepText(key))
		d.node(Join(path, key), at, other, below, field)
	}
	for _, key := range sortedKeys(to) {
		if from.Get(key) == nil && !d.saysNothing(path, key, to, s, f, d.from) {
			d.add(Created, Join(path, key), nil, to.Get(key))
		}
	}
}

// shared are Weir's own keys that other notations have as well.
var shared = []string{"streams", "consumers", "kv", "objects", "accounts"}

// saysNothing reports whether a key of a map, which the other design does not have,
// makes no difference to it.
func (d *differ) saysNothing(path, key string, in *Node, s *shape, f *Field, other *Design) bool {
	n, below, field := descend(in, s, f, stepText(key))
	steps := Split(path)
	switch {
	case path == "" && key == "weir":
		return true
	case len(steps) > 0 && steps[len(steps)-1] == "metadata" && strings.HasPrefix(key, serverMetadata):
		return true
	case field == nil:
		return false
	case field.Own:
		return d.from.Has("weir") != d.to.Has("weir") && !slices.Contains(shared, key)
	case key == "name" || key == "durable_name":
		return len(steps) > 0 && n.Text == steps[len(steps)-1]
	case n.Kind == Map:
		return !slices.ContainsFunc(n.Keys, func(k *Node) bool { return key != "metadata" || !strings.HasPrefix(k.Text, serverMetadata) })
	case n.Kind == List || n.Null:
		return len(n.Items) == 0
	}
	text := field.DefaultIn(other.Version)
	if text == "" && (field.Zero != "" || field.Type == natsapi.Bool) {
		text = map[bool]string{true: "false", false: "0"}[field.Type == natsapi.Bool]
	}
	def, problems := ParseYAML(NewSource("", []byte(text)))
	return def != nil && !problems.Failed() && canonical(def, below, field) == canonical(n, below, field)
}

// serverMetadata begins the keys of metadata that servers write.
const serverMetadata = "_nats."

func sortedKeys(n *Node) []string {
	keys := make([]string, 0, len(n.Keys))
	for i, k := range n.Keys {
		if n.find(k.Text) == i {
			keys = append(keys, k.Text)
		}
	}
	sort.Strings(keys)
	return keys
}

// stepText is a key as a step of a path.
func stepText(key string) string { return Join("", key) }

func quoteKey(s string) string { return strconv.Quote(s) }

// Text is the change for people: + path, - path or ~ path: from -> to.
func (c Change) Text() string {
	switch c.Op {
	case Created:
		return strings.TrimRight("+ "+c.Path+": "+c.To, ": ")
	case Deleted:
		return strings.TrimRight("- "+c.Path+": "+c.From, ": ")
	}
	return "~ " + c.Path + ": " + c.From + " -> " + c.To
}
