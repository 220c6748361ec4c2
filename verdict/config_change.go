package verdict

import (
	"maps"
	"strings"
)

// PlanKind is what it takes to bring a stream or consumer to a configuration.
type PlanKind string

// The kinds of plans.
const (
	PlanCreate   PlanKind = "create"    // it does not exist yet
	PlanNothing  PlanKind = "nothing"   // it is so already
	PlanInPlace  PlanKind = "in place"  // the server updates it
	PlanRecreate PlanKind = "re-create" // the server refuses the update and would accept it anew
	PlanRefused  PlanKind = "refused"   // the server accepts it in no way
)

// Plan says how a configuration can be reached.
type Plan struct {
	Kind PlanKind `json:"kind"`
	// Answer is the server's to the creation or update. For PlanRecreate it is
	// the refusal of the update.
	Answer Answer `json:"answer"`
	// Reasons are the refusals that stand in the way of an update, each with its
	// Path: the first is Answer, the next is what the server says once the first
	// member is left as it was, and so on. Members whose values only clash with
	// each other end the list.
	Reasons []Answer `json:"reasons,omitempty"`
	// Create is, for PlanRecreate and PlanRefused, the answer to creation after
	// deletion.
	Create Answer `json:"create"`
	// Consumers are, for PlanRecreate of a stream, the consumers that go with it.
	Consumers []string `json:"consumers,omitempty"`
}

// maxReasons bounds how many refusals are collected.
const maxReasons = 50

// PlanStream says what a stream that s holds, or does not hold yet, needs to
// get the configuration config (JSON, complete: what is missing has the server's
// default). s stays as it is.
func PlanStream(s *Setting, config []byte) Plan {
	name := nameIn(config, "name")
	st := s.streams[name]
	if name == "" {
		name = unnamed
	}
	if st == nil {
		return planNew(s, Request{Subject: "STREAM.CREATE." + name, Body: config})
	}
	update := func(body []byte) Answer {
		return Judge(s, Request{Subject: "STREAM.UPDATE." + name, Body: body})
	}
	a := update(config)
	if a.Verdict == OK {
		return planUpdated(s, a, st.config)
	}
	after := s.Clone()
	after.DeleteStream(name)
	create := func(body []byte) Answer {
		return Judge(after, Request{Subject: "STREAM.CREATE." + name, Body: body})
	}
	p := Plan{Kind: PlanRefused, Answer: a, Reasons: reasons(s, config, st.config, "", update, create), Create: create(config)}
	if p.Create.Verdict == OK {
		p.Kind, p.Consumers = PlanRecreate, s.Consumers(name)
	}
	return p
}

// PlanConsumer is PlanStream for a consumer of a stream.
func PlanConsumer(s *Setting, streamName string, config []byte) Plan {
	name := nameIn(config, "durable_name")
	if name == "" {
		name = nameIn(config, "name")
	}
	if name == "" {
		name = unnamed
	}
	request := func(body []byte) Request {
		b := append([]byte(`{"stream_name":`), appendString(nil, streamName)...)
		b = append(append(append(b, `,"config":`...), body...), '}')
		return Request{Subject: "CONSUMER.CREATE." + streamName + "." + name, Body: b}
	}
	st := s.streams[streamName]
	if st == nil || st.consumers[name] == nil {
		return planNew(s, request(config))
	}
	old := st.consumers[name]
	a := Judge(s, request(config))
	if a.Verdict == OK {
		return planUpdated(s, a, old)
	}
	after := s.Clone()
	after.DeleteConsumer(streamName, name)
	create := func(body []byte) Answer { return Judge(after, request(body)) }
	p := Plan{Kind: PlanRefused, Answer: a, Create: create(config)}
	p.Reasons = reasons(s, config, old, "config.", func(body []byte) Answer { return Judge(s, request(body)) }, create)
	if p.Create.Verdict == OK {
		p.Kind = PlanRecreate
	}
	return p
}

func planNew(s *Setting, r Request) Plan {
	p := Plan{Kind: PlanCreate, Answer: Judge(s, r)}
	if p.Answer.Verdict != OK {
		p.Kind, p.Create, p.Reasons = PlanRefused, p.Answer, []Answer{p.Answer}
	}
	return p
}

// planUpdated tells an update that changes something from one that does not.
func planUpdated(s *Setting, a Answer, old object) Plan {
	was := members(appendObject(nil, s.Version, old.fields(s.Version)))
	now := members(a.Config)
	delete(was, "metadata")
	delete(now, "metadata")
	same := len(was) == len(now)
	for name, raw := range now {
		same = same && canonical(raw) == canonical(was[name])
	}
	kind := PlanInPlace
	if same && sameMetadata(s, a, old) {
		kind = PlanNothing
	}
	return Plan{Kind: kind, Answer: a}
}

// sameMetadata compares what the user wrote; the server's own entries follow
// the rest of the configuration.
func sameMetadata(s *Setting, a Answer, old object) bool {
	own := func(config []byte) map[string][]byte {
		m := members(members(config)["metadata"])
		maps.DeleteFunc(m, func(k string, _ []byte) bool { return strings.HasPrefix(k, "_nats.") })
		return m
	}
	was := own(appendObject(nil, s.Version, old.fields(s.Version)))
	return maps.EqualFunc(was, own(a.Config), func(x, y []byte) bool { return canonical(x) == canonical(y) })
}

// reasons collects the refusals of an update by leaving one offending member
// after the other as it was. What only clashes with a member that was put back, so
// that a creation would be refused for it too and the wanted one is not, is left as
// it was and is no reason.
func reasons(s *Setting, config []byte, old object, prefix string, update, create func([]byte) Answer) []Answer {
	stored := members(appendObject(nil, s.Version, old.fields(s.Version)))
	wanted := create(config)
	var out []Answer
	kept := map[string]bool{}
	for range maxReasons {
		a := update(config)
		if a.Verdict == OK {
			break
		}
		anew := Answer{Verdict: OK}
		if len(out) > 0 && wanted.Verdict == OK {
			anew = create(config)
		}
		if anew.Verdict == OK || anew.ErrCode != a.ErrCode || anew.Path != a.Path {
			out = append(out, a)
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(a.Path, prefix), ".")
		name, _, _ = strings.Cut(name, "[")
		if name == "" || kept[name] || a.ErrCode == 10025 {
			break
		}
		kept[name] = true
		config = withMember(config, name, stored[name])
	}
	return out
}

// withMember is a well-formed object with one member replaced, or removed when
// raw is nil.
func withMember(object []byte, name string, raw []byte) []byte {
	b := []byte{'{'}
	add := func(name string, raw []byte) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(appendString(b, name), ':'), raw...)
	}
	for _, m := range memberList(object) {
		if !strings.EqualFold(m.name, name) {
			add(m.name, m.raw)
		}
	}
	if raw != nil {
		add(name, raw)
	}
	return append(b, '}')
}

// unnamed stands in subjects for the name that a configuration lacks, so that the
// server has something to answer.
const unnamed = "_"

// nameIn reads a string member of a configuration; "" when there is none.
func nameIn(config []byte, member string) string {
	if end, fault := scanValue(config, skipSpace(config, 0), 0); fault != nil || skipSpace(config, end) < len(config) {
		return ""
	}
	for _, m := range memberList(config) {
		if strings.EqualFold(m.name, member) && len(m.raw) > 1 && m.raw[0] == '"' {
			return unquote(m.raw)
		}
	}
	return ""
}
