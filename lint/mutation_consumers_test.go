package lint

import (
	"fmt"

	"weir/design"
	"weir/subject"
)

// workMutants are faults of a consumer, its acks and its workers, as far as the
// design says enough for the rule to speak.
func workMutants(d *design.Design, s *design.Stream, c *design.Consumer) []mutant {
	var out []mutant
	add := func(code string, set ...written) {
		out = append(out, mutant{fmt.Sprintf("%s at %s: %s", code, set[0].path, set[0].value), code, set})
	}
	at := func(key string) string { return design.Join(c.Path, key) }
	acks := c.Config.AckPolicy.String() == "Explicit"
	pull := c.Config.DeliverSubject == ""
	queue := s.Config.Retention.String() == "WorkQueue"
	limits := s.Config.Retention.String() == "Limits"
	if !acks || !pull || len(c.Workers) != 1 {
		return nil
	}
	w := c.Workers[0]
	hands, rate := w.Count*w.Concurrency, arrivals(d, s)
	mean, known := Mean(w.ServiceTime)
	p99, _ := P99(w.ServiceTime)
	in := func(key string) string { return design.Join(w.Path, key) }
	add("CON055", written{at("max_deliver"), "1"})
	add("CON016", written{in("count"), "1000"})
	add("CON053", written{in("expires"), "1ms"})
	add("CON026", written{in("heartbeat"), "10m"})
	add("CON082", written{at("ack_wait"), "20m"}, written{at("backoff"), "[1s, 2s]"}, written{at("max_deliver"), "5"})
	add("CON040", written{at("backoff"), "[1s, 2s, 3s]"}, written{at("max_deliver"), "2"})
	if w.Fetch > 1 {
		add("CON014", written{at("max_ack_pending"), "1"})
		add("CON015", written{at("max_batch"), "1"})
	}
	if hands > 1 && !queue {
		add("CON018", written{at("ack_policy"), "all"})
	}
	if w.Count > 1 {
		add("CON025", written{at("ack_wait"), "5h"})
		add("CON028", written{at("deliver_subject"), "pushed.to"})
	}
	if !known || mean <= 0 {
		return out
	}
	if w.InProgress == 0 {
		add("CON024", written{at("ack_wait"), design.FormatDuration(int64(max(p99, mean)/4 + 1))}, written{at("max_deliver"), "2"})
	}
	add("CON010", written{at("deliver_subject"), "pushed.to"}, written{at("deliver_group"), "g"}, written{at("max_ack_pending"), "10000000"})
	if rate > 0 && !queue {
		add("CON020", written{at("inactive_threshold"), "10s"})
	}
	if len(c.Config.FilterSubjects) == 0 && c.Config.FilterSubject == "" && rate > 0 {
		add("CON013", written{at("max_ack_pending"), "-1"})
		if rate > 1.1/mean.Seconds() {
			add("CON023", written{at("max_ack_pending"), "1"})
		}
		if limits {
			add("CON036", written{at("mem_storage"), "true"})
		}
		add("CON032", written{in("fetch_bytes"), "1B"})
	}
	return out
}

// arrivals are the messages a second that surely reach a stream.
func arrivals(d *design.Design, s *design.Stream) float64 {
	rate := 0.0
	for _, p := range d.Publishers {
		for _, own := range s.Config.Subjects {
			if subject.CoversAll(own, Pattern(p)) {
				rate += p.Rate
				break
			}
		}
	}
	return rate
}

// sendingMutants are faults of a publisher into streams.
func sendingMutants(p *design.Publisher, streams []*design.Stream) []mutant {
	var out []mutant
	add := func(code string, set ...written) {
		out = append(out, mutant{fmt.Sprintf("%s at %s: %s", code, set[0].path, set[0].value), code, set})
	}
	at := func(key string) string { return design.Join(p.Path, key) }
	for _, s := range streams {
		for _, own := range s.Config.Subjects {
			if !subject.CoversAll(own, Pattern(p)) || p.Mode == "core" {
				continue
			}
			if p.Mode == "async" {
				add("PUB012", written{at("in_flight"), "1000000"})
			}
			if p.MsgIDBytes > 0 && s.Config.MaxAge == 0 {
				add("PUB081", written{at("retry_for"), "1000h"})
			}
			if p.MsgIDBytes > 0 && p.RetryFor > 0 {
				add("PUB010", written{at("msg_id"), "none"})
			}
			if s.Config.Discard.String() == "Old" && s.Config.Replicas > 1 {
				add("PUB011", written{at("mode"), "core"})
			}
			if !s.Config.AllowMsgTTL {
				add("PUB014", written{at("ttl"), "1m"})
			}
		}
	}
	return out
}

// bucketMutants are faults of key-value and object store buckets.
func bucketMutants(d *design.Design) []mutant {
	var out []mutant
	add := func(code string, set ...written) {
		out = append(out, mutant{fmt.Sprintf("%s at %s: %s", code, set[0].path, set[0].value), code, set})
	}
	for _, b := range d.KV {
		at := func(key string) string { return design.Join(b.Path, key) }
		add("CON043", written{at("watchers"), "5000"})
		add("KV001", written{at("keys"), "600000000"}, written{at("watchers"), "1"})
		if mean, known := Mean(b.Value); known && mean > 0 {
			add("KV002", written{at("writes"), "1000000000/s"}, written{at("watchers"), "100"})
		}
	}
	for _, b := range d.Objects {
		at := func(key string) string { return design.Join(b.Path, key) }
		add("KV020", written{at("chunk"), "1GiB"})
		if b.Keys > 1 && b.Value.Known() {
			add("KV021", written{at("max_bytes"), "1MiB"})
		}
	}
	return out
}
