package dialect

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
)

// confChecker says with which values the server does not start: what its own
// reading of the file refuses (server/opts.go, processConfigFile, v2.15.2). The
// table of natsapi gives the keys and the types of their values; what more the
// server asks of a value is in confRules. Files that the server would read from
// its disk (certificates, credentials) are not judged.
type confChecker struct {
	*confParser
	rules   map[string]confRule
	refused int
	// keys are those that not every version has; around are the blocks that are
	// being checked, of the same kind.
	keys   []design.ConfKey
	around []natsapi.Field
}

// confRule is what the server asks of one value beyond its type.
type confRule func(c *confChecker, f confField)

// confBounded are the keys whose bounds the server checks while it reads the
// file; the others of the table it checks later or not at all.
var confBounded = []string{"conf.max_control_line", "conf.max_payload", "conf.max_sub_tokens", "conf.lame_duck_duration", "conf.lame_duck_grace_period",
	"conf.mqtt.max_ack_pending", "conf.jetstream.max_concurrent_io", "conf.jetstream.meta_compact", "conf.jetstream.meta_compact_size"}

// confStrict are blocks in which the server takes no key that it does not know
// for a variable.
var confStrict = []natsapi.Asset{"conf.tls", "conf.tls.certs", "conf.tls.ocsp_peer", "conf.ocsp", "conf.ocsp_cache", "conf.mappings"}

// confSilent are blocks of which the server reads single keys and does not look
// at the others.
var confSilent = []natsapi.Asset{"conf.resolver", "conf.leafnodes.remotes.migrate", "conf.accounts.exports.latency"}

func (c *confChecker) refuse(code design.Code, at design.Position, format string, args ...any) {
	c.refused++
	c.say(code, design.Error, at, format, args...)
}

func (k confKey) place() design.Position { return k.src.Place(k.start, k.end) }

func (v *confValue) place() design.Position { return v.node.src.Place(v.node.start, v.node.end) }

// check judges the whole of a file.
func (c *confChecker) check(root *confValue) {
	before := c.refused
	c.block(natsapi.Conf, root)
	c.whole(root)
	if c.refused == before {
		c.traffic(root)
	}
}

// block checks the keys of a block.
func (c *confChecker) block(asset natsapi.Asset, v *confValue) {
	seen := map[string]confField{}
	for _, f := range v.fields {
		row, ok := natsapi.Lookup(asset, f.text)
		if !ok {
			c.unknownKey(asset, f)
			continue
		}
		if first, twice := seen[row.Name]; twice && first.text != f.text {
			c.say(design.CodeDuplicate, design.Warning, f.place(), "%s and %s are the same key; the server keeps one of them, and which is chance", first.text, f.text)
		}
		seen[row.Name] = f
		c.ofVersion(asset, row, f)
	}
	if asset == "conf.tls" {
		c.tlsPairs(v)
	}
}

// ofVersion checks a key and its value; of one that not every version has it
// notes where it stands. A value is judged as the embedded version judges it,
// where that has the key.
func (c *confChecker) ofVersion(asset natsapi.Asset, row natsapi.Field, f confField) {
	if !design.Versioned(row) || slices.Contains(confSilent, asset) || f.value.used && !slices.Contains(confStrict, asset) {
		c.value(row, f)
		return
	}
	c.keys = append(c.keys, design.ConfKey{Field: row, Around: slices.Clone(c.around), Position: f.place()})
	if row.In(natsapi.Embedded) {
		c.around = append(c.around, row)
		c.value(row, f)
		c.around = c.around[:len(c.around)-1]
	}
}

func (c *confChecker) unknownKey(asset natsapi.Asset, f confField) {
	if f.value.used && !slices.Contains(confStrict, asset) {
		return // the definition of a variable
	}
	if f.value.open && f.value.node.variable == f.text {
		return // a variable by itself, which is said already
	}
	if len(c.problems) >= design.MaxProblems {
		c.refused++
		return // nobody reads on, and what is alike takes its time to find
	}
	var names []string
	for _, row := range natsapi.Fields(asset) {
		names = append(append(names, row.Name), row.Aliases...)
	}
	what := "nats-server.conf has no key " + strconv.Quote(f.text)
	if asset != natsapi.Conf {
		what = confBlockName(asset) + " has no key " + strconv.Quote(f.text)
	}
	near := natsapi.Suggest(f.text, names)
	if near != "" {
		what += "; did you mean " + near + "?"
	}
	if slices.Contains(confSilent, asset) {
		c.say(design.CodeUnknown, design.Warning, f.place(), "%s; the server ignores it", what)
	} else {
		c.refuse(design.CodeUnknown, f.place(), "%s; the server does not start", what)
	}
	if near != "" && f.end > f.start {
		c.problems[len(c.problems)-1].Fix = f.rename(near)
	}
}

// rename is the edit that writes another key in the place of one, in its quotes.
func (k confKey) rename(to string) *design.Fix {
	p, text := k.place(), to
	if q := k.src.Text[k.start]; q == '"' || q == '\'' {
		text = string(q) + to + string(q)
	}
	return &design.Fix{Title: "Write " + to, Edits: []design.Edit{{File: p.File, Line: p.Line, Col: p.Col, EndLine: p.EndLine, EndCol: p.EndCol, Text: text}}}
}

func confBlockName(asset natsapi.Asset) string {
	name := string(asset)[strings.LastIndexByte(string(asset), '.')+1:]
	return strings.ReplaceAll(name, "_", " ")
}

// value checks one value of the table.
func (c *confChecker) value(row natsapi.Field, f confField) {
	if f.value.open {
		return
	}
	id := string(row.Asset) + "." + row.Name
	if rule := c.rules[id]; rule != nil {
		rule(c, f)
		return
	}
	n, ok := c.typed(row, f)
	if ok && slices.Contains(confBounded, id) {
		c.bounds(row, f, n)
	}
}

// typed checks the type of a value and what is in it, and returns its number,
// where it is one.
func (c *confChecker) typed(row natsapi.Field, f confField) (n int64, ok bool) {
	v := f.value
	for _, t := range append([]natsapi.Type{row.Type}, row.Also...) {
		switch {
		case t == natsapi.Object && v.isMap:
			c.block(row.Of, v)
			c.knownURLs(row, v)
			return 0, true
		case t == natsapi.List && v.isList:
			c.items(row, f)
			return 0, true
		case t == natsapi.Map && v.isMap:
			for _, item := range v.fields {
				c.element(row, item)
			}
			return 0, true
		}
		if n, fits := c.scalar(row, t, v); fits {
			return n, true
		}
	}
	c.wrongType(row, f)
	return 0, false
}

func (c *confChecker) items(row natsapi.Field, f confField) {
	for _, item := range f.value.items {
		c.element(row, confField{confKey{f.text, item.node.src, item.node.start, item.node.end}, item})
	}
}

// element checks an element of a list or a value of a map.
func (c *confChecker) element(row natsapi.Field, f confField) {
	elem := row
	elem.Type, elem.Also = row.Elem, nil
	if elem.Type == "" {
		elem.Type = natsapi.String
	}
	if !f.value.open {
		c.typed(elem, f)
	}
}

// scalar reports whether a scalar is of a type, and its number.
func (c *confChecker) scalar(row natsapi.Field, t natsapi.Type, v *confValue) (n int64, fits bool) {
	s, isText := v.scalar.(string)
	n, isInt := v.scalar.(int64)
	switch t {
	case natsapi.String:
		return 0, isText
	case natsapi.Enum:
		return 0, isText && slices.ContainsFunc(row.Enum, func(e natsapi.EnumValue) bool { return strings.EqualFold(e.Name, s) })
	case natsapi.Bool:
		_, isBool := v.scalar.(bool)
		return 0, isBool
	case natsapi.Int:
		return n, isInt
	case natsapi.Size:
		if isText && row.Asset == "conf.jetstream" {
			size, err := storageSize(s)
			return size, err == nil
		}
		return n, isInt
	case natsapi.Duration:
		return c.duration(row, v)
	}
	return 0, false
}

// confSeconds are blocks in which a duration may be a number of seconds with a
// fraction, which the server does not warn of.
var confSeconds = []natsapi.Asset{"conf.tls", "conf.authorization", "conf.leafnodes.authorization", "conf.simple_authorization", "conf.tls.ocsp_peer", "conf.ocsp_cache"}

func (c *confChecker) duration(row natsapi.Field, v *confValue) (n int64, fits bool) {
	seconds := slices.Contains(confSeconds, row.Asset)
	switch x := v.scalar.(type) {
	case string:
		d, err := time.ParseDuration(x)
		return int64(d), err == nil || row.Asset == "conf.simple_authorization"
	case float64:
		return int64(x * float64(time.Second)), seconds
	case int64:
		if !slices.Contains(row.Also, natsapi.Int) {
			return 0, false
		}
		n, written := time.Duration(x)*time.Second, string(v.node.src.Text[v.node.start:v.node.end])
		switch plain := strings.TrimLeft(written, "-0123456789") == ""; {
		case seconds, plain && row.Name == "handshake_timeout": // of websocket
		case plain:
			c.say(design.CodeUnit, design.Warning, v.place(), "%s: the server takes %d for seconds and warns, and nats-server -t exits with 1; write \"%ds\"", row.Name, x, x)
		default:
			c.say(design.CodeUnit, design.Warning, v.place(), "%s: %s without quotes is the number %d, and the server takes it for %d seconds; write %q", row.Name, written, x, x, written)
		}
		return int64(n), true
	}
	return 0, false
}

// storageSize is the server's getStorageSize for texts (server/opts.go).
func storageSize(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	shift := strings.IndexByte("KMGT", s[len(s)-1])
	n, err := strconv.ParseInt(s[:len(s)-1], 10, 64)
	if err != nil || shift < 0 {
		return 0, fmt.Errorf("%q is not a size", s)
	}
	return n << (10 * (shift + 1)), nil
}

func (c *confChecker) bounds(row natsapi.Field, f confField, n int64) {
	low, noLow := natsapi.Number(row.Min)
	high, noHigh := natsapi.Number(row.Max)
	if row.Asset == "conf.jetstream" && strings.HasPrefix(row.Name, "meta_compact") {
		low, noLow = 0, nil
	}
	if row.Name == "max_control_line" {
		noLow = fmt.Errorf("the server does not look at it here")
	}
	switch {
	case row.Min != "" && noLow == nil && n < low, row.Min == "" && noLow == nil && n < low:
		c.refuse(design.CodeConf, f.value.place(), "%s: %s is less than %s; the server does not start", f.text, f.value.written(), orZero(row.Min))
	case row.Max != "" && noHigh == nil && n > high:
		c.refuse(design.CodeConf, f.value.place(), "%s: %s is more than %s; the server does not start", f.text, f.value.written(), row.Max)
	}
}

func orZero(s string) string {
	if s == "" {
		return "0"
	}
	return s
}

// written is a value as it stands in the text, without its further lines.
func (v *confValue) written() string {
	text := string(v.node.src.Text[v.node.start:v.node.end])
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i] + " …"
	}
	const longest = 60
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return text
}

func (c *confChecker) wrongType(row natsapi.Field, f confField) {
	s, isText := f.value.text()
	var want string
	switch row.Type {
	case natsapi.Size:
		want = "a size without quotes, such as 1MB or 10GiB"
		if row.Asset == "conf.jetstream" {
			want = `a size such as 10GiB without quotes, or "10G" with them`
		}
	case natsapi.Duration:
		want = `a duration in quotes, such as "2m"`
	case natsapi.Int:
		want = "a number without quotes"
	case natsapi.Bool:
		want = "true or false without quotes"
	case natsapi.Enum:
		var names []string
		for _, e := range row.Enum {
			names = append(names, e.Name)
		}
		want = strings.Join(names, ", ")
	case natsapi.Object, natsapi.Map:
		want = "a block { … }"
	case natsapi.List:
		want = "a list [ … ]"
	default:
		want = "a text"
	}
	got := f.value.written()
	if isText && s == "" {
		got = "an empty text"
	}
	c.refuse(design.CodeType, f.value.place(), "%s: %s is not what the server takes here, and it does not start; write %s", f.text, got, want)
}

// text is a value that has to be one.
func (c *confChecker) textOf(f confField) (string, bool) {
	s, ok := f.value.text()
	if !ok && !f.value.open {
		c.refuse(design.CodeType, f.value.place(), "%s: %s is not a text; the server does not start", f.text, f.value.written())
	}
	return s, ok
}

// listen is parseListen: a port, or host:port.
func (c *confChecker) listen(f confField) {
	if n, ok := f.value.scalar.(int64); ok {
		c.portRange(n, f.value.place())
		return
	}
	s, ok := c.textOf(f)
	if !ok {
		return
	}
	port, ok := portOf(s)
	n, err := strconv.Atoi(port)
	if ok && err == nil {
		c.portRange(int64(n), f.value.place())
	} else {
		c.refuse(design.CodeConf, f.value.place(), "%s: %q is no address; the server takes host:port or a port, and does not start", f.text, s)
	}
}

// portOf is the port of host:port, as net.SplitHostPort finds it.
func portOf(s string) (port string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return "", false
	}
	host, port := s[:i], s[i+1:]
	if strings.HasPrefix(host, "[") {
		inside, closed := strings.CutSuffix(host[1:], "]")
		return port, closed && !strings.ContainsAny(inside+port, "[]")
	}
	return port, !strings.ContainsAny(host+port, ":[]")
}

func noSpaces(what string) confRule {
	return func(c *confChecker, f confField) {
		s, ok := c.textOf(f)
		switch {
		case !ok:
		case strings.Contains(s, " "):
			c.refuse(design.CodeConf, f.value.place(), "%s: %q: a %s cannot contain spaces; the server does not start", f.text, s, what)
		case s == leafNoOriginCluster && what != "server name":
			c.refuse(design.CodeConf, f.value.place(), "%s: %q is a name that the server keeps for itself", f.text, s)
		}
	}
}

// leafNoOriginCluster is the cluster name that the server uses for leaf nodes
// without a cluster (server/route.go, v2.15.2).
const leafNoOriginCluster = "_"

func oneOfWords(words ...string) confRule {
	return func(c *confChecker, f confField) {
		if s, ok := c.textOf(f); ok && !slices.Contains(words, s) {
			c.refuse(design.CodeType, f.value.place(), "%s: %q is not known, and the server does not start; write %s", f.text, s, strings.Join(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" }), " or "))
		}
	}
}

func (c *confChecker) writeTimeout(f confField) { oneOfWords("default", "close", "retry")(c, f) }

func (c *confChecker) syncInterval(f confField) {
	row, _ := natsapi.Lookup("conf.jetstream", "sync_interval")
	row.Also = append(slices.Clone(row.Also), natsapi.Int)
	c.typed(row, f)
}

// compression takes a word, a boolean or a block.
func (c *confChecker) compression(f confField) {
	_, isText := f.value.text()
	_, isBool := f.value.scalar.(bool)
	switch {
	case f.value.isMap:
		c.block("conf.compression", f.value)
		for _, inner := range f.value.fields {
			if strings.EqualFold(inner.text, "mode") && !inner.value.open {
				c.compressionMode(inner, named("conf.compression", f.value, "rtt_thresholds"))
			}
		}
	case isText:
		c.compressionMode(f, nil)
	case !isBool:
		c.refuse(design.CodeType, f.value.place(), "%s: %s is neither a mode nor a block; the server does not start", f.text, f.value.written())
	}
}

func urls(what string) confRule {
	return func(c *confChecker, f confField) {
		list := f.value.items
		if !f.value.isList {
			if what == "route" || what == "gateway" && !strings.EqualFold(f.text, "url") {
				c.refuse(design.CodeType, f.value.place(), "%s: %s is not a list, and the server does not start; write [ … ]", f.text, f.value.written())
				return
			}
			list = []*confValue{f.value}
		}
		if f.value.isList && what == "gateway" && strings.EqualFold(f.text, "url") {
			list = []*confValue{f.value} // which is no text
		}
		for _, item := range list {
			s, ok := c.textOf(confField{f.confKey, item})
			if !ok {
				continue
			}
			if _, err := url.Parse(strings.TrimSpace(s)); err != nil {
				c.refuse(design.CodeConf, item.place(), "%s: the server cannot read this %s URL, and does not start", f.text, what)
			}
		}
	}
}

// subjectList checks a subject or a list of them; with queues an entry may be a
// subject and a queue name.
func (c *confChecker) subjectList(f confField, queues bool) {
	for _, item := range f.value.each() {
		s, ok := c.textOf(confField{f.confKey, item})
		if !ok || subject.Valid(s) {
			continue
		}
		bad := s
		if parts := strings.Fields(s); queues && len(parts) == 2 {
			switch {
			case !subject.Valid(parts[0]):
				bad = parts[0]
			case !subject.Valid(parts[1]):
				bad = parts[1]
			default:
				continue
			}
		}
		c.refuse(design.CodeConf, item.place(), "%q is not a valid subject; the server does not start", bad)
	}
}

func (c *confChecker) plainSubjects(f confField) { c.subjectList(f, false) }

// permission checks the subjects that a user may use.
func permission(queues bool) confRule {
	return func(c *confChecker, f confField) {
		if !f.value.isMap {
			c.subjectList(f, queues)
			return
		}
		for _, inner := range f.value.fields {
			if _, ok := natsapi.Lookup("conf.permissions.subjects", inner.text); !ok {
				c.unknownKey("conf.permissions.subjects", inner)
				continue
			}
			if !inner.value.open {
				c.subjectList(inner, queues)
			}
		}
	}
}
