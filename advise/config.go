package advise

import (
	gobytes "bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"weir/design"
	"weir/internal/shell"
	"weir/natsapi"
	"weir/verdict"
)

// config is the stream's configuration with the advice taken, in JSON of the
// API. written is what the design says, nil without a design.
func (p *streamPlan) config(written json.RawMessage) (string, error) {
	base := map[string]json.RawMessage{}
	if written == nil {
		base["name"] = quoted(p.Name)
		if len(p.Subjects) > 0 {
			base["subjects"] = list(p.Subjects)
		}
		base["retention"] = quoted(string(p.Retention))
	}
	return merged("stream", base, written, p.list)
}

// config is the consumer's configuration with the advice taken.
func (p *consumerPlan) config(written json.RawMessage) (string, error) {
	base := map[string]json.RawMessage{}
	if written == nil {
		base["durable_name"] = quoted(p.Name)
		base["deliver_policy"] = quoted("all")
		switch len(p.Filters) {
		case 0:
		case 1:
			base["filter_subject"] = quoted(p.Filters[0])
		default:
			base["filter_subjects"] = list(p.Filters)
		}
	}
	return merged("consumer", base, written, p.list)
}

// merged puts what is open into what is written, in the order of the server's
// own fields.
func merged(asset string, all map[string]json.RawMessage, written json.RawMessage, settings []Setting) (string, error) {
	if written != nil {
		if err := json.Unmarshal(written, &all); err != nil {
			return "", fmt.Errorf("read the configuration of a %s: %w", asset, err)
		}
	}
	for _, s := range settings {
		if _, has := all[s.Field]; !has && s.api != nil && s.State == Open {
			all[s.Field] = s.api
		}
	}
	var b strings.Builder
	b.WriteByte('{')
	for _, f := range design.Fields(asset) {
		v, ok := all[f.Name]
		if !ok {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s:%s", strconv.Quote(f.Name), v)
	}
	b.WriteByte('}')
	var out gobytes.Buffer
	if err := json.Indent(&out, []byte(b.String()), "", "  "); err != nil {
		return "", fmt.Errorf("write the configuration of a %s: %w", asset, err)
	}
	return out.String(), nil
}

func quoted(s string) json.RawMessage {
	var b gobytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // orders.> is to be read, not orders.\u003e
	if err := e.Encode(s); err != nil {
		return json.RawMessage(`""`) // a string always has JSON
	}
	return gobytes.TrimSpace(b.Bytes())
}

func list(words []string) json.RawMessage {
	out := []byte{'['}
	for i, w := range words {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = append(out, quoted(w)...)
	}
	return append(out, ']')
}

// judged asks package verdict about a stream's configuration that nobody's design
// stands behind, on as many servers as it has replicas. An error has the server's
// words.
func (p *streamPlan) judged(config string) error {
	s := verdict.NewSetting(natsapi.Embedded)
	if n := p.at.Replicas; n > 1 {
		for i := range n {
			s.Nodes = append(s.Nodes, verdict.Node{Name: strconv.Itoa(i + 1)})
		}
	}
	return accepted(verdict.Judge(s, verdict.Request{Subject: "STREAM.CREATE." + p.Name, Body: []byte(config)}), "stream", p.Name)
}

// judged asks the same about a consumer, on a stream that holds every subject.
func (p *consumerPlan) judged(config string) error {
	s := verdict.NewSetting(natsapi.Embedded)
	if s.AddStream(fmt.Appendf(nil, `{"name":%s,"subjects":[">"],"no_ack":true,"retention":%q}`, quoted(p.Stream), p.Retention)) != nil {
		return fmt.Errorf("advise consumer: %q is no name of a stream", p.Stream)
	}
	body := fmt.Appendf(nil, `{"stream_name":%s,"config":%s}`, quoted(p.Stream), config)
	return accepted(verdict.Judge(s, verdict.Request{Subject: "CONSUMER.DURABLE.CREATE." + p.Stream + "." + p.Name, Body: body}), "consumer", p.Name)
}

func accepted(a verdict.Answer, asset, name string) error {
	switch a.Verdict {
	case verdict.OK:
		return nil
	case verdict.Refused:
		return fmt.Errorf("advise %s: servers refuse %s: %d %s", asset, name, a.ErrCode, a.Description)
	}
	return fmt.Errorf("advise %s: %q is no name of a %s: no server answers", asset, name, asset)
}

// The commands of the NATS CLI that create an asset from a file with Config.

func streamCommand(stream string) string {
	return fmt.Sprintf("nats stream add --config %s", shell.Quote(stream+".json"))
}

func consumerCommand(stream, consumer string) string {
	return fmt.Sprintf("nats consumer add %s --config %s", shell.Quote(stream), shell.Quote(consumer+".json"))
}
