package sim

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/design"
	"weir/size"
	"weir/subject"
)

// Bounds of what one publisher becomes.
const (
	valuesEach     = 64     // values told apart of one placeholder
	subjectsEach   = 512    // subjects told apart of one publisher
	processesEach  = 64     // publishers at work for its processes
	deepestCopying = 8      // streams that copy each other in a row
	mostPasses     = 10_000 // of a design's messages from stream to stream
)

// share is a part of a publisher's messages: a subject, or several that no
// filter tells apart.
type share struct {
	subject string
	weight  float64 // of the publisher's messages; above 1 where several sites publish
	keys    float64 // subjects behind it
}

// feed is what one stream gets of one publisher.
type feed struct {
	p      *design.Publisher
	scope  *design.Scope
	shares []share
	copied bool // through a mirror, a source or republish
}

func (b *builder) publishers() error {
	feeds := make([][]*feed, len(b.held))
	for _, scope := range b.d.Scopes() {
		if scope.Leafnode != "" {
			b.say(scope.Path, "one of its sites is simulated")
		}
		for _, p := range scope.Publishers {
			b.leaveOutOfPublisher(p)
			before := len(b.m.Notes)
			taken := 0.0
			for _, sh := range b.sharesOf(p) {
				for _, h := range b.held {
					for _, subj := range b.arrivesAs(h.scope, scope, sh.subject) {
						if !holds(h.subjects, subj) {
							continue
						}
						one := sh
						one.subject = subj
						if h.scope != scope {
							one.weight *= float64(b.sites(scope))
						}
						b.give(feeds, h, p, scope, one, false, 0)
						taken += sh.weight
					}
				}
			}
			if taken == 0 && len(b.m.Notes) == before {
				b.say(p.Path, "no stream holds its subjects: it has no part in the run")
			}
		}
	}
	for i, list := range feeds {
		for _, f := range list {
			if err := b.addPublisher(b.held[i], f); err != nil {
				return fmt.Errorf("%s: %w", f.p.Path, err)
			}
		}
	}
	return nil
}

func holds(patterns []string, subj string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return subject.Match(p, subj) })
}

// hears reports whether what is published in one scope reaches streams of
// another: its own, and those of the hub's account that a leaf node is bound to,
// because a leaf node connection passes on the subjects that are asked for.
func (b *builder) hears(stream, publisher *design.Scope) bool {
	if stream == publisher {
		return true
	}
	if publisher.Leafnode == "" || stream.Leafnode != "" {
		return false
	}
	return stream.Account == b.boundTo(publisher.Leafnode)
}

// wanted reports whether a stream keeps a subject: one with interest retention
// and no consumer for it drops the message at once, and passes nothing on.
func (b *builder) wanted(h *heldStream, subj string) bool {
	if b.m.Streams[h.index].Retention != Interest {
		return true
	}
	for _, c := range b.m.Consumers {
		if c.Stream == h.name && (len(c.FilterSubjects) == 0 || holds(c.FilterSubjects, subj)) {
			return true
		}
	}
	return false
}

// give puts a share into a stream, and what copies that stream.
func (b *builder) give(feeds [][]*feed, h *heldStream, p *design.Publisher, scope *design.Scope, sh share, copied bool, depth int) {
	if depth > deepestCopying || b.passes > mostPasses {
		b.leaveOff(h)
		return
	}
	b.passes++
	b.trail = append(b.trail, h)
	defer func() { b.trail = b.trail[:len(b.trail)-1] }()
	if t := h.Config.SubjectTransform; t != nil {
		if parts := spread(t.Source, t.Destination, sh); len(parts) > 1 {
			for _, part := range parts {
				b.store(feeds, h, p, scope, part, copied, depth)
			}
			return
		}
		sh.subject = renamed(t.Source, t.Destination, sh.subject)
	}
	b.store(feeds, h, p, scope, sh, copied, depth)
}

// leaveOff says why a share goes no further than to the streams of the trail.
func (b *builder) leaveOff(h *heldStream) {
	for i, x := range b.trail {
		if x == h || slices.Contains(b.trail[i+1:], x) {
			b.circle(b.trail[i:])
			return
		}
	}
	b.say(h.Path, "streams copy each other more than %d in a row, or in more than %d ways; what goes on from here is left out", deepestCopying, mostPasses)
}

// circle notes streams that pass messages round without end, once.
func (b *builder) circle(trail []*heldStream) {
	// A trail may have gone round several times, and begins anywhere.
	round := slices.Clone(trail)
	if again := slices.Index(round[1:], round[0]); again >= 0 {
		round = round[:again+1]
	}
	first := 0
	for i, h := range round {
		if h.index < round[first].index {
			first = i
		}
	}
	round = append(round[first:], round[:first]...)
	names := make([]string, 0, len(round)+1)
	for _, h := range append(round, round[0]) {
		names = append(names, h.name)
	}
	c := Circle{Path: round[0].Path, Streams: names}
	if !slices.ContainsFunc(b.m.Circles, func(x Circle) bool { return slices.Equal(x.Streams, c.Streams) }) {
		b.m.Circles = append(b.m.Circles, c)
	}
}

// store puts a share into a stream under the subject that it has there, and what
// copies that stream.
func (b *builder) store(feeds [][]*feed, h *heldStream, p *design.Publisher, scope *design.Scope, sh share, copied bool, depth int) {
	i := slices.IndexFunc(feeds[h.index], func(f *feed) bool { return f.p == p && f.copied == copied })
	if i < 0 {
		i = len(feeds[h.index])
		feeds[h.index] = append(feeds[h.index], &feed{p: p, scope: scope, copied: copied})
	}
	feeds[h.index][i].shares = append(feeds[h.index][i].shares, sh)
	if !b.wanted(h, sh.subject) {
		b.say(h.Path, "nothing is passed on from it: with interest retention and no consumer for %s it keeps nothing", sh.subject)
		return
	}
	for _, to := range b.held {
		for _, subj := range b.copies(h, to, sh.subject) {
			next := sh
			next.subject = subj
			if to.scope.Leafnode == "" && h.scope.Leafnode != "" {
				next.weight *= float64(b.sites(h.scope))
			}
			b.give(feeds, to, p, scope, next, true, depth+1)
		}
	}
}

func (b *builder) sites(scope *design.Scope) int {
	for _, l := range b.d.Leafnodes {
		if l.Name == scope.Leafnode {
			return max(1, l.Count)
		}
	}
	return 1
}

// copies are the subjects under which a stream gets what another one stores.
func (b *builder) copies(from, to *heldStream, subj string) (out []string) {
	sources := to.Config.Sources
	if to.Config.Mirror != nil {
		sources = slices.Insert(slices.Clone(sources), 0, to.Config.Mirror)
	}
	for _, s := range sources {
		if s == nil || s.Name != from.Name || s.FilterSubject != "" && !subject.Match(s.FilterSubject, subj) {
			continue
		}
		if s.External == nil && from.scope != to.scope || s.External != nil && !b.reaches(s.External.ApiPrefix, from.scope) {
			continue
		}
		if len(s.SubjectTransforms) == 0 {
			out = append(out, subj)
		}
		for _, t := range s.SubjectTransforms {
			if t.Source == "" || subject.Match(t.Source, subj) {
				out = append(out, renamed(t.Source, t.Destination, subj))
				break
			}
		}
	}
	r := from.Config.RePublish
	if r != nil && from != to && from.scope == to.scope && (r.Source == "" || subject.Match(r.Source, subj)) {
		if again := renamed(r.Source, r.Destination, subj); holds(to.subjects, again) {
			out = append(out, again)
		}
	}
	return out
}

// reaches reports whether an API prefix is that of a leaf node's domain:
// $JS.plant.API, or $JS.plant-7.API for the seventh of several sites, which
// stands for them all.
func (b *builder) reaches(prefix string, scope *design.Scope) bool {
	for _, l := range b.d.Leafnodes {
		domain := l.Domain
		if domain == "" {
			domain = l.Server.Domain
		}
		of, ok := strings.CutPrefix(prefix, "$JS."+domain)
		of, okToo := strings.CutSuffix(of, ".API")
		if l.Name == scope.Leafnode && domain != "" && ok && okToo && (of == "" || of[0] == '-') {
			return true
		}
	}
	return false
}

// renamed applies a transform; what it cannot say stays as it is.
func renamed(source, destination, subj string) string {
	t, err := subject.NewTransform(source, destination, subject.TransformOptions{})
	if err != nil {
		return subj
	}
	if out, err := t.Apply(subj, func(int) int { return 0 }); err == nil && out != "" {
		return out
	}
	return subj
}

// spread is what a transform makes of several subjects that stand together in a
// share: they fall into the partitions evenly, and not all where the one falls that
// stands for them. It is nil where nothing is spread.
func spread(source, destination string, sh share) (out []share) {
	before, after, ok := strings.Cut(destination, "{{")
	call, after, closed := strings.Cut(after, "}}")
	name, args, _ := strings.Cut(call, "(")
	if name = strings.ToLower(strings.TrimSpace(name)); !ok || !closed || name != "partition" && name != "random" || sh.keys < 2 {
		return nil
	}
	first, _, _ := strings.Cut(strings.TrimSuffix(args, ")"), ",")
	n, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || n < 2 || n > subjectsEach {
		return nil
	}
	for i := range n {
		part := share{renamed(source, before+strconv.Itoa(i)+after, sh.subject), sh.weight / float64(n), sh.keys / float64(n)}
		if part.subject == sh.subject {
			return nil // the source does not match, or the destination is none without it
		}
		out = append(out, part)
	}
	return out
}

// sharesOf takes a publisher's subject apart into what filters, streams and
// examples tell apart.
func (b *builder) sharesOf(p *design.Publisher) []share {
	out := []share{{p.Subject, 1, 1}}
	for at, tok := range subject.Tokens(p.Subject) {
		if !strings.Contains(tok, "{") {
			continue
		}
		for _, name := range placeholders(tok) {
			values := b.valuesOf(p, name, at)
			if len(out)*len(values) > subjectsEach {
				values = together(values)
			}
			var next []share
			for _, sh := range out {
				for _, v := range values {
					next = append(next, share{strings.Replace(sh.subject, "{"+name+"}", v.subject, 1), sh.weight * v.weight, sh.keys * v.keys})
				}
			}
			out = next
		}
	}
	return out
}

// together makes one value of several.
func together(values []share) []share {
	one := values[len(values)-1]
	one.weight, one.keys = 0, 0
	for _, v := range values {
		one.weight, one.keys = one.weight+v.weight, one.keys+v.keys
	}
	return []share{one}
}

func placeholders(token string) (names []string) {
	for {
		_, rest, ok := strings.Cut(token, "{")
		if !ok {
			return names
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			return names
		}
		names, token = append(names, name), after
	}
}

// valuesOf are the values of a placeholder: the examples, those that filters and
// subjects of streams name in its place, and one for the rest. Named ones are
// taken to be the most used where the use is uneven.
func (b *builder) valuesOf(p *design.Publisher, name string, at int) []share {
	t := design.Token{Name: name, Count: 1}
	if i := slices.IndexFunc(p.Tokens, func(t design.Token) bool { return t.Name == name }); i >= 0 {
		t = p.Tokens[i]
	}
	named := slices.Clone(t.Examples)
	count := max(t.Count, int64(len(named)), 1)
	for _, v := range b.literals(p, at) {
		if int64(len(named)) < count && !slices.Contains(named, v) {
			named = append(named, v)
		}
	}
	for n := len(named) + 1; int64(n) <= count && count <= valuesEach; n++ {
		named = append(named, fmt.Sprintf("%s%d", name, n))
	}
	named = named[:min(len(named), valuesEach)]
	total := zipfSum(float64(count), t.Skew)
	rest := 1.0
	var out []share
	for i, v := range named {
		w := zipfSum(float64(i+1), t.Skew) - zipfSum(float64(i), t.Skew)
		out = append(out, share{v, w / total, 1})
		rest -= w / total
	}
	if left := count - int64(len(named)); left > 0 {
		out = append(out, share{fmt.Sprintf("%s%d", name, count), max(0, rest), float64(left)})
	}
	return out
}

// zipfSum is the sum of 1/k^s for k up to n: exact up to 1,000, an integral
// beyond.
func zipfSum(n, s float64) float64 {
	const exact = 1_000
	if s == 0 {
		return n
	}
	power := func(x, y float64) float64 { return exp(float64(y * math.Log(x))) }
	sum := 0.0
	for k := 1.0; k <= min(n, exact); k++ {
		sum += power(k, -s)
	}
	if n > exact {
		if s == 1 {
			return sum + math.Log(n/exact)
		}
		return sum + (power(n, 1-s)-power(exact, 1-s))/(1-s)
	}
	return sum
}

// literals are the words that filters, sources and streams have in a place of
// a subject, in the order of the design.
func (b *builder) literals(p *design.Publisher, at int) (out []string) {
	pattern := subject.Tokens(p.Subject)
	add := func(filter string) {
		tokens := subject.Tokens(filter)
		if len(tokens) <= at || strings.ContainsAny(tokens[at], "*>{") {
			return
		}
		for i, t := range tokens[:at] {
			if t == ">" || t != "*" && i < len(pattern) && !strings.Contains(pattern[i], "{") && t != pattern[i] {
				return
			}
		}
		if w, ok := inPlaceholder(pattern[at], tokens[at]); ok && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	for _, h := range b.held {
		for _, s := range h.subjects {
			add(s)
		}
		for _, s := range h.Config.Sources {
			if s != nil {
				add(s.FilterSubject)
			}
		}
	}
	for _, c := range b.m.Consumers {
		for _, f := range c.FilterSubjects {
			add(f)
		}
	}
	return out
}

// inPlaceholder is what stands for the placeholder of a token such as dev-{id}
// when it reads as word.
func inPlaceholder(token, word string) (string, bool) {
	before, rest, _ := strings.Cut(token, "{")
	_, after, _ := strings.Cut(rest, "}")
	if strings.Contains(after, "{") || len(word) <= len(before)+len(after) {
		return "", false
	}
	if !strings.HasPrefix(word, before) || !strings.HasSuffix(word, after) {
		return "", false
	}
	return word[len(before) : len(word)-len(after)], true
}

func (b *builder) leaveOutOfPublisher(p *design.Publisher) {
	if p.TTL > 0 {
		b.say(design.Join(p.Path, "ttl"), "lifetimes of single messages are not simulated")
	}
	if p.Headers.Kind > design.DistConstant {
		b.say(design.Join(p.Path, "headers"), "taken as constant, at their mean")
	}
}

// addPublisher makes publishers of what a stream gets of one.
func (b *builder) addPublisher(h *heldStream, f *feed) error {
	total, keys := 0.0, 0.0
	for _, s := range f.shares {
		total, keys = total+s.weight, max(keys, s.keys)
	}
	if f.p.Rate <= 0 && len(f.p.Bursts) == 0 || total <= 0 {
		return nil
	}
	if keys > maxKeys {
		b.say(f.p.Path, "%s subjects that no filter tells apart are simulated as %s", size.FormatCount(keys), size.FormatCount(maxKeys))
	}
	payload, err := b.draw(f.p.Payload, ofSize)
	if err != nil {
		return fmt.Errorf("payload: %w", err)
	}
	header, err := b.headerBlock(f.p)
	if err != nil {
		return fmt.Errorf("headers: %w", err)
	}
	p := Publisher{Name: f.p.Name, Stream: h.name, Keys: int(min(keys, maxKeys)), Payload: payload, HeaderSize: header}
	weights := make([]float64, len(f.shares))
	for i, s := range f.shares {
		p.Subjects = append(p.Subjects, s.subject)
		weights[i] = s.weight / total
	}
	p.Pick = weighted(weights)
	repeats := 1 + f.p.Repeats
	peak := b.arrivals(&p, f, total*repeats)
	if f.p.MsgIDBytes > 0 && f.p.Repeats > 0 {
		p.MsgID = repeatingIDs(f.p.Repeats/repeats, streamKey(uint64(h.index), "repeats/"+f.p.Name))
	}
	b.answers(&p, f, h, peak)
	b.split(p, f)
	return nil
}

// repeatingIDs gives a share of the messages the id of the message before.
func repeatingIDs(share float64, key uint64) func(n uint64) uint64 {
	limit := uint64(share * math.MaxUint32)
	return func(n uint64) uint64 {
		for n > 1 && number(key, n)>>32 < limit {
			n--
		}
		return n
	}
}

// weighted draws an index with the given weights, which sum to 1; nil for one.
func weighted(weights []float64) Draw {
	if len(weights) < 2 {
		return nil
	}
	upTo := make([]uint32, len(weights))
	sum := 0.0
	for i, w := range weights {
		sum += w
		upTo[i] = uint32(min(sum*(1<<32), math.MaxUint32))
	}
	upTo[len(upTo)-1] = math.MaxUint32
	return func(u, _ uint64, _ int) int64 {
		i, _ := slices.BinarySearch(upTo, uint32(u>>32))
		return int64(i)
	}
}

// headerBlock is the size of a message's headers with the message id.
// Source: nats.go v1.55.0 nats.go headerBytes: NATS/1.0 and an empty line, and
// name, colon, space, value and line end of each field.
func (b *builder) headerBlock(p *design.Publisher) (int, error) {
	const frame, field = len("NATS/1.0\r\n\r\n"), len("Nats-Msg-Id: \r\n")
	d, err := b.draw(p.Headers, ofSize)
	if err != nil {
		return 0, err
	}
	n := int(math.Round(min(MeanOf(d), math.MaxInt32/4)))
	if p.MsgIDBytes > 0 {
		n += field + p.MsgIDBytes
	}
	if p.MsgIDBytes > 0 && p.Headers.Kind == design.DistAbsent {
		n += frame
	}
	return n, nil
}

// arrivals plans when messages are due, and gives the highest rate.
func (b *builder) arrivals(p *Publisher, f *feed, factor float64) (peak float64) {
	if times, ok := b.o.Arrivals[f.p.Name]; ok {
		p.Times = times
		return traceRate(times)
	}
	p.Phases, peak = b.phases(f, factor)
	return peak
}

// traceRate is the mean rate of a trace.
func traceRate(times []time.Duration) float64 {
	if len(times) < 2 || times[len(times)-1] <= times[0] {
		return 0
	}
	return float64(len(times)-1) / (times[len(times)-1] - times[0]).Seconds()
}
