package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/size"
	"weir/subject"
)

// messageFlags describe the mean message of a stream.
type messageFlags struct {
	payload, header, id, subjectLen quantity[float64]
	subject                         subjectFlag
	samples                         []string
}

// subjectFlag is an example of a subject that messages are published to.
type subjectFlag struct{ text string }

// Set takes a subject that can be published to.
func (f *subjectFlag) Set(s string) error {
	if v := subject.Check(s, subject.Publish); !v.Valid {
		return fmt.Errorf("%q is not a subject to publish to: %s; give one that a message could have", s, v.Reason)
	}
	if !subject.IsLiteral(s) {
		return fmt.Errorf("%q has a wildcard, so it has no length; give a subject that a message could have, such as orders.eu.created", s)
	}
	f.text = s
	return nil
}

// String returns the subject.
func (f *subjectFlag) String() string { return f.text }

// Type names the flag's type in help texts.
func (f *subjectFlag) Type() string { return "subject" }

func (f *messageFlags) add(cmd *cobra.Command) {
	f.payload.zeroToo, f.header.zeroToo = true, true
	f.payload.add(cmd, "payload", "mean length of a payload", "bytes", parseLength)
	f.header.add(cmd, "header", "mean length of the whole header block, Nats-Msg-Id included", "bytes", parseLength)
	f.id.add(cmd, "id-bytes", "length of a Nats-Msg-Id (36 for a UUID); without --header it is the only header", "bytes", parseID)
	cmd.Flags().Var(&f.subject, "subject", fmt.Sprintf("a subject that messages have, for its length (default %d bytes)", defaultSubjectBytes))
	f.subjectLen.add(cmd, "subject-len", "mean length of a subject", "bytes", parseLength)
	complete(cmd, "subject", nil)
	cmd.Flags().StringArrayVar(&f.samples, "sample", nil, "`file` that holds one payload, or folder of such files: for the mean length and the S2 ratio")
	cmd.MarkFlagsMutuallyExclusive("subject", "subject-len")
}

// parseID reads the length of an id.
func parseID(s string) (float64, error) {
	v, err := parseLength(s)
	if err == nil && v > size.MiB {
		err = fmt.Errorf("%q is too long for a Nats-Msg-Id: it is a header, and max_payload counts it, 1 MiB by default; a UUID has 36", s)
	}
	return v, err
}

// defaultSubjectBytes is the length of a subject when nothing is said about it:
// orders.eu.created.
const defaultSubjectBytes = 17

// message puts a message together, and returns the sample payloads.
func (f *messageFlags) message() (size.Message, [][]byte, error) {
	m := size.Message{Subject: defaultSubjectBytes, Header: f.header.value, Payload: f.payload.value, ID: f.id.value}
	switch {
	case f.subject.text != "":
		m.Subject = float64(len(f.subject.text))
	case f.subjectLen.given():
		m.Subject = f.subjectLen.value
	}
	if m.Subject > subject.MaxControlLine {
		return m, nil, badInput("%q cannot be --subject-len: a server reads at most %s bytes of a subject", f.subjectLen.text, thousands(subject.MaxControlLine))
	}
	if m.ID > 0 {
		_, alone := size.MsgIDHeader(int(m.ID))
		if !f.header.given() {
			m.Header = float64(alone)
		} else if m.Header < float64(alone) {
			return m, nil, badInput("%q cannot be --header: an id of %s needs a block of %d bytes; --header is the whole block, or leave it out", f.header.text, size.FormatBytes(m.ID), alone)
		}
	}
	samples, err := readSamples(f.samples)
	if err != nil {
		return m, nil, err
	}
	switch {
	case f.payload.given():
	case len(samples) > 0:
		total := 0
		for _, s := range samples {
			total += len(s)
		}
		m.Payload = float64(total) / float64(len(samples))
	default:
		return m, nil, badInput("no payload given; write --payload 1.2KiB, or --sample FILE with a real one")
	}
	if m.Header+m.Payload > math.MaxInt32 {
		return m, nil, badInput("%q of payload and %q of headers cannot be one message: max_payload, which bounds both together, is a 32-bit number; give less than 2 GiB",
			size.FormatBytes(m.Payload), size.FormatBytes(m.Header))
	}
	return m, samples, nil
}

// mostSampleBytes bounds all samples together: what fills some blocks.
const mostSampleBytes = 64 * size.MiB

// readSamples reads payloads, one a file.
func readSamples(names []string) ([][]byte, error) {
	var out [][]byte
	total := 0
	for _, name := range names {
		files := []string{name}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			if files, err = samplesIn(name); err != nil {
				return nil, err
			}
		}
		for _, file := range files {
			body, err := readSample(file, mostSampleBytes-total)
			if err != nil {
				return nil, err
			}
			total += len(body)
			out = append(out, body)
		}
	}
	return out, nil
}

func readSample(name string, most int) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, inputError{fmt.Errorf("open sample: %w", err)}
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err != nil {
		return nil, fmt.Errorf("read sample: %w", err)
	}
	if len(body) > most {
		return nil, badInput("%q is too much: samples are at most 64 MiB together; give fewer", filepath.ToSlash(name))
	}
	return body, nil
}

// samplesIn lists the files of a folder, not those of folders below it.
func samplesIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, inputError{fmt.Errorf("open sample: %w", err)}
	}
	var out []string
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, filepath.Join(folder, e.Name()))
		}
	}
	if len(out) == 0 || len(out) > mostFiles {
		return nil, badInput("%q holds %s; a folder of samples holds 1 to %s", filepath.ToSlash(folder), counted(len(out), "file", "files"), thousands(mostFiles))
	}
	return out, nil
}

// subjectSetFlags describe the distinct subjects of a stream.
type subjectSetFlags struct {
	count quantity[float64]
	shape choice
}

func (f *subjectSetFlags) add(cmd *cobra.Command) {
	f.count.add(cmd, "subjects", "how many distinct subjects (default 1)", "count", parseCount)
	choiceFlag(cmd, &f.shape, "subject-shape", "how they differ: numbered or few words, or random keys such as UUIDs", string(size.Sequential), string(size.Random))
}

func (f *subjectSetFlags) set() size.SubjectSet {
	return size.SubjectSet{Count: f.count.value, Shape: size.KeyShape(f.shape.value)}
}

func sizeFlag(cmd *cobra.Command, f *quantity[int64], name, usage string) {
	f.add(cmd, name, usage, "size", design.ParseSize)
}

func durationFlag(cmd *cobra.Command, f *quantity[int64], name, usage string) {
	f.add(cmd, name, usage, "duration", design.ParseDuration)
}

func rateFlag(cmd *cobra.Command, f *quantity[float64], usage string) {
	f.add(cmd, "rate", usage, "rate", func(s string) (float64, error) {
		v, err := design.ParseRate(s)
		if err == nil && v > mostCount {
			err = fmt.Errorf("%q is beyond 1e18 a second, more than any server can take; write a smaller number", s)
		}
		return v, err
	})
}
