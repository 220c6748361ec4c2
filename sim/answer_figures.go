package sim

import (
	"strings"
	"time"

	"weir/size"
)

// consumerFigures are the figures of a consumer, in the order in which they are
// shown. Names of goals are those of the design file.
var consumerFigures = []struct {
	name, title string
	unit        size.Unit
	of          func(m *Model, r *Result, i int) (v float64, atLeast bool)
}{
	{"rate", "arriving", size.PerSecond, func(m *Model, r *Result, i int) (float64, bool) {
		c := r.Consumers[i]
		return float64(c.arrived()) / r.Ended.Seconds(), false
	}},
	{"acked_rate", "acked", size.PerSecond, func(_ *Model, r *Result, i int) (float64, bool) {
		return float64(r.Consumers[i].Sojourn.Count()) / r.Ended.Seconds(), false
	}},
	{"utilisation", "workers busy", size.Share, utilisation},
	{"pending", "pending at most", size.Messages, whole(func(c *ConsumerResult) int64 { return c.MaxPending })},
	{"pending_end", "pending at the end", size.Messages, whole(func(c *ConsumerResult) int64 { return c.NumPending })},
	{"pending_bytes", "pending bytes at most", size.Bytes, whole(func(c *ConsumerResult) int64 { return c.MaxPendingBytes })},
	{"oldest_pending", "oldest pending at most", size.Seconds, seconds(func(c *ConsumerResult) int64 { return c.MaxOldest })},
	{"latency_p50", "latency p50", size.Seconds, latency(50)},
	{"latency_p95", "latency p95", size.Seconds, latency(95)},
	{"latency_p99", "latency p99", size.Seconds, latency(99)},
	{"latency_max", "latency at most", size.Seconds, latency(100)},
	{"drain", "level again after a burst or fault", size.Seconds, drained},
	{"ack_pending", "ack pending at most", size.Messages, whole(func(c *ConsumerResult) int64 { return c.MaxAckPending })},
	{"stalled", "stalled at max_ack_pending", size.Share, func(_ *Model, r *Result, i int) (float64, bool) {
		return time.Duration(r.Consumers[i].StalledAtMaxAckPending).Seconds() / r.Ended.Seconds(), false
	}},
	{"redelivered", "redeliveries", size.Count, whole(func(c *ConsumerResult) int64 { return c.Redeliveries })},
	{"redelivered_share", "deliveries that are redeliveries", size.Share, func(_ *Model, r *Result, i int) (float64, bool) {
		return ratio(float64(r.Consumers[i].Redeliveries), float64(r.Consumers[i].Deliveries)), false
	}},
	{"handled_twice", "handled more than once", size.Share, func(_ *Model, r *Result, i int) (float64, bool) {
		return ratio(float64(r.Consumers[i].HandledTwice), float64(r.Consumers[i].Sojourn.Count())), false
	}},
	{"lost", "lost", size.Share, func(_ *Model, r *Result, i int) (float64, bool) {
		c := r.Consumers[i]
		return ratio(float64(c.lost()), float64(c.arrived())), false
	}},
	{"lost_messages", "lost", size.Messages, whole((*ConsumerResult).lost)},
	{"rejected", "publishes refused for good", size.Share, rejected},
	{"stranded", "stranded after max_deliver", size.Messages, whole(func(c *ConsumerResult) int64 { return c.Stranded })},
	{"terminated", "terminated", size.Messages, whole(func(c *ConsumerResult) int64 { return c.Terms })},
	{"dropped", "dropped by the client", size.Messages, whole(func(c *ConsumerResult) int64 { return c.Dropped })},
	{"slow_consumers", "connections closed as slow consumer", size.Count, whole(func(c *ConsumerResult) int64 { return c.SlowConsumers })},
}

func whole(of func(*ConsumerResult) int64) func(*Model, *Result, int) (float64, bool) {
	return func(_ *Model, r *Result, i int) (float64, bool) { return float64(of(r.Consumers[i])), false }
}

func seconds(of func(*ConsumerResult) int64) func(*Model, *Result, int) (float64, bool) {
	return func(_ *Model, r *Result, i int) (float64, bool) {
		return time.Duration(of(r.Consumers[i])).Seconds(), false
	}
}

// latency is a percentile of the time from stored to acked of every message that
// the consumer has to handle. Those that are not acked at the end count as
// slower than all that are: then the percentile is at least the age of the
// oldest of them, or what the slowest acked one took.
func latency(p float64) func(*Model, *Result, int) (float64, bool) {
	return func(_ *Model, r *Result, i int) (float64, bool) {
		c := r.Consumers[i]
		acked, open := float64(c.Sojourn.Count()), float64(c.NumPending+c.NumAckPending)
		rank := (acked + open) * p / 100
		// The few that are on their way at any time are no backlog.
		if acked > 0 && (rank <= acked || open <= 1+acked/1000) {
			return c.Sojourn.Percentile(min(100, 100*rank/acked)).Seconds(), false
		}
		if open == 0 {
			return 0, false
		}
		oldest := int64(c.Sojourn.Max())
		if n := len(c.Series); n > 0 {
			oldest = max(oldest, c.Series[n-1].Oldest)
		}
		return time.Duration(oldest).Seconds(), true
	}
}

// utilisation is the share of the time that the handlers which are there work.
func utilisation(m *Model, r *Result, i int) (float64, bool) {
	busy, there := 0.0, 0.0
	for _, g := range m.Workers {
		if i >= len(m.Consumers) || g.Stream != m.Consumers[i].Stream || g.Consumer != m.Consumers[i].Name {
			continue
		}
		to := r.Ended
		if g.Stop > 0 {
			to = min(to, g.Stop)
		}
		there += max(0, (to-g.Start).Seconds()) * float64(g.Count*max(1, g.Concurrency))
		for _, w := range r.Workers {
			if w.Group == g.Name {
				busy += time.Duration(w.Busy).Seconds()
			}
		}
	}
	return min(1, ratio(busy, there)), false
}

// drained is the longest time that a consumer needed after a mark.
func drained(m *Model, r *Result, i int) (longest float64, never bool) {
	for _, k := range m.Marks {
		if c := r.Consumers[i]; k.Consumer != "" && k.Consumer != c.Stream+"/"+c.Name {
			continue
		}
		rec, ok := recoverFrom(r.Consumers[i].Series, int64(r.Step), int64(k.At), int64(k.For))
		switch {
		case !ok:
		case rec.Took < 0:
			longest, never = max(longest, (r.Ended-min(k.At+k.For, r.Ended)).Seconds()), true
		default:
			longest = max(longest, rec.Took.Seconds())
		}
	}
	return longest, never
}

// rejected is the share of the messages that the consumer's stream never took.
func rejected(_ *Model, r *Result, i int) (float64, bool) {
	lost, all := int64(0), int64(0)
	for _, p := range r.Publishers {
		if p.Stream == r.Consumers[i].Stream {
			lost, all = lost+p.GivenUp, all+p.Messages
		}
	}
	return ratio(float64(lost), float64(all)), false
}

var streamFigures = []struct {
	name, title string
	unit        size.Unit
	of          func(m *Model, r *Result, i int) (v float64, atLeast bool)
}{
	{"stored", "stored", size.Messages, ofStream(func(s *StreamResult) int64 { return s.Stored })},
	{"messages", "messages at most", size.Messages, ofStream(func(s *StreamResult) int64 { return s.MaxMsgs })},
	{"bytes", "bytes at most", size.Bytes, ofStream(func(s *StreamResult) int64 { return s.MaxBytes })},
	{"full", "of max_bytes", size.Share, func(m *Model, r *Result, i int) (float64, bool) {
		return ratio(float64(r.Streams[i].MaxBytes), float64(m.Streams[i].MaxBytes)), false
	}},
	{"rejected", "refused attempts", size.Count, ofStream(func(s *StreamResult) int64 { return s.Rejected })},
	{"duplicates", "duplicates recognised", size.Messages, ofStream(func(s *StreamResult) int64 { return s.Duplicates })},
	{"evicted", "removed by limits and age", size.Messages, ofStream(func(s *StreamResult) int64 { return s.Evicted })},
	{"lost_unread", "gone without a reader", size.Messages, ofStream(func(s *StreamResult) int64 { return s.LostUnread })},
}

func ofStream(of func(*StreamResult) int64) func(*Model, *Result, int) (float64, bool) {
	return func(_ *Model, r *Result, i int) (float64, bool) { return float64(of(r.Streams[i])), false }
}

var publisherFigures = []struct {
	name, title string
	unit        size.Unit
	of          func(p *PublisherResult, ended time.Duration) float64
}{
	{"rate", "published", size.PerSecond, func(p *PublisherResult, ended time.Duration) float64 { return float64(p.Messages) / ended.Seconds() }},
	{"messages", "messages", size.Messages, func(p *PublisherResult, _ time.Duration) float64 { return float64(p.Messages) }},
	{"attempts", "attempts", size.Count, func(p *PublisherResult, _ time.Duration) float64 { return float64(p.Attempts) }},
	{"duplicates", "answered as duplicates", size.Messages, func(p *PublisherResult, _ time.Duration) float64 { return float64(p.Duplicates) }},
	{"refused", "attempts refused", size.Count, func(p *PublisherResult, _ time.Duration) float64 { return float64(p.Refused) }},
	{"unanswered", "attempts without an answer", size.Count, func(p *PublisherResult, _ time.Duration) float64 { return float64(p.Unanswered) }},
	{"given_up", "given up", size.Messages, func(p *PublisherResult, _ time.Duration) float64 { return float64(p.GivenUp) }},
	{"retry_delay", "longest until stored by a retry", size.Seconds, func(p *PublisherResult, _ time.Duration) float64 { return time.Duration(p.RetryDelay).Seconds() }},
}

// processOf is the publisher that a process belongs to: checkout of checkout #3.
func processOf(name string) string {
	if i := strings.LastIndex(name, processMark); i > 0 {
		return name[:i]
	}
	return name
}

func (p *PublisherResult) add(o *PublisherResult) {
	p.Messages, p.Attempts, p.Stored = p.Messages+o.Messages, p.Attempts+o.Attempts, p.Stored+o.Stored
	p.Duplicates, p.Refused, p.Unanswered = p.Duplicates+o.Duplicates, p.Refused+o.Refused, p.Unanswered+o.Unanswered
	p.GivenUp, p.RetryDelay = p.GivenUp+o.GivenUp, max(p.RetryDelay, o.RetryDelay)
}
