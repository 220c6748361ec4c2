package size

// Traffic of one stream, in bytes a second of the NATS protocol, without TCP and
// TLS. Protocol lines are taken with their usual lengths.
const (
	networkSource = "NATS client protocol; lengths of nats.go's inboxes and of $JS.ACK subjects"
	// publishLine is HPUB, reply inbox, lengths and line ends beside the subject.
	publishLine = 62
	// publishAck is the MSG line and the JSON of a PubAck.
	publishAck = 95
	// deliveryLine is HMSG, subscription id, $JS.ACK reply, lengths and line ends
	// beside the subject.
	deliveryLine = 110
	// ackLine is the PUB of an acknowledgement.
	ackLine = 105
	// appendLine is the RMSG line of an append entry and its reply, when many
	// messages share one.
	appendLine = 20
	// consumerEntry is what a delivery and an acknowledgement add to the log of a
	// replicated consumer.
	consumerEntry = 2 * 45
)

// Network is the traffic of one stream. Rates are averages; the high ends of
// their bands are those of the busiest time.
type Network struct {
	// In is from publishers to the leader.
	In Figure `json:"in"`
	// Acks is from the leader to publishers.
	Acks Figure `json:"publish_acks"`
	// Out is from consumers' leaders to workers, Mirrors to mirrors and sources.
	Out     Figure `json:"out"`
	Mirrors Figure `json:"mirrors"`
	// WorkerAcks is from workers back.
	WorkerAcks Figure `json:"worker_acks"`
	// Replication is from the leader to all followers together.
	Replication Figure `json:"replication"`
	// PerConsumer is Out by consumer, in the order of the stream's.
	PerConsumer []Figure `json:"per_consumer"`
}

// OfNetwork computes the traffic of a stream.
func OfNetwork(s Stream) (Network, error) {
	if err := s.Validate("stream"); err != nil {
		return Network{}, err
	}
	return networkOf(s), nil
}

func networkOf(s Stream) Network {
	rate := given("rate", s.Rate.Average(), PerSecond).between(s.Rate.Average(), s.Rate.Peak())
	m := s.Message
	body := given("subject, header block and payload", m.Subject+m.Header+m.Payload, Bytes)
	line := func(name string, v float64) Figure {
		return coefficient(name, v, Bytes, ReadInSource, networkSource).between(v*0.6, v*1.5)
	}
	n := Network{
		In:   product("publishers in", BytesPerSecond, rate, sum("published message", Bytes, body, line("protocol line", publishLine))),
		Acks: product("publish acknowledgements", BytesPerSecond, rate, line("PubAck", publishAck)),
	}
	var out, acks []Figure
	for _, c := range s.Consumers {
		deliveries := deliveriesOf(s, c)
		f := product("to "+consumerName(c), BytesPerSecond, deliveries, sum("delivered message", Bytes, body, line("protocol line", deliveryLine)))
		out = append(out, f)
		if !c.AckNone {
			acks = append(acks, product("from "+consumerName(c), BytesPerSecond, deliveries, line("acknowledgement", ackLine)))
		}
	}
	n.PerConsumer = out
	n.Out = sum("consumers out", BytesPerSecond, out...)
	n.WorkerAcks = sum("acknowledgements in", BytesPerSecond, acks...)
	n.Mirrors = product("mirrors out", BytesPerSecond, given("mirrors", float64(s.Mirrors), Count), rate,
		sum("message to a mirror", Bytes, body, line("protocol line", deliveryLine)))
	n.Replication = replication(s, rate)
	return n
}

func consumerName(c Consumer) string {
	if c.Name == "" {
		return "consumer"
	}
	return c.Name
}

// deliveriesOf is how many messages a second a consumer delivers.
func deliveriesOf(s Stream, c Consumer) Figure {
	part := c.Share
	if part == 0 {
		part = 1
	}
	repeated := computed("deliveries of a message", 1+c.Redelivered, Ratio, "1 + redelivered")
	return product("deliveries", PerSecond, given("rate", s.Rate.Average(), PerSecond).between(s.Rate.Average(), s.Rate.Peak()),
		given("share", part, Share), repeated)
}

// replication is what the leaders of a stream and its consumers send to their
// followers.
func replication(s Stream, rate Figure) Figure {
	if s.replicas() == 1 {
		return given("replication", 0, BytesPerSecond)
	}
	followers := given("followers", float64(s.replicas()-1), Count)
	entry := sum("replicated message", Bytes, walEntry(s.Message),
		coefficient("append entry line and reply", appendLine, Bytes, ReadInSource, raftSource).between(appendLine, 160))
	terms := []Figure{product("stream", BytesPerSecond, followers, rate, entry)}
	if s.retention() != Limits {
		terms = append(terms, product("removals", BytesPerSecond, followers, rate,
			coefficient("log entry of a removal", removalEntry, Bytes, ReadInSource, removalSource)))
	}
	for _, c := range s.Consumers {
		if c.Replicas == 1 || c.AckNone {
			continue
		}
		terms = append(terms, product("state of "+consumerName(c), BytesPerSecond, followers, deliveriesOf(s, c),
			coefficient("delivery and acknowledgement", consumerEntry, Bytes, ReadInSource, raftSource)))
	}
	return sum("replication", BytesPerSecond, terms...)
}
