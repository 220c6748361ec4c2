package design

import (
	"slices"
	"strings"
)

// cursorPlace is what the tables know about a place in a text that is being
// written. It is found without parsing: while somebody types, the text is broken
// most of the time.
type cursorPlace struct {
	// set is what the map at the place may hold, nil where names are free or
	// nothing is known.
	set *fieldSet
	// key is true where a key stands or may stand, false for a value.
	key bool
	// word is what of the key or value stands before the place, from its byte
	// position.
	word string
	from int
	// field and shape are those of the value, or nil.
	field *Field
	shape *shape
	// present are the keys that the map has before the place.
	present []string
	// path is that of the map, or of the value.
	path string
	json bool
}

// frame is one map or list around the place.
type frame struct {
	list, flow bool
	indent     int    // of a block's keys or dashes, in characters
	key        string // of a map, whose value comes next; "" before one
	keys       []string
	items      int
}

// cursorScan walks a text up to a place.
type cursorScan struct {
	text   string
	frames []frame
	word   int  // where the word begins that the place stands in
	key    bool // the place is where a key may stand
}

// locate finds the place at a byte position.
func locate(src *Source, off int) cursorPlace {
	text := string(src.Text[:off])
	s := &cursorScan{text: text}
	isJSON := strings.HasPrefix(strings.TrimLeft(string(src.Text[:min(len(src.Text), 4096)]), " \t\r\n"), "{")
	if isJSON {
		s.flow(0)
	} else {
		s.blocks()
	}
	return s.place(rootSet(src, isJSON), isJSON)
}

// rootSet is what the whole text may hold: a design, or in JSON of the API a
// stream's or consumer's configuration.
func rootSet(src *Source, isJSON bool) *fieldSet {
	text := string(src.Text)
	has := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { return strings.Contains(text, `"`+k+`"`) })
	}
	switch {
	case !isJSON || has("weir", "streams", "publishers"):
		return sets()["design"]
	case has("stream_name"):
		return sets()["consumer_request"]
	case has("ack_policy", "durable_name", "deliver_policy", "filter_subject", "deliver_subject"):
		return sets()["consumer"]
	}
	return sets()["stream"]
}

// blocks walks YAML's block style line by line.
func (s *cursorScan) blocks() {
	s.frames, s.key = []frame{{indent: 0}}, true
	for at := 0; at < len(s.text); {
		end := len(s.text)
		if i := strings.IndexByte(s.text[at:], '\n'); i >= 0 {
			end = at + i
		}
		at = s.line(at, end) + 1
	}
	if strings.HasSuffix(s.text, "\n") {
		s.enter(0)
		s.word, s.key = len(s.text), true
	}
}

// line walks one line from at to end and returns where the walk stopped: end, or
// further down when a bracket was closed there.
func (s *cursorScan) line(at, end int) int {
	text := s.text[at:end]
	trimmed := strings.TrimLeft(text, " ")
	last := end == len(s.text)
	indent := len(text) - len(trimmed)
	at += indent
	if (trimmed == "" || trimmed == "\r") && !last || strings.HasPrefix(trimmed, "#") || trimmed == "---" {
		return end
	}
	for strings.HasPrefix(trimmed, "- ") || trimmed == "-" {
		s.dash(indent)
		rest := strings.TrimLeft(trimmed[1:], " ")
		indent += len(trimmed) - len(rest)
		at += len(trimmed) - len(rest)
		trimmed = rest
	}
	s.enter(indent)
	s.word, s.key = at, true
	colon := keyEnd(trimmed)
	if colon < 0 {
		if c := firstByte(trimmed); c == '{' || c == '[' {
			return s.flow(at)
		}
		return end
	}
	top := &s.frames[len(s.frames)-1]
	top.key = unquoteKey(trimmed[:colon])
	top.keys = append(top.keys, top.key)
	value := strings.TrimLeft(trimmed[colon+1:], " ")
	s.word, s.key = end-len(value), false
	if c := firstByte(value); c == '{' || c == '[' {
		return s.flow(s.word)
	}
	return end
}

func firstByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

// keyEnd is where the colon behind a key stands, -1 without one.
func keyEnd(s string) int {
	from := 0
	if c := firstByte(s); c == '"' || c == '\'' {
		if i := strings.IndexByte(s[1:], c); i >= 0 {
			from = i + 2
		}
	}
	for i := from; i < len(s); i++ {
		switch {
		case s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\r'):
			return i
		case s[i] == '#' && i > 0 && s[i-1] == ' ':
			return -1
		}
	}
	return -1
}

func unquoteKey(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// enter makes the map at an indentation the innermost one.
func (s *cursorScan) enter(indent int) {
	for len(s.frames) > 1 && s.frames[len(s.frames)-1].indent > indent {
		s.frames = s.frames[:len(s.frames)-1]
	}
	top := s.frames[len(s.frames)-1]
	switch {
	case top.list && top.indent == indent && len(s.frames) > 1:
		// A key in the column of a list's dashes goes on with the map around it.
		s.frames = s.frames[:len(s.frames)-1]
		s.enter(indent)
	case top.indent < indent:
		s.frames = append(s.frames, frame{indent: indent})
	}
}

// dash begins an item of a list at an indentation.
func (s *cursorScan) dash(indent int) {
	for len(s.frames) > 1 && (s.frames[len(s.frames)-1].indent > indent) {
		s.frames = s.frames[:len(s.frames)-1]
	}
	if top := &s.frames[len(s.frames)-1]; top.list && top.indent == indent {
		top.items++
		return
	}
	s.frames = append(s.frames, frame{list: true, indent: indent})
}

// flow walks braces and brackets from at until they are closed, and returns
// where that is, the end of the text when they are not.
func (s *cursorScan) flow(at int) int {
	base := len(s.frames)
	for i := at; i < len(s.text); i++ {
		c := s.text[i]
		switch {
		case c == '{' || c == '[':
			s.frames = append(s.frames, frame{flow: true, list: c == '['})
			s.word, s.key = i+1, c == '{'
		case c == '}' || c == ']':
			if len(s.frames) > base {
				s.frames = s.frames[:len(s.frames)-1]
			}
			s.word, s.key = i+1, false
			if len(s.frames) == base {
				return s.restOfLine(i)
			}
		case c == ',':
			s.next(i)
		case c == '"' || c == '\'':
			i = s.quotedEnd(i)
		case c == ':' && s.key && len(s.frames) > base:
			top := &s.frames[len(s.frames)-1]
			top.key = unquoteKey(s.text[s.word:i])
			top.keys = append(top.keys, top.key)
			s.word, s.key = i+1, false
		case c == '#' && i > 0 && (s.text[i-1] == ' ' || s.text[i-1] == '\n'):
			for i+1 < len(s.text) && s.text[i+1] != '\n' {
				i++
			}
		case (c == ' ' || c == '\n' || c == '\r' || c == '\t') && s.word == i:
			s.word++
		}
	}
	return len(s.text)
}

// next goes on behind a comma.
func (s *cursorScan) next(i int) {
	if len(s.frames) == 0 {
		return
	}
	top := &s.frames[len(s.frames)-1]
	s.word = i + 1
	if top.list {
		top.items++
		return
	}
	top.key, s.key = "", true
}

// quotedEnd is the end of a quoted text that begins at i.
func (s *cursorScan) quotedEnd(i int) int {
	quote := s.text[i]
	for j := i + 1; j < len(s.text); j++ {
		switch {
		case s.text[j] == '\\' && quote == '"':
			j++
		case s.text[j] == quote:
			return j
		case s.text[j] == '\n':
			return j
		}
	}
	return len(s.text) - 1
}

func (s *cursorScan) restOfLine(i int) int {
	if j := strings.IndexByte(s.text[i:], '\n'); j >= 0 {
		return i + j
	}
	return len(s.text)
}

// place turns the frames into what the tables say.
func (s *cursorScan) place(root *fieldSet, isJSON bool) cursorPlace {
	at := &shape{kind: kindObject, set: root}
	p := cursorPlace{key: s.key, json: isJSON, from: min(s.word, len(s.text))}
	p.word = s.text[p.from:]
	var field *Field
	for i, f := range s.frames {
		last := i == len(s.frames)-1
		if f.list {
			if at, p.path = itemOf(at), Index(p.path, f.items); last {
				p.key = false
			}
			continue
		}
		at = mapOf(at)
		if last && s.key {
			p.present = f.keys
			if at != nil && at.kind == kindObject {
				p.set = at.set
			}
			return p
		}
		if f.key == "" {
			return p
		}
		p.path = Join(p.path, f.key)
		at, field = childOf(at, field, f.key, root)
	}
	p.field, p.shape = field, at
	return p
}

// mapOf is the alternative of a shape that is a map.
func mapOf(s *shape) *shape {
	if s == nil {
		return nil
	}
	return s.pick(&Node{Kind: Map})
}

// itemOf is the shape of the items of a list.
func itemOf(s *shape) *shape {
	if s == nil {
		return nil
	}
	if s = s.pick(&Node{Kind: List}); s.kind == kindList {
		return s.elem
	}
	return nil
}

// childOf is what stands below a key of a map. Around a stream's or consumer's
// configuration there may be an envelope with a key config.
func childOf(s *shape, f *Field, key string, root *fieldSet) (*shape, *Field) {
	switch {
	case s == nil:
		return nil, nil
	case s.kind == kindObject && s.set.byName[key] != nil:
		f := s.set.byName[key]
		return f.shape, f
	case s.kind == kindObject && key == "config" && s.set == root:
		return s, nil
	case s.kind == kindMap:
		return s.elem, nil
	case s.kind == kindDist:
		return s.elem, f
	}
	return nil, nil
}
