package size

import (
	"strconv"
	"time"
)

// ConsumerSize is what one consumer takes on one server, and what it moves.
type ConsumerSize struct {
	Name string `json:"name"`
	// Disk is its files; zero when its state is kept in memory. Allocated is what
	// du shows of them: three files and a folder.
	Disk      Figure `json:"disk"`
	Allocated Figure `json:"allocated"`
	Heap      Figure `json:"heap"`
	Stacks    Figure `json:"stacks"`
	// Out is to its workers, Acks from them.
	Out  Figure `json:"out"`
	Acks Figure `json:"acks"`
	// Replicated says that it is a RAFT group, an HA asset.
	Replicated bool `json:"replicated"`
}

// OfConsumer sizes consumer i of a stream.
func OfConsumer(s Stream, i int) (ConsumerSize, error) {
	if err := s.Validate("stream"); err != nil {
		return ConsumerSize{}, err
	}
	if i < 0 || i >= len(s.Consumers) {
		return ConsumerSize{}, &InputError{Path: "consumer", Value: strconv.Itoa(i), Reason: "the stream has no such consumer"}
	}
	return consumerSize(s, i), nil
}

// consumerSize is OfConsumer for inputs that were validated.
func consumerSize(s Stream, i int) ConsumerSize {
	alone := s
	alone.Consumers = s.Consumers[i : i+1]
	c := alone.Consumers[0]
	moved, acks := consumerTraffic(alone)
	out := ConsumerSize{Name: c.Name, Disk: consumerState(alone), Heap: consumersHeap(alone).as("consumer"), Out: sum("consumers out", BytesPerSecond, moved...),
		Acks:       sum("acknowledgements in", BytesPerSecond, acks...),
		Replicated: alone.replicated() == 1}
	goroutines := float64(consumerGoroutines)
	if out.Replicated {
		out.Heap = sum("consumer", Bytes, out.Heap, coefficient("RAFT group", raftGroup, Bytes, Measured, heapSource).between(raftGroup*0.7, raftGroup+MiB))
		goroutines += consumerRaftGoroutines
	}
	out.Stacks = stacks(goroutines)
	out.Allocated = coefficient("allocated", 0, Bytes, Measured, diskSource)
	if !c.Memory && s.storage() == File {
		out.Allocated = sum("allocated", Bytes, out.Disk,
			coefficient("rounding and folder", 4*fileSystemPage-out.Disk.Value, Bytes, Measured, "du of an idle durable: 16 KiB").between(2*fileSystemPage, 4*fileSystemPage))
	}
	return out
}

// AckCap is what max_ack_pending allows a consumer.
type AckCap struct {
	// Rate is the highest rate at which it can deliver.
	Rate Figure `json:"rate"`
	// Needed is the max_ack_pending that a wanted rate asks for.
	Needed Figure `json:"needed"`
}

// OfMaxAckPending computes the rate at which max_ack_pending stops a consumer,
// when a message is acknowledged so long after its delivery, and the limit that
// a wanted rate needs. A limit of 0 is the server's 1,000, -1 unlimited.
func OfMaxAckPending(maxAckPending int64, ackAfter time.Duration, wanted float64) (AckCap, error) {
	if err := firstError(limit("max_ack_pending", maxAckPending), duration("ack after", ackAfter), number("rate", wanted)); err != nil {
		return AckCap{}, err
	}
	if maxAckPending == 0 {
		maxAckPending = defaultMaxAckPending
	}
	after := given("acknowledged after", ackAfter.Seconds(), Seconds)
	pending := given("max_ack_pending", float64(maxAckPending), Messages)
	out := AckCap{Needed: product("max_ack_pending needed", Messages, given("wanted rate", wanted, PerSecond), after).
		noting("a lower bound: leave headroom for slow messages")}
	if maxAckPending < 0 || ackAfter == 0 {
		out.Rate = computed("rate", Limit, PerSecond, "max_ack_pending / time to acknowledgement").noting("max_ack_pending does not limit it")
		return out, nil
	}
	out.Rate = computed("rate", pending.Value/after.Value, PerSecond, "max_ack_pending / time to acknowledgement", pending, after)
	return out, nil
}

// OfWatchers is how many consumers there are when every instance of one stage
// opens one for every instance of the stage before it, on so many edges.
func OfWatchers(instances, upstream, edges float64) (Figure, error) {
	if err := firstError(number("instances", instances), number("upstream", upstream), number("edges", edges)); err != nil {
		return Figure{}, err
	}
	return product("consumers", Count, given("instances", instances, Count), given("instances upstream", upstream, Count), given("edges", max(edges, 1), Count)).
		noting("it grows as the product: share one watcher in a process"), nil
}

// ClientPendingMessages is how many messages nats.go keeps for one asynchronous
// subscription before it drops: 500,000 in 1.55, 524,288 in 1.11 to 1.31.
const ClientPendingMessages = 500_000

// OfWatchAll is what a watch of all keys, or a listing of them, delivers before
// it is up to date, as a share of what a client keeps pending. Above 1, a reader
// that is slow at first loses messages.
func OfWatchAll(keys float64) (Figure, error) {
	if err := number("keys", keys); err != nil {
		return Figure{}, err
	}
	return computed("keys by client pending limit", keys/ClientPendingMessages, Ratio, "keys / pending limit",
		given("keys", keys, Count), coefficient("pending limit", ClientPendingMessages, Count, Measured, "nats.go 1.55; 524,288 in 1.11 to 1.31")), nil
}

// OfScans is how many messages a second a server delivers when look-ups list all
// keys of a bucket: each is a full scan by a consumer of its own.
func OfScans(instances, lookups, keys float64) (Figure, error) {
	if err := firstError(number("instances", instances), number("lookups", lookups), number("keys", keys)); err != nil {
		return Figure{}, err
	}
	return product("messages delivered", PerSecond, given("instances", instances, Count), given("look-ups a second each", lookups, PerSecond), given("keys", keys, Count)).
		noting("filter by a prefix, or watch once and keep the keys"), nil
}

// defaultMaxPending is what a server keeps for one connection before it closes it
// (server/const.go: MAX_PENDING_SIZE).
const defaultMaxPending = 64 * MiB

// OfSlowConsumer is how long a connection lasts that reads slower than it is
// written to, in bytes a second: until max_pending is full, whatever
// write_deadline says. A maxPending of 0 is the server's 64 MiB.
func OfSlowConsumer(maxPending int64, in, out float64) (Figure, error) {
	if err := firstError(number("max_pending", float64(maxPending)), number("in", in), number("out", out)); err != nil {
		return Figure{}, err
	}
	if maxPending == 0 {
		maxPending = defaultMaxPending
	}
	terms := []Figure{given("max_pending", float64(maxPending), Bytes), given("published to it", in, BytesPerSecond), given("read by it", out, BytesPerSecond)}
	if in <= out {
		return computed("time to disconnect", Limit, Seconds, "max_pending / (published - read)", terms...).noting("never: it reads as fast as it is written to"), nil
	}
	return computed("time to disconnect", float64(maxPending)/(in-out), Seconds, "max_pending / (published - read)", terms...).
		from(Arithmetic, "server/client.go:queueOutbound (v2.15.2); a single blocked write ends it after write_deadline, 10 s"), nil
}
