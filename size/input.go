package size

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Retention is the retention policy of a stream, by the API's names.
type Retention string

// The three retention policies.
const (
	Limits    Retention = "limits"
	Interest  Retention = "interest"
	WorkQueue Retention = "workqueue"
)

// Compression is the compression of a file stream, by the API's names.
type Compression string

// The two settings of compression.
const (
	NoCompression Compression = "none"
	S2            Compression = "s2"
)

// Cipher is what jetstream.cipher names in the server configuration.
type Cipher string

// The ciphers of encryption at rest.
const (
	NoCipher Cipher = ""
	ChaCha   Cipher = "chacha"
	AES      Cipher = "aes"
)

// Defaults of nats-server v2.15.2 (server/const.go, server/stream.go).
const (
	defaultMaxPayload      = MiB
	defaultDuplicateWindow = 2 * time.Minute
	defaultSyncInterval    = 2 * time.Minute
	defaultMaxAckPending   = 1000
)

// Message is the mean shape of a stream's messages, in bytes. Means may be
// fractions.
type Message struct {
	// Subject is the length of the subject.
	Subject float64
	// Header is the whole header block (HeaderBlock), the message id's header
	// included; 0 is none.
	Header float64
	// Payload is the length of the payload.
	Payload float64
	// ID is the length of Nats-Msg-Id; 0 means that publishers send none.
	ID float64
}

// Burst is a time of another publish rate that comes again and again.
type Burst struct {
	// Rate is in messages a second, during the burst, instead of the stream's.
	Rate float64
	// For is its length, Every the time from one burst's start to the next.
	For, Every time.Duration
}

// Rate is how fast messages arrive.
type Rate struct {
	// Mean is in messages a second outside bursts, averaged over a day.
	Mean float64
	// Bursts replace Mean while they last. They do not overlap.
	Bursts []Burst
	// Hours is the shape of a day: 24 weights that are scaled to a mean of one;
	// nil is an even day. Bursts are not scaled.
	Hours []float64
}

// KeyShape says how the subjects of a stream differ from each other. It decides
// how much heap the server's subject tree takes for one.
type KeyShape string

// The shapes of subjects that the tree was measured with.
const (
	// Sequential subjects are numbered, or combine few words: the tree's nodes
	// are full. The zero value stands for it.
	Sequential KeyShape = "sequential"
	// Random subjects end in a UUID, a hash or another random key.
	Random KeyShape = "random"
)

// SubjectSet describes the distinct subjects of a stream.
type SubjectSet struct {
	// Count is the number of distinct subjects; 0 counts as one.
	Count float64
	// Shape is how they differ.
	Shape KeyShape
	// Key is the length of the random part in bytes, when Random; 0 is 36, a
	// UUID. Sequential subjects need none: what they share is stored once.
	Key float64
	// Shared is the length of what follows the differing part and is the same in
	// many subjects: ".temperature" in sensors.17.temperature.
	Shared float64
}

// Consumer is one consumer of a stream.
type Consumer struct {
	Name string
	// Replicas is num_replicas; 0 inherits the stream's.
	Replicas int
	// Memory is mem_storage: state in memory instead of on file.
	Memory bool
	// Share is the part of the stream's messages that its filters match, 0 to 1.
	// 0 counts as all.
	Share float64
	// Rate is how many messages a second its workers can take when they are
	// behind; 0 is unknown.
	Rate float64
	// MaxAckPending is the limit of unacknowledged messages; 0 is the server's
	// 1,000, -1 unlimited.
	MaxAckPending int64
	// AckPending is how many are delivered and not acknowledged in the steady
	// state: rate × service time. 0 is none.
	AckPending float64
	// AckNone is ack_policy none: nothing is pending, nothing acknowledged.
	AckNone bool
	// Push is a consumer with a deliver subject.
	Push bool
	// Remote marks workers that sit in another zone than the leader.
	Remote bool
	// Redelivered is the share of deliveries that are repetitions, 0 to 1.
	Redelivered float64
}

// Stream is one stream, with its configuration as the API has it and the traffic
// it carries. Limits of 0 and -1 mean unlimited.
type Stream struct {
	Name    string
	Account string

	Storage     Storage
	Retention   Retention
	Compression Compression
	Cipher      Cipher
	// DiscardNew refuses new messages at a limit instead of dropping old ones.
	DiscardNew bool
	// Replicas is num_replicas; 0 counts as 1.
	Replicas int

	MaxMsgs, MaxBytes, MaxMsgsPerSubject, MaxMsgSize int64
	MaxAge                                           time.Duration
	// DuplicateWindow of 0 is the server's default, 2 minutes or MaxAge if that
	// is shorter.
	DuplicateWindow time.Duration

	// LiteralSubject is the length of the longest subject of the stream that has
	// no wildcard; 0 when there is none.
	LiteralSubject int
	Message        Message
	Subjects       SubjectSet
	Rate           Rate
	// Messages fixes how many messages are stored; 0 lets rate and limits say.
	Messages float64
	// Empty says that nothing is published into it: it holds nothing, whatever its
	// limits allow.
	Empty bool
	// Backlog is how many messages wait on average in a work queue or interest
	// stream; 0 lets the consumers' AckPending stand for it.
	Backlog float64
	// Behind is by how many messages a second consumers of a work queue or interest
	// stream stay behind the publishers; 0 when they keep up.
	Behind float64
	// InteriorDeletes is the number of gaps between the first and last sequence:
	// messages removed out of order, by acknowledgement, purge by filter or
	// deletion.
	InteriorDeletes float64
	// S2Ratio is compressed size by original size of full blocks (MeasureS2);
	// 0 is unknown and counts as 1.
	S2Ratio float64
	// LoadedBlocks is how many blocks readers keep in memory at once; 0 counts
	// as one, the block being written.
	LoadedBlocks float64

	Consumers []Consumer
	// Mirrors is the number of mirrors and sources elsewhere that copy all of it.
	Mirrors int
	// Tags are placement tags that every server of the stream must have; a tag
	// that begins with "!" must be absent.
	Tags []string
	// Source marks a stream that is a mirror or has sources: dedup is off unless
	// DuplicateWindow says otherwise.
	Source bool
}

func (s Stream) storage() Storage {
	if s.Storage == "" {
		return File
	}
	return s.Storage
}

func (s Stream) retention() Retention {
	if s.Retention == "" {
		return Limits
	}
	return s.Retention
}

func (s Stream) encrypted() bool { return s.Cipher != NoCipher && s.storage() == File }

func (s Stream) replicas() int { return max(s.Replicas, 1) }

// window is the duplicate window in effect.
func (s Stream) window() time.Duration {
	switch {
	case s.DuplicateWindow > 0:
		return s.DuplicateWindow
	case s.Source:
		return 0
	case s.MaxAge > 0 && s.MaxAge < defaultDuplicateWindow:
		return s.MaxAge
	}
	return defaultDuplicateWindow
}

// InputError says which input cannot be computed with, and why.
type InputError struct {
	// Path is where the value stands: "streams.ORDERS.rate".
	Path   string
	Value  string
	Reason string
}

// Error is value first, then place and reason.
func (e *InputError) Error() string {
	return fmt.Sprintf("%q is not usable as %s: %s", e.Value, e.Path, e.Reason)
}

// maxInput is the largest number that is read as an input. What is computed from
// such numbers may still be larger: it saturates and says so.
const maxInput = 1e18

// number refuses what cannot be counted with: not a number, negative, beyond
// maxInput.
func number(path string, v float64) error {
	bad := func(reason string) error {
		return &InputError{Path: path, Value: strconv.FormatFloat(v, 'g', -1, 64), Reason: reason}
	}
	switch {
	case math.IsNaN(v):
		return bad("it is not a number")
	case v < 0:
		return bad("it must be 0 or more")
	case v > maxInput:
		return bad("it is beyond 1e18, more than any server can hold; write a smaller number")
	}
	return nil
}

// share refuses what is not between 0 and 1.
func share(path string, v float64) error {
	if err := number(path, v); err != nil {
		return err
	}
	if v > 1 {
		return &InputError{Path: path, Value: strconv.FormatFloat(v, 'g', -1, 64), Reason: "a share is between 0 and 1"}
	}
	return nil
}

// limit refuses limits below -1, which is the API's word for unlimited.
func limit(path string, v int64) error {
	if v < -1 {
		return &InputError{Path: path, Value: strconv.FormatInt(v, 10), Reason: "it must be -1 (unlimited) or more"}
	}
	return nil
}

// duration refuses negative times.
func duration(path string, d time.Duration) error {
	if d < 0 {
		return &InputError{Path: path, Value: d.String(), Reason: "it must not be negative"}
	}
	return nil
}

// oneOf refuses names that are not among allowed.
func oneOf[T ~string](path string, v T, allowed ...T) error {
	names := ""
	for i, a := range allowed {
		if v == a {
			return nil
		}
		if i > 0 {
			names += ", "
		}
		names += fmt.Sprintf("%q", string(a))
	}
	return &InputError{Path: path, Value: string(v), Reason: "it must be one of " + names}
}

// firstError returns the first that is not nil.
func firstError(errs ...error) error {
	for _, e := range errs {
		if e != nil {
			return e
		}
	}
	return nil
}

func (m Message) validate(path string) error {
	return firstError(
		number(path+".subject", m.Subject), number(path+".header", m.Header),
		number(path+".payload", m.Payload), number(path+".id", m.ID))
}

func (r Rate) validate(path string) error {
	if err := number(path, r.Mean); err != nil {
		return err
	}
	for i, b := range r.Bursts {
		at := fmt.Sprintf("%s.bursts[%d]", path, i)
		if err := firstError(number(at+".rate", b.Rate), duration(at+".for", b.For), duration(at+".every", b.Every)); err != nil {
			return err
		}
		if b.For > 0 && b.Every < b.For {
			return &InputError{Path: at + ".every", Value: b.Every.String(), Reason: "a burst must end before the next begins: every must be at least for"}
		}
	}
	if len(r.Hours) != 0 && len(r.Hours) != 24 {
		return &InputError{Path: path + ".hours", Value: strconv.Itoa(len(r.Hours)), Reason: "a day has 24 hours"}
	}
	total := 0.0
	for i, h := range r.Hours {
		if err := number(fmt.Sprintf("%s.hours[%d]", path, i), h); err != nil {
			return err
		}
		total += h
	}
	if len(r.Hours) == 24 && total == 0 {
		return &InputError{Path: path + ".hours", Value: "0", Reason: "at least one hour must carry something"}
	}
	return nil
}

func (c Consumer) validate(path string) error {
	return firstError(
		share(path+".share", c.Share), share(path+".redelivered", c.Redelivered),
		number(path+".rate", c.Rate), number(path+".ack_pending", c.AckPending),
		limit(path+".max_ack_pending", c.MaxAckPending), replicas(path+".num_replicas", c.Replicas))
}

func replicas(path string, r int) error {
	if r < 0 || r > 5 {
		return &InputError{Path: path, Value: strconv.Itoa(r), Reason: "a server accepts 1 to 5"}
	}
	return nil
}

// Validate reports the first input that cannot be computed with, as an
// *InputError whose path begins with path. It is not the server's validation
// (package verdict): it refuses only what has no size.
func (s Stream) Validate(path string) error {
	err := firstError(
		oneOf(path+".storage", s.storage(), File, Memory),
		oneOf(path+".retention", s.retention(), Limits, Interest, WorkQueue),
		oneOf(path+".compression", s.Compression, "", NoCompression, S2),
		oneOf(path+".cipher", s.Cipher, NoCipher, ChaCha, AES),
		oneOf(path+".subjects.shape", s.Subjects.Shape, "", Sequential, Random),
		replicas(path+".num_replicas", s.Replicas),
		limit(path+".max_msgs", s.MaxMsgs), limit(path+".max_bytes", s.MaxBytes),
		limit(path+".max_msgs_per_subject", s.MaxMsgsPerSubject), limit(path+".max_msg_size", s.MaxMsgSize),
		duration(path+".max_age", s.MaxAge), duration(path+".duplicate_window", s.DuplicateWindow),
		s.Message.validate(path+".message"), s.Rate.validate(path+".rate"),
		number(path+".subjects.count", s.Subjects.Count), number(path+".subjects.key", s.Subjects.Key), number(path+".subjects.shared", s.Subjects.Shared),
		number(path+".messages", s.Messages), number(path+".backlog", s.Backlog), number(path+".behind", s.Behind),
		number(path+".interior_deletes", s.InteriorDeletes), number(path+".s2_ratio", s.S2Ratio),
		number(path+".loaded_blocks", s.LoadedBlocks), limit(path+".mirrors", int64(s.Mirrors)))
	if err != nil {
		return err
	}
	for i, c := range s.Consumers {
		if err := c.validate(fmt.Sprintf("%s.consumers[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}
