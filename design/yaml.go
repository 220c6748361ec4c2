package design

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// maxYAMLMarks bounds what the YAML library is given: line ends, indicators and
// separators, each of which can begin a node. It is far above what MaxNodes
// nodes need, because prose and comments have commas too; the nodes themselves
// are counted when they are there.
const maxYAMLMarks = 2 * MaxNodes

// ParseYAML reads a YAML text (and JSON, which is YAML) into nodes. One document;
// aliases are expanded within the limits; tags other than !!str, merge keys and
// keys that are not scalars are refused, and so is a key written twice. The node
// is nil when the text cannot be read at all; problems that leave a tree come
// with one.
func ParseYAML(src *Source) (*Node, Problems) {
	if ps := checkYAML(src); ps != nil {
		return nil, ps
	}
	if n := readPlainYAML(src); n != nil {
		return n, nil
	}
	return readAnyYAML(src)
}

// readAnyYAML reads a text that was checked with the YAML library.
func readAnyYAML(src *Source) (*Node, Problems) {
	var doc yaml.Node
	if ps := loadYAML(src, &doc); ps != nil {
		return nil, ps
	}
	c := &yamlConverter{src: src, places: cursor{src: src}}
	if len(doc.Content) == 0 {
		return nil, Problems{src.problem(CodeSyntax, 0, 0, "the file is empty")}
	}
	n := c.node(doc.Content[0], 0)
	if c.stopped {
		n = nil
	}
	return n, c.problems
}

// ParseYAMLStream reads a YAML text of any number of documents, within the limits
// of one, as ParseYAML reads them. Documents that say nothing are left out.
func ParseYAMLStream(src *Source) ([]*Node, Problems) {
	if ps := checkYAML(src); ps != nil {
		return nil, ps
	}
	var docs []yaml.Node
	if ps := loadYAML(src, &docs, yaml.WithAllDocuments()); ps != nil {
		return nil, ps
	}
	c := &yamlConverter{src: src, places: cursor{src: src}}
	var out []*Node
	for i := range docs {
		if len(docs[i].Content) == 0 {
			continue
		}
		if n := c.node(docs[i].Content[0], 0); !c.stopped && !n.Null {
			out = append(out, n)
		}
	}
	return out, c.problems
}

// loadYAML has the library read a text that was checked.
func loadYAML(src *Source, into any, options ...yaml.Option) Problems {
	limits := yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(MaxDepth+1), loaderlimits.AliasNone()))
	if err := yaml.Load(src.Text, into, append(options, limits)...); err != nil {
		return Problems{yamlProblem(src, err)}
	}
	return nil
}

// checkYAML refuses what would be expensive or misread: wrong bytes, too many
// possible nodes, line breaks that only YAML 1.1 knows.
func checkYAML(src *Source) Problems {
	if ps := src.Check(); ps != nil {
		return ps
	}
	for _, br := range []string{"\u0085", "\u2028", "\u2029"} {
		if i := bytes.Index(src.Text, []byte(br)); i >= 0 {
			r, n := utf8.DecodeRune(src.Text[i:])
			return Problems{src.problem(CodeEncoding, i, i+n, "U+%04X is a line break to some YAML readers and a character to others; write it as an escape in double quotes", r)}
		}
	}
	marks := 0
	for i, c := range src.Text {
		switch c {
		case '\n', ',', '[', '{', ':', '-', '?':
			if marks++; marks > maxYAMLMarks {
				return Problems{src.problem(CodeLimit, i, i+1, "the file is too complex: more than %d lines, separators and brackets", maxYAMLMarks)}
			}
		}
	}
	return nil
}

// yamlProblem turns the library's error into a problem with a place, in plainer
// words where the cause is known.
func yamlProblem(src *Source, err error) Problem {
	var le *yaml.LoadError
	switch {
	case strings.Contains(err.Error(), "single document, found multiple"):
		off := secondDocument(src)
		return src.problem(CodeFeature, off, off+3, "several YAML documents in one file; a design file holds one, so remove what follows ---")
	case strings.Contains(err.Error(), "no documents in stream"):
		return src.problem(CodeSyntax, 0, 0, "the file is empty")
	case !errors.As(err, &le):
		return src.problem(CodeSyntax, 0, 0, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	line, col := le.Mark.Line, le.Mark.Column
	if line == 0 || strings.Contains(le.Message, noColon) && le.ContextMark.Line > 0 { // where the key begins, not where its colon was missed
		line, col = le.ContextMark.Line, le.ContextMark.Column
	}
	off := src.bytePos(line, col)
	text := src.Line(line)
	indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	switch {
	case strings.Contains(le.Message, "depth"):
		return src.problem(CodeLimit, off, off, "nested deeper than %d levels; Weir reads at most that many", MaxDepth)
	case strings.Contains(indent, "\t"):
		at := src.bytePos(line, strings.Index(indent, "\t")+1)
		return src.problem(CodeEncoding, at, at+1, "a tab as indentation; YAML is indented with spaces")
	}
	for _, known := range yamlMessages {
		if !strings.Contains(le.Message, known.says) || !strings.Contains(le.ContextMsg, known.while) {
			continue
		}
		msg := known.means
		if strings.Contains(msg, "%d:%d") {
			msg = fmt.Sprintf(msg, le.ContextMark.Line, le.ContextMark.Column)
		}
		if off >= len(src.Text) {
			msg += "; is the file cut off?"
		}
		return src.problem(CodeSyntax, off, off, "%s", msg)
	}
	msg := le.Message
	if le.ContextMsg != "" {
		msg += " (" + le.ContextMsg + ")"
	}
	return src.problem(CodeSyntax, off, off, "%s", msg)
}

// noColon is what the library says of a key without its colon.
const noColon = "could not find expected ':'"

// yamlMessages says in plainer words what the messages of the YAML library mean;
// the first that fits counts. In means, %d:%d is where the construct began.
var yamlMessages = []struct{ says, while, means string }{
	{"incompatible YAML document", "", "a %YAML directive of a version that is not read; leave the line out"},
	{"did not find expected", "flow sequence", "a comma or ] is expected; the list that begins at %d:%d is not closed"},
	{"did not find expected", "flow mapping", "a comma or } is expected; the map that begins at %d:%d is not closed"},
	{"expected node content", "", "a value is expected here"},
	{"mapping values are not allowed", "", "a colon that cannot stand here: a second one in the line, or a line that is indented deeper than its neighbours; text with a colon and a space stands in quotes"},
	{"unexpected end of stream", "quoted scalar", "the quoted text that begins at %d:%d is not closed"},
	{"did not find expected key", "", "this line does not fit the lines above it: it is indented differently, or lacks a colon"},
	{"did not find expected '-'", "", "this line does not fit the list above it: it is indented differently, or lacks its dash"},
	{"unknown anchor", "", "an alias (*) without its anchor (&) further up; text that begins with * stands in quotes"},
	{"cannot start any token", "", "this character cannot begin a value; put the text into quotes"},
	{noColon, "", "a line without a colon between lines of key: value"},
	{"block sequence entries are not allowed", "", "a dash that cannot stand here: a list begins on a line of its own"},
	{"escape character", "", "an escape that YAML does not know; in single quotes a backslash is a backslash"},
}

// secondDocument finds the marker that begins the second document.
func secondDocument(src *Source) int {
	content := false
	for line := 1; line <= len(src.lines); line++ {
		text := src.Line(line)
		if strings.HasPrefix(text, "---") && content {
			return src.bytePos(line, 1)
		}
		text = strings.TrimSpace(text)
		content = content || text != "" && text[0] != '#' && text[0] != '%' && text != "---"
	}
	return 0
}

// yamlConverter turns the library's nodes into ours.
type yamlConverter struct {
	src      *Source
	problems Problems
	nodes    int
	aliases  int
	slab     nodeSlab
	places   cursor
	stopped  bool // a limit was hit: the tree is not complete
	inAlias  int
}

func (c *yamlConverter) stop(code Code, start int, format string, args ...any) *Node {
	if !c.stopped {
		c.stopped = true
		c.problems = append(c.problems, c.src.problem(code, start, start+1, format, args...))
	}
	return c.make(Scalar, start)
}

func (c *yamlConverter) make(kind NodeKind, start int) *Node {
	n := c.slab.node()
	n.Kind, n.Null, n.Start, n.End, n.Src = kind, kind == Scalar, start, start, c.src
	return n
}

func (c *yamlConverter) node(y *yaml.Node, depth int) *Node {
	start := c.places.bytePos(y.Line, y.Column)
	if c.stopped {
		return c.make(Scalar, start)
	}
	if c.nodes++; c.nodes > MaxNodes {
		return c.stop(CodeLimit, start, "the file has more than %d keys and values (aliases expanded); Weir reads at most that many", MaxNodes)
	}
	if depth > MaxDepth {
		if c.inAlias > 0 {
			return c.stop(CodeLimit, start, "an alias that contains itself, or nesting deeper than %d levels", MaxDepth)
		}
		return c.stop(CodeLimit, start, "nested deeper than %d levels; Weir reads at most that many", MaxDepth)
	}
	if y.Kind != yaml.ScalarNode && y.Style&yaml.TaggedStyle != 0 && y.Tag != "!!map" && y.Tag != "!!seq" {
		return c.stop(CodeFeature, start, "the tag %s is not read; write the value alone", quote(y.Tag))
	}
	switch y.Kind {
	case yaml.AliasNode:
		return c.alias(y, start, depth)
	case yaml.MappingNode:
		return c.mapping(y, start, depth)
	case yaml.SequenceNode:
		n := c.make(List, c.content(y, start))
		n.Items = make([]*Node, 0, len(y.Content))
		for _, item := range y.Content {
			n.Items = append(n.Items, c.node(item, depth+1))
		}
		n.End = c.collectionEnd(y, n, ']')
		return n
	}
	return c.scalar(y, start)
}

// alias expands an alias. The expansion stands where the alias is written, its
// parts where they are.
func (c *yamlConverter) alias(y *yaml.Node, start, depth int) *Node {
	if c.aliases++; c.aliases > MaxAliases {
		return c.stop(CodeLimit, start, "more than %d aliases; Weir expands at most that many", MaxAliases)
	}
	c.inAlias++
	target := *c.node(y.Alias, depth+1)
	c.inAlias--
	target.Start, target.End, target.alias = start, start+1+len(y.Value), true
	return &target
}

func (c *yamlConverter) mapping(y *yaml.Node, start, depth int) *Node {
	n := c.make(Map, c.content(y, start))
	both := make([]*Node, len(y.Content))
	n.Keys, n.Items = both[:0:len(both)/2], both[len(both)/2:len(both)/2]
	for i := 0; i+1 < len(y.Content) && !c.stopped; i += 2 {
		key := c.node(y.Content[i], depth+1)
		switch {
		case key.Kind != Scalar:
			c.report(CodeFeature, key, "a key that is a list or a map; keys are plain words")
			continue
		case y.Content[i].Tag == "!!merge":
			c.report(CodeFeature, key, "merge keys (<<) are not read; write the keys out, or use an alias for the whole value")
			continue
		}
		if first := n.find(key.Text); first >= 0 {
			line, _ := c.src.lineCol(n.Keys[first].Start)
			c.report(CodeDuplicate, key, "%s is written twice; first in line %d", quote(key.Text), line)
		}
		n.put(key, c.node(y.Content[i+1], depth+1))
	}
	n.End = c.collectionEnd(y, n, '}')
	return n
}

func (c *yamlConverter) report(code Code, n *Node, format string, args ...any) {
	if len(c.problems) >= MaxProblems {
		return
	}
	c.problems = append(c.problems, c.src.problem(code, n.Start, n.End, format, args...))
}

const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func (c *yamlConverter) scalar(y *yaml.Node, start int) *Node {
	n := c.make(Scalar, c.content(y, start))
	n.Text = y.Value
	n.Quoted = y.Style&quotedStyles != 0 || y.Style&yaml.TaggedStyle != 0 && y.Tag == "!!str"
	n.Null = !n.Quoted && isYAMLNull(y.Value)
	n.End = c.scalarEnd(y, n.Start)
	if y.Style&yaml.TaggedStyle != 0 && y.Tag != "!!str" {
		c.report(CodeFeature, n, "the tag %s is not read; write the value alone", quote(y.Tag))
	}
	return n
}

// isYAMLNull reports whether a plain scalar says nothing.
func isYAMLNull(s string) bool {
	return s == "" || s == "~" || s == "null" || s == "Null" || s == "NULL"
}

// content is where a node begins behind its anchor and tag.
func (c *yamlConverter) content(y *yaml.Node, at int) int {
	text := c.src.Text
	if y.Anchor == "" && y.Style&yaml.TaggedStyle == 0 {
		return at
	}
	for at < len(text) && (text[at] == '&' || text[at] == '!') {
		for at < len(text) && text[at] > ' ' {
			at++
		}
		for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r') {
			at++
		}
	}
	return at
}

// scalarEnd finds where the scalar that starts at a byte ends: the library says
// only where nodes begin.
func (c *yamlConverter) scalarEnd(y *yaml.Node, at int) int {
	text := c.src.Text
	switch {
	case at >= len(text):
		return len(text)
	case y.Style&yaml.DoubleQuotedStyle != 0 && text[at] == '"':
		for i := at + 1; i < len(text); i++ {
			if text[i] == '\\' {
				i++
			} else if text[i] == '"' {
				return i + 1
			}
		}
	case y.Style&yaml.SingleQuotedStyle != 0 && text[at] == '\'':
		for i := at + 1; i < len(text); i++ {
			if text[i] == '\'' {
				if i+1 < len(text) && text[i+1] == '\'' {
					i++
					continue
				}
				return i + 1
			}
		}
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return c.src.lineEnd(c.src.lineOf(at)) // the indicator's line stands for the block
	case bytes.HasPrefix(text[at:], []byte(y.Value)):
		return at + len(y.Value)
	default: // a plain scalar over several lines: its first line stands for it
		end := c.src.lineEnd(c.src.lineOf(at))
		return at + len(bytes.TrimRight(text[at:end], " \t"))
	}
	return len(text)
}

// collectionEnd finds where a list or map ends: behind its bracket, or behind
// its last part.
func (c *yamlConverter) collectionEnd(y *yaml.Node, n *Node, closing byte) int {
	end := n.Start
	if k := len(n.Items); k > 0 {
		end = max(n.Start, n.Items[k-1].End)
		if n.Kind == Map {
			end = max(end, n.Keys[k-1].End)
		}
	} else if y.Style&yaml.FlowStyle != 0 {
		end++
	}
	if y.Style&yaml.FlowStyle == 0 {
		return end
	}
	text := c.src.Text
	for i := end; i < len(text); i++ {
		switch text[i] {
		case closing:
			return i + 1
		case '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case ' ', '\t', '\n', '\r', ',', ':':
		default:
			return end
		}
	}
	return end
}
