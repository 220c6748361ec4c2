package topology

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
)

// Facts are the settings that matter most, in the API's words, only those that
// the files say.

// maxFacts is how many lines a card has room for.
const maxFacts = 4

func durationFact(name string, d time.Duration) string {
	return name + " " + design.FormatDuration(int64(d))
}

// streamFacts are the limits of a stream, then what else is unusual about it.
func streamFacts(c *api.StreamConfig) []string {
	var out []string
	if c.MaxAge > 0 {
		out = append(out, durationFact("max_age", c.MaxAge))
	}
	if c.MaxBytes > 0 {
		out = append(out, "max_bytes "+design.FormatSize(c.MaxBytes))
	}
	if c.MaxMsgs > 0 {
		out = append(out, "max_msgs "+strconv.FormatInt(c.MaxMsgs, 10))
	}
	if c.MaxMsgsPer > 0 {
		out = append(out, "max_msgs_per_subject "+strconv.FormatInt(c.MaxMsgsPer, 10))
	}
	if len(out) == 0 && c.Retention == api.LimitsPolicy && c.Mirror == nil {
		out = append(out, "no limit")
	}
	for _, f := range []struct {
		holds bool
		text  string
	}{
		{c.Discard == api.DiscardNew, "discard new"},
		{c.Storage == api.MemoryStorage, "storage memory"},
		{c.Compression == api.S2Compression, "compression s2"},
		{c.Sealed, "sealed"},
	} {
		if f.holds {
			out = append(out, f.text)
		}
	}
	return out[:min(len(out), maxFacts)]
}

// consumerFacts say how messages come and how they are acknowledged.
func consumerFacts(c *api.ConsumerConfig) []string {
	how := "pull"
	if c.DeliverSubject != "" {
		how = "push"
	}
	switch {
	case c.AckPolicy == api.AckNone:
		how += ", ack none"
	case len(c.BackOff) > 0:
		how += ", backoff from " + design.FormatDuration(int64(c.BackOff[0]))
	case c.AckWait > 0:
		how += ", " + durationFact("ack_wait", c.AckWait)
	}
	out := []string{how}
	if c.MaxDeliver > 0 {
		out = append(out, "max_deliver "+strconv.Itoa(c.MaxDeliver))
	}
	return out
}

// workFacts are one line for each group of workers: how many messages each
// handles at a time, and how long one takes.
func workFacts(groups []*design.Workers) []string {
	var out []string
	for _, w := range groups {
		text := fmt.Sprintf("%d × %d", max(1, w.Count), max(1, w.Concurrency))
		if typical := max(w.ServiceTime.P50, w.ServiceTime.Mean); typical > 0 {
			text += ", " + design.FormatDuration(int64(typical))
		}
		out = append(out, text)
	}
	return out[:min(len(out), maxFacts)]
}

// publisherFacts say how a publisher publishes: mode and processes.
func publisherFacts(p *design.Publisher) []string {
	var words []string
	if p.Mode != "" {
		words = append(words, p.Mode)
	}
	if p.Count > 1 {
		words = append(words, strconv.Itoa(p.Count)+" processes")
	}
	if len(words) == 0 {
		return nil
	}
	return []string{strings.Join(words, ", ")}
}
