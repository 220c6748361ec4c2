package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"weir/design"
	"weir/natsapi"
)

var jsonDialect = Dialect{
	Name:      "json",
	Title:     "JSON of the NATS API",
	Recognise: recogniseJSON,
	Foreign:   foreignJSON,
	Read:      readJSON,
	Write:     writeJSON,
}

// recogniseJSON goes by the first character: what begins like JSON is read as
// JSON, so that a mistake in it is explained and not guessed around.
func recogniseJSON(src *design.Source) int {
	text := bytes.TrimLeft(src.Text, " \t\r\n")
	if len(text) == 0 {
		return 0
	}
	named := strings.HasSuffix(strings.ToLower(src.Name), ".json")
	switch {
	case text[0] == '{' && named, text[0] == '[' && named:
		return 80
	case text[0] == '{', text[0] == '[':
		return 50
	case named || text[0] == '/' && len(text) > 1 && (text[1] == '/' || text[1] == '*'):
		return 20 // a comment in front of JSON, or a file that only claims to be JSON
	}
	return 0
}

// foreignJSON is true for JSON that describes no stream and no consumer, such as
// package.json. What cannot be read to its end is taken by the keys in it.
func foreignJSON(src *design.Source) bool {
	if len(readJSON(src).Parts) > 0 {
		return false
	}
	for _, asset := range []natsapi.Asset{natsapi.Stream, natsapi.Consumer} {
		for _, f := range natsapi.Fields(asset) {
			if !slices.Contains(commonFields, f.Name) && bytes.Contains(src.Text, []byte(`"`+f.Name+`"`)) {
				return false
			}
		}
	}
	return true
}

// commonFields are those that other JSON has too: alone they say nothing.
var commonFields = []string{"name", "description", "metadata"}

// readJSON reads one or several JSON values: a stream's or consumer's
// configuration, bare or under "config", API requests with their subject, what
// `nats stream info --json`, `nats consumer info --json`, the list and names
// APIs, backup.json and the server's jsz endpoint print, and lists of them.
func readJSON(src *design.Source) Reading {
	src.API = true
	values, problems := design.ParseJSONStream(src)
	r := &jsonReader{src: src, Reading: Reading{Problems: problems}}
	for _, v := range values {
		asServersRead(v)
		r.value(v, "")
	}
	r.sayCutOff()
	if len(r.Parts) == 0 && len(r.Problems) == 0 && len(values) > 0 {
		r.say(design.CodeNotation, design.Error, values[0], "this JSON describes no stream and no consumer; %s", notJSONWhat(values[0]))
	}
	return r.Reading
}

// asServersRead gives the keys of the API that are written in another letter
// case their names: servers match keys without regard to it (encoding/json).
// What stands under metadata is the user's own.
func asServersRead(n *design.Node) {
	for i, item := range n.Items {
		if n.IsMap() {
			key := n.Keys[i]
			if name := strings.ToLower(key.Text); name != key.Text && apiNames()[name] {
				key.Text = name
			}
			if key.Text == "metadata" {
				continue
			}
		}
		asServersRead(item)
	}
}

// apiNames are the names of all fields of the JetStream API, and the keys of
// requests that hold a configuration.
var apiNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{"config": true, "stream_name": true}
	for _, a := range natsapi.Assets() {
		if a.IsConf() {
			continue
		}
		for _, f := range natsapi.Fields(a) {
			names[f.Name] = true
		}
	}
	return names
})

type jsonReader struct {
	src   *design.Source
	pages map[string]*pages // by the key of the list
	Reading
}

func (r *jsonReader) say(code design.Code, severity design.Severity, n *design.Node, format string, args ...any) {
	if len(r.Problems) >= design.MaxProblems {
		return
	}
	r.Problems = append(r.Problems, design.Problem{Code: code, Severity: severity, Message: fmt.Sprintf(format, args...), Position: n.Place()})
}

// notJSONWhat says what a JSON value seems to be instead.
func notJSONWhat(n *design.Node) string {
	if e := n.Get("error"); e.IsMap() {
		if d := e.Get("description"); d.IsText() {
			return fmt.Sprintf("it is an error reply of the server: %q", d.Text)
		}
		return "it is an error reply of the server"
	}
	if t := n.Get("type"); t.IsText() {
		return fmt.Sprintf("its type is %q", t.Text)
	}
	return "a configuration has keys such as subjects, retention, ack_policy or durable_name"
}

// value reads a value of any of the forms, in an account where that is known.
func (r *jsonReader) value(n *design.Node, account string) {
	switch {
	case n.IsList():
		for _, item := range n.Items {
			r.value(item, account)
		}
	case !n.IsMap():
	case r.request(n, account), r.lists(n, account):
	case n.Get("data").IsMap() && n.Get("server").IsMap(): // a reply of the monitoring API
		r.value(n.Get("data"), account)
	case isWrapped(n):
		r.wrapped(n, account)
	default:
		r.bare(n, account)
	}
}

// request reads an API request that was written down with its subject, and
// reports whether n is one.
func (r *jsonReader) request(n *design.Node, account string) bool {
	subject := n.Get("subject")
	if !subject.IsText() {
		return false
	}
	_, call, ok := strings.Cut(subject.Text, ".API.")
	if !ok {
		return false
	}
	tokens := strings.Split(call, ".")
	for _, key := range []string{"body", "request", "payload", "data"} {
		body := n.Get(key)
		if body == nil {
			continue
		}
		if !body.IsMap() {
			r.say(design.CodeType, design.Error, body, "%s of an API request has to be a JSON object here, not text: its places could not be shown", key)
			return true
		}
		switch {
		case len(tokens) == 3 && tokens[0] == "STREAM" && (tokens[1] == "CREATE" || tokens[1] == "UPDATE"):
			r.stream(body, body, "", tokens[2], account)
		case len(tokens) >= 3 && tokens[0] == "CONSUMER" && (tokens[1] == "CREATE" || tokens[1] == "DURABLE"):
			r.consumerRequest(body, tokens[1:], account)
		default:
			r.say(design.CodeNotation, design.Error, subject, "%q is no request that creates or updates a stream or a consumer", subject.Text)
		}
		return true
	}
	return false
}

// consumerRequest reads the body of CONSUMER.CREATE.<stream>[.<name>[.<filter>]]
// or CONSUMER.DURABLE.CREATE.<stream>.<name>; tokens begin with CREATE or
// DURABLE.
func (r *jsonReader) consumerRequest(body *design.Node, tokens []string, account string) {
	tokens = tokens[1:]
	if len(tokens) > 1 && tokens[0] == "CREATE" {
		tokens = tokens[1:]
	}
	name := ""
	if len(tokens) > 1 {
		name = tokens[1]
	}
	r.consumer(body.Get("config"), body, "config", tokens[0], name, account)
}

// lists reads replies that hold several streams or consumers, and jsz, and
// reports whether n is one.
func (r *jsonReader) lists(n *design.Node, account string) bool {
	found := false
	for _, key := range []string{"streams", "consumers", "stream_detail", "consumer_detail", "account_details"} {
		list := n.Get(key)
		if !list.IsList() || key == "consumers" && n.Get("config") != nil {
			continue
		}
		found = true
		r.page(n, key, list)
		for _, item := range list.Items {
			in := account
			if name := item.Get("name"); key == "account_details" && name.IsText() && name.Text != design.Hub {
				in = name.Text
			}
			if item.IsMap() {
				r.value(item, in)
			}
		}
	}
	if found && isWrapped(n) { // a stream of jsz with its consumers
		r.wrapped(n, account)
	}
	return found
}

// isWrapped reports whether a stream's or consumer's configuration stands under
// "config". The server's own configuration does too in what jsz prints.
func isWrapped(n *design.Node) bool {
	config := n.Get("config")
	return config.IsMap() && (n.Get("stream_name") != nil || isMostly(config, natsapi.Stream) || isMostly(config, natsapi.Consumer))
}

// isMostly reports whether at least half of the keys are fields of an asset:
// much of what the server prints has a name and a key or two that a
// configuration has as well. A name and a description beside other keys say
// nothing: package.json has them.
func isMostly(n *design.Node, asset natsapi.Asset) bool {
	fields := known(n, asset)
	telling := withoutCommon(n, fields)
	return len(n.Keys) > 0 && 2*fields >= len(n.Keys) && (telling > 0 || fields == len(n.Keys))
}

// wrapped reads a configuration under "config" with something around it.
func (r *jsonReader) wrapped(n *design.Node, account string) {
	config := n.Get("config")
	stream, name := text(n.Get("stream_name")), text(n.Get("name"))
	if isOtherType(n.Get("stream_name")) {
		r.consumer(config, n, "config", "", name, account)
		return
	}
	if stream != "" || isConsumer(config) && n.Get("state") == nil {
		if stream != "" && !isInfo(n) {
			r.consumer(config, n, "config", stream, name, account)
			return
		}
		r.consumer(config, nil, "", stream, name, account)
	} else {
		r.stream(config, nil, "", name, account)
	}
	if last := len(r.Parts) - 1; last >= 0 && r.Parts[last].Config == config {
		r.Parts[last].Info = n
	}
}

// isInfo reports whether the server says what a consumer is and does; what a
// client asks for has none of these keys.
func isInfo(n *design.Node) bool {
	for _, key := range []string{"created", "name", "delivered", "ack_floor", "num_pending", "num_ack_pending", "cluster"} {
		if n.Get(key) != nil {
			return true
		}
	}
	return false
}

func (r *jsonReader) bare(n *design.Node, account string) {
	switch {
	case n.Get("durable_name").IsText() || isConsumer(n) && isMostly(n, natsapi.Consumer):
		r.consumer(n, nil, "", "", "", account)
	case n.Get("name").IsText() && n.Get("subjects").IsList() || !isConsumer(n) && isMostly(n, natsapi.Stream):
		r.stream(n, nil, "", "", account)
	case isMeant(n, natsapi.Consumer) && meant(n, natsapi.Consumer) > meant(n, natsapi.Stream):
		r.consumer(n, nil, "", "", "", account)
	case isMeant(n, natsapi.Stream):
		r.stream(n, nil, "", "", account)
	}
}

// isMeant reports whether most keys are fields of an asset, misspelt ones such as
// maxAge counted, so that what is wrong with each can be said.
func isMeant(n *design.Node, asset natsapi.Asset) bool {
	count := meant(n, asset)
	return withoutCommon(n, count) >= 2 && 2*count > len(n.Keys)
}

// withoutCommon is a count of keys less those that tell no asset from another.
func withoutCommon(n *design.Node, count int) int {
	for _, common := range commonFields {
		if n.Get(common) != nil {
			count--
		}
	}
	return count
}

// meant counts the keys that are fields of an asset or nearly the name of one.
func meant(n *design.Node, asset natsapi.Asset) int {
	const most = 100 // no configuration has more, and each takes its time
	count := known(n, asset)
	for _, key := range n.Keys[:min(len(n.Keys), most)] {
		if _, ok := natsapi.Lookup(asset, key.Text); !ok && natsapi.Suggest(key.Text, natsapi.Names(asset, natsapi.Embedded)) != "" {
			count++
		}
	}
	return count
}

// isConsumer tells the two kinds of configuration apart by the keys that only
// one of them has.
func isConsumer(n *design.Node) bool {
	stream, consumer := known(n, natsapi.Stream), known(n, natsapi.Consumer)
	return consumer > stream || consumer == stream && n.Get("durable_name") != nil
}

// known counts the keys that the fields of an asset have.
func known(n *design.Node, asset natsapi.Asset) int {
	count := 0
	for _, key := range n.Keys {
		if _, ok := natsapi.Lookup(asset, key.Text); ok {
			count++
		}
	}
	return count
}

// isOtherType reports whether something stands where the API has a text and is
// none: the server refuses that whatever else is wrong.
func isOtherType(n *design.Node) bool { return n != nil && !n.IsText() && !(n.IsScalar() && n.Null) }

func text(n *design.Node) string {
	if n.IsText() {
		return n.Text
	}
	return ""
}

func (r *jsonReader) stream(config, body *design.Node, inside, name, account string) {
	r.doubled(config)
	own := config.Get("name")
	switch {
	case text(own) != "":
		name = own.Text
	case name == "" && isOtherType(own): // the server does not get as far as the name
		name = design.AssumedStream
	}
	if name == "" {
		r.say(design.CodeMissing, design.Error, config, "the stream has no name; a configuration says it under name")
		return
	}
	r.Parts = append(r.Parts, design.Part{Kind: "stream", Name: name, Account: account, Config: config, Body: body, Inside: inside, Version: r.version(config)})
}

func (r *jsonReader) consumer(config, body *design.Node, inside, stream, name, account string) {
	if !config.IsMap() {
		r.say(design.CodeMissing, design.Error, body, "the request has no config")
		return
	}
	r.doubled(config)
	for _, key := range []string{"durable_name", "name"} {
		if own := text(config.Get(key)); own != "" {
			name = own
		}
	}
	r.Parts = append(r.Parts, design.Part{Kind: "consumer", Name: name, Stream: stream, Account: account, Config: config, Body: body, Inside: inside, Version: r.version(config)})
}

// doubled warns of keys that are written twice with different values: the server
// takes the last one.
func (r *jsonReader) doubled(n *design.Node) {
	if n.IsMap() {
		for i, key := range n.Keys {
			if n.Get(key.Text) != n.Items[i] && string(rawOf(n.Items[i])) != string(rawOf(n.Get(key.Text))) {
				taken := "the server takes the last value"
				if n.Items[i].IsMap() && n.Get(key.Text).IsMap() {
					taken = "the server merges the two, and of what stands in both takes the last value"
				}
				r.say(design.CodeDuplicate, design.Warning, key, "%q is written again further down; %s", key.Text, taken)
			}
		}
	}
	for _, item := range n.Items {
		r.doubled(item)
	}
}

func rawOf(n *design.Node) []byte { return n.Src.Text[n.Start:n.End] }

// version finds the server version that a server has put into the metadata of
// what it stores (server/jetstream_versioning.go): its own version, or the API
// level it had.
func (r *jsonReader) version(config *design.Node) *design.Node {
	meta := config.Get("metadata")
	if v := meta.Get("_nats.ver"); v.IsText() {
		if _, err := natsapi.ParseVersion(v.Text); err != nil {
			r.say(design.CodeVersion, design.Warning, v, "%v", err)
			return nil
		}
		return v
	}
	if v := meta.Get("_nats.level"); v.IsText() {
		for _, known := range natsapi.Known() {
			if fmt.Sprint(known.APILevel()) == v.Text {
				n := *v
				n.Text = known.String()
				return &n
			}
		}
	}
	return nil
}

// writeJSON writes a file for each stream and consumer. Buckets are written as the
// streams that they are.
func writeJSON(d *design.Design) ([]File, design.Problems) {
	files := ConfigFiles(d)
	out := make([]File, 0, len(files))
	for _, f := range files {
		out = append(out, f.File)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out, unsaid(d, "JSON of the NATS API")
}

// Config is a request of a design and the file that has the configuration which it sends.
type Config struct {
	*design.Request
	File
}

// ConfigFiles are the configurations of a design's streams, buckets and consumers, in the
// order in which they are created, each in a file of its own as `nats stream add --config`
// and `nats consumer add STREAM --config` read them. All paths differ, in more than capitals.
func ConfigFiles(d *design.Design) []Config {
	var out []Config
	var files []File
	for _, r := range d.Requests() {
		if r.Assumed {
			continue
		}
		path := "streams/" + fileName(strings.TrimPrefix(r.Subject, "STREAM.CREATE.")) + ".json"
		if r.Kind == "consumer" {
			stream, consumer, _ := strings.Cut(r.Name, "/")
			path = "consumers/" + fileName(stream) + "/" + fileName(consumer) + ".json"
		}
		out = append(out, Config{Request: r})
		files = append(files, File{Path: scopePath(r.Scope) + path, Text: indented(r.Config())})
	}
	for i, f := range apart(files) {
		out[i].File = f
	}
	return out
}

func scopePath(s *design.Scope) string {
	switch {
	case s.Leafnode != "":
		return "leafnodes/" + fileName(s.Leafnode) + "/"
	case s.Account != design.Hub:
		return "accounts/" + fileName(s.Account) + "/"
	}
	return ""
}

func indented(body []byte) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, body, "", "  "); err != nil {
		return body // passed on as it was given
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// unsaid lists what a design says and a notation that knows only streams, consumers
// and buckets has no words for.
func unsaid(d *design.Design, notation string) design.Problems {
	var out design.Problems
	say := func(path, what string) {
		out = append(out, design.Problem{Code: design.CodeUnsaid, Severity: design.Warning, Path: path, Position: d.Where(path),
			Message: what + " cannot be said in " + notation})
	}
	for _, key := range []string{"goals", "scenarios", "clusters", "gateways"} {
		if d.Has(key) {
			say(key, key)
		}
	}
	if d.Has("server") {
		say("server", "the servers")
	}
	for _, s := range d.Scopes() {
		for _, p := range s.Publishers {
			say(p.Path, "a publisher")
		}
		for _, p := range s.Subscribers {
			say(p.Path, "a subscriber")
		}
		for _, stream := range s.Streams {
			for _, c := range stream.Consumers {
				if len(c.Workers) > 0 {
					say(design.Join(c.Path, "workers"), "workers")
				}
			}
		}
	}
	for _, a := range d.Accounts {
		say(a.Path, "the limits, users, exports and imports of an account")
	}
	for _, l := range d.Leafnodes {
		say(l.Path, "a leaf node")
	}
	out.Sort()
	return out
}
