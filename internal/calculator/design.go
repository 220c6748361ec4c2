package calculator

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/subject"
)

// setting is one value of a design file.
type setting struct{ path, Value string }

// Written is a design file with what a calculator's input says in it.
type Written struct {
	Text string
	// Says what was written, in a sentence.
	Says string
}

// Design returns the text of a design file of its own that says what the input
// does.
func (in *Input) Design() Written {
	var b strings.Builder
	b.WriteString("weir: 1\nname: sized\n")
	name, subjects, publisher := "SIZED", in.streamSubject(nil), in.publisher(nil)
	if server := in.server(); len(server) > 0 {
		b.WriteString("\nserver:\n")
		for _, s := range server {
			fmt.Fprintf(&b, "  %s: %s\n", strings.TrimPrefix(s.path, "server."), s.Value)
		}
	}
	fmt.Fprintf(&b, "\nstreams:\n  %s:\n    subjects: [%s]\n", name, subjects)
	for _, s := range in.streamSettings() {
		fmt.Fprintf(&b, "    %s: %s\n", s.path, s.Value)
	}
	if len(publisher) > 0 {
		fmt.Fprintf(&b, "\npublishers:\n  %s:\n", publisherName)
		for _, s := range publisher {
			fmt.Fprintf(&b, "    %s: %s\n", s.path, s.Value)
		}
	}
	return Written{Text: b.String(), Says: "a design of its own with the stream " + name}
}

const publisherName = "sized"

// AddTo writes the input into a design file: a stream and a publisher beside those
// that are there, and what server does not say yet. What is written is never
// changed. It fails with a Refusal where the file has no place for it.
func (in *Input) AddTo(fileName, text string) (Written, error) {
	d, problems := design.Parse(fileName, []byte(text))
	if problems.Failed() {
		return Written{}, refuse("%q cannot be read, so nothing can be added to it; repair its findings first", fileName)
	}
	name, by := free(d, "streams", "SIZED"), free(d, "publishers", publisherName)
	todo := []setting{
		{"streams." + name, braces(append([]setting{{"subjects", "[" + in.streamSubject(d) + "]"}}, in.streamSettings()...))},
	}
	if p := in.publisher(d); len(p) > 0 {
		todo = append(todo, setting{"publishers." + by, braces(p)})
	}
	for _, s := range in.server() {
		if !d.Has(s.path) {
			todo = append(todo, s)
		}
	}
	for _, s := range todo {
		fix := d.SetFix("", s.path, s.Value)
		if fix == nil {
			return Written{}, refuse("%q has no place for %s that can be written without changing it; write %s by hand", fileName, s.path, s.Value)
		}
		out, err := design.ApplyEdits(design.NewSource(fileName, []byte(text)), fix.Edits)
		if err != nil {
			return Written{}, fmt.Errorf("add %s: %w", s.path, err)
		}
		text = string(out)
		if d, problems = design.Parse(fileName, out); problems.Failed() {
			return Written{}, refuse("%q could not be read any more with %s in it; write %s by hand", fileName, s.path, s.Value)
		}
	}
	return Written{Text: text, Says: "the stream " + name + " was added"}, nil
}

// braces is a map in one line.
func braces(all []setting) string {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = s.path + ": " + s.Value
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// free is a name that a map of the design does not have.
func free(d *design.Design, in, name string) string {
	for i := 2; d.Has(in + "." + name); i++ {
		name = fmt.Sprintf("%s%d", strings.TrimRight(name, "0123456789"), i)
	}
	return name
}

// server are the settings of server.
func (in *Input) server() []setting {
	c := &in.cluster
	var out []setting
	add := func(path, value string) {
		if value != "" {
			out = append(out, setting{"server." + path, value})
		}
	}
	add("nodes", wholeText(&c.nodes))
	add("memory", c.memory.Text)
	add("disk", c.disk.Text)
	if c.zones.Given() {
		zones := make([]string, int(c.zones.Value))
		for i := range zones {
			zones[i] = fmt.Sprintf("z%d", i+1)
		}
		add("zones", "["+strings.Join(zones, ", ")+"]")
	}
	var conf []setting
	for _, s := range []setting{{"max_file_store", c.maxFile.Text}, {"max_memory_store", c.maxMemory.Text}, {"sync_interval", c.sync.Text}} {
		if s.Value != "" {
			conf = append(conf, s)
		}
	}
	if len(conf) > 0 {
		add("conf", braces(conf))
	}
	return out
}

// streamSettings are the settings of a stream besides its subjects.
func (in *Input) streamSettings() []setting {
	f := &in.stream
	var out []setting
	for _, s := range []setting{
		{"retention", f.retention.Value}, {"storage", in.storage.Value}, {"num_replicas", in.replicas.Value},
		{"max_age", f.maxAge.Text}, {"max_bytes", f.maxBytes.Text}, {"max_msgs", wholeText(&f.maxMsgs)}, {"max_msgs_per_subject", wholeText(&f.perSubject)},
		{"duplicate_window", in.window.Text}, {"compression", f.compression.Value},
	} {
		if s.Value != "" {
			out = append(out, s)
		}
	}
	if in.messages.Given() && !f.maxMsgs.Given() {
		out = append(out, setting{"max_msgs", wholeText(&in.messages)})
	}
	return out
}

// wholeText is a count as a design file has it, "" where none was given.
func wholeText(q *Quantity[float64]) string {
	if !q.Given() {
		return ""
	}
	return fmt.Sprintf("%.0f", q.Value)
}

// publisher are the settings of the publisher that fills the stream.
func (in *Input) publisher(d *design.Design) []setting {
	out := []setting{{"subject", in.published(d)}}
	if in.subjects.count.Value > 1 {
		out = append(out, setting{"tokens", fmt.Sprintf("{key: %s}", wholeText(&in.subjects.count))})
	}
	rate := in.rate.Text
	if rate == "" {
		rate = "1/s"
	}
	out = append(out, setting{"rate", rate})
	if in.message.payload.Given() {
		out = append(out, setting{"payload", fmt.Sprintf("%.0fB", in.message.payload.Value)})
	}
	if id := in.message.id.Value; id > 0 {
		out = append(out, setting{"msg_id", fmt.Sprintf("%.0fB", id)})
	}
	return out
}

// published is the publisher's subject: {key} stands for what varies.
func (in *Input) published(d *design.Design) string {
	return strings.Replace(in.streamSubject(d), "*", "{key}", 1)
}

// streamSubject is the subject that the stream stores: the example with a wildcard
// for its last token where there are many, and none that a stream of the design
// stores already.
func (in *Input) streamSubject(d *design.Design) string {
	s := in.message.subject.Text
	if s == "" {
		s = "sized.new"
	}
	if in.subjects.count.Value > 1 {
		s = s[:strings.LastIndexByte(s, '.')+1] + "*"
	}
	for d != nil && taken(d, s) {
		s = "sized." + s
	}
	return s
}

func taken(d *design.Design, s string) bool {
	for _, stream := range d.Streams {
		for _, other := range stream.Config.Subjects {
			if subject.Relate(s, other).Relation != subject.Disjoint {
				return true
			}
		}
	}
	return false
}
