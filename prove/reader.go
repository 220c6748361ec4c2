package prove

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
)

// reader reads what a consumer has and acks it.
type reader struct {
	s                *session
	stream, consumer string
	c                routeConsumer
}

// readWithin is how long messages may take to arrive.
const readWithin = 5 * time.Second

// all returns the subjects of the messages that arrive. It expects want of them
// and then asks the server whether there are more.
func (r *reader) all(ctx context.Context, want int) ([]string, error) {
	got, err := r.read(ctx, want)
	if err != nil {
		return got, err
	}
	var info consumerInfo
	if err := r.s.info(ctx, "CONSUMER.INFO."+r.stream+"."+r.consumer, &info); err != nil {
		return got, err
	}
	if more := int(info.NumPending); more > 0 && len(got) >= want {
		rest, err := r.read(ctx, more)
		return append(got, rest...), err
	}
	return got, nil
}

func (r *reader) read(ctx context.Context, n int) ([]string, error) {
	if n == 0 {
		return nil, nil
	}
	if r.c.Deliver != "" {
		return r.pushed(ctx, n)
	}
	return r.pulled(ctx, n)
}

// pushed subscribes until n messages have come.
func (r *reader) pushed(ctx context.Context, n int) ([]string, error) {
	got := collector{enough: make(chan struct{}), n: n}
	sid := r.s.subscribe(r.c.Deliver, r.c.Group, func(m message) { r.take(m, &got) })
	defer r.s.unsubscribe(sid)
	return got.wait(ctx, readWithin)
}

// pulled asks for n messages, at most 100 at a time.
func (r *reader) pulled(ctx context.Context, n int) ([]string, error) {
	const atOnce, expires = 100, 2 * time.Second
	var all []string
	for len(all) < n {
		batch := min(n-len(all), atOnce)
		if r.c.MaxBatch > 0 {
			batch = min(batch, r.c.MaxBatch)
		}
		got := collector{enough: make(chan struct{}), n: batch}
		inbox := fmt.Sprintf("_weir.read.%p", &got)
		sid := r.s.subscribe(inbox, "", func(m message) { r.take(m, &got) })
		r.s.publish(apiPrefix+"CONSUMER.MSG.NEXT."+r.stream+"."+r.consumer, inbox, nil, nextRequest(batch, expires, r.c.Priority, 0))
		subjects, err := got.wait(ctx, expires+readWithin)
		r.s.unsubscribe(sid)
		all = append(all, subjects...)
		if err != nil || len(subjects) < batch {
			return all, err
		}
	}
	return all, nil
}

// nextRequest is a pull request.
func nextRequest(batch int, expires time.Duration, groups []string, maxBytes int64) []byte {
	req := struct {
		Batch    int    `json:"batch"`
		Expires  int64  `json:"expires,omitempty"`
		MaxBytes int64  `json:"max_bytes,omitempty"`
		Group    string `json:"group,omitempty"`
	}{Batch: batch, Expires: int64(expires), MaxBytes: maxBytes}
	if len(groups) > 0 {
		req.Group = groups[0]
	}
	// A struct of numbers and a string always encodes.
	body, _ := json.Marshal(req)
	return body
}

// take notes and acks a message; a status message other than a heartbeat ends
// the wait.
func (r *reader) take(m message, got *collector) {
	switch {
	case m.status == 100 && m.reply != "":
		r.s.publish(m.reply, "", nil, nil) // flow control
	case m.status == 100:
	case m.status != 0:
		got.end()
	default:
		if strings.HasPrefix(m.reply, "$JS.ACK.") {
			r.s.publish(m.reply, "", nil, []byte("+ACK"))
		}
		got.add(m.subject)
	}
}

// collector gathers subjects until there are n.
type collector struct {
	mu       sync.Mutex
	subjects []string
	n        int
	enough   chan struct{}
	over     bool
}

func (c *collector) add(subject string) {
	c.mu.Lock()
	c.subjects = append(c.subjects, subject)
	full := len(c.subjects) >= c.n
	c.mu.Unlock()
	if full {
		c.end()
	}
}

func (c *collector) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over {
		c.over = true
		close(c.enough)
	}
}

func (c *collector) wait(ctx context.Context, within time.Duration) ([]string, error) {
	timer := time.NewTimer(within)
	defer timer.Stop()
	var err error
	select {
	case <-c.enough:
	case <-timer.C:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.subjects, err
}
