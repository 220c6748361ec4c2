package topology

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/size"
)

// copied is a mirror or source on its way to an edge.
type copied struct {
	from, into string
	flow       Flow
	subject    string
}

// scope adds what one account or leaf node has.
func (b *builder) scope(s *design.Scope) {
	where := whereLines(s)
	byName := map[string]string{}
	for _, st := range s.Streams {
		byName[st.Name] = st.Path
		b.stream(st.Path, st.Name, Stream, "", &st.Config, where, st.Assumed)
		b.consumers(st)
	}
	for _, k := range s.KV {
		byName[k.Stream] = k.Path
		b.stream(k.Path, k.Name, Stream, "KV", &k.Config, append(bucketLines(k), where...), false)
	}
	for _, k := range s.Objects {
		byName[k.Stream] = k.Path
		b.stream(k.Path, k.Name, Stream, "objects", &k.Config, append(bucketLines(k), where...), false)
	}
	for _, st := range s.Streams {
		b.origins(st, byName)
	}
	for _, p := range s.Subscribers {
		b.subscriber(p, where)
	}
	for _, p := range s.Publishers {
		b.publisher(s, p, where)
	}
}

func whereLines(s *design.Scope) []Line {
	var at []string
	if s.Account != "" && s.Account != design.Hub {
		at = append(at, "account "+s.Account)
	}
	if s.Leafnode != "" {
		at = append(at, "leaf node "+s.Leafnode)
	}
	if len(at) == 0 {
		return nil
	}
	return []Line{{Text: strings.Join(at, ", ")}}
}

// mostSubjects is how many subjects a node lists.
const mostSubjects = 4

func subjectLines(subjects []string, most int) []Line {
	var out []Line
	for i, s := range subjects {
		if i == most {
			return append(out, Line{Text: "and " + size.FormatCount(float64(len(subjects)-most)) + " more"})
		}
		out = append(out, Line{Text: s, As: "subject"})
	}
	return out
}

func (b *builder) stream(path, name string, kind Kind, tag string, c *api.StreamConfig, where []Line, assumed bool) {
	b.heads[Stream]++
	n := Node{Kind: kind, Name: name, Path: path, Band: path, Tags: streamTags(tag, c)}
	subjects := c.Subjects
	if len(subjects) == 0 && c.Mirror == nil && len(c.Sources) == 0 && tag == "" {
		subjects = []string{c.Name}
	}
	if tag == "" {
		n.Lines = subjectLines(subjects, mostSubjects)
	}
	if z := b.sized[path]; z != nil && len(z.Arrivals) > 0 {
		n.Lines = append(n.Lines, steadyLines(z, c)...)
	} else {
		for _, f := range streamFacts(c) {
			n.Lines = append(n.Lines, Line{Text: f})
		}
	}
	n.Level = levelOf(b.sized[path])
	n.Lines = append(n.Lines, where...)
	if assumed {
		n.Lines = append(n.Lines, Line{Text: "in none of the files: assumed"})
	}
	b.add(n)
}

func streamTags(tag string, c *api.StreamConfig) []string {
	if tag == "" {
		tag = strings.ToLower(c.Retention.String())
	}
	out := []string{tag}
	if c.Storage == api.MemoryStorage {
		out = append(out, "memory")
	}
	if c.Compression == api.S2Compression {
		out = append(out, "S2")
	}
	return append(out, "R"+strconv.Itoa(max(1, c.Replicas)))
}

func bucketLines(k *design.Bucket) []Line {
	var out []Line
	if k.Keys > 0 {
		out = append(out, Line{Text: size.Counted(int(k.Keys), "key", "keys")})
	}
	var flow []string
	if k.Writes > 0 {
		flow = append(flow, rateText(k.Writes)+" written")
	}
	if k.Reads > 0 {
		flow = append(flow, rateText(k.Reads)+" read")
	}
	if len(flow) > 0 {
		out = append(out, Line{Text: strings.Join(flow, ", ")})
	}
	return out
}

// origins notes what a stream copies. Size knows origins in other scopes too.
func (b *builder) origins(s *design.Stream, byName map[string]string) {
	add := func(flow Flow, src *api.StreamSource) {
		if src == nil {
			return
		}
		from := byName[src.Name]
		if z := b.sized[s.Path]; from == "" && z != nil {
			for _, a := range z.Arrivals {
				for _, path := range []string{a.Via, a.From} {
					if steps := design.Split(path); len(steps) > 1 && steps[len(steps)-2] == "streams" && steps[len(steps)-1] == src.Name {
						from = path
					}
				}
			}
		}
		if from != "" {
			b.copied = append(b.copied, copied{from, s.Path, flow, src.FilterSubject})
		}
	}
	add(Mirror, s.Config.Mirror)
	for _, src := range s.Config.Sources {
		add(Source, src)
	}
}

// copies joins streams with what they copy.
func (b *builder) copies() {
	for _, c := range b.copied {
		rate := 0.0
		if z := b.sized[c.into]; z != nil {
			for _, a := range z.Arrivals {
				if a.Via == c.from || a.Via == "" && a.From == c.from {
					rate += a.Rate.Value
				}
			}
		}
		text := string(c.flow)
		if rate > 0 {
			text += " " + rateText(rate)
		}
		b.join(Edge{From: c.from, To: c.into, Flow: c.flow, Rate: rate, Text: text, Subject: c.subject})
	}
}

func (b *builder) consumers(s *design.Stream) {
	for _, c := range s.Consumers {
		b.heads[Consumer]++
		for _, w := range c.Workers {
			b.workers += w.Count
		}
	}
	if b.fold && !b.o.All && len(s.Consumers) > 1 && !slices.Contains(b.o.Open, s.Path) {
		b.folded(s)
		return
	}
	for _, c := range s.Consumers {
		b.consumer(s, c)
	}
}

// folded is one node for all consumers of a stream.
func (b *builder) folded(s *design.Stream) {
	b.g.Folded = true
	n := Node{ID: design.Join(s.Path, "consumers"), Kind: Consumers, Path: design.Join(s.Path, "consumers"), Band: s.Path, Name: size.Counted(len(s.Consumers), "consumer", "consumers")}
	workers, rate, behind := 0, 0.0, 0
	for _, c := range s.Consumers {
		for _, w := range c.Workers {
			workers += w.Count
		}
		if u := b.use(c); u != nil {
			rate += u.Arriving.Value
			if u.Utilisation.Value >= 1 {
				behind++
			}
		}
	}
	n.Lines = append(n.Lines, Line{Text: size.Counted(workers, "worker", "workers")})
	if behind > 0 {
		n.Lines = append(n.Lines, Line{Text: size.FormatCount(float64(behind)) + " of them falling behind", As: "error"})
	}
	if b.add(n) {
		b.join(Edge{From: s.Path, To: n.ID, Flow: Deliver, Rate: rate, Text: rateText(rate)})
	}
}

// use is what size says of a consumer, nil when it says nothing.
func (b *builder) use(c *design.Consumer) *size.DesignConsumer {
	z := b.sized[design.Parent(design.Parent(c.Path))]
	if z == nil {
		return nil
	}
	for i := range z.Consumers {
		if z.Consumers[i].Path == c.Path {
			return &z.Consumers[i]
		}
	}
	return nil
}

func (b *builder) consumer(s *design.Stream, c *design.Consumer) {
	n := Node{Kind: Consumer, Name: c.Name, Path: c.Path, Band: s.Path}
	filters := c.Config.FilterSubjects
	if c.Config.FilterSubject != "" {
		filters = append([]string{c.Config.FilterSubject}, filters...)
	}
	if n.Lines = subjectLines(filters, 2); len(filters) == 0 {
		n.Lines = []Line{{Text: "all of " + s.Name}}
	}
	for _, f := range consumerFacts(&c.Config) {
		n.Lines = append(n.Lines, Line{Text: f})
	}
	if !b.add(n) {
		return
	}
	rate, known := 0.0, false
	if u := b.use(c); u != nil && len(b.sized[s.Path].Arrivals) > 0 {
		rate, known = u.Arriving.Value, true
	}
	e := Edge{From: s.Path, To: c.Path, Flow: Deliver, Rate: rate}
	if known {
		e.Text = rateText(rate)
	}
	b.join(e)
	if len(c.Workers) > 0 {
		b.work(s, c, rate)
	}
}

func (b *builder) work(s *design.Stream, c *design.Consumer, rate float64) {
	n := Node{ID: design.Join(c.Path, "workers"), Kind: Workers, Path: design.Join(c.Path, "workers"), Band: s.Path}
	for _, w := range c.Workers {
		n.Vessels += w.Count
	}
	n.Name = size.Counted(n.Vessels, "worker", "workers")
	for _, f := range workFacts(c.Workers) {
		n.Lines = append(n.Lines, Line{Text: f})
	}
	if u := b.use(c); u != nil && u.Utilisation.Value > 0 && u.Capacity.Value < size.Limit {
		n.Level = &Level{Share: u.Utilisation.Value, Text: busyText(u.Utilisation.Value)}
		n.Name = n.Level.Text
		if u.Utilisation.Value >= 1 {
			n.Lines = append(n.Lines, Line{Text: "falls behind", As: "error"})
		}
	}
	if b.add(n) {
		b.join(Edge{From: c.Path, To: n.ID, Flow: Work, Rate: rate})
	}
}

func (b *builder) subscriber(s *design.Subscriber, where []Line) {
	b.heads[Subscriber]++
	n := Node{Kind: Subscriber, Name: s.Name, Path: s.Path, Lines: []Line{{Text: s.Subject, As: "subject"}}}
	if s.Queue != "" {
		n.Lines = append(n.Lines, Line{Text: "queue " + s.Queue})
	}
	if s.Count > 1 {
		n.Lines = append(n.Lines, Line{Text: size.Counted(s.Count, "process", "processes")})
	}
	n.Lines = append(n.Lines, where...)
	b.add(n)
}
