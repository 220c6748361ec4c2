package calculator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"weir/size"
)

func stream() Calculator {
	return Calculator{
		Name: "stream", About: "What a stream occupies: disk, heap, RAFT log, network, and the limit that binds first",
		Fields:  streamFields(),
		Example: map[string]string{"payload": "800", "id-bytes": "36", "subject": "orders.eu.created", "rate": "800/s", "max-age": "72h", "window": "10m", "replicas": "3"},
		Answer:  answerStream,
	}
}

// streamInput describes a stream and its traffic.
type streamInput struct {
	backlog, maxMsgs, perSubject, consumers Quantity[float64]
	maxAge, horizon, maxBytes               Quantity[int64]
	compression, cipher, retention          choice
}

// mostConsumers is how many consumers of one stream are sized.
const mostConsumers = 10_000

func streamFields() []Field {
	return slices.Concat(MessageFields(), subjectFields(), []Field{
		rate("messages that are stored"),
		storedMessages("how many messages are stored, instead of what rate and limits say"),
		span("max-age", "max_age (default unlimited)", func(in *Input) *Quantity[int64] { return &in.stream.maxAge }),
		bytes("max-bytes", "max_bytes (default unlimited)", func(in *Input) *Quantity[int64] { return &in.stream.maxBytes }),
		number("max-msgs", "max_msgs (default unlimited)", "count", ParseCount, func(in *Input) *Quantity[float64] { return &in.stream.maxMsgs }),
		number("max-msgs-per-subject", "max_msgs_per_subject (default unlimited)", "count", ParseCount, func(in *Input) *Quantity[float64] { return &in.stream.perSubject }),
		word("retention", "retention policy, not a time (that is --max-age)", func(in *Input) *choice { return &in.stream.retention }, string(size.Limits), string(size.WorkQueue), string(size.Interest)),
		number("backlog", "messages that wait on average in a work queue or interest stream", "count", ParseCount, func(in *Input) *Quantity[float64] { return &in.stream.backlog }),
		storage("storage"),
		word("compression", "compression; the ratio comes from --sample", func(in *Input) *choice { return &in.stream.compression }, string(size.NoCompression), string(size.S2)),
		word("cipher", "encryption at rest", func(in *Input) *choice { return &in.stream.cipher }, "none", string(size.ChaCha), string(size.AES)),
		replicas(),
		window("duplicate_window, for messages with --id-bytes (default 2m)"),
		number("consumers", "how many consumers it has", "count", Few(mostConsumers), func(in *Input) *Quantity[float64] { return &in.stream.consumers }),
		span("horizon", "how far ahead a stream is looked at that nothing bounds (default 30d)", func(in *Input) *Quantity[int64] { return &in.stream.horizon }),
	})
}

// shortest is the least that a server takes as max_age and duplicate_window
// (server/stream.go:checkStreamCfg, v2.15.2).
const shortest = 100 * time.Millisecond

// stored refuses times with which no server would create the stream.
func (in *Input) stored() error {
	window, age := &in.window, &in.stream.maxAge
	switch {
	case window.Given() && window.Span() < shortest:
		return refuse("%q cannot be --window: servers refuse a duplicate_window below 100ms", window.Text)
	case age.Given() && age.Span() < shortest:
		return refuse("%q cannot be --max-age: servers refuse a max_age below 100ms", age.Text)
	case window.Given() && age.Given() && window.Span() > age.Span():
		return refuse("%q cannot be --window: servers refuse a duplicate_window above max_age, %s", window.Text, age.Text)
	}
	return nil
}

// streamOf puts a stream together, and returns notes on how.
func (in *Input) streamOf(name string) (size.Stream, []string, error) {
	m, err := in.message.message()
	if err != nil {
		return size.Stream{}, nil, err
	}
	if err := in.stored(); err != nil {
		return size.Stream{}, nil, err
	}
	f := &in.stream
	s := size.Stream{
		Name: name, Message: m, Subjects: in.subjects.set(), Rate: size.Rate{Mean: in.rate.Value},
		Messages: in.messages.Value, Backlog: f.backlog.Value,
		MaxAge: f.maxAge.Span(), MaxBytes: f.maxBytes.Value, MaxMsgs: int64(f.maxMsgs.Value), MaxMsgsPerSubject: int64(f.perSubject.Value),
		DuplicateWindow: in.window.Span(), Replicas: in.replicas.Number(),
		Storage: size.Storage(in.storage.or(string(size.File))), Compression: size.Compression(f.compression.or(string(size.NoCompression))),
		Retention: size.Retention(f.retention.or(string(size.Limits))), LiteralSubject: len(in.message.subject.Text),
	}
	if c := f.cipher.or("none"); c != "none" {
		s.Cipher = size.Cipher(c)
	}
	if in.subjects.count.Value > 1 { // a stream of many subjects listens on a wildcard
		s.LiteralSubject = 0
	}
	for i := range int(f.consumers.Value) {
		s.Consumers = append(s.Consumers, size.Consumer{Name: fmt.Sprintf("C%d", i+1)})
	}
	if !in.messages.Given() && !in.rate.Given() && !f.maxBytes.Given() && !f.maxMsgs.Given() && !f.perSubject.Given() && !f.backlog.Given() {
		return s, nil, refuse("nothing says how many messages are stored; write --messages 5e8, or --rate 800/s --max-age 72h, or another limit")
	}
	if s.Compression != size.S2 || len(in.message.samples) == 0 {
		return s, nil, nil
	}
	ratio, err := size.MeasureS2(in.message.samples, s, 0)
	if err != nil {
		return s, nil, Refused(err)
	}
	s.S2Ratio = ratio.Ratio.Value
	notes := []string{fmt.Sprintf("S2 brings full blocks to %.1f %%, measured on a block of %s with %s",
		s.S2Ratio*100, size.Counted(ratio.Records, "record", "records"), size.Counted(ratio.Distinct, "different payload", "different payloads"))}
	if ratio.Ratio.Note != "" {
		notes = append(notes, ratio.Ratio.Note)
	}
	return s, notes, nil
}

// streamValues is the answer for machines.
type streamValues struct {
	Says string `json:"says"`
	size.StreamSize
	Network size.Network `json:"network"`
	Notes   []string     `json:"notes,omitempty"`
}

func answerStream(in *Input) (Answer, error) {
	s, notes, err := in.streamOf("STREAM")
	if err != nil {
		return Answer{}, err
	}
	z, err := size.OfStream(s, 0, in.stream.horizon.Span())
	if err != nil {
		return Answer{}, Refused(err)
	}
	n, err := size.OfNetwork(s)
	if err != nil {
		return Answer{}, Refused(err)
	}
	a := Answer{Yes: true, Says: streamSays(s, z), Rows: streamRows(s, z), Explained: explainedOf(s, z)}
	if s.Storage == size.File {
		a.Bars = append(a.Bars, Bar{Name: "Disk of a replica", Total: replicaDisk(z), Parts: partsOf(replicaDisk(z))})
	}
	a.Bars = append(a.Bars, Bar{Name: "Heap of a replica", Total: replicaHeap(z), Parts: partsOf(replicaHeap(z))})
	a.Values = func(working bool) any { return streamValuesOf(a.Says, z, n, notes, working) }
	if s.Rate.Mean > 0 {
		more := networkRows(s, z, n)
		a.Rows = append(a.Rows, more...)
		for _, r := range more {
			a.Explained = append(a.Explained, r.Figure)
		}
	}
	a.Notes = slices.Clone(notes)
	if s.S2Ratio > 0 {
		s.S2Ratio = 1
		if plainSize, err := size.OfStream(s, 0, in.stream.horizon.Span()); err == nil {
			a.Notes = append(a.Notes, fmt.Sprintf("without any saving it is %s of disk on a replica", plainSize.Disk.Total.Amount()))
		}
	}
	a.Notes = append(a.Notes, saturatedNote(z.Reported, z.ClusterDisk, z.ClusterHeap)...)
	return a, nil
}

func streamValuesOf(says string, z size.StreamSize, n size.Network, notes []string, working bool) streamValues {
	if !working {
		z = size.ClusterSize{Streams: []size.StreamSize{z}}.Prune(0).Streams[0]
		prune(false, &n.In, &n.Acks, &n.Out, &n.Mirrors, &n.WorkerAcks, &n.Replication)
		n.PerConsumer = slices.Clone(n.PerConsumer)
		for i := range n.PerConsumer {
			prune(false, &n.PerConsumer[i])
		}
	}
	return streamValues{says, z, n, notes}
}

// replicaDisk and replicaHeap are one replica, RAFT included.
func replicaDisk(z size.StreamSize) size.Figure {
	f, _ := z.ClusterDisk.Term("disk of a replica")
	return f
}

func replicaHeap(z size.StreamSize) size.Figure {
	f, _ := z.ClusterHeap.Term("heap of a replica")
	return f
}

// streamSays is the number that people come for, and what binds.
func streamSays(s size.Stream, z size.StreamSize) string {
	what, one, all := "disk", replicaDisk(z), z.ClusterDisk
	if s.Storage == size.Memory {
		what, one, all = "heap", replicaHeap(z), z.ClusterHeap
	}
	says := one.Amount() + " of " + what
	if s.Replicas > 1 {
		says += fmt.Sprintf(" on each of %d replicas, %s together", s.Replicas, all.Amount())
	}
	says += ", for " + z.Retained.Messages.Amount()
	if z.Retained.Binds != "messages" {
		says += "; " + BindsSays(z.Retained)
	}
	if blocks := z.BlocksSays(); blocks != "" {
		says += ". " + blocks
	}
	return says
}

// BindsSays says which limit keeps a stream from growing, and when.
func BindsSays(r size.Retained) string {
	switch r.Binds {
	case "":
		return "nothing bounds it: it grows until its server is full"
	case "messages":
		return "as given"
	case "nothing":
		return "nothing is published into it"
	}
	for _, b := range r.Bounds {
		if b.Limit == r.Binds && b.Full.Value > 0 && b.Full.Value < farOff.Seconds() {
			return fmt.Sprintf("%s binds after %s", r.Binds, size.FormatSeconds(b.Full.Value))
		}
	}
	return r.Binds + " binds, once it is reached"
}

// farOff is a time that is not worth naming, because nothing is published, or
// next to nothing.
const farOff = 100 * 365 * 24 * time.Hour

// explainedOf are the figures whose working holds that of all others.
func explainedOf(s size.Stream, z size.StreamSize) []size.Figure {
	disk, heap := z.ClusterDisk, z.ClusterHeap
	if s.Replicas == 1 {
		disk, heap = z.Disk.Total, replicaHeap(z)
	}
	if s.Storage == size.Memory {
		return []size.Figure{z.Retained.Messages, z.Reported, heap}
	}
	return []size.Figure{z.Retained.Messages, z.Reported, disk, heap}
}

func streamRows(s size.Stream, z size.StreamSize) []Row {
	binds := BindsSays(z.Retained)
	if len(z.Retained.Bounds) > 1 {
		var later []string
		for _, b := range z.Retained.Bounds[1:] {
			later = append(later, fmt.Sprintf("%s at %s", b.Limit, b.Messages.Amount()))
		}
		binds += "; then " + strings.Join(later, ", ")
	}
	rows := []Row{
		{Name: "messages", Figure: z.Retained.Messages, Note: binds},
		{Name: "reported", Figure: z.Reported, Note: "state.bytes of one copy; max_bytes is checked against it"},
	}
	if s.Storage == size.File {
		rows = append(rows, Row{Name: "disk", Figure: z.Disk.Total, Note: fmt.Sprintf("a replica: %s of up to %s, index and state", size.Counted(int(z.Disk.Blocks.Int()), "block", "blocks"), z.Disk.BlockSize.Amount())})
		if z.Raft.Log.Value > 0 {
			rows = append(rows, Row{Name: "RAFT log", Figure: z.Raft.Log, Note: "a replica, beside the blocks"})
		}
	}
	heap := Row{Name: "heap", Figure: replicaHeap(z), Note: "a replica: live heap, RAFT group included"}
	if s.Storage == size.File && heap.Figure.High > 2*heap.Figure.Value {
		heap.Note += "; most when readers keep all blocks loaded"
	}
	rows = append(rows, heap)
	if z.Dedup.Entries.Value > 0 {
		rows = append(rows, Row{Name: "of it dedup", Figure: z.Dedup.Heap, Note: z.Dedup.Entries.Amount() + " ids in duplicate_window"})
	}
	if s.Replicas > 1 {
		if s.Storage == size.File {
			rows = append(rows, Row{Name: "cluster disk", Figure: z.ClusterDisk, Note: "all replicas"})
		}
		rows = append(rows, Row{Name: "cluster heap", Figure: z.ClusterHeap, Note: "all replicas"})
	}
	return rows
}

func networkRows(s size.Stream, z size.StreamSize, n size.Network) []Row {
	rows := []Row{{Name: "in", Figure: n.In, Note: "from publishers to the leader"}}
	if s.Replicas > 1 {
		rows = append(rows, Row{Name: "replication", Figure: n.Replication, Note: "from the leader to all followers"})
	}
	if len(s.Consumers) > 0 {
		rows = append(rows, Row{Name: "out", Figure: n.Out, Note: "to the workers of " + size.Counted(len(s.Consumers), "consumer", "consumers")})
	}
	if s.Storage == size.File {
		rows = append(rows, Row{Name: "written", Figure: z.Writes.Rate, Note: fmt.Sprintf("to the disk of a replica, %.2f times the reported bytes", z.Writes.Amplification.Value)})
	}
	return rows
}
