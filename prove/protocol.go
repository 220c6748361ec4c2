package prove

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"time"
)

// client speaks the NATS protocol to a server, so that what is sent is what was
// meant: a client library checks subjects itself, and nats.go closes its
// connection when the server answers Invalid Subject.
//
// It is used by one goroutine. Commands are collected by sub, unsub, pub and
// ping, and sent by the next call of next or flush.
type client struct {
	ctx  context.Context
	conn net.Conn
	r    *bufio.Reader
	out  []byte
	stop func() bool // takes the watch off ctx

	subject, reply, payload []byte // of the last message
	most                    int    // bytes of a message
}

// opKind says what the server sent.
type opKind int

const (
	opMsg opKind = iota
	opPong
	opErr
)

// op is one thing that the server sent. Its bytes are valid until the next one
// is read.
type op struct {
	kind    opKind
	subject []byte
	reply   []byte
	sid     int
	header  []byte // with its status line
	payload []byte
	text    string // of -ERR, without quotes
}

// maxLine bounds a line of the server; the longest are MSG with a subject of
// max_control_line bytes, and INFO.
const maxLine = 64 << 10

// maxPayload is the largest payload that a server with default settings takes
// (max_payload, server/const.go, v2.15.2).
const maxPayload = 1 << 20

// connect opens a session that is neither verbose nor pedantic, as the matrix
// and the configuration proofs use it. It ends with ctx, or with close.
func connect(ctx context.Context, s Host) (*client, error) {
	conn, err := s.Dial(0)
	if err != nil {
		return nil, err
	}
	return newClient(ctx, conn, connectOptions{most: maxPayload})
}

// connectOptions is what a CONNECT says.
type connectOptions struct {
	user, password string // "" where the server has no users
	headers        bool   // messages with headers, and a 503 where nobody listens
	most           int    // bytes of a message that is read
}

func newClient(ctx context.Context, conn net.Conn, opt connectOptions) (*client, error) {
	c := &client{ctx: ctx, conn: conn, r: bufio.NewReaderSize(conn, maxLine), most: opt.most}
	c.stop = context.AfterFunc(ctx, func() { conn.Close() })
	c.out = fmt.Appendf(c.out, `CONNECT {"verbose":false,"pedantic":false,"echo":true,"headers":%t,"no_responders":%[1]t,"lang":"weir","version":"0","protocol":1`, opt.headers)
	if opt.user != "" {
		c.out = fmt.Appendf(c.out, `,"user":%q,"pass":%q`, opt.user, opt.password)
	}
	c.out = append(c.out, "}\r\n"...)
	c.ping()
	if o, err := c.next(); err != nil || o.kind != opPong {
		c.close()
		return nil, fmt.Errorf("connect: %w", errors.Join(err, textError(o.text)))
	}
	return c, nil
}

func textError(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

func (c *client) close() {
	c.stop()
	c.conn.Close()
}

func (c *client) sub(subject string, sid int) {
	c.out = fmt.Appendf(c.out, "SUB %s %d\r\n", subject, sid)
}

func (c *client) unsub(sid int) { c.out = fmt.Appendf(c.out, "UNSUB %d\r\n", sid) }

func (c *client) ping() { c.out = append(c.out, "PING\r\n"...) }

// pub publishes; an empty reply means none.
func (c *client) pub(subject, reply string, payload []byte) {
	c.out = append(append(append(c.out, "PUB "...), subject...), ' ')
	if reply != "" {
		c.out = append(append(c.out, reply...), ' ')
	}
	c.out = append(strconv.AppendInt(c.out, int64(len(payload)), 10), "\r\n"...)
	c.out = append(append(c.out, payload...), "\r\n"...)
}

func (c *client) flush() error {
	if len(c.out) == 0 {
		return nil
	}
	_, err := c.conn.Write(c.out)
	c.out = c.out[:0]
	return c.explain("write", err)
}

// next sends what was collected and returns the next message, PONG or -ERR.
func (c *client) next() (op, error) {
	if err := c.flush(); err != nil {
		return op{}, err
	}
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return op{}, c.explain("read", err)
		}
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case bytes.HasPrefix(line, []byte("MSG ")):
			return c.message(line[4:], false)
		case bytes.HasPrefix(line, []byte("HMSG ")):
			return c.message(line[5:], true)
		case bytes.Equal(line, []byte("PONG")):
			return op{kind: opPong}, nil
		case bytes.HasPrefix(line, []byte("-ERR")):
			return op{kind: opErr, text: string(bytes.Trim(line[4:], " '"))}, nil
		case bytes.Equal(line, []byte("PING")):
			if _, err := c.conn.Write([]byte("PONG\r\n")); err != nil {
				return op{}, c.explain("write", err)
			}
		case bytes.HasPrefix(line, []byte("INFO ")):
		default:
			return op{}, fmt.Errorf("read: the server sent %.60q", line)
		}
	}
}

// message reads "subject sid [reply] [header size] size" and then the headers and
// the payload. What the server sends ends at the first space after the subject,
// because a subject cannot hold one.
func (c *client) message(line []byte, headers bool) (op, error) {
	fields := bytes.Split(line, []byte{' '})
	sizes := 1
	if headers {
		sizes = 2
	}
	n := len(fields)
	if n != sizes+2 && n != sizes+3 {
		return op{}, errMessageLine
	}
	sid, errSID := strconv.Atoi(string(fields[1]))
	size, errSize := strconv.Atoi(string(fields[n-1]))
	header := 0
	var errHeader error
	if headers {
		header, errHeader = strconv.Atoi(string(fields[n-2]))
	}
	if errors.Join(errSID, errSize, errHeader) != nil || size < 0 || size > c.most || header < 0 || header > size {
		return op{}, errMessageLine
	}
	// Reading on overwrites line.
	c.subject, c.reply = append(c.subject[:0], fields[0]...), c.reply[:0]
	if n == sizes+3 {
		c.reply = append(c.reply, fields[2]...)
	}
	c.payload = slices.Grow(c.payload[:0], size+2)[:size+2]
	if _, err := io.ReadFull(c.r, c.payload); err != nil {
		return op{}, c.explain("read", err)
	}
	return op{kind: opMsg, subject: c.subject, reply: c.reply, sid: sid, header: c.payload[:header], payload: c.payload[header:size]}, nil
}

var errMessageLine = errors.New("read: the message line is not subject, sid, reply and sizes")

// waitAtMost makes reads fail after d, zero takes the limit off.
func (c *client) waitAtMost(d time.Duration) error {
	var until time.Time
	if d != 0 {
		until = time.Now().Add(d)
	}
	return c.explain("set deadline", c.conn.SetReadDeadline(until))
}

// explain names the context's end as the reason where it is.
func (c *client) explain(verb string, err error) error {
	if err == nil {
		return nil
	}
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	return fmt.Errorf("%s: %w", verb, err)
}
