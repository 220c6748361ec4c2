//go:build !js

package prove

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"weir/size"
)

// sizingSpec is a stream to fill: how it is configured, and what is written to it.
type sizingSpec struct {
	name string
	// in is the model's input: Messages is how many are written.
	in size.Stream
	// json writes compressible payloads instead of random ones.
	json bool
	// deletes removes this many messages from the middle.
	deletes int
	// fetched is how many messages each consumer takes and does not acknowledge.
	fetched int
}

// config is the stream configuration of a spec.
func (s sizingSpec) config(name string) []byte {
	c := map[string]any{"name": name, "subjects": []string{name + ".>"}, "storage": "file", "num_replicas": max(s.in.Replicas, 1)}
	if s.in.Storage == size.Memory {
		c["storage"] = "memory"
	}
	if s.in.Compression == size.S2 {
		c["compression"] = "s2"
	}
	for field, v := range map[string]int64{"max_msgs": s.in.MaxMsgs, "max_bytes": s.in.MaxBytes, "max_msgs_per_subject": s.in.MaxMsgsPerSubject, "duplicate_window": int64(s.in.DuplicateWindow)} {
		if v > 0 {
			c[field] = v
		}
	}
	// A map of texts and numbers always encodes.
	body, _ := json.Marshal(c)
	return body
}

// subjects makes the subjects of a stream, all of the length that was asked for.
func (s sizingSpec) subjects(name string) []string {
	n := int(max(s.in.Subjects.Count, 1))
	shared := strings.Repeat("z", int(s.in.Subjects.Shared))
	width := int(s.in.Message.Subject) - len(name) - 1 - len(shared)
	random := rand.New(rand.NewPCG(1, uint64(n)))
	out := make([]string, n)
	for i := range out {
		key := fmt.Sprintf("%0*d", width, i)
		if s.in.Subjects.Shape == size.Random {
			key = hexKey(random, width)
		}
		out[i] = name + "." + key + shared
	}
	return out
}

func hexKey(r *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "%016x", r.Uint64())
	}
	return b.String()[:n]
}

// payload makes payload i: random bytes, or JSON of the same length with words
// that repeat and numbers that do not.
func (s sizingSpec) payload(r *rand.Rand, i int) []byte {
	n := int(s.in.Message.Payload)
	if !s.json {
		b := make([]byte, n)
		for k := range b {
			b[k] = byte(r.Uint32())
		}
		return b
	}
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, `{"order":%d,"customer":"%x","state":"created","amount":%d.%02d,"currency":"EUR","note":"deliver to the back door"}`,
			i, r.Uint64(), r.IntN(1000), r.IntN(100))
	}
	return []byte(b.String()[:n])
}

// header makes the lines of a header block of exactly the length that was asked
// for.
func (s sizingSpec) header(r *rand.Rand) []string {
	left := int(s.in.Message.Header)
	if left == 0 {
		return nil
	}
	left -= len("NATS/1.0\r\n\r\n")
	var out []string
	if id := int(s.in.Message.ID); id > 0 {
		out = append(out, "Nats-Msg-Id: "+hexKey(r, id))
		added, _ := size.MsgIDHeader(id)
		left -= added
	}
	if left > 0 {
		out = append(out, "Pad: "+strings.Repeat("p", left-len("Pad: \r\n")))
	}
	return out
}

// Bounds of what is on its way: a stream takes 100,000 messages or 128 MiB that it
// has not stored yet, and drops what comes on top.
const (
	mostAhead    = 40 * size.MiB
	mostSamples  = 30_000
	aheadMessage = 1_000 // what a message counts for besides its payload
	storedWithin = time.Minute
)

// fill creates the stream and writes it, and returns the payloads of the first
// messages where they compress.
func (s sizingSpec) fill(ctx context.Context, c *session, name string) ([][]byte, error) {
	if err := c.must(ctx, "STREAM.CREATE."+name, s.config(name)); err != nil {
		return nil, err
	}
	subjects := s.subjects(name)
	r := rand.New(rand.NewPCG(7, 11))
	var samples [][]byte
	ahead := 0
	for i := range int(s.in.Messages) {
		data := s.payload(r, i)
		if len(samples) < mostSamples && s.in.Compression == size.S2 {
			samples = append(samples, data)
		}
		c.publish(subjects[i%len(subjects)], "", s.header(r), data)
		if ahead += len(data) + aheadMessage; ahead > mostAhead {
			if _, err := c.stored(ctx, name, int64(i+1)); err != nil {
				return nil, err
			}
			ahead = 0
		}
	}
	_, err := c.stored(ctx, name, int64(s.in.Messages))
	return samples, err
}

// stored waits until a stream has stored so many messages, and returns its state.
func (s *session) stored(ctx context.Context, name string, n int64) (streamInfo, error) {
	var info streamInfo
	err := waitUntil(ctx, storedWithin, func() (bool, error) {
		err := s.info(ctx, "STREAM.INFO."+name, &info)
		return info.State.LastSeq >= n, err
	})
	if errors.Is(err, errNotInTime) {
		err = fmt.Errorf("wait for %d messages in %s: %d within %s", n, name, info.State.LastSeq, storedWithin)
	}
	return info, err
}

// fetch takes messages of a consumer and does not acknowledge them.
func (s *session) fetch(ctx context.Context, stream, consumer string, most int) error {
	const batch, within = 1_000, 10 * time.Second
	inbox := s.inbox + "fetch." + stream + "." + consumer
	arrived := make(chan int, batch)
	sid := s.subscribe(inbox, "", func(m message) { arrived <- m.status })
	defer s.unsubscribe(sid)
	timer := time.NewTimer(storedWithin)
	defer timer.Stop()
	for got := 0; got < most; {
		want := min(batch, most-got)
		s.publish(apiPrefix+"CONSUMER.MSG.NEXT."+stream+"."+consumer, inbox, nil, nextRequest(want, within, nil, 0))
		for n := 0; n < want; n++ {
			select {
			case status := <-arrived:
				if status != 0 {
					return fmt.Errorf("fetch of %s/%s: status %d", stream, consumer, status)
				}
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-timer.C:
				return fmt.Errorf("fetch of %s/%s: %d of %d messages within %s", stream, consumer, got+n, most, storedWithin)
			}
		}
		got += want
	}
	return nil
}

// consume creates a durable consumer with so many pending acknowledgements.
func (s *session) consume(ctx context.Context, stream, durable string, pending, replicas int) error {
	body := fmt.Appendf(nil, `{"stream_name":%q,"config":{"durable_name":%q,"ack_policy":"explicit","ack_wait":%d,"max_ack_pending":-1,"num_replicas":%d}}`,
		stream, durable, time.Hour, replicas)
	if err := s.must(ctx, "CONSUMER.DURABLE.CREATE."+stream+"."+durable, body); err != nil || pending == 0 {
		return err
	}
	return s.fetch(ctx, stream, durable, pending)
}

// fileSizes adds up the files below a folder.
func fileSizes(folder string) (float64, error) {
	total := 0.0
	err := filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += float64(info.Size())
		}
		return err
	})
	return total, err
}
