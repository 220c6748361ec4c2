package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// maxRow is the longest row of an input, in bytes.
const maxRow = 1 << 20

// crlfWindow is how many bytes of an input decide whether it is a CRLF file.
const crlfWindow = 64 << 10

// rowReader reads the rows of a file or of standard input, in constant memory.
// A row ends with LF; the last one may end with the input. All other bytes
// belong to the row, CR as well, except that in an input all of whose ended rows
// end with CR LF, judged by its first 64 KiB, the CR is no part of them: such a
// file comes from an editor, not from somebody who means the byte.
type rowReader struct {
	name string // for messages: "standard input", or the file
	r    *bufio.Reader
	line int
	buf  []byte // a row longer than the reader's buffer

	decided  bool
	dropCR   bool
	held     [][]byte // rows read ahead while every row ends with CR LF
	heldSize int
	endErr   error // what ended the reading ahead
}

func newRowReader(name string, r io.Reader) *rowReader {
	return &rowReader{name: name, r: bufio.NewReaderSize(r, 64<<10)}
}

// next returns the next row, valid until the following call, or io.EOF.
func (r *rowReader) next() ([]byte, error) {
	if !r.decided {
		r.decide()
	}
	var row []byte
	if len(r.held) > 0 {
		row, r.held = r.held[0], r.held[1:]
	} else {
		if r.endErr != nil {
			return nil, r.endErr
		}
		var err error
		if row, err = r.read(); err != nil {
			return nil, err
		}
	}
	r.line++
	row, ended := cutEnd(row, "\n")
	if ended && r.dropCR {
		row, _ = cutEnd(row, "\r")
	}
	return row, nil
}

func cutEnd(row []byte, end string) ([]byte, bool) {
	s := len(row) - len(end)
	if s < 0 || string(row[s:]) != end {
		return row, false
	}
	return row[:s], true
}

// decide reads ahead for as long as every row ends with CR LF.
func (r *rowReader) decide() {
	r.decided = true
	for r.heldSize < crlfWindow {
		row, err := r.read()
		if err != nil {
			r.endErr = err
			break
		}
		r.held = append(r.held, append([]byte(nil), row...))
		r.heldSize += len(row)
		if _, ended := cutEnd(row, "\n"); ended {
			if r.dropCR = strings.HasSuffix(string(row), "\r\n"); !r.dropCR {
				break
			}
		}
	}
}

// read returns the next row with its LF.
func (r *rowReader) read() ([]byte, error) {
	row, err := r.r.ReadSlice('\n')
	if err == nil {
		return row, nil
	}
	r.buf = append(r.buf[:0], row...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(r.buf) > maxRow {
			return nil, badInput("%s:%d: the row is longer than 1 MiB (%s bytes)", r.name, r.line+len(r.held)+1, thousands(maxRow))
		}
		row, err = r.r.ReadSlice('\n')
		r.buf = append(r.buf, row...)
	}
	switch {
	case len(r.buf) > maxRow+len("\r\n"):
		return nil, badInput("%s:%d: the row is longer than 1 MiB (%s bytes)", r.name, r.line+len(r.held)+1, thousands(maxRow))
	case err == nil || errors.Is(err, io.EOF) && len(r.buf) > 0:
		return r.buf, nil
	case errors.Is(err, io.EOF):
		return nil, io.EOF
	}
	return nil, fmt.Errorf("read %s: %w", r.name, err)
}

// waits reports whether the next row may have to be waited for.
func (r *rowReader) waits() bool { return len(r.held) == 0 && r.r.Buffered() == 0 }

// source is one place that items come from: an argument, a file or standard
// input.
type source struct {
	item string
	file string // "-" is standard input, "" means item
}

// text is the item of an argument, with its escapes read if that is wanted.
func (s source) text(escaped bool) string {
	if escaped {
		return unescape(s.item)
	}
	return s.item
}

// sourcesHelp is said in the help of every command that takes a list.
const sourcesHelp = `
Items are arguments; @FILE takes the rows of a file, - those of standard input, and so
does --file FILE. Write @@x for an item that begins with @. A row ends with LF and may
hold any byte; in a file all of whose rows end with CR LF the CR does not belong to them.
Rows of up to 1 MiB.`

// sources reads a list of arguments; batch is true when rows are read.
func sources(args []string, file string) (list []source, batch bool) {
	for _, a := range args {
		switch {
		case a == "-":
			list, batch = append(list, source{file: "-"}), true
		case strings.HasPrefix(a, "@@"):
			list = append(list, source{item: a[1:]})
		case strings.HasPrefix(a, "@"):
			list, batch = append(list, source{file: a[1:]}), true
		default:
			list = append(list, source{item: a})
		}
	}
	if file != "" {
		list, batch = append(list, source{file: file}), true
	}
	return list, batch
}

// open returns the rows of a source.
func (c *Command) open(s source) (*rowReader, io.Closer, error) {
	switch s.file {
	case "":
		// An argument is one row, whatever bytes it holds.
		r := newRowReader("arguments", strings.NewReader(""))
		r.decided, r.held, r.endErr = true, [][]byte{[]byte(s.item)}, io.EOF
		return r, io.NopCloser(nil), nil
	case "-":
		return newRowReader("standard input", c.Stdin), io.NopCloser(nil), nil
	}
	f, err := os.Open(s.file)
	if err != nil {
		return nil, nil, badInput("open input: %w", err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, nil, badInput("open input: %s is a folder", s.file)
	}
	return newRowReader(s.file, f), f, nil
}

// eachRow calls f with every row of the sources until it returns an error.
func (c *Command) eachRow(list []source, f func(r *rowReader, row []byte) error) error {
	for _, s := range list {
		r, closer, err := c.open(s)
		if err != nil {
			return err
		}
		for err == nil {
			var row []byte
			if row, err = r.next(); err == nil {
				err = f(r, row)
			}
		}
		closer.Close()
		if !errors.Is(err, io.EOF) {
			return err
		}
	}
	return nil
}

// Bounds of a list that is held in memory.
const (
	maxListRows  = 1_000_000
	maxListBytes = 256 << 20
)

// list reads all rows of the sources into memory; what names them in errors.
func (c *Command) list(from []source, escaped bool, what string) ([]string, error) {
	var out []string
	size := 0
	err := c.eachRow(from, func(r *rowReader, row []byte) error {
		if size += len(row); len(out) == maxListRows || size > maxListBytes {
			return badInput("%s:%d: more than %s %s or 256 MiB; split the list", r.name, r.line, thousands(maxListRows), what)
		}
		item := string(row)
		if escaped {
			item = unescape(item)
		}
		out = append(out, item)
		return nil
	})
	if err == nil && len(out) == 0 {
		err = noRows(from, what)
	}
	return out, err
}

func noRows(from []source, what string) error {
	if len(from) == 1 && from[0].file == "-" {
		return badInput("standard input holds no %s", what)
	}
	if len(from) > 0 {
		return badInput("%s holds no %s", from[0].file, what)
	}
	return badInput("no %s given", what)
}
