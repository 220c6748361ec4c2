package calculator

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/size"
	"weir/subject"
)

// Input is what the fields of a calculator say. NewInput makes one.
type Input struct {
	message  messageInput
	subjects subjectsInput
	stream   streamInput
	cluster  clusterInput

	rate, messages Quantity[float64]
	window         Quantity[int64]
	replicas       choice
	storage        choice
}

// NewInput returns an input in which nothing is set.
func NewInput() *Input { return &Input{} }

// Sample gives payloads to measure: for their mean length, and for the S2 ratio.
// They hold together at most what a caller lets them.
func (in *Input) Sample(payloads [][]byte) { in.message.samples = payloads }

// Samples reports whether a calculator's message may be measured.
func (c Calculator) Samples() bool {
	return slices.ContainsFunc(c.Fields, func(f Field) bool { return f.Name == "payload" })
}

// messageInput describes the mean message of a stream.
type messageInput struct {
	payload, header, id, subjectLen Quantity[float64]
	subject                         subjectValue
	samples                         [][]byte
}

// subjectsInput describes the distinct subjects of a stream.
type subjectsInput struct {
	count Quantity[float64]
	shape choice
}

func (s *subjectsInput) set() size.SubjectSet {
	return size.SubjectSet{Count: s.count.Value, Shape: size.KeyShape(s.shape.or(string(size.Sequential)))}
}

// choice is one of some words.
type choice struct {
	Value   string
	allowed []string
}

// Set takes a word that is allowed.
func (f *choice) Set(s string) error {
	if !slices.Contains(f.allowed, s) {
		return fmt.Errorf("%q is not one of %s", s, strings.Join(f.allowed, ", "))
	}
	f.Value = s
	return nil
}

// String returns the word, the first one where none was set.
func (f *choice) String() string {
	if f.Value == "" && len(f.allowed) > 0 {
		return f.allowed[0]
	}
	return f.Value
}

// Type names the kind of value.
func (f *choice) Type() string { return "word" }

// or is the word, or the one that holds where none was set.
func (f *choice) or(otherwise string) string {
	if f.Value == "" {
		return otherwise
	}
	return f.Value
}

// Number is the word as a number; 1 where none was set.
func (f *choice) Number() int {
	n := 1
	fmt.Sscan(f.Value, &n)
	return n
}

// subjectValue is an example of a subject that messages are published to.
type subjectValue struct{ Text string }

// Set takes a subject that can be published to.
func (f *subjectValue) Set(s string) error {
	if v := subject.Check(s, subject.Publish); !v.Valid {
		return fmt.Errorf("%q is not a subject to publish to: %s; give one that a message could have", s, v.Reason)
	}
	if !subject.IsLiteral(s) {
		return fmt.Errorf("%q has a wildcard, so it has no length; give a subject that a message could have, such as orders.eu.created", s)
	}
	f.Text = s
	return nil
}

// String returns the subject.
func (f *subjectValue) String() string { return f.Text }

// Type names the kind of value.
func (f *subjectValue) Type() string { return "subject" }

// flagValue is a field that is set or not.
type flagValue struct{ on bool }

// Set takes true or false.
func (f *flagValue) Set(s string) error {
	if s != "true" && s != "false" {
		return fmt.Errorf("%q is neither true nor false", s)
	}
	f.on = s == "true"
	return nil
}

// String is true or false.
func (f *flagValue) String() string { return fmt.Sprint(f.on) }

// Type names the kind of value.
func (f *flagValue) Type() string { return "bool" }

// The makers of fields.

func number[T int64 | float64](name, usage, unit string, parse func(string) (T, error), at func(*Input) *Quantity[T]) Field {
	return Field{Name: name, Usage: usage, at: func(in *Input) Value {
		q := at(in)
		q.Unit, q.Parse = unit, parse
		return q
	}}
}

// orZero is a number that may be zero.
func orZero(name, usage, unit string, parse func(string) (float64, error), at func(*Input) *Quantity[float64]) Field {
	return number(name, usage, unit, parse, func(in *Input) *Quantity[float64] {
		q := at(in)
		q.ZeroToo = true
		return q
	})
}

func word(name, usage string, at func(*Input) *choice, allowed ...string) Field {
	return Field{Name: name, Usage: usage + ": " + strings.Join(allowed, ", "), Choices: allowed, at: func(in *Input) Value {
		c := at(in)
		c.allowed = allowed
		return c
	}}
}

func bytes(name, usage string, at func(*Input) *Quantity[int64]) Field {
	return number(name, usage, "size", design.ParseSize, at)
}

func span(name, usage string, at func(*Input) *Quantity[int64]) Field {
	return number(name, usage, "duration", design.ParseDuration, at)
}

func rate(usage string) Field {
	return number("rate", usage, "rate", ParseRate, func(in *Input) *Quantity[float64] { return &in.rate })
}

func window(usage string) Field {
	return span("window", usage, func(in *Input) *Quantity[int64] { return &in.window })
}

func replicas() Field {
	return word("replicas", "num_replicas", func(in *Input) *choice { return &in.replicas }, "1", "2", "3", "4", "5")
}

func storage(usage string) Field {
	return word("storage", usage, func(in *Input) *choice { return &in.storage }, string(size.File), string(size.Memory))
}

// MessageFields are those of the mean message.
func MessageFields() []Field {
	return []Field{
		orZero("payload", "mean length of a payload", "bytes", parseLength, func(in *Input) *Quantity[float64] { return &in.message.payload }),
		orZero("header", "mean length of the whole header block, Nats-Msg-Id included", "bytes", parseLength, func(in *Input) *Quantity[float64] { return &in.message.header }),
		number("id-bytes", "length of a Nats-Msg-Id (36 for a UUID); without --header it is the only header", "bytes", parseID, func(in *Input) *Quantity[float64] { return &in.message.id }),
		{Name: "subject", Usage: fmt.Sprintf("a subject that messages have, for its length (default %d bytes)", defaultSubjectBytes), at: func(in *Input) Value { return &in.message.subject }},
		number("subject-len", "mean length of a subject", "bytes", parseLength, func(in *Input) *Quantity[float64] { return &in.message.subjectLen }),
	}
}

func subjectFields() []Field {
	return []Field{
		number("subjects", "how many distinct subjects (default 1)", "count", ParseCount, func(in *Input) *Quantity[float64] { return &in.subjects.count }),
		word("subject-shape", "how they differ: numbered or few words, or random keys such as UUIDs", func(in *Input) *choice { return &in.subjects.shape }, string(size.Sequential), string(size.Random)),
	}
}

// Message is the mean message that the fields of MessageFields describe. It fails
// with a Refusal.
func (in *Input) Message() (size.Message, error) { return in.message.message() }

// HasPayload reports whether a payload was given, by its length or as samples.
func (in *Input) HasPayload() bool {
	return in.message.payload.Given() || len(in.message.samples) > 0
}
