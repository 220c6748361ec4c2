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
	// PerConsumer is Out by consumer, in the order of the stream's; consumers that
	// are alike share one figure.
	PerConsumer []Figure `json:"per_consumer"`
	// remote is the part of PerConsumer whose workers sit in another zone.
	remote []Figure
}

// OfNetwork computes the traffic of a stream.
func OfNetwork(s Stream) (Network, error) {
	if err := s.Validate("stream"); err != nil {
		return Network{}, err
	}
	return networkOf(s), nil
}

func networkOf(s Stream) Network {
	rate := s.arriving()
	n := Network{
		In:   product("publishers in", BytesPerSecond, rate, sum("published message", Bytes, s.body(), protocolLine("protocol line", publishLine))),
		Acks: product("publish acknowledgements", BytesPerSecond, rate, protocolLine("PubAck", publishAck)),
	}
	out, acks := consumerTraffic(s)
	for i, g := range alike(s.Consumers) {
		if g.Remote {
			n.remote = append(n.remote, out[i])
		}
	}
	n.PerConsumer = out
	n.Out = sum("consumers out", BytesPerSecond, out...)
	n.WorkerAcks = sum("acknowledgements in", BytesPerSecond, acks...)
	n.Mirrors = product("mirrors out", BytesPerSecond, given("mirrors", float64(s.Mirrors), Count), rate,
		sum("message to a mirror", Bytes, s.body(), protocolLine("protocol line", deliveryLine)))
	n.Replication = replication(s, rate)
	return n
}

// arriving is a stream's rate, with that of its busiest time.
func (s Stream) arriving() Figure {
	return given("rate", s.Rate.Average(), PerSecond).between(s.Rate.Average(), s.Rate.Peak())
}

// body is what of a message is sent.
func (s Stream) body() Figure {
	return given("subject, header block and payload", s.Message.Subject+s.Message.Header+s.Message.Payload, Bytes)
}

// protocolLine is a line of the client protocol of its usual length.
func protocolLine(name string, v float64) Figure {
	return coefficient(name, v, Bytes, ReadInSource, networkSource).between(v*0.6, v*1.5)
}

// consumerTraffic is what consumers of each kind are sent, in the order of alike,
// and what their workers send back.
func consumerTraffic(s Stream) (out, acks []Figure) {
	for _, g := range alike(s.Consumers) {
		deliveries := g.deliveries(s)
		out = append(out, product("to "+g.name(), BytesPerSecond, deliveries, sum("delivered message", Bytes, s.body(), protocolLine("protocol line", deliveryLine))))
		if !g.AckNone {
			acks = append(acks, product("from "+g.name(), BytesPerSecond, deliveries, protocolLine("acknowledgement", ackLine)))
		}
	}
	return out, acks
}

func consumerName(c Consumer) string {
	if c.Name == "" {
		return "consumer"
	}
	return c.Name
}

// sameConsumers is consumers of a stream that differ in nothing but their names.
type sameConsumers struct {
	Consumer
	count float64
}

// alike groups consumers, in the order of their first.
func alike(cs []Consumer) []sameConsumers {
	var out []sameConsumers
	at := map[Consumer]int{}
	for _, c := range cs {
		key := c
		key.Name = ""
		if i, ok := at[key]; ok {
			out[i].count++
			continue
		}
		at[key] = len(out)
		out = append(out, sameConsumers{Consumer: c, count: 1})
	}
	return out
}

func (g sameConsumers) name() string {
	if g.count > 1 {
		return FormatCount(g.count) + " consumers like " + consumerName(g.Consumer)
	}
	return consumerName(g.Consumer)
}

// deliveries is how many messages a second a group is delivered.
func (g sameConsumers) deliveries(s Stream) Figure {
	part := g.Share
	if part == 0 {
		part = 1
	}
	terms := []Figure{given("rate", s.Rate.Average(), PerSecond).between(s.Rate.Average(), s.Rate.Peak()),
		given("share", part, Share), computed("deliveries of a message", 1+g.Redelivered, Ratio, "1 + redelivered")}
	if g.count > 1 {
		terms = append(terms, given("consumers", g.count, Count))
	}
	return product("deliveries", PerSecond, terms...)
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
	for _, g := range alike(s.Consumers) {
		if g.Replicas == 1 || g.AckNone {
			continue
		}
		terms = append(terms, product("state of "+g.name(), BytesPerSecond, followers, g.deliveries(s),
			coefficient("delivery and acknowledgement", consumerEntry, Bytes, ReadInSource, raftSource)))
	}
	return sum("replication", BytesPerSecond, terms...)
}
