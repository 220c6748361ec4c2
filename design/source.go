package design

import (
	"bytes"
	"fmt"
	"sort"
	"unicode/utf8"
)

// Limits of every reader. They bound time and memory before a parser sees the
// text; a file beyond one of them is refused with the limit named.
const (
	MaxFileBytes = 8 << 20 // 8 MiB
	MaxDepth     = 100     // nested maps and lists
	MaxNodes     = 200_000 // maps, lists, keys and values, aliases expanded
	MaxAliases   = 1_000   // YAML alias expansions
	MaxProblems  = 500     // reported of one file
)

// Source is one text with a name, as it was given, and the index that turns byte
// positions into lines and columns. A byte order mark is left out of Text.
type Source struct {
	Name string
	Text []byte
	// Marked says that a byte order mark stood in front of Text.
	Marked bool
	// API says that the values are in the units of the JetStream API: durations
	// in nanoseconds, sizes in bytes. In a design file every value has its unit.
	API bool
	// Spelling is how the notation of the text writes keys and values, nil for a
	// design file and for JSON of the API.
	Spelling *Spelling
	// Env is the environment that a notation with variables looks into, nil where
	// there is none: nats-server.conf does, where a text defines no such variable.
	Env func(name string) (value string, ok bool)
	// Absent are files that the text includes and that are known not to be there; nil
	// where nobody looked.
	Absent map[string]bool
	lines  []int32 // where each line starts
	ascii  bool    // every byte is a character
	// marks count the characters of a text that is not ASCII, every few thousand
	// bytes, so that a place on a line of megabytes is not counted from its start.
	marks []mark
}

// mark is a byte position and the number of characters before it.
type mark struct{ off, chars int32 }

// markEvery is how many bytes lie between two marks.
const markEvery = 4096

// NewSource indexes the text. It does not copy it: the text must not change
// while the Source is in use.
func NewSource(name string, text []byte) *Source {
	text, marked := bytes.CutPrefix(text, []byte("\xef\xbb\xbf"))
	s := &Source{Name: name, Text: text, Marked: marked}
	if len(text) > MaxFileBytes {
		return s // refused by check: not worth an index
	}
	s.lines = make([]int32, 1, 1+bytes.Count(text, []byte("\n")))
	s.ascii = true
	for i, c := range text {
		if c == '\n' {
			s.lines = append(s.lines, int32(i+1))
		}
		s.ascii = s.ascii && c < utf8.RuneSelf
	}
	if !s.ascii {
		s.markChars()
	}
	return s
}

// With is a source of the same name and environment with another text.
func (s *Source) With(text []byte) *Source {
	out := NewSource(s.Name, text)
	out.API, out.Env, out.Spelling = s.API, s.Env, s.Spelling
	return out
}

func (s *Source) markChars() {
	s.marks = []mark{{}}
	for off, chars := 0, 0; off < len(s.Text); chars++ {
		if off-int(s.marks[len(s.marks)-1].off) >= markEvery {
			s.marks = append(s.marks, mark{int32(off), int32(chars)})
		}
		if s.Text[off] < utf8.RuneSelf {
			off++
			continue
		}
		_, n := utf8.DecodeRune(s.Text[off:])
		off += n
	}
}

// charsBefore counts the characters before a byte position.
func (s *Source) charsBefore(off int) int {
	if s.ascii {
		return off
	}
	m := s.marks[sort.Search(len(s.marks), func(i int) bool { return int(s.marks[i].off) > off })-1]
	return int(m.chars) + utf8.RuneCount(s.Text[m.off:off])
}

// lineCol turns a byte position into line and column, both from 1.
func (s *Source) lineCol(off int) (line, col int) {
	if len(s.lines) == 0 {
		return 0, 0
	}
	off = max(0, min(off, len(s.Text)))
	line = s.lineOf(off)
	return line, s.charsBefore(off) - s.charsBefore(int(s.lines[line-1])) + 1
}

// lineOf is the line of a byte position, from 1, without the cost of counting
// the characters in front of it.
func (s *Source) lineOf(off int) int {
	return sort.Search(len(s.lines), func(i int) bool { return int(s.lines[i]) > off })
}

// bytePos turns a line and column, both from 1, into a byte position. What lies
// beyond the line or the text is cut to its end.
func (s *Source) bytePos(line, col int) int {
	return (&cursor{src: s}).bytePos(line, col)
}

// cursor turns lines and columns into byte positions and remembers the last one,
// so that places that ascend on one long line are not counted from its start
// each time.
type cursor struct {
	src            *Source
	line, col, off int
}

func (c *cursor) bytePos(line, col int) int {
	s := c.src
	if line < 1 || len(s.lines) == 0 {
		return 0
	}
	if line > len(s.lines) {
		return len(s.Text)
	}
	off, end := int(s.lines[line-1]), s.lineEnd(line)
	if s.ascii {
		return min(off+max(0, col-1), end)
	}
	wanted := col
	if line == c.line && c.col <= col {
		off, col = c.off, 1+col-c.col
	} else {
		// From the last mark before the place, where there is one on the line.
		before := s.charsBefore(off)
		m := s.marks[sort.Search(len(s.marks), func(i int) bool { return int(s.marks[i].chars) > before+max(0, col-1) })-1]
		if int(m.off) > off {
			off, col = int(m.off), col-(int(m.chars)-before)
		}
	}
	c.line, c.col = line, wanted
	for ; col > 1 && off < end; col-- {
		if s.Text[off] < utf8.RuneSelf {
			off++
			continue
		}
		_, n := utf8.DecodeRune(s.Text[off:end])
		off += n
	}
	c.off = off
	return off
}

// lineEnd is the byte position behind the line's last character, without its
// line break.
func (s *Source) lineEnd(line int) int {
	end := len(s.Text)
	if line < len(s.lines) {
		end = int(s.lines[line]) - 1
	}
	if end > int(s.lines[line-1]) && s.Text[end-1] == '\r' {
		end--
	}
	return end
}

// Line is the text of a line (from 1) without its line break; "" when there is
// no such line.
func (s *Source) Line(line int) string {
	if line < 1 || line > len(s.lines) {
		return ""
	}
	return string(s.Text[s.lines[line-1]:s.lineEnd(line)])
}

// LineWidth counts the characters of a line (from 1), without its line break.
func (s *Source) LineWidth(line int) int {
	if line < 1 || line > len(s.lines) {
		return 0
	}
	return s.charsBefore(s.lineEnd(line)) - s.charsBefore(int(s.lines[line-1]))
}

// LinePart is what of a line stands from one column up to another, which is
// exclusive; both count from 1 and are cut to the line.
func (s *Source) LinePart(line, from, to int) string {
	if line < 1 || line > len(s.lines) || to <= from {
		return ""
	}
	start, end := s.bytePos(line, from), s.bytePos(line, to)
	return string(s.Text[start:max(start, end)])
}

// Place is the position of the bytes from start to end (exclusive).
func (s *Source) Place(start, end int) Position {
	p := Position{File: s.Name}
	p.Line, p.Col = s.lineCol(start)
	if end > start {
		p.EndLine, p.EndCol = s.lineCol(end)
	}
	return p
}

// problem makes an error-severity problem at a place of the source.
func (s *Source) problem(code Code, start, end int, format string, args ...any) Problem {
	return Problem{Code: code, Severity: Error, Message: fmt.Sprintf(format, args...), Position: s.Place(start, end)}
}

// wideEncoding names the encoding of a text that begins with the byte order mark
// of UTF-16 or UTF-32, "" for others.
func wideEncoding(text []byte) string {
	for _, e := range []struct{ mark, name string }{
		{"\xff\xfe\x00\x00", "UTF-32"}, {"\x00\x00\xfe\xff", "UTF-32"}, {"\xff\xfe", "UTF-16"}, {"\xfe\xff", "UTF-16"},
	} {
		if bytes.HasPrefix(text, []byte(e.mark)) {
			return e.name
		}
	}
	return ""
}

// Check refuses what no parser should see: too many bytes, invalid UTF-8,
// control characters. Every reader calls it first. Only the first is reported,
// because one wrong encoding makes every line wrong.
func (s *Source) Check() Problems {
	if len(s.Text) > MaxFileBytes {
		return Problems{{Code: CodeLimit, Severity: Error, Position: Position{File: s.Name},
			Message: fmt.Sprintf("the file has %d bytes; Weir reads at most %d (8 MiB)", len(s.Text), MaxFileBytes)}}
	}
	if wide := wideEncoding(s.Text); wide != "" {
		return Problems{s.problem(CodeEncoding, 0, 0, "the file is in %s; save it as UTF-8", wide)}
	}
	for i := 0; i < len(s.Text); {
		c := s.Text[i]
		switch {
		case c == 0:
			return Problems{s.problem(CodeEncoding, i, i+1, "NUL byte; is this a text file in UTF-8?")}
		case c == '\r' && (i+1 >= len(s.Text) || s.Text[i+1] != '\n'):
			return Problems{s.problem(CodeEncoding, i, i+1, "carriage return without a line feed; end lines with LF or CRLF")}
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f:
			return Problems{s.problem(CodeEncoding, i, i+1, "control character U+%04X; write it as an escape in a quoted string", c)}
		case c < utf8.RuneSelf:
			i++
			continue
		}
		r, n := utf8.DecodeRune(s.Text[i:])
		if r == utf8.RuneError && n <= 1 {
			if c >= utf8.RuneSelf {
				return Problems{s.problem(CodeEncoding, i, i+1, "byte 0x%02X is not valid UTF-8; save the file as UTF-8", c)}
			}
			n = 1
		}
		i += n
	}
	return nil
}
