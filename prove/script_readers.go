package prove

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"weir/design"
)

// sizeOf is a size that was checked before, 0 for "".
func sizeOf(text string) int {
	n, err := design.ParseSize(text)
	if err != nil {
		return 0
	}
	return int(n)
}

// awaitAck waits for the answer to a publish.
func awaitAck(ctx context.Context, c *session, answer <-chan message, cancel func(), within time.Duration) (apiAnswer, error) {
	defer cancel()
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case m := <-answer:
		if m.status == 503 {
			return apiAnswer{silent: noResponders}, nil
		}
		return readAnswer(m.data)
	case <-timer.C:
		return apiAnswer{silent: fmt.Sprintf("no PubAck within %s", within)}, nil
	case <-c.done:
		return apiAnswer{}, c.failed()
	case <-ctx.Done():
		return apiAnswer{}, context.Cause(ctx)
	}
}

func readPubAck(a apiAnswer) (ack pubAck, err error) {
	if a.silent != "" {
		return ack, nil
	}
	if err := json.Unmarshal(a.body, &ack); err != nil {
		return ack, fmt.Errorf("read PubAck: %w", err)
	}
	return ack, nil
}

// scriptReader is a reader that a script names: it holds what fetches brought,
// or is a subscriber with a connection of its own.
type scriptReader struct {
	s    *session // its own, nil for one that only fetches
	gate gate     // closed while it does not read
	ctx  context.Context
	stop context.CancelFunc

	mu       sync.Mutex
	early    []message // came before the server had confirmed the subscription
	flushed  bool
	held     []delivery
	received int
	attempt  uint64
	seqs     []string
}

// readerNamed is the reader of a step.
func (r *scriptRun) readerNamed(s *scriptStep) *scriptReader {
	name := s.key("by")
	if name == "" {
		name = "one"
	}
	if r.readers[name] == nil {
		r.readers[name] = &scriptReader{}
	}
	return r.readers[name]
}

func (sr *scriptReader) value(name string) value {
	sr.mu.Lock()
	defer sr.mu.Unlock()
	switch name {
	case "attempt":
		return number(sr.attempt)
	case "seqs":
		return textValue(strings.Join(sr.seqs, " "))
	case "closed":
		return yes(sr.s != nil && sr.s.failed() != nil)
	}
	return number(sr.received)
}

func (sr *scriptReader) close() {
	if sr.s == nil {
		return
	}
	sr.stop() // lets a stuck handler go
	sr.s.close()
}

// take notes a message.
func (sr *scriptReader) take(m message) {
	sr.mu.Lock()
	defer sr.mu.Unlock()
	sr.received++
	if d, ok := deliveryOf(m); ok {
		sr.held, sr.attempt, sr.seqs = append(sr.held, d), d.attempt, append(sr.seqs, strconv.FormatUint(d.seq, 10))
	}
}

func runFetch(ctx context.Context, r *scriptRun, s *scriptStep) error {
	c, err := r.control(ctx)
	if err != nil {
		return err
	}
	name := r.numbered(s.args[0].text)
	r.lastConsumer = name
	reader := r.readerNamed(s)
	reader.mu.Lock()
	reader.received, reader.seqs = 0, nil
	reader.mu.Unlock()
	request := map[string]any{"batch": s.count("batch", 1)}
	expires := time.Second
	if d, err := readDuration(s.key("expires")); err == nil {
		expires = d
	}
	if s.key("no_wait") == "yes" {
		request["no_wait"] = true
	} else {
		request["expires"] = int64(expires)
	}
	if n := sizeOf(s.key("max_bytes")); n > 0 {
		request["max_bytes"] = n
	}
	// A map of numbers and booleans always encodes.
	body, _ := json.Marshal(request)
	inbox := fmt.Sprintf("_weir.fetch.%p.%d", r, r.step.N)
	over := make(chan message, 1)
	left := s.count("batch", 1)
	sid := c.subscribe(inbox, "", func(m message) {
		if m.status == 100 {
			return
		}
		if m.status == 0 {
			reader.take(m)
			left--
		}
		if m.status != 0 || left == 0 {
			select {
			case over <- m:
			default:
			}
		}
	})
	defer c.unsubscribe(sid)
	subject := apiPrefix + "CONSUMER.MSG.NEXT." + strings.ReplaceAll(name, "/", ".")
	r.step.Request = subject + " " + string(body)
	c.publish(subject, inbox, nil, body)
	last, err := awaitEnd(ctx, c, over, expires+time.Second)
	if err != nil {
		return err
	}
	reader.mu.Lock()
	defer reader.mu.Unlock()
	r.received, r.status = reader.received, last.status
	r.step.Figures = []Figure{{"received", int64(r.received), "messages"}}
	r.step.Reply = &Reply{Code: 0, Text: strings.TrimSpace(fmt.Sprintf("stream sequences %s", strings.Join(reader.seqs, " ")))}
	if last.status != 0 {
		r.step.Reply.Text = fmt.Sprintf("%d %s", last.status, last.statusText)
	}
	if s.refused {
		r.step.OK = last.status >= 400 && last.status != 404 && last.status != 408 && strings.Contains(r.step.Reply.Text, s.key("text"))
	}
	return nil
}

// awaitEnd waits for the end of a pull request; status 0 where it never came.
func awaitEnd(ctx context.Context, c *session, over <-chan message, within time.Duration) (message, error) {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case m := <-over:
		return m, nil
	case <-timer.C:
		return message{}, nil
	case <-c.done:
		return message{}, c.failed()
	case <-ctx.Done():
		return message{}, context.Cause(ctx)
	}
}

// runAck answers what a reader holds, for ack, nak, term and progress.
func runAck(ctx context.Context, r *scriptRun, s *scriptStep) error {
	reader := r.readerNamed(s)
	c := reader.s
	if c == nil {
		var err error
		if c, err = r.control(ctx); err != nil {
			return err
		}
	}
	body := map[string]string{"ack": "+ACK", "nak": "-NAK", "term": "+TERM", "progress": "+WPI"}[s.verb.Name]
	if d, err := readDuration(s.key("delay")); err == nil {
		body += fmt.Sprintf(` {"delay":%d}`, d)
	}
	reader.mu.Lock()
	n := min(s.count("n", len(reader.held)), len(reader.held))
	answered := reader.held[:n]
	if s.verb.Name != "progress" {
		reader.held = reader.held[n:]
	}
	reader.mu.Unlock()
	if n == 0 {
		return errors.New("the reader holds no message")
	}
	for _, d := range answered {
		// Asked for an answer, so that the step is over when the server has taken
		// it (double ack).
		if _, err := c.request(ctx, answerWithin, d.reply, nil, []byte(body)); err != nil {
			return err
		}
	}
	r.step.Figures = []Figure{{s.verb.Name, int64(n), "messages"}}
	return nil
}

func runSubscribe(ctx context.Context, r *scriptRun, s *scriptStep) error {
	name := s.key("by")
	if old := r.readers[name]; old != nil {
		old.close()
	}
	reader := &scriptReader{}
	reader.ctx, reader.stop = context.WithCancel(ctx)
	r.readers[name] = reader
	var err error
	if reader.s, err = openSession(ctx, r.host, firstRunning(r.host), hubUser); err != nil {
		reader.stop()
		return err
	}
	if s.key("stuck") == "yes" {
		reader.gate.shut()
	} else {
		reader.flushed = true // nothing is too early
	}
	reader.s.subscribe(s.args[0].text, s.key("queue"), func(m message) {
		if reader.tooEarly(m) {
			return
		}
		reader.gate.pass(reader.ctx)
		reader.takeEarly()
		reader.handle(m)
	})
	if err := reader.s.flush(ctx); err != nil {
		return err
	}
	reader.mu.Lock()
	defer reader.mu.Unlock()
	reader.flushed = true
	return nil
}

// tooEarly keeps a message that came before the answer to the flush: a reader that
// is stuck would wait for that answer behind it.
func (sr *scriptReader) tooEarly(m message) bool {
	sr.mu.Lock()
	defer sr.mu.Unlock()
	if !sr.flushed {
		sr.early = append(sr.early, m)
	}
	return !sr.flushed
}

// takeEarly reads what was kept.
func (sr *scriptReader) takeEarly() {
	sr.mu.Lock()
	early := sr.early
	sr.early = nil
	sr.mu.Unlock()
	for _, m := range early {
		sr.handle(m)
	}
}

// handle reads a message, as client libraries do.
func (sr *scriptReader) handle(m message) {
	switch {
	case m.status == 100 && m.reply != "":
		sr.s.publish(m.reply, "", nil, nil) // flow control
	case m.status == 0:
		sr.take(m)
	}
}

// readerOf is the subscriber that a step names.
func (r *scriptRun) readerOf(s *scriptStep) (*scriptReader, error) {
	reader := r.readers[s.args[0].text]
	if reader == nil || reader.s == nil {
		return nil, fmt.Errorf("%q is not a subscriber", s.args[0].text)
	}
	return reader, nil
}

func runRead(_ context.Context, r *scriptRun, s *scriptStep) error {
	reader, err := r.readerOf(s)
	if err == nil {
		reader.gate.open()
		reader.takeEarly()
	}
	return err
}

func runStall(_ context.Context, r *scriptRun, s *scriptStep) error {
	reader, err := r.readerOf(s)
	if err == nil {
		reader.gate.shut()
	}
	return err
}

func runClose(_ context.Context, r *scriptRun, s *scriptStep) error {
	reader, err := r.readerOf(s)
	if err == nil {
		reader.close()
	}
	return err
}
