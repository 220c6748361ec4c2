package showdown

import (
	"errors"
	"fmt"
	"math"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/size"
)

// translation is what something of a NATS design is on Kafka. fits is same, other,
// none, or better where Kafka does more.
type translation struct{ key, fits, text, source string }

func readTranslation(s *Showdown, f []string) error {
	if _, known := features[f[0]]; !known {
		return fmt.Errorf("%q is not a feature that is looked for", f[0])
	}
	s.toKafka = append(s.toKafka, translation{f[0], f[1], f[2], f[3]})
	return nil
}

// kafkaSides are a caller's design, and nothing: Kafka's side is computed of it.
func kafkaSides(d *design.Design) ([]*design.Design, error) {
	if !hasStreams(d) {
		return nil, errors.New("the design has no stream; there is no log to put on Kafka")
	}
	return []*design.Design{d, nil}, nil
}

// topic is a stream as a Kafka topic.
type topic struct {
	partitions, atLeast, perRecord, retained, disk, in, out size.Figure
	replicas                                                float64
}

const (
	kafkaSource  = "Apache Kafka source at 1eb7644349cb, 2024-10-25: DefaultRecordBatch.java, DefaultRecord.java"
	kafkaMemory  = "Apache Kafka docs/operations/hardware-and-os.md, 2026: write throughput × 30 s"
	kafkaHeap    = "Apache Kafka source: bin/kafka-server-start.sh -Xmx1G; documentation's example 6 GB"
	kafkaHours   = "Apache Kafka source: log.retention.hours 168"
	kafkaMemorys = 30.0
	hour         = 3600.0
)

// addKafka puts the workload on both. Kafka's side is arithmetic from published
// formats and rules; nothing of it was run.
func addKafka(s *Showdown, c *Comparison, sides []*sided) error {
	nats := sides[0]
	c.Sides = []string{s.Sides[0].Name, s.Sides[1].Name}
	var topics []topic
	t := Table{Title: "Each stream as a topic", About: "the subject becomes the key, so that order per subject is kept",
		Head: []string{"Stream", "Partitions", "For the peak rate alone", "Bytes a record", "Disk, all replicas"}, Num: []bool{false, true, true, true, true}}
	for i := range nats.size.Streams {
		z := &nats.size.Streams[i]
		if z.Kind != "stream" || z.Input.Rate.Average() <= 0 {
			continue
		}
		one := topicOf(nats.design, z)
		topics = append(topics, one)
		t.Rows = append(t.Rows, TableRow{Cells: []Cell{{Text: z.Name}, cellOf(one.partitions), cellOf(one.atLeast), cellOf(one.perRecord), cellOf(one.disk)}})
	}
	if len(topics) == 0 {
		return errors.New("nothing publishes into a stream; write publishers with subject and rate")
	}
	brokers := float64(max(1, nats.design.Server.Nodes))
	partitions := sumOf(topics, "partitions", size.Count, func(t topic) size.Figure { return t.partitions })
	disk, out := sumOf(topics, "disk of all brokers", size.Bytes, func(t topic) size.Figure { return t.disk }), sumOf(topics, "to consumers", size.BytesPerSecond, func(t topic) size.Figure { return t.out })
	c.row("disk, all servers", nats.disk(), disk)
	heap, cache := kafkaHeapOf(), kafkaCacheOf(topics, brokers)
	c.row("heap, one server", nats.memory(), heap)
	c.Rows = append(c.Rows, Row{What: "page cache to have, one server", Cells: []Cell{{Text: "no rule published"}, cellOf(cache)}})
	c.row("to consumers", nats.toConsumers(), out)
	c.row("handlers at work at most", nats.handlers(), partitions)
	c.row("bytes of a message on disk, mean", nats.perMessage(), perRecordOf(topics))
	c.Tables = append(c.Tables, t, s.translate(nats.design))
	c.Verdict = fmt.Sprintf("On NATS %s of disk and %s of heap a server; on Kafka, by published formulas, %s of disk and %s of heap a broker with %s of page cache, and %s partitions for as many handlers.",
		nats.disk().Amount(), nats.memory().Amount(), disk.Amount(), heap.Amount(), cache.Amount(), partitions.Amount())
	c.note("Kafka's figures are computed from its record format, defaults and rules; nothing was run on Kafka. What the design compresses on disk is taken as compressed alike there")
	c.note("the heap of NATS is what lives in it, with the stacks; that of Kafka is what its start script reserves. Both read and write through the page cache; only Kafka's documentation says how much to have")
	return nil
}

// topicOf translates a stream. Partitions: in a consumer group a partition goes to
// one member, so as many as handlers work at a time in the largest group; a rate
// alone needs as many as it keeps busy.
func topicOf(d *design.Design, z *size.DesignStream) topic {
	in := z.Input
	rate := given("rate", in.Rate.Average(), size.PerSecond)
	t := topic{replicas: float64(max(1, in.Replicas)), in: rate}
	partitions, busy := 1.0, 1.0
	groups, whole := 0.0, 0.0
	for _, c := range z.Consumers {
		n, service := handlersOf(d, c.Path)
		partitions = max(partitions, n)
		busy = max(busy, math.Ceil(c.Arriving.High*service))
		groups++
		whole += 1
	}
	t.partitions = worked("partitions", partitions, size.Count, "handlers that work at a time in the largest group", given("handlers", partitions, size.Count))
	t.partitions.Source = "Apache Kafka docs/ops.html: the partition count is the most parallelism of a consumer group; share groups (4.2) are not bound by it"
	t.atLeast = worked("partitions for the rate alone", busy, size.Count, "peak rate × mean service time, rounded up")
	key, value, header := int(in.Message.Subject), int(in.Message.Payload), int(in.Message.Header)
	producers := max(1, float64(len(z.Arrivals)))
	n := kafkaInBatch(float64(kafkaRecord(key, value, header, 1)), rate.Value/partitions/producers)
	t.perRecord = worked("bytes a record", kafkaBatch(key, value, header, n), size.Bytes, "(batch header 61 B + records) / records, and 20 B of index every 4 KiB",
		given("records in a batch", float64(n), size.Count), given("key: the subject", float64(key), size.Bytes), given("value", float64(value), size.Bytes), given("headers", float64(header), size.Bytes))
	t.perRecord.Source = kafkaSource + "; linger.ms 5, batch.size 16384"
	t.retained = retainedBy(z)
	terms := []size.Figure{rate, t.retained, t.perRecord, given("replicas", t.replicas, size.Count)}
	if in.Compression == size.S2 && in.S2Ratio > 0 {
		terms = append(terms, given("compressed to, as the stream is", in.S2Ratio, size.Share))
	}
	t.disk = times("disk", size.Bytes, terms...)
	t.disk.High = min(size.Limit, t.disk.Value+partitions*t.replicas*kafkaSegment)
	t.disk.Note = "up to one segment.bytes (1 GiB) more for each partition and replica: whole segments are removed"
	t.out = times("to consumers", size.BytesPerSecond, given("groups", groups, size.Count), rate, t.perRecord)
	t.out.Note = "each group reads the whole topic"
	return t
}

// retainedBy is how long Kafka keeps a record of a stream, in seconds: its max_age
// or what its other limits keep; 168 hours, Kafka's default, where messages go with
// their acks.
func retainedBy(z *size.DesignStream) size.Figure {
	kept := z.Size.Retained.Kept
	if z.Input.Retention == size.Limits || z.Input.Retention == "" {
		if kept.Value < size.Limit {
			return given("retention", kept.Value, size.Seconds)
		}
	}
	return published("retention", 168*hour, size.Seconds, kafkaHours+": an ack removes nothing")
}

// handlersOf is how many handlers a consumer has, and their mean service time in
// seconds.
func handlersOf(d *design.Design, path string) (n, service float64) {
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			for _, c := range s.Consumers {
				if c.Path != path {
					continue
				}
				for _, w := range c.Workers {
					n += float64(max(1, w.Count) * max(1, w.Concurrency))
					service = max(service, w.ServiceTime.MeanValue()/1e9)
				}
			}
		}
	}
	return max(1, n), service
}

func sumOf(topics []topic, name string, unit size.Unit, of func(topic) size.Figure) size.Figure {
	var parts []size.Figure
	for _, t := range topics {
		parts = append(parts, of(t))
	}
	f := size.Sum(name, parts...)
	f.Unit = unit
	return f
}

// kafkaHeapOf is the heap that a broker is started with.
func kafkaHeapOf() size.Figure {
	heap := published("heap of a broker", 1*size.GiB, size.Bytes, kafkaHeap)
	heap.High = 6 * size.GiB
	heap.Note = "an idle 4.2 node in a container took 327 MiB"
	return heap
}

// kafkaCacheOf is the page cache of 30 s of writes.
func kafkaCacheOf(topics []topic, brokers float64) size.Figure {
	written := 0.0
	for _, t := range topics {
		written += t.in.Value * t.perRecord.Value * t.replicas / brokers
	}
	return times("page cache", size.Bytes, given("written by a broker", written, size.BytesPerSecond), published("kept in memory", kafkaMemorys, size.Seconds, kafkaMemory))
}

// perRecordOf is the mean over topics, by rate.
func perRecordOf(topics []topic) size.Figure {
	bytes, rate := 0.0, 0.0
	for _, t := range topics {
		bytes, rate = bytes+t.in.Value*t.perRecord.Value, rate+t.in.Value
	}
	return worked("bytes a record", bytes/rate, size.Bytes, "bytes written / records")
}

// perMessage is the mean record of the file store over streams, by rate.
func (s *sided) perMessage() size.Figure {
	bytes, rate := 0.0, 0.0
	for i := range s.size.Streams {
		z := &s.size.Streams[i]
		m := z.Input.Message
		bytes += z.Input.Rate.Average() * float64(size.RecordBytes(size.File, int(m.Subject), int(m.Header), int(m.Payload)))
		rate += z.Input.Rate.Average()
	}
	f := worked("bytes a message", bytes/max(rate, 1e-9), size.Bytes, "30 B + subject + headers + payload")
	f.Source = "nats-server v2.15.2 filestore.go: fileStoreMsgSizeRaw"
	return f
}

// memory is what the largest server of the first site needs.
func (s *sided) memory() size.Figure {
	var out size.Figure
	for _, z := range s.size.Sites[:min(1, len(s.size.Sites))] {
		for _, n := range z.Nodes {
			if m := n.Memory(); m.Value >= out.Value {
				out = m
			}
		}
	}
	return out
}

// toConsumers is what all consumers are sent.
func (s *sided) toConsumers() size.Figure {
	var parts []size.Figure
	for i := range s.size.Streams {
		parts = append(parts, s.size.Streams[i].Network.Out)
	}
	f := size.Sum("to consumers", parts...)
	f.Unit = size.BytesPerSecond
	return f
}

// handlers is how many messages are handled at a time at most.
func (s *sided) handlers() size.Figure {
	n := 0.0
	for i := range s.size.Streams {
		for _, c := range s.size.Streams[i].Consumers {
			one, _ := handlersOf(s.design, c.Path)
			n += one
		}
	}
	return worked("handlers", n, size.Count, "workers × concurrency, all consumers; no partition bounds them")
}

// features say whether a design uses what a translation is about.
var features = map[string]func(d *design.Design) bool{
	"subjects":   func(*design.Design) bool { return true },
	"parallel":   func(*design.Design) bool { return true },
	"order":      func(*design.Design) bool { return true },
	"durability": func(*design.Design) bool { return true },
	"filter": anyConsumer(func(c *api.ConsumerConfig) bool {
		return c.FilterSubject != "" || len(c.FilterSubjects) > 0
	}),
	"workqueue":       anyStream(func(s *api.StreamConfig) bool { return s.Retention == api.WorkQueuePolicy }),
	"interest":        anyStream(func(s *api.StreamConfig) bool { return s.Retention == api.InterestPolicy }),
	"backoff":         anyConsumer(func(c *api.ConsumerConfig) bool { return len(c.BackOff) > 0 }),
	"max_deliver":     anyConsumer(func(c *api.ConsumerConfig) bool { return c.MaxDeliver > 0 }),
	"dedup":           anyPublisher(func(p *design.Publisher) bool { return p.MsgIDBytes > 0 }),
	"ttl":             anyPublisher(func(p *design.Publisher) bool { return p.TTL > 0 }),
	"max_per_subject": anyStream(func(s *api.StreamConfig) bool { return s.MaxMsgsPer > 0 }),
	"kv":              anyScope(func(s *design.Scope) bool { return len(s.KV) > 0 }),
	"object":          anyScope(func(s *design.Scope) bool { return len(s.Objects) > 0 }),
	"core":            anyScope(func(s *design.Scope) bool { return len(s.Subscribers) > 0 }),
	"leafnode":        func(d *design.Design) bool { return len(d.Leafnodes) > 0 },
}

func anyScope(is func(*design.Scope) bool) func(*design.Design) bool {
	return func(d *design.Design) bool {
		for _, s := range d.Scopes() {
			if is(s) {
				return true
			}
		}
		return false
	}
}

func anyStream(is func(*api.StreamConfig) bool) func(*design.Design) bool {
	return anyScope(func(s *design.Scope) bool {
		for _, one := range s.Streams {
			if is(&one.Config) {
				return true
			}
		}
		return false
	})
}

func anyConsumer(is func(*api.ConsumerConfig) bool) func(*design.Design) bool {
	return anyScope(func(s *design.Scope) bool {
		for _, one := range s.Streams {
			for _, c := range one.Consumers {
				if is(&c.Config) {
					return true
				}
			}
		}
		return false
	})
}

func anyPublisher(is func(*design.Publisher) bool) func(*design.Design) bool {
	return anyScope(func(s *design.Scope) bool {
		for _, p := range s.Publishers {
			if is(p) {
				return true
			}
		}
		return false
	})
}

// translate lists what of a design is what on Kafka.
func (s *Showdown) translate(d *design.Design) Table {
	t := Table{Title: "What the design uses, and what it is on Kafka", Head: []string{"In the design", "Kafka", "How", "Source"}, Num: make([]bool, 4)}
	for _, x := range s.toKafka {
		if !features[x.key](d) {
			continue
		}
		level := ""
		if x.fits == "none" {
			level = "warning"
		}
		from, _ := s.SourceOf(x.source)
		t.Rows = append(t.Rows, TableRow{Cells: words(x.key, x.fits, x.text, from.What+", "+from.Date), Level: level})
	}
	return t
}
