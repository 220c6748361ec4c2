package prove

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// session is a client connection that is used by several goroutines: one reads
// and calls the handler of each subscription, any may publish and ask. It is
// made for servers that Weir started, and does not reconnect.
type session struct {
	c     *client
	node  int
	start int    // which start of the node it is to, see Host.starts
	store string // of the servers, which no answer may name
	inbox string // where answers come to; a last token numbers the request

	mu      sync.Mutex
	subs    map[int]func(message)
	nextSID int
	pongs   []chan struct{}
	said    []string // what the server said with -ERR
	waiting map[string]chan message
	nextAsk int
	err     error
	done    chan struct{} // closed when the connection has ended
}

// message is a message as it arrived. Its slices are its own.
type message struct {
	subject, reply string
	status         int    // of a status message such as 404, else 0
	statusText     string // "No Messages"
	data           []byte
	at             time.Time
}

// sessions numbers the sessions of this process, so that none gets another's
// answers.
var sessions atomic.Int64

// openSession connects to a node as the user of an account.
func openSession(ctx context.Context, h Host, node int, user string) (*session, error) {
	start := h.starts(node) // before dialling: one in between makes it outdated at once
	conn, err := h.Dial(node)
	if err != nil {
		return nil, err
	}
	c, err := newClient(ctx, conn, connectOptions{user: user, password: h.secret(), headers: true, most: maxSessionPayload})
	if err != nil {
		return nil, err
	}
	s := &session{c: c, node: node, start: start, store: h.store(), inbox: fmt.Sprintf("_weir.inbox.%d.", sessions.Add(1)), subs: map[int]func(message){}, waiting: map[string]chan message{}, done: make(chan struct{})}
	go s.read()
	s.subscribe(s.inbox+"*", "", s.answer)
	if err := s.flush(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// maxSessionPayload bounds what is read as one message: replies of the API may
// be larger than max_payload.
const maxSessionPayload = 64 << 20

func (s *session) read() {
	for {
		o, err := s.c.next()
		if err != nil {
			s.end(err)
			return
		}
		switch o.kind {
		case opErr:
			s.mu.Lock()
			if s.said = append(s.said, o.text); len(s.said) > 20 {
				s.said = s.said[1:]
			}
			s.mu.Unlock()
		case opPong:
			s.mu.Lock()
			if len(s.pongs) > 0 {
				close(s.pongs[0])
				s.pongs = s.pongs[1:]
			}
			s.mu.Unlock()
		case opMsg:
			s.mu.Lock()
			f := s.subs[o.sid]
			s.mu.Unlock()
			if f != nil {
				f(newMessage(o))
			}
		}
	}
}

func newMessage(o op) message {
	m := message{subject: string(o.subject), reply: string(o.reply), data: bytes.Clone(o.payload), at: time.Now()}
	if len(o.header) == 0 {
		return m
	}
	line, _, _ := bytes.Cut(o.header, []byte("\r\n"))
	status := strings.TrimSpace(strings.TrimPrefix(string(line), "NATS/1.0"))
	if code, text, _ := strings.Cut(status, " "); code != "" {
		if n, err := strconv.Atoi(code); err == nil {
			m.status, m.statusText = n, text
		}
	}
	return m
}

func (s *session) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	if n := len(s.said); n > 0 {
		err = fmt.Errorf("%w; the server said -ERR '%s'", err, s.said[n-1])
	}
	s.err = err
	close(s.done)
}

// close ends the connection and waits until no handler runs any more. It must
// not be called by a handler.
func (s *session) close() {
	s.c.close()
	<-s.done
}

// failed is why the connection ended, nil while it lives.
func (s *session) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// subscribe calls f for each message, one at a time, in the goroutine that
// reads: while f runs, nothing else of this connection is read.
func (s *session) subscribe(subject, queue string, f func(message)) (sid int) {
	s.mu.Lock()
	s.nextSID++
	sid = s.nextSID
	s.subs[sid] = f
	s.mu.Unlock()
	line := "SUB " + subject + " "
	if queue != "" {
		line += queue + " "
	}
	s.write([]byte(line + strconv.Itoa(sid) + "\r\n"))
	return sid
}

func (s *session) unsubscribe(sid int) {
	s.mu.Lock()
	delete(s.subs, sid)
	s.mu.Unlock()
	s.write([]byte("UNSUB " + strconv.Itoa(sid) + "\r\n"))
}

// write sends whole protocol lines. An error shows as the end of the session.
func (s *session) write(b []byte) {
	if _, err := s.c.conn.Write(b); err != nil {
		s.end(s.c.explain("write", err))
	}
}

// publish sends a message. headers are "Name: value" lines, none for none.
func (s *session) publish(subject, reply string, headers []string, data []byte) {
	s.write(appendPublish(nil, subject, reply, headers, data))
}

func appendPublish(b []byte, subject, reply string, headers []string, data []byte) []byte {
	verb, size := "PUB ", len(data)
	var header []byte
	if len(headers) > 0 {
		verb = "HPUB "
		header = append(header, "NATS/1.0\r\n"...)
		for _, h := range headers {
			header = append(append(header, h...), "\r\n"...)
		}
		header = append(header, "\r\n"...)
		size += len(header)
	}
	b = append(append(append(b, verb...), subject...), ' ')
	if reply != "" {
		b = append(append(b, reply...), ' ')
	}
	if header != nil {
		b = append(strconv.AppendInt(b, int64(len(header)), 10), ' ')
	}
	b = append(strconv.AppendInt(b, int64(size), 10), "\r\n"...)
	b = append(append(b, header...), data...)
	return append(b, "\r\n"...)
}

// flush waits until the server has read all that was written before.
func (s *session) flush(ctx context.Context) error {
	pong := make(chan struct{})
	s.mu.Lock()
	s.pongs = append(s.pongs, pong)
	// Written under the lock, so that pongs keep their order.
	_, err := s.c.conn.Write([]byte("PING\r\n"))
	s.mu.Unlock()
	if err != nil {
		s.end(s.c.explain("write", err))
	}
	select {
	case <-pong:
		return nil
	case <-s.done:
		return s.failed()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// errTimeout is the answer to a request that nobody gave.
var errTimeout = errors.New("no answer")

// request publishes a message and waits for the first answer.
func (s *session) request(ctx context.Context, within time.Duration, subject string, headers []string, data []byte) (message, error) {
	answer, cancel := s.ask(subject, headers, data)
	defer cancel()
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case m := <-answer:
		return m, nil
	case <-timer.C:
		return message{}, fmt.Errorf("request %s: %w within %s", subject, errTimeout, within)
	case <-s.done:
		return message{}, s.failed()
	case <-ctx.Done():
		return message{}, context.Cause(ctx)
	}
}

// ask publishes a message whose first answer comes on the channel. cancel must
// be called.
func (s *session) ask(subject string, headers []string, data []byte) (answer <-chan message, cancel func()) {
	ch := make(chan message, 1)
	s.mu.Lock()
	s.nextAsk++
	reply := s.inbox + strconv.Itoa(s.nextAsk)
	s.waiting[reply] = ch
	s.mu.Unlock()
	s.publish(subject, reply, headers, data)
	return ch, func() {
		s.mu.Lock()
		delete(s.waiting, reply)
		s.mu.Unlock()
	}
}

func (s *session) answer(m message) {
	s.mu.Lock()
	ch := s.waiting[m.subject]
	delete(s.waiting, m.subject)
	s.mu.Unlock()
	if ch != nil {
		m.data = withoutStore(m.data, s.store)
		ch <- m
	}
}
