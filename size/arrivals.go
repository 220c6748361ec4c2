package size

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/design"
	"weir/subject"
)

// flow is messages of one kind on their way: a publisher's, or what a mirror or
// source copies of them. Subjects are kept as tokens with their values, so that a
// pattern can say what share of the messages it takes.
type flow struct {
	from   string // design path of the publisher
	tokens []tokenSet
	rate   float64 // messages a second outside bursts
	bursts []Burst // in place of rate
	// hours is the shape of a day, 24 weights of a mean of one; nil for an even day.
	hours []float64
	// header is the block without a message id's, payload and id are lengths.
	header, payload, id float64
	compresses          float64 // of the payload, 1 when unknown
	mode                PublishMode
	inFlight            float64
}

// tokenSet is the values of one token of a subject.
type tokenSet struct {
	named []string
	// count is how many values there are, the named ones included.
	count float64
	skew  float64 // Zipf exponent
	// weights are the shares of the named values, nil where skew gives them.
	weights []float64
	// guessed says that the shares are only what they would be on average.
	guessed bool
	// length is the mean length in bytes.
	length float64
}

// mostNamed bounds the examples of a token that are looked at one by one.
const mostNamed = 4096

func literalToken(s string) tokenSet {
	return tokenSet{named: []string{s}, count: 1, length: float64(len(s))}
}

// weight is the share of messages that carry the value of a rank, from 0.
func (t tokenSet) weight(rank int) float64 {
	switch {
	case rank < len(t.weights):
		return t.weights[rank]
	case t.count <= 1:
		return 1
	}
	if t.skew == 0 {
		return 1 / t.count
	}
	return math.Pow(float64(rank+1), -t.skew) / harmonic(t.count, t.skew)
}

// harmonic is the sum of k^-s for k to n: exact for the first thousand, then by
// the integral.
func harmonic(n, s float64) float64 {
	const exact = 1000
	v := 0.0
	for k := 1.0; k <= min(n, exact); k++ {
		v += math.Pow(k, -s)
	}
	switch {
	case n <= exact:
		return v
	case s == 1:
		return v + math.Log((n+0.5)/(exact+0.5))
	}
	return v + (math.Pow(n+0.5, 1-s)-math.Pow(exact+0.5, 1-s))/(1-s)
}

// only narrows a token to one literal; share is what part of the messages has it.
func (t tokenSet) only(literal string) (one tokenSet, share float64) {
	for rank, v := range t.named {
		if v == literal {
			return tokenSet{named: t.named[rank : rank+1], count: 1, length: float64(len(literal))}, t.weight(rank)
		}
	}
	if float64(len(t.named)) < t.count {
		// One of the values that nobody named.
		return literalToken(literal), t.weight(len(t.named))
	}
	return tokenSet{}, 0
}

// knows reports whether the share of the messages that carry a literal follows
// from what is written, and is not one of values that nobody named.
func (t tokenSet) knows(literal string) bool {
	return !t.guessed && (float64(len(t.named)) >= t.count || slices.Contains(t.named, literal))
}

// concentration is the sum of the squares of all shares: 1/count for an even set,
// 1 for a single value.
func (t tokenSet) concentration() float64 {
	switch {
	case len(t.weights) > 0:
		sum := 0.0
		for _, w := range t.weights {
			sum += w * w
		}
		return sum
	case t.count <= 1 || t.skew == 0:
		return 1 / max(t.count, 1)
	}
	h := harmonic(t.count, t.skew)
	return harmonic(t.count, 2*t.skew) / (h * h)
}

// flowOf is what a publisher sends.
func flowOf(p *design.Publisher) flow {
	f := flow{from: p.Path, rate: clamp(p.Rate), payload: clamp(p.Payload.MeanValue()), id: float64(max(p.MsgIDBytes, 0)),
		compresses: p.CompressesTo, mode: PublishMode(p.Mode), inFlight: float64(max(p.InFlight, p.Batch, 1)) * float64(max(p.Count, 1))}
	if f.compresses <= 0 || f.compresses > 1 {
		f.compresses = 1
	}
	if p.MsgIDBytes == 0 && p.Repeats > 0 {
		// Nothing tells the repetition from the first: both are stored.
		f.rate *= 1 + min(p.Repeats, 1)
	}
	f.header = clamp(p.Headers.MeanValue())
	if p.TTL > 0 {
		block := HeaderBlock(HeaderField{"Nats-TTL", p.TTL.String()})
		if f.header > 0 {
			block -= len("NATS/1.0\r\n\r\n")
		}
		f.header += float64(block)
	}
	f.hours = dayOf(p.Hours)
	for _, b := range p.Bursts {
		f.bursts = append(f.bursts, burstOf(b))
	}
	for _, word := range strings.Split(p.Subject, ".") {
		f.tokens = append(f.tokens, tokensOf(p, word))
	}
	return f
}

// dayOf brings the weights of a day's hours to a mean of one; nil where they are
// not 24, or all zero.
func dayOf(hours []float64) []float64 {
	total := 0.0
	for _, h := range hours {
		total += clamp(h)
	}
	if len(hours) != 24 || total == 0 {
		return nil
	}
	out := make([]float64, 24)
	for i, h := range hours {
		out[i] = clamp(h) * 24 / total
	}
	return out
}

// RateOf is how fast a publisher sends, all its processes together: with its
// bursts, the shape of its day, and the repetitions that nothing removes. A burst
// that does not come again is taken to come again after 292 years.
func RateOf(p *design.Publisher) Rate { return flowOf(p).rateOf() }

// rateOf is a flow's rate.
func (f flow) rateOf() Rate { return Rate{Mean: f.rate, Bursts: f.bursts, Hours: f.hours} }

// addHours adds a flow's hours to those of others that come to a rate so far.
func addHours(all []float64, rate float64, f flow) []float64 {
	if all == nil && f.hours == nil {
		return nil
	}
	out := make([]float64, 24)
	for i := range out {
		have, more := 1.0, 1.0
		if all != nil {
			have = all[i]
		}
		if f.hours != nil {
			more = f.hours[i]
		}
		out[i] = (have*rate + more*f.rate) / max(rate+f.rate, 1e-12)
	}
	return out
}

// burstOf is a design's burst. One that does not come again is taken to come
// again after the longest time that can be written.
func burstOf(b design.Burst) Burst {
	every := b.Every
	if every <= 0 {
		every = time.Duration(math.MaxInt64)
	}
	long := min(max(b.For, 0), every)
	return Burst{Rate: clamp(b.Rate), For: long, Every: every}
}

// tokensOf is the values of one token of a publisher's subject, which may be a
// literal, a placeholder, or text around placeholders.
func tokensOf(p *design.Publisher, word string) tokenSet {
	out := literalToken(word)
	for i := range p.Tokens {
		t := &p.Tokens[i]
		hole := "{" + t.Name + "}"
		if !strings.Contains(word, hole) {
			continue
		}
		count := clamp(float64(max(t.Count, int64(len(t.Examples)), 1)))
		values := t.Examples
		next := tokenSet{count: out.count * count, skew: t.Skew, length: out.length - float64(len(hole)) + valueLength(t)}
		for _, base := range out.named {
			for _, v := range values[:min(len(values), mostNamed/max(len(out.named), 1))] {
				next.named = append(next.named, strings.Replace(base, hole, v, 1))
			}
		}
		out = next
	}
	return out
}

// valueLength is the mean length of a token's values. Values that are only
// counted are taken to be called by the token's name and a number.
func valueLength(t *design.Token) float64 {
	total := 0.0
	for _, v := range t.Examples {
		total += float64(len(v))
	}
	named := float64(len(t.Examples))
	rest := float64(t.Count) - named
	if rest > 0 {
		total += rest * (float64(len(t.Name)) + meanDigits(float64(t.Count)))
	}
	return total / max(named+max(rest, 0), 1)
}

// meanDigits is the mean number of digits of the numbers from 1 to n.
func meanDigits(n float64) float64 {
	total, from := 0.0, 1.0
	for digits := 1.0; from <= n; digits++ {
		to := min(from*10-1, n)
		total += digits * (to - from + 1)
		from *= 10
	}
	return total / max(n, 1)
}

// matched is the share of a flow's messages whose subjects a pattern matches.
func (f flow) matched(pattern string) float64 {
	share, i := 1.0, 0
	for w := range strings.SplitSeq(pattern, ".") {
		if i >= len(f.tokens) {
			return 0
		}
		if w == ">" {
			return share
		}
		if w != "*" {
			_, part := f.tokens[i].only(w)
			share *= part
		}
		if share == 0 {
			return 0
		}
		i++
	}
	if i < len(f.tokens) {
		return 0
	}
	return share
}

// knows reports whether the share that a pattern matches is known and not assumed.
func (f flow) knows(pattern string) bool {
	i := 0
	for w := range strings.SplitSeq(pattern, ".") {
		if w == ">" || i >= len(f.tokens) {
			return true
		}
		if w != "*" && !f.tokens[i].knows(w) {
			return false
		}
		i++
	}
	return true
}

// take narrows a flow to what a pattern matches; share is the part of the
// messages.
func (f flow) take(pattern string) (narrowed flow, share float64) {
	if share = f.matched(pattern); share == 0 {
		return flow{}, 0
	}
	f.tokens = append([]tokenSet(nil), f.tokens...)
	i := 0
	for w := range strings.SplitSeq(pattern, ".") {
		if w == ">" {
			break
		}
		if w != "*" {
			f.tokens[i], _ = f.tokens[i].only(w)
		}
		i++
	}
	return f.scaled(share), share
}

// scaled is a part of a flow.
func (f flow) scaled(share float64) flow {
	f.rate *= share
	bursts := make([]Burst, len(f.bursts))
	for i, b := range f.bursts {
		b.Rate *= share
		bursts[i] = b
	}
	f.bursts = bursts
	return f
}

// subjects is how many distinct subjects a flow has.
func (f flow) subjects() float64 {
	n := 1.0
	for _, t := range f.tokens {
		n *= max(t.count, 1)
	}
	return min(n, maxInput)
}

// pattern is a flow's subject with * for every token that varies.
func (f flow) pattern() string {
	words := make([]string, len(f.tokens))
	for i, t := range f.tokens {
		words[i] = "*"
		if t.count == 1 && len(t.named) == 1 {
			words[i] = t.named[0]
		}
	}
	return strings.Join(words, ".")
}

// subjectLength is the mean length of a flow's subjects.
func (f flow) subjectLength() float64 {
	n := float64(max(len(f.tokens)-1, 0))
	for _, t := range f.tokens {
		n += t.length
	}
	return n
}

// headerBlock is the mean header block, the message id's included.
func (f flow) headerBlock() float64 {
	if f.id == 0 {
		return f.header
	}
	added, alone := MsgIDHeader(int(f.id))
	if f.header == 0 {
		return float64(alone)
	}
	return f.header + float64(added)
}

// shape says how a flow's subjects differ: random when examples of the last token
// that varies look like keys, and what follows that token.
func (f flow) shape() (shape KeyShape, key, shared float64) {
	last := -1
	for i, t := range f.tokens {
		if t.count > 1 {
			last = i
		}
	}
	if last < 0 {
		return Sequential, 0, 0
	}
	for _, t := range f.tokens[last+1:] {
		shared += t.length + 1
	}
	t := f.tokens[last]
	if len(t.named) > 0 && t.length >= randomKey && t.count > float64(len(t.named)) {
		return Random, t.length, shared
	}
	return Sequential, 0, shared
}

// randomKey is the length from which on examples of a token are taken for random
// keys: half a UUID.
const randomKey = 16

// transformed is a flow under another subject: destination holds wildcards of the
// source as $1 or {{wildcard(1)}}. Other functions make one token each; exact says
// that there was none.
func (f flow) transformed(source, destination string) (out flow, exact bool) {
	var wild []tokenSet
	words := strings.Split(source, ".")
	var rest []tokenSet
	for i, w := range words {
		switch {
		case i >= len(f.tokens):
		case w == "*":
			wild = append(wild, f.tokens[i])
		case w == ">" && i == len(words)-1:
			rest = f.tokens[i:]
		}
	}
	out, exact = f, true
	out.tokens = nil
	for _, w := range strings.Split(destination, ".") {
		n, ok := wildcardNumber(w)
		switch {
		case w == ">":
			out.tokens = append(out.tokens, rest...)
		case ok && n >= 1 && n <= len(wild):
			out.tokens = append(out.tokens, wild[n-1])
		case strings.HasPrefix(w, "{{"):
			exact = false
			out.tokens = append(out.tokens, f.functionToken(w, wild))
		default:
			out.tokens = append(out.tokens, literalToken(w))
		}
	}
	return out, exact
}

// functionToken is what a mapping function makes: a partition is one of so many
// numbers, anything else is taken to be as long as an average token. wild are the
// tokens that the source's wildcards match.
func (f flow) functionToken(w string, wild []tokenSet) tokenSet {
	name, rest, _ := strings.Cut(strings.TrimPrefix(w, "{{"), "(")
	if !strings.EqualFold(strings.TrimSpace(name), "partition") {
		return tokenSet{count: 1, length: f.subjectLength() / float64(max(len(f.tokens), 1)), guessed: true}
	}
	args := strings.Split(strings.TrimRight(rest, ")} "), ",")
	n, err := strconv.Atoi(strings.TrimSpace(args[0]))
	if err != nil || n <= 0 {
		return tokenSet{count: 1, length: 1, guessed: true}
	}
	keys := f.tokens // of the whole subject
	if len(args) > 1 {
		keys = nil
		for _, arg := range args[1:] {
			if k, err := strconv.Atoi(strings.TrimSpace(arg)); err == nil && k >= 1 && k <= len(wild) {
				keys = append(keys, wild[k-1])
			}
		}
	}
	return partitioned(keys, n, len(args) == 1)
}

// evenWithin is how far the shares of partitions may be from even, as a standard
// deviation, for them to be told as even.
const evenWithin = 0.1

// partitioned is the token that the server makes of n partitions: the shares
// that the keys' own hashes give where all keys are named, else even ones.
func partitioned(keys []tokenSet, n int, subjects bool) tokenSet {
	out := tokenSet{count: float64(n), length: max(meanDigits(float64(n-1)), 1)}
	if n > mostNamed {
		out.guessed = true
		return out
	}
	for i := range n {
		out.named = append(out.named, strconv.Itoa(i))
	}
	product, spread, all := 1.0, 1.0, true
	for _, t := range keys {
		product *= t.count
		spread *= t.concentration()
		all = all && float64(len(t.named)) >= t.count && !t.guessed
	}
	if !all || product > mostNamed {
		// Hashes fall as if at random: the variance of a share, by its square, is
		// (n-1) times the sum of the keys' squared shares.
		out.guessed = float64(n-1)*spread > evenWithin*evenWithin
		return out
	}
	between := ""
	if subjects {
		between = "."
	}
	out.weights = make([]float64, n)
	spreadKeys(keys, n, between, "", 1, out.weights)
	return out
}

// spreadKeys adds the share of every key to its partition.
func spreadKeys(keys []tokenSet, n int, between, key string, share float64, to []float64) {
	if len(keys) == 0 {
		to[subject.PartitionOf(strings.TrimSuffix(key, between), n)] += share
		return
	}
	for rank, v := range keys[0].named {
		spreadKeys(keys[1:], n, between, key+v+between, share*keys[0].weight(rank), to)
	}
}

// wildcardNumber reads $1 or {{wildcard(1)}}.
func wildcardNumber(w string) (int, bool) {
	if s, ok := strings.CutPrefix(w, "$"); ok {
		n, err := strconv.Atoi(s)
		return n, err == nil
	}
	s := strings.ToLower(strings.ReplaceAll(w, " ", ""))
	s, a := strings.CutPrefix(s, "{{wildcard(")
	s, b := strings.CutSuffix(s, ")}}")
	n, err := strconv.Atoi(s)
	return n, a && b && err == nil
}

// clamp keeps what a design says within what is counted with.
func clamp(v float64) float64 {
	if math.IsNaN(v) || v < 0 {
		return 0
	}
	return min(v, maxInput)
}
