package verdict

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// requestMaker makes random requests that are mostly near to valid ones: a
// plausible body, then a few members set from a pool of good and bad values.
type requestMaker struct {
	*rand.Rand
	tag string // ends the names of streams
}

func newRequestMaker(seed uint64) requestMaker {
	return requestMaker{Rand: rand.New(rand.NewPCG(seed, 20261130))}
}

// pool gives the values that a member may get, as JSON.
type pool map[string][]string

var (
	someCounts   = []string{"0", "1", "-1", "-2", "5", "100", "null", `"x"`, "1.0", "9223372036854775807"}
	someFlags    = []string{"true", "true", "false", "null", `"x"`}
	someTimes    = []string{"0", "-1", "1", "99999999", "100000000", "1000000000", "60000000000", "120000000000", "3600000000000"}
	longText     = `"` + strings.Repeat("d", 4097) + `"`
	someSubjects = []string{"a.>", "a.*", "a.b", "b.>", "b.*.c", "*.>", ">", "$JS.API.x", "$JS.EVENT.x", "$SYS.x", "a..b", "a b", "", "c", "o.>", "*x.>", "S"}
	someStarts   = []string{"0", "1", "5", "-1", "1.5"}
	someStamps   = []string{`"2024-01-01T00:00:00Z"`, `"2024-01-01T02:00:00+02:00"`, `"yesterday"`, "null", "5"}
	someOrigins  = []string{"O", "S", "T", "", "no.such", "a/b"}
)

func quoteAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(appendString(nil, s))
	}
	return out
}

// tagged is a stream's name with the tag, if it is one of those that are made.
func (m requestMaker) tagged(name string) string {
	if ownSubjects[name] == "" {
		return name
	}
	return name + m.tag
}

func (m requestMaker) pick(list []string) string { return list[m.IntN(len(list))] }

func (m requestMaker) chance(percent int) bool { return m.IntN(100) < percent }

// subjectList is a JSON list of up to three subjects.
func (m requestMaker) subjectList() string {
	n := m.IntN(4)
	list := make([]string, n)
	for i := range list {
		list[i] = string(appendString(nil, m.pick(someSubjects)))
	}
	return "[" + strings.Join(list, ",") + "]"
}

var destinations = []string{"t.>", "t.{{wildcard(1)}}", "t.$1", "t.{{partition(3,1)}}", "t.{{partition(3)}}", "t.{{random(2)}}",
	"t.{{left(1,2)}}", "t.{{wildcard(2)}}", "t.{{nope(1)}}", "t.*", "t.>.x", "a.c", "", "t", "t..x", "t x", "t.{{split(1,-)}}", "a.>", ">"}

func (m requestMaker) transform() string {
	return fmt.Sprintf(`{"src":%s,"dest":%s}`, appendString(nil, m.pick(someSubjects)), appendString(nil, m.pick(destinations)))
}

func (m requestMaker) source() string {
	parts := []string{`"name":` + string(appendString(nil, m.tagged(m.pick(someOrigins))))}
	add := func(percent int, part func() string) {
		if m.chance(percent) {
			parts = append(parts, part())
		}
	}
	add(25, func() string { return `"filter_subject":` + string(appendString(nil, m.pick(someSubjects))) })
	add(25, func() string {
		list := make([]string, m.IntN(3))
		for i := range list {
			list[i] = m.transform()
		}
		return `"subject_transforms":[` + strings.Join(list, ",") + "]"
	})
	add(10, func() string { return `"opt_start_seq":` + m.pick(someStarts) })
	add(10, func() string { return `"opt_start_time":` + m.pick(someStamps) })
	add(15, func() string {
		return fmt.Sprintf(`"external":{"api":%q,"deliver":%q}`, m.pick([]string{"$JS.B.API", "x.>", "", "$JS.API", "x"}), m.pick([]string{"d.x", "", "d.*"}))
	})
	add(12, func() string {
		return fmt.Sprintf(`"consumer":{"name":%q,"deliver_subject":%q}`, m.pick([]string{"C", "", "a.b"}), m.pick([]string{"d.x", "", "d.*"}))
	})
	return "{" + strings.Join(parts, ",") + "}"
}

// streamValue is a random value for a member of a stream configuration.
func (m requestMaker) streamValue(member string) string {
	switch member {
	case "subjects":
		return m.subjectList()
	case "mirror":
		return m.pick([]string{m.source(), m.source(), "null", "{}", "5"})
	case "sources":
		list := make([]string, m.IntN(3))
		for i := range list {
			list[i] = m.source()
		}
		return m.pick([]string{"[" + strings.Join(list, ",") + "]", "[" + strings.Join(list, ",") + "]", "[null]", "[]"})
	case "subject_transform":
		return m.transform()
	case "republish":
		return m.pick([]string{m.transform(), `{"src":">","dest":"r.>"}`, `{"dest":"r.>"}`, `{"dest":"r.>","headers_only":true}`})
	}
	return m.pick(streamPool[member])
}

var streamPool = pool{
	"name":                      {`"T"`, `""`, "7", `"a.b"`, `"S/x"`, "null"},
	"description":               {`"d"`, longText, "5", `""`},
	"subjects":                  nil,
	"retention":                 {`"limits"`, `"interest"`, `"workqueue"`, `"work"`, `""`, "null"},
	"max_consumers":             someCounts,
	"max_msgs":                  someCounts,
	"max_bytes":                 append([]string{"1048576", "400000000", "1073741825"}, someCounts...),
	"max_age":                   someTimes,
	"max_msgs_per_subject":      someCounts,
	"max_msg_size":              {"0", "-1", "-5", "50", "1000", "2147483648"},
	"discard":                   {`"new"`, `"new"`, `"old"`, `"OLD"`, `"x"`},
	"storage":                   {`"file"`, `"memory"`, `"any"`, "null"},
	"num_replicas":              {"0", "1", "-1", "3", "6"},
	"no_ack":                    someFlags,
	"duplicate_window":          someTimes,
	"placement":                 {"{}", `{"cluster":"C"}`, `{"tags":[]}`, `{"tags":["x"]}`, `{"preferred":"n"}`, `{"cluster":"C1"}`, `{"tags":["SSD"]}`, `{"tags":["!ssd"]}`, `{"tags":["az:1"]}`, "null"},
	"mirror":                    nil,
	"sources":                   nil,
	"compression":               {`"s2"`, `"none"`, `"zip"`, `"s\u0032"`},
	"first_seq":                 {"0", "1", "10", "-1"},
	"subject_transform":         nil,
	"republish":                 nil,
	"allow_direct":              someFlags,
	"mirror_direct":             someFlags,
	"discard_new_per_subject":   someFlags,
	"sealed":                    {"true", "false", "false"},
	"deny_delete":               someFlags,
	"deny_purge":                someFlags,
	"allow_rollup_hdrs":         someFlags,
	"consumer_limits":           {"{}", `{"max_ack_pending":10}`, `{"max_ack_pending":5000}`, `{"inactive_threshold":3600000000000}`, `{"x":1}`, "null"},
	"allow_msg_ttl":             someFlags,
	"subject_delete_marker_ttl": someTimes,
	"allow_msg_counter":         someFlags,
	"allow_atomic":              someFlags,
	"allow_msg_schedules":       someFlags,
	"persist_mode":              {`"async"`, `"default"`, `""`, `"x"`},
	"allow_batched":             someFlags,
	"metadata":                  {`{"a":"b"}`, `{"_nats.ver":"9","a":"b"}`, `{"a":1}`, "null", "{}"},
	"pedantic":                  {"true", "true", "false"},
	"template_owner":            {`"t"`},
	"unknown":                   {"1", `{"a":[1]}`},
}

var consumerPool = pool{
	"durable_name":       {`"C"`, `"D"`, `""`, `"a.b"`, `"a/b"`},
	"name":               {`"C"`, `"D"`, `""`, `"a b"`, "7"},
	"description":        {`"d"`, longText},
	"deliver_policy":     {`"all"`, `"last"`, `"new"`, `"last_per_subject"`, `"by_start_sequence"`, `"by_start_time"`, `"undefined"`, `"ALL"`},
	"opt_start_seq":      someStarts,
	"opt_start_time":     someStamps,
	"ack_policy":         {`"none"`, `"all"`, `"explicit"`, `"explicit"`, `"flow_control"`, `"x"`},
	"ack_wait":           someTimes,
	"max_deliver":        someCounts,
	"backoff":            {"[]", "[1000000000]", "[1000000000,2000000000,3000000000]", "[-1]", "null", `["1s"]`},
	"filter_subject":     quoteAll(someSubjects),
	"filter_subjects":    nil,
	"replay_policy":      {`"instant"`, `"original"`, `"x"`},
	"rate_limit_bps":     {"0", "1000", "-1"},
	"sample_freq":        {`"10"`, `"10%"`, `"-1"`, `"x"`, `""`},
	"max_waiting":        {"0", "10", "512", "-1"},
	"max_ack_pending":    someCounts,
	"flow_control":       someFlags,
	"headers_only":       someFlags,
	"max_batch":          {"0", "10", "-1"},
	"max_expires":        someTimes,
	"max_bytes":          someCounts,
	"deliver_subject":    {`"d.x"`, `"d.x"`, `"d.y"`, `"a.b"`, `"d.*"`, `"d..x"`, `"_R_.x"`, `""`},
	"deliver_group":      {`"g"`, `""`},
	"idle_heartbeat":     someTimes,
	"inactive_threshold": {"0", "-1", "3600000000000", "36000000000000"},
	"num_replicas":       {"0", "1", "-1", "3"},
	"mem_storage":        someFlags,
	"direct":             someFlags,
	"sourcing":           someFlags,
	"metadata":           {`{"a":"b"}`, `{"_nats.req.level":"9"}`, "null"},
	"pause_until":        {`"2099-01-01T00:00:00Z"`, `"2099-01-01T02:00:00+02:00"`, "null", `"x"`},
	"priority_groups":    {`["g"]`, `["a","b"]`, `[""]`, `["a+b"]`, `["12345678901234567"]`, "[]"},
	"priority_policy":    {`"overflow"`, `"pinned_client"`, `"prioritized"`, `"none"`, `""`},
	"priority_timeout":   someTimes,
	"unknown":            {"1"},
}

var streamMembers, consumerMembers = namesOf(streamPool), namesOf(consumerPool)

func namesOf(p pool) []string {
	var names []string
	for name := range p {
		names = append(names, name)
	}
	sortStrings(names)
	return names
}

// memberSet is an object under construction: order kept, names may repeat.
type memberSet struct{ names, values []string }

func (s *memberSet) set(name, value string) {
	for i := range s.names {
		if s.names[i] == name {
			s.values[i] = value
			return
		}
	}
	s.add(name, value)
}

func (s *memberSet) add(name, value string) {
	s.names, s.values = append(s.names, name), append(s.values, value)
}

func (s *memberSet) json() string {
	parts := make([]string, len(s.names))
	for i := range s.names {
		parts[i] = string(appendString(nil, s.names[i])) + ":" + s.values[i]
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// disturb sets members from a pool, and now and then repeats one, changes a
// name's case or the order.
func (m requestMaker) disturb(s *memberSet, members []string, value func(string) string) {
	for range m.IntN(4) {
		name := m.pick(members)
		if name == "unknown" && !m.chance(20) {
			continue
		}
		v := value(name)
		switch {
		case m.chance(3):
			name = strings.ToUpper(name)
			fallthrough
		case m.chance(3):
			s.add(name, v)
		default:
			s.set(name, v)
		}
	}
	if m.chance(10) {
		m.Shuffle(len(s.names), func(a, b int) {
			s.names[a], s.names[b] = s.names[b], s.names[a]
			s.values[a], s.values[b] = s.values[b], s.values[a]
		})
	}
}

var streamNames = []string{"S", "S", "S", "O", "T"}

var ownSubjects = map[string]string{"S": `["a.>"]`, "O": `["o.>"]`, "T": `["t.x"]`}

func (m requestMaker) streamRequest() Request {
	base := m.pick(streamNames)
	name := base + m.tag
	verb := "CREATE"
	if m.chance(40) {
		verb = "UPDATE"
	}
	var s memberSet
	s.add("name", `"`+name+`"`)
	if m.chance(85) {
		s.add("subjects", ownSubjects[base])
	}
	if m.chance(20) {
		s.add("storage", `"memory"`)
	}
	if m.chance(25) {
		s.add("retention", m.pick([]string{`"workqueue"`, `"interest"`}))
	}
	if m.chance(30) {
		s.add("max_bytes", m.pick([]string{"1000", "500000", "1048576", "2097152", "2097153"}))
	}
	m.disturb(&s, streamMembers, m.streamValue)
	if m.chance(5) { // a mirror without subjects
		s = memberSet{[]string{"name", "mirror"}, []string{`"` + name + `"`, m.source()}}
	}
	return Request{Subject: "STREAM." + verb + "." + name, Body: m.spoil(s.json())}
}

func (m requestMaker) consumerValue(member string) string {
	if member == "filter_subjects" {
		return m.subjectList()
	}
	return m.pick(consumerPool[member])
}

func (m requestMaker) consumerRequest() Request {
	stream, name := m.pick(streamNames)+m.tag, m.pick([]string{"C", "C", "D"})
	var config, body memberSet
	subject := "CONSUMER.CREATE." + stream
	filter := ""
	switch n := m.IntN(10); {
	case n == 0: // legacy ephemeral
	case n == 1:
		subject = "CONSUMER.DURABLE.CREATE." + stream + "." + name
		config.add("durable_name", `"`+name+`"`)
	case n < 4:
		filter = m.pick([]string{"a.b", "a.*", "a.>"})
		subject += "." + name + "." + filter
		config.add("filter_subject", `"`+filter+`"`)
	default:
		subject += "." + name
		if m.chance(60) {
			config.add("durable_name", `"`+name+`"`)
		}
	}
	config.add("ack_policy", m.pick([]string{`"explicit"`, `"explicit"`, `"all"`, `"none"`}))
	if m.chance(25) {
		config.add("deliver_subject", `"d.x"`)
	}
	m.disturb(&config, consumerMembers, m.consumerValue)
	body.add("stream_name", `"`+stream+`"`)
	body.add("config", config.json())
	if m.chance(20) {
		body.add("action", m.pick([]string{`"create"`, `"update"`, `""`, `"x"`}))
	}
	if m.chance(10) {
		body.add("pedantic", "true")
	}
	if m.chance(3) {
		body.set("stream_name", `"X"`)
	}
	return Request{Subject: subject, Body: m.spoil(body.json())}
}

// spoil damages one body in fifty.
func (m requestMaker) spoil(body string) []byte {
	if !m.chance(2) {
		return []byte(body)
	}
	switch m.IntN(4) {
	case 0:
		return []byte(body[:m.IntN(len(body))])
	case 1:
		return []byte(body + m.pick([]string{"x", " ", "{}", `{"max_msgs":5}`, "null", "[]"}))
	case 2:
		at := m.IntN(len(body))
		return []byte(body[:at] + m.pick([]string{",", "}", `"`, "1", "\x00"}) + body[at:])
	}
	return []byte(m.pick([]string{"", "null", "[]", "5", `"x"`, "{}"}))
}

func (m requestMaker) request() Request {
	var r Request
	if m.chance(45) {
		r = m.consumerRequest()
	} else {
		r = m.streamRequest()
	}
	if m.chance(1) {
		r.Header = map[string]string{levelHeader: m.pick([]string{"1", "5", "6", "x"})}
	}
	return r
}
