package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxRow is the longest row of an input, in bytes.
const maxRow = 1 << 20

// crlfWindow is how many bytes decide whether an input that can be read only once
// is a CRLF file.
const crlfWindow = 64 << 10

// rowReader reads the rows of a file or of standard input, in constant memory.
// A row ends with LF; the last one may end with the input. All other bytes
// belong to the row, CR as well, except that in an input all of whose ended rows
// end with CR LF the CR is no part of them: such a file comes from an editor, not
// from somebody who means the byte. A pipe is judged by its first 64 KiB; mixed
// tells whether a later row ended otherwise.
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
	mixed    bool  // a row ended with LF alone after the CR of others was dropped
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
		var crlf bool
		row, crlf = cutEnd(row, "\r")
		r.mixed = r.mixed || !crlf
	}
	if len(row) > maxRow {
		return nil, r.tooLong(r.line)
	}
	return row, nil
}

func (r *rowReader) tooLong(line int) error {
	return badInput("%s:%d: the row is longer than 1 MiB (%s bytes)", r.name, line, thousands(maxRow))
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
		if len(r.buf) > maxRow+len("\r\n") {
			return nil, r.tooLong(r.line + len(r.held) + 1)
		}
		row, err = r.r.ReadSlice('\n')
		r.buf = append(r.buf, row...)
	}
	switch {
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
	bare bool   // "@" without a name behind it
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
hold any byte; in a file all of whose rows end with CR LF the CR does not belong to them (of a
pipe the first 64 KiB decide). Rows of up to 1 MiB. JSON holds no bytes that are not UTF-8:
--escaped writes them, and every other text of the JSON, in its escapes.`

// sources reads a list of arguments; batch is true when rows are read.
func sources(args []string, file string) (list []source, batch bool) {
	for _, a := range args {
		switch {
		case a == "-":
			list, batch = append(list, source{file: "-"}), true
		case a == "@":
			list, batch = append(list, source{file: a, bare: true}), true
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
	if s.bare {
		return nil, nil, badInput(`"@" names no file; write @FILE, or @@ for an item that is @`)
	}
	switch s.file {
	case "":
		// An argument is one row, whatever bytes it holds.
		r := newRowReader("arguments", strings.NewReader(""))
		r.decided, r.held, r.endErr = true, [][]byte{[]byte(s.item)}, io.EOF
		return r, io.NopCloser(nil), nil
	case "-":
		r, err := rowsOf("standard input", c.Stdin)
		return r, io.NopCloser(nil), err
	}
	f, err := openInput(s.file)
	if err != nil {
		return nil, nil, err
	}
	r, err := rowsOf(s.file, f)
	if err != nil {
		f.Close()
	}
	return r, f, err
}

// openInput opens a file of the arguments.
func openInput(name string) (*os.File, error) {
	f, err := os.Open(name)
	var at *fs.PathError
	if errors.As(err, &at) {
		err = fmt.Errorf("%s: %w", at.Path, at.Err) // without the name of the call
		if dir, none := os.Getwd(); none == nil && errors.Is(err, fs.ErrNotExist) && !filepath.IsAbs(name) {
			err = fmt.Errorf("%w; looked in %s", err, dir)
		}
	}
	if err != nil {
		return nil, badInput("open input: %w", err)
	}
	return f, nil
}

// notFolder refuses a folder where a text is to be read.
func notFolder(name string, r io.Reader) error {
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return badInput("open input: %s is a folder", name)
		}
	}
	return nil
}

// rowsOf reads the rows of an opened input. Where it can be read twice, the whole
// of it decides whether it is a CRLF file.
func rowsOf(name string, in io.Reader) (*rowReader, error) {
	if err := notFolder(name, in); err != nil {
		return nil, err
	}
	r := newRowReader(name, in)
	f, ok := in.(*os.File)
	if !ok {
		return r, nil
	}
	from, err := f.Seek(0, io.SeekCurrent)
	if info, stat := f.Stat(); err != nil || stat != nil || !info.Mode().IsRegular() {
		return r, nil
	}
	r.decided = true
	if r.dropCR, err = allEndCRLF(f); err == nil {
		_, err = f.Seek(from, io.SeekStart)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return r, nil
}

// allEndCRLF reports whether there is an ended row and each ends with CR LF.
func allEndCRLF(in io.Reader) (bool, error) {
	r := bufio.NewReaderSize(in, 64<<10)
	ended, last := false, byte(0)
	for {
		part, err := r.ReadSlice('\n')
		if n := len(part); n > 0 && part[n-1] == '\n' {
			if n > 1 {
				last = part[n-2]
			}
			if last != '\r' {
				return false, nil
			}
			ended = true
		}
		if n := len(part); n > 0 {
			last = part[n-1]
		}
		switch {
		case errors.Is(err, io.EOF):
			return ended, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return false, err
		}
	}
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
			mixed := r.mixed
			if row, err = r.next(); err == nil {
				err = f(r, row)
			}
			if r.mixed && !mixed {
				fmt.Fprintf(c.Stderr, "weir: %s:%d: this row ends with LF alone; rows before it ended with CR LF and were read without the CR. Give a file to have all of it decide\n", r.name, r.line)
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
