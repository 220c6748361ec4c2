package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"weir/size"
)

type sizeStreamOptions struct {
	sizeOutput
	stream streamFlags
}

// sizeStream sizes one stream.
func (c *Command) sizeStream() *cobra.Command {
	var o sizeStreamOptions
	cmd := &cobra.Command{
		Use:   "stream --payload BYTES (--messages COUNT | --rate RATE --max-age DURATION)",
		Short: "What a stream occupies: disk, heap, RAFT log, network, and the limit that binds first",
		Long: `Sizes one stream on each of its replicas and on all of them: messages and the limit that
binds, state.bytes, disk with blocks, index and slack, heap, the dedup table, the RAFT log,
and the traffic. How much S2 saves depends on the payloads: --sample measures it on yours.
` + sizeHelp,
		Example: `  weir size stream --payload 1.2KiB --header 64 --subject orders.eu.created --subjects 100000 --messages 5e8 --replicas 3
  weir size stream --payload 800 --id-bytes 36 --rate 800/s --max-age 72h --window 10m --replicas 3 --explain
  weir size stream --sample payloads/ --compression s2 --rate 2000/s --max-age 7d
  weir size stream --payload 512 --rate 50/s --max-bytes 20GiB --format json | jq .retained.binds`,
	}
	cmd.RunE = c.run(func([]string) (int, error) { return c.runSizeStream(&o) })
	o.stream.add(cmd)
	o.sizeOutput.add(cmd)
	return cmd
}

// streamFlags describe a stream and its traffic.
type streamFlags struct {
	message                                 messageFlags
	subjects                                subjectSetFlags
	rate                                    quantity[float64]
	messages, backlog, maxMsgs, perSubject  quantity[float64]
	consumers                               quantity[float64]
	maxAge, window, horizon                 quantity[int64]
	maxBytes                                quantity[int64]
	storage, compression, cipher, retention choice
	replicas                                choice
}

// mostConsumers is how many consumers of one stream are sized.
const mostConsumers = 10_000

func (f *streamFlags) add(cmd *cobra.Command) {
	f.message.add(cmd)
	f.subjects.add(cmd)
	rateFlag(cmd, &f.rate, "messages that are stored")
	f.messages.add(cmd, "messages", "how many messages are stored, instead of what rate and limits say", "count", parseCount)
	durationFlag(cmd, &f.maxAge, "max-age", "max_age (default unlimited)")
	sizeFlag(cmd, &f.maxBytes, "max-bytes", "max_bytes (default unlimited)")
	f.maxMsgs.add(cmd, "max-msgs", "max_msgs (default unlimited)", "count", parseCount)
	f.perSubject.add(cmd, "max-msgs-per-subject", "max_msgs_per_subject (default unlimited)", "count", parseCount)
	choiceFlag(cmd, &f.retention, "retention", "retention policy, not a time (that is --max-age)", string(size.Limits), string(size.WorkQueue), string(size.Interest))
	f.backlog.add(cmd, "backlog", "messages that wait on average in a work queue or interest stream", "count", parseCount)
	choiceFlag(cmd, &f.storage, "storage", "storage", string(size.File), string(size.Memory))
	choiceFlag(cmd, &f.compression, "compression", "compression; the ratio comes from --sample", string(size.NoCompression), string(size.S2))
	choiceFlag(cmd, &f.cipher, "cipher", "encryption at rest", "none", string(size.ChaCha), string(size.AES))
	replicasFlag(cmd, &f.replicas)
	durationFlag(cmd, &f.window, "window", "duplicate_window, for messages with --id-bytes (default 2m)")
	f.consumers.add(cmd, "consumers", "how many consumers it has", "count", few(mostConsumers))
	durationFlag(cmd, &f.horizon, "horizon", "how far ahead a stream is looked at that nothing bounds (default 30d)")
}

// stream puts a stream together, and returns notes on how.
func (f *streamFlags) stream(name string) (size.Stream, []string, error) {
	m, samples, err := f.message.message()
	if err != nil {
		return size.Stream{}, nil, err
	}
	s := size.Stream{
		Name: name, Message: m, Subjects: f.subjects.set(), Rate: size.Rate{Mean: f.rate.value},
		Messages: f.messages.value, Backlog: f.backlog.value,
		MaxAge: f.maxAge.span(), MaxBytes: f.maxBytes.value, MaxMsgs: int64(f.maxMsgs.value), MaxMsgsPerSubject: int64(f.perSubject.value),
		DuplicateWindow: f.window.span(), Replicas: f.replicas.number(),
		Storage: size.Storage(f.storage.value), Compression: size.Compression(f.compression.value), Retention: size.Retention(f.retention.value),
		LiteralSubject: len(f.message.subject.text),
	}
	if f.cipher.value != "none" {
		s.Cipher = size.Cipher(f.cipher.value)
	}
	if f.subjects.count.value > 1 { // a stream of many subjects listens on a wildcard
		s.LiteralSubject = 0
	}
	for i := range int(f.consumers.value) {
		s.Consumers = append(s.Consumers, size.Consumer{Name: fmt.Sprintf("C%d", i+1)})
	}
	if !f.messages.given() && !f.rate.given() && !f.maxBytes.given() && !f.maxMsgs.given() && !f.perSubject.given() && !f.backlog.given() {
		return s, nil, badInput("nothing says how many messages are stored; write --messages 5e8, or --rate 800/s --max-age 72h, or another limit")
	}
	if s.Compression != size.S2 || len(samples) == 0 {
		return s, nil, nil
	}
	ratio, err := size.MeasureS2(samples, s, 0)
	if err != nil {
		return s, nil, sizeError(err)
	}
	s.S2Ratio = ratio.Ratio.Value
	notes := []string{fmt.Sprintf("S2 brings full blocks to %.1f %%, measured on a block of %s with %s",
		s.S2Ratio*100, counted(ratio.Records, "record", "records"), counted(ratio.Distinct, "different payload", "different payloads"))}
	if ratio.Ratio.Note != "" {
		notes = append(notes, ratio.Ratio.Note)
	}
	return s, notes, nil
}

// streamJSON is the answer of weir size stream.
type streamJSON struct {
	Says string `json:"says"`
	size.StreamSize
	Network size.Network `json:"network"`
	Notes   []string     `json:"notes,omitempty"`
}

func (c *Command) runSizeStream(o *sizeStreamOptions) (int, error) {
	s, notes, err := o.stream.stream("STREAM")
	if err != nil {
		return codeOf(err), err
	}
	z, err := size.OfStream(s, 0, o.stream.horizon.span())
	if err != nil {
		return ExitUsage, sizeError(err)
	}
	n, err := size.OfNetwork(s)
	if err != nil {
		return ExitUsage, sizeError(err)
	}
	says := streamSays(s, z)
	if o.format.value == "json" {
		if !o.explain {
			z = size.ClusterSize{Streams: []size.StreamSize{z}}.Prune(0).Streams[0]
			prune(false, &n.In, &n.Acks, &n.Out, &n.Mirrors, &n.WorkerAcks, &n.Replication)
			for i := range n.PerConsumer {
				prune(false, &n.PerConsumer[i])
			}
		}
		return ExitYes, c.printJSON(streamJSON{says, z, n, notes})
	}
	rows, explained := streamRows(s, z), explainedOf(s, z)
	if s.Rate.Mean > 0 {
		more := networkRows(s, z, n)
		rows = append(rows, more...)
		for _, r := range more {
			explained = append(explained, r.figure)
		}
	}
	if s.S2Ratio > 0 {
		s.S2Ratio = 1
		if plainSize, err := size.OfStream(s, 0, o.stream.horizon.span()); err == nil {
			notes = append(notes, fmt.Sprintf("without any saving it is %s of disk on a replica", amount(plainSize.Disk.Total)))
		}
	}
	notes = append(notes, saturatedNote(z.Reported, z.ClusterDisk, z.ClusterHeap)...)
	c.printSize(sizeReport{says: says, rows: rows, notes: notes, explained: explained}, o.explain)
	return ExitYes, nil
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
	says := amount(one) + " of " + what
	if s.Replicas > 1 {
		says += fmt.Sprintf(" on each of %d replicas, %s together", s.Replicas, amount(all))
	}
	says += ", for " + amount(z.Retained.Messages)
	if z.Retained.Binds == "messages" {
		return says
	}
	return says + "; " + bindsSays(z.Retained)
}

// bindsSays says which limit keeps a stream from growing, and when.
func bindsSays(r size.Retained) string {
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

func streamRows(s size.Stream, z size.StreamSize) []sizeRow {
	binds := bindsSays(z.Retained)
	if len(z.Retained.Bounds) > 1 {
		var later []string
		for _, b := range z.Retained.Bounds[1:] {
			later = append(later, fmt.Sprintf("%s at %s", b.Limit, amount(b.Messages)))
		}
		binds += "; then " + strings.Join(later, ", ")
	}
	rows := []sizeRow{
		{name: "messages", figure: z.Retained.Messages, note: binds},
		{name: "reported", figure: z.Reported, note: "state.bytes of one copy; max_bytes is checked against it"},
	}
	if s.Storage == size.File {
		rows = append(rows, sizeRow{name: "disk", figure: z.Disk.Total, note: fmt.Sprintf("a replica: %s of up to %s, index and state", counted(int(z.Disk.Blocks.Int()), "block", "blocks"), amount(z.Disk.BlockSize))})
		if z.Raft.Log.Value > 0 {
			rows = append(rows, sizeRow{name: "RAFT log", figure: z.Raft.Log, note: "a replica, beside the blocks"})
		}
	}
	heap := sizeRow{name: "heap", figure: replicaHeap(z), note: "a replica: live heap, RAFT group included"}
	if s.Storage == size.File && heap.figure.High > 2*heap.figure.Value {
		heap.note += "; most when readers keep all blocks loaded"
	}
	rows = append(rows, heap)
	if z.Dedup.Entries.Value > 0 {
		rows = append(rows, sizeRow{name: "of it dedup", figure: z.Dedup.Heap, note: amount(z.Dedup.Entries) + " ids in duplicate_window"})
	}
	if s.Replicas > 1 {
		if s.Storage == size.File {
			rows = append(rows, sizeRow{name: "cluster disk", figure: z.ClusterDisk, note: "all replicas"})
		}
		rows = append(rows, sizeRow{name: "cluster heap", figure: z.ClusterHeap, note: "all replicas"})
	}
	return rows
}

func networkRows(s size.Stream, z size.StreamSize, n size.Network) []sizeRow {
	rows := []sizeRow{{name: "in", figure: n.In, note: "from publishers to the leader"}}
	if s.Replicas > 1 {
		rows = append(rows, sizeRow{name: "replication", figure: n.Replication, note: "from the leader to all followers"})
	}
	if len(s.Consumers) > 0 {
		rows = append(rows, sizeRow{name: "out", figure: n.Out, note: "to the workers of " + counted(len(s.Consumers), "consumer", "consumers")})
	}
	if s.Storage == size.File {
		rows = append(rows, sizeRow{name: "written", figure: z.Writes.Rate, note: fmt.Sprintf("to the disk of a replica, %.2f times the reported bytes", z.Writes.Amplification.Value)})
	}
	return rows
}
