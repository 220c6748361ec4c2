package prove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// Verb is a verb of proof scripts. The documentation is made from the table.
type Verb struct {
	Name string
	// Usage is how it is written, Doc what it does.
	Usage, Doc string
	// Keys are the keys that it takes. stream, consumer and server take those of
	// the JetStream API or of nats-server.conf besides.
	Keys []VerbKey

	min, max  int
	asset     natsapi.Asset // whose fields are keys, "" for none
	refusable bool          // may stand behind ?
	compares  int
	check     func(*scriptStep) (col int, err error)
	run       func(context.Context, *scriptRun, *scriptStep) error
}

// VerbKey is a key of a verb.
type VerbKey struct{ Name, Doc string }

// What the words behind a verb are.
const (
	comparesNothing = iota
	comparesNow     // LEFT op RIGHT
	comparesWithin  // LEFT op RIGHT within DURATION
	comparesAssign  // NAME = EXPRESSION
)

// Verbs lists the verbs of proof scripts, in the order of the documentation.
func Verbs() []Verb { return slices.Clone(verbs()) }

func verbNamed(name string) *Verb {
	all := verbs()
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

func verbNames() []string {
	out := []string{"repeat"}
	for _, v := range verbs() {
		out = append(out, v.Name)
	}
	return out
}

var byKey = VerbKey{"by", "name of the reader, a word in small letters; without it the one called it"}

// verbs is the table. It is a function because the verbs' code leads back to it.
func verbs() []Verb {
	return slices.Concat(settingVerbs(), messageVerbs(), loadVerbs(), controlVerbs())
}

// settingVerbs prepare what is tried.
func settingVerbs() []Verb {
	return []Verb{
		{Name: "server", Usage: "server [nodes=3] [SETTING=VALUE…]", Doc: "Starts the servers; must be the first step. Without it there is one with default settings. Takes settings of nats-server.conf that do not name files, ports or other servers.",
			Keys: serverKeys(), check: checkServer, run: func(context.Context, *scriptRun, *scriptStep) error { return nil }},
		{Name: "since", Usage: "since VERSION", Doc: "Ends the proof, as not exercised, on servers older than VERSION.", min: 1, max: 1, check: checkVersion, run: runSince},
		{Name: "before", Usage: "before VERSION", Doc: "Ends the proof, as not exercised, on servers of VERSION and newer.", min: 1, max: 1, check: checkVersion, run: runBefore},
		{Name: "needs", Usage: "needs embedded|child", Doc: "Ends the proof, as not exercised, on other hosts. A server in a browser tab counts as embedded.", min: 1, max: 1, check: checkNeeds, run: runNeeds},
		{Name: "harm", Usage: `harm "SENTENCE"`, Doc: "The steps from here to the next such line show this harm.", min: 1, max: 1, run: runHeading},
		{Name: "cure", Usage: `cure "SENTENCE"`, Doc: "The steps from here on show this cure.", min: 1, max: 1, run: runHeading},
		{Name: "claim", Usage: `claim "SENTENCE"`, Doc: "The steps from here on show that this holds.", min: 1, max: 1, run: runHeading},
		{Name: "stream", Usage: "stream NAME [FIELD=VALUE…]", Doc: "Creates a stream, with the fields of the JetStream API written as in a design: max_age=1s, max_bytes=1KiB, subjects=a.*,b.>.",
			min: 1, max: 1, asset: natsapi.Stream, refusable: true, check: checkAsset, run: runCreate},
		{Name: "consumer", Usage: "consumer STREAM/NAME [FIELD=VALUE…]", Doc: "Creates a consumer, durable unless it is given inactive_threshold.",
			min: 1, max: 1, asset: natsapi.Consumer, refusable: true, check: checkAsset, run: runCreate},
		{Name: "update", Usage: "update NAME [FIELD=VALUE…]", Doc: "Updates a stream: what is not named goes back to the server's default. A second consumer step of a name updates the consumer.",
			min: 1, max: 1, asset: natsapi.Stream, refusable: true, check: checkAsset, run: runUpdate},
		{Name: "delete", Usage: "delete STREAM or delete STREAM/CONSUMER", Doc: "Deletes a stream or a consumer.", min: 1, max: 1, refusable: true, run: runDelete},
		{Name: "purge", Usage: "purge STREAM", Doc: "Removes all messages of a stream.", min: 1, max: 1, refusable: true, run: runPurge},
	}
}

// messageVerbs publish, deliver and ack.
func messageVerbs() []Verb {
	return []Verb{
		{Name: "publish", Usage: "publish SUBJECT [n=1] [size=SIZE] [id=ID] [header=LINE] [data=TEXT] [mode=core]", Doc: "Publishes and waits for the PubAcks. In SUBJECT, id, header and data {i} stands for the number of the message, from 1.",
			Keys: []VerbKey{{"n", "how many messages, at most 100,000"}, {"size", "bytes of the payload"}, {"id", "Nats-Msg-Id"}, {"header", "one more header, such as \"Nats-TTL: 1s\""}, {"data", "payload"},
				{"mode", "core: publish without asking for an answer"}, {"reply", "with mode=core, where answers go: a subscriber's subject"}, {"within", "how long to wait for a PubAck, 5s"}},
			min: 1, max: 1, refusable: true, check: checkPublish, run: runPublish},
		{Name: "fetch", Usage: "fetch STREAM/CONSUMER [batch=1] [expires=1s] [no_wait=yes] [by=NAME]", Doc: "One pull request. What it brings is held by the reader until it is acked.",
			Keys: []VerbKey{{"batch", "messages asked for"}, {"expires", "how long the request waits"}, {"max_bytes", "bytes asked for at most"}, {"no_wait", "yes: only what is there"}, byKey},
			min:  1, max: 1, refusable: true, check: checkFetch, run: runFetch},
		{Name: "ack", Usage: "ack [n=N] [by=NAME]", Doc: "Acks the oldest n messages that the reader holds, all without n, and waits until the server has taken them.", Keys: []VerbKey{{"n", "how many"}, byKey}, check: checkAck, run: runAck},
		{Name: "nak", Usage: "nak [delay=DURATION] [n=N] [by=NAME]", Doc: "Asks for redelivery.", Keys: []VerbKey{{"delay", "not before it is over"}, {"n", "how many"}, byKey}, check: checkAck, run: runAck},
		{Name: "term", Usage: "term [n=N] [by=NAME]", Doc: "Ends the delivery of messages without handling them.", Keys: []VerbKey{{"n", "how many"}, byKey}, check: checkAck, run: runAck},
		{Name: "progress", Usage: "progress [n=N] [by=NAME]", Doc: "Says that the messages are still worked on; they stay held.", Keys: []VerbKey{{"n", "how many"}, byKey}, check: checkAck, run: runAck},
		{Name: "subscribe", Usage: "subscribe SUBJECT by=NAME [stuck=yes]", Doc: "Subscribes with a connection of its own. With stuck=yes it never reads, so that the server cannot write once the buffers are full.",
			Keys: []VerbKey{byKey, {"stuck", "yes: does not read"}, {"queue", "queue group"}}, min: 1, max: 1, check: checkSubscribe, run: runSubscribe},
		{Name: "read", Usage: "read NAME", Doc: "A stuck subscriber begins to read.", min: 1, max: 1, run: runRead},
		{Name: "stall", Usage: "stall NAME", Doc: "A subscriber reads no more, as if it had been stuck from the beginning.", min: 1, max: 1, run: runStall},
		{Name: "close", Usage: "close NAME", Doc: "Closes a subscriber's connection.", min: 1, max: 1, run: runClose},
	}
}

// loadVerbs do things in the background.
func loadVerbs() []Verb {
	return []Verb{
		{Name: "work", Usage: "work STREAM/CONSUMER [workers=1] [service=DURATION] [fetch=1] [in_progress=DURATION] [answer=ack]", Doc: "Starts workers, each with a connection of its own, that fetch, take service time for each message and answer. They work until stop or the end.",
			Keys: []VerbKey{{"workers", "how many"}, {"service", "time for a message"}, {"fetch", "batch of their requests"}, {"concurrency", "messages that a worker handles at a time"},
				{"in_progress", "interval of progress signals for the message in hand"}, {"answer", "ack, nak, term or nothing"}, {"delay", "of the nak"}},
			min: 1, max: 1, check: checkWork, run: runWork},
		{Name: "stop", Usage: "stop", Doc: "Stops the workers.", run: runStop},
		{Name: "load", Usage: "load SUBJECT n=N rate=RATE [retry=DURATION]", Doc: "Publishes in the background with message ids; what is not acknowledged in time is sent again with the same id until it is.",
			Keys: []VerbKey{{"n", "how many messages"}, {"rate", "messages a second"}, {"retry", "how long to wait for a PubAck before it is sent again, 500ms"}},
			min:  1, max: 1, check: checkLoad, run: runLoad},
	}
}

// controlVerbs wait, compare and break things.
func controlVerbs() []Verb {
	return []Verb{
		{Name: "wait", Usage: "wait DURATION", Doc: "Lets time pass on the servers.", min: 1, max: 1, check: checkWait, run: runWait},
		{Name: "until", Usage: "until LEFT op RIGHT within DURATION", Doc: "Waits until it is so.", compares: comparesWithin, run: runUntil},
		{Name: "expect", Usage: "expect LEFT op RIGHT", Doc: "It must be so now.", compares: comparesNow, run: runExpect},
		{Name: "let", Usage: "let NAME = EXPRESSION", Doc: "Keeps a value under a name.", compares: comparesAssign, run: runLet},
		{Name: "clock", Usage: "clock", Doc: "Sets elapsed to 0.", run: runClock},
		{Name: "kill", Usage: "kill NODE or kill leader STREAM or kill follower STREAM", Doc: "Takes a node (n1, n2 …) down and keeps its store. A child process is killed; an embedded server is shut down.", min: 1, max: 2, run: runKill},
		{Name: "restart", Usage: "restart NODE or restart all", Doc: "Starts the nodes that are down on their own stores; a node that runs is killed first.", min: 1, max: 1, run: runRestart},
		{Name: "stepdown", Usage: "stepdown STREAM or STREAM/CONSUMER or meta", Doc: "Makes a leader hand over.", min: 1, max: 1, refusable: true, run: runStepDown},
	}
}

// serverKeys are nodes and the settings that are passed on.
func serverKeys() []VerbKey {
	keys := []VerbKey{{"nodes", fmt.Sprintf("servers, 1 to %d", MaxNodes)}}
	var names []string
	for name := range ConfKeys {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		keys = append(keys, VerbKey{name, "as in nats-server.conf"})
	}
	return keys
}

// setupOf is the Setup that a script asks for.
func (s *Script) setupOf() Setup {
	first := s.steps[0]
	var out Setup
	if first.verb.Name != "server" {
		return out
	}
	for _, p := range first.keys {
		if p.key.text == "nodes" {
			// checkServer has read it.
			out.Nodes, _ = strconv.Atoi(p.value.text)
			continue
		}
		out.Conf = append(out.Conf, p.setting())
	}
	return out
}

// setting is a key of the server step as nats-server.conf writes it.
func (p pair) setting() string {
	text := p.value.text
	if n, err := design.ParseSize(text); err == nil {
		text = strconv.FormatInt(n, 10)
	} else if _, err := strconv.ParseFloat(text, 64); err != nil && text != "true" && text != "false" {
		text = quoteConf(text)
	}
	return confLine(p.key.text, text)
}

func checkServer(s *scriptStep) (int, error) {
	for _, p := range s.keys {
		if p.key.text != "nodes" {
			if err := checkSetting(p.setting()); err != nil {
				return p.value.col, err
			}
			continue
		}
		if n, err := strconv.Atoi(p.value.text); err != nil || n < 1 || n > MaxNodes {
			return p.value.col, fmt.Errorf("%q is not a number of servers from 1 to %d", p.value.text, MaxNodes)
		}
	}
	return 0, nil
}

func checkVersion(s *scriptStep) (int, error) {
	_, err := natsapi.ParseVersion(s.args[0].text)
	return s.args[0].col, err
}

func checkNeeds(s *scriptStep) (int, error) {
	if w := s.args[0]; w.text != "embedded" && w.text != "child" {
		return w.col, fmt.Errorf("%q is not embedded or child", w.text)
	}
	return 0, nil
}

func checkWait(s *scriptStep) (int, error) {
	_, err := readDuration(s.args[0].text)
	return s.args[0].col, err
}

func checkAck(s *scriptStep) (int, error) { return checkKeys(s, counts{"n": 100_000}, "delay") }

func checkFetch(s *scriptStep) (int, error) {
	return checkKeys(s, counts{"batch": 100_000}, "expires")
}

func checkPublish(s *scriptStep) (int, error) {
	if m := s.key("mode"); m != "" && m != "core" {
		return s.col, fmt.Errorf("mode=%s: there is only mode=core", m)
	}
	if s.key("reply") != "" && s.key("mode") == "" {
		return s.col, errors.New("reply= goes with mode=core; otherwise the step itself takes the answer")
	}
	return checkKeys(s, counts{"n": 100_000}, "within")
}

func checkWork(s *scriptStep) (int, error) {
	if a := s.key("answer"); a != "" && !slices.Contains([]string{"ack", "nak", "term", "nothing"}, a) {
		return s.col, fmt.Errorf("answer=%s is not one of ack, nak, term, nothing", a)
	}
	return checkKeys(s, counts{"workers": 100, "fetch": 10_000, "concurrency": 10_000}, "service", "in_progress", "delay")
}

func checkLoad(s *scriptStep) (int, error) {
	if s.key("n") == "" || s.key("rate") == "" {
		return s.col, errors.New("load needs n= and rate=")
	}
	if _, err := design.ParseRate(s.key("rate")); err != nil {
		return s.col, err
	}
	return checkKeys(s, counts{"n": 100_000}, "retry")
}

func checkSubscribe(s *scriptStep) (int, error) {
	if s.key("by") == "" {
		return s.col, errors.New("subscribe needs by=NAME")
	}
	return 0, nil
}

// counts are keys that take a whole number from 1 to a bound.
type counts map[string]int

// checkKeys reads the values of keys, so that running cannot fail on them.
func checkKeys(s *scriptStep, whole counts, durations ...string) (int, error) {
	for _, p := range s.keys {
		switch most, isCount := whole[p.key.text]; {
		case isCount:
			if n, err := strconv.Atoi(p.value.text); err != nil || n < 1 || n > most {
				return p.value.col, fmt.Errorf("%q is not a count from 1 to %d", p.value.text, most)
			}
		case slices.Contains(durations, p.key.text):
			if _, err := readDuration(p.value.text); err != nil {
				return p.value.col, err
			}
		case p.key.text == "size" || p.key.text == "max_bytes":
			n, err := design.ParseSize(p.value.text)
			if err != nil {
				return p.value.col, err
			}
			if n > maxSessionPayload {
				return p.value.col, fmt.Errorf("%q is more than %s", p.value.text, design.FormatSize(maxSessionPayload))
			}
		}
	}
	return 0, nil
}

// count is a key's number, checked before; otherwise without it.
func (s *scriptStep) count(name string, otherwise int) int {
	n, err := strconv.Atoi(s.key(name))
	if err != nil {
		return otherwise
	}
	return n
}

// checkAsset reads a configuration as a design reads it.
func checkAsset(s *scriptStep) (int, error) {
	_, problems := s.asset()
	for _, p := range problems {
		if p.Severity != design.Error {
			continue
		}
		for _, k := range s.keys {
			if strings.Contains(p.Path+".", "."+k.key.text+".") || strings.Contains(p.Message, strconv.Quote(k.key.text)) {
				return k.key.col, errors.New(p.Message)
			}
		}
		return s.col, errors.New(p.Message)
	}
	return 0, nil
}

// asset is the request of a stream or consumer step, made by package design from
// the same text as a design file would have.
func (s *scriptStep) asset() (*design.Request, design.Problems) {
	var fields []string
	for _, p := range s.keys {
		if s.refused && (p.key.text == "err_code" || p.key.text == "text") {
			continue
		}
		fields = append(fields, p.key.text+": "+fieldYAML(s.verb.asset, p.key.text, p.value.text))
	}
	body := "{" + strings.Join(fields, ", ") + "}"
	name, consumer, isConsumer := strings.Cut(s.args[0].text, "/")
	if isConsumer != (s.verb.asset == natsapi.Consumer) {
		return nil, design.Problems{{Severity: design.Error, Message: fmt.Sprintf("%q: %s", s.args[0].text, s.verb.Usage)}}
	}
	text := fmt.Sprintf("weir: 1\nstreams: {%q: %s}\n", name, body)
	if isConsumer {
		if s.key("inactive_threshold") != "" {
			body = fmt.Sprintf("{name: %q, %s", consumer, body[1:])
		}
		text = fmt.Sprintf("weir: 1\nstreams: {%q: {consumers: {%q: %s}}}\n", name, consumer, body)
	}
	d, problems := design.Parse("script", []byte(text))
	requests := d.Requests()
	if problems.Failed() || len(requests) == 0 {
		return nil, problems
	}
	return requests[len(requests)-1], problems
}

// fieldYAML writes a value of a script in a design's notation: lists are
// separated by commas, what begins with a bracket is taken as it is.
func fieldYAML(asset natsapi.Asset, name, text string) string {
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return text
	}
	f, known := natsapi.Lookup(asset, name)
	if known && f.Type == natsapi.List {
		parts := strings.Split(text, ",")
		for i, part := range parts {
			parts[i] = scalarYAML(part)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return scalarYAML(text)
}

func scalarYAML(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil || text == "true" || text == "false" {
		return text
	}
	return strconv.Quote(text)
}
