package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"weir/design"
	"weir/size"
)

// Severities of a Finding.
const (
	severityWarning = "warning"
	severityInfo    = "info"
)

// findings says in plain language what the run shows, warnings first.
func (m *Model) findings(a *Answer, r *Result) []Finding {
	f := &finder{m: m, a: a, r: r}
	fl := fluid{w: &m.Workload, until: m.Until, step: float64(m.Until) / estimateSteps}
	for i := range m.Consumers {
		f.fluid = append(f.fluid, fl.consumer(&m.Consumers[i]))
	}
	f.circles()
	f.late()
	for i := range m.Consumers {
		f.consumer(i)
	}
	for i := range m.Streams {
		f.stream(i)
	}
	slices.SortStableFunc(f.out, func(x, y Finding) int { return strings.Compare(y.Severity, x.Severity) })
	return f.out
}

// mostCircles is how many circles are named.
const mostCircles = 3

type finder struct {
	m     *Model
	a     *Answer
	r     *Result
	fluid []ConsumerEstimate
	out   []Finding
}

// circles names streams that pass messages round.
func (f *finder) circles() {
	for i, c := range f.m.Circles {
		if more := len(f.m.Circles) - i; i == mostCircles {
			f.say(severityWarning, c.Path, "", "%s go round in the same way", size.Counted(more, "other circle", "other circles"))
			break
		}
		f.say(severityWarning, c.Path, "send to a subject, or copy from a stream, that none of them has", "what %s stores goes round without end (%s): every message is stored again and again, as fast as the servers can, and the figures here are of the first %d passes only",
			c.Streams[0], strings.Join(c.Streams, " -> "), deepestCopying)
	}
}

// late says which events of the scenario are not in the run.
func (f *finder) late() {
	for _, e := range f.m.Late {
		enough := design.FormatDuration(int64(2 * (e.At + e.For)))
		f.say(severityWarning, e.Path, "simulate "+enough, "%s begins at %s, and the run ends at %s: these figures have nothing of it",
			e.Text, size.FormatDuration(e.At), size.FormatDuration(f.m.Until))
	}
}

func (f *finder) say(severity, path, advice, format string, args ...any) {
	f.out = append(f.out, Finding{severity, path, sentence(fmt.Sprintf(format, args...)), sentence(advice)})
}

// sentence has a capital and a full stop.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	if c := s[0]; c >= 'a' && c <= 'z' && !strings.Contains(strings.SplitN(s, " ", 2)[0], "_") {
		s = string(c-'a'+'A') + s[1:]
	}
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

func (f *finder) value(i int, name string) float64 {
	x, _ := f.a.Consumers[i].Figure(name)
	return x.Value
}

func (f *finder) text(i int, name string) string {
	x, _ := f.a.Consumers[i].Figure(name)
	return x.Text
}

// crew is who works on a consumer.
type crew struct {
	count    int // of all groups at the start
	handlers int
	groups   []*WorkerGroup
}

func (m *Model) crew(i int) (c crew) {
	for k := range m.Workers {
		g := &m.Workers[k]
		if g.Stream != m.Consumers[i].Stream || g.Consumer != m.Consumers[i].Name {
			continue
		}
		c.groups = append(c.groups, g)
		if g.Start == 0 {
			c.count += g.Count
			c.handlers += g.Count * max(1, g.Concurrency)
		}
	}
	return c
}

func (f *finder) consumer(i int) {
	c := f.m.crew(i)
	path := f.m.ConsumerPaths[i]
	if len(c.groups) == 0 {
		if n := f.value(i, "pending_end"); n > 0 {
			f.say(severityWarning, path, "write workers for it, or remove it", "nobody works on %s: %s are pending at the end of the run", f.a.Consumers[i].Name, size.FormatCount(n))
		}
		return
	}
	f.floor(i)
	f.load(i, c)
	f.batches(i, c)
	f.twice(i, c)
	f.stalled(i, c)
	name := f.a.Consumers[i].Name
	f.lost(i)
	if n := f.value(i, "stranded"); n > 0 {
		f.say(severityWarning, design.Join(path, "max_deliver"), "listen to the MAX_DELIVERIES advisory and move them aside, or raise max_deliver",
			"%s of %s reach max_deliver and stay in the stream, delivered to nobody any more", size.Messages.Format(n), name)
	}
	if n := f.value(i, "dropped"); n > 0 {
		f.say(severityWarning, path, "use a pull consumer, or flow_control with idle_heartbeat", "client libraries drop %s of %s because handlers are slower than what is pushed", size.Messages.Format(n), name)
	}
	if n := f.value(i, "slow_consumers"); n > 0 {
		f.say(severityWarning, path, "ask for fewer bytes at once (fetch_bytes), or set max_ack_pending", "the server closes connections of %s %s times as slow consumer", name, size.FormatCount(n))
	}
}

// lost says where messages go that nobody handles.
func (f *finder) lost(i int) {
	c, path, name := f.r.Consumers[i], f.m.ConsumerPaths[i], f.a.Consumers[i].Name
	of := func(n int64) (string, string) {
		return size.Messages.Format(float64(n)), size.Share.Format(ratio(float64(n), float64(c.arrived())))
	}
	if n, share := of(c.LostUnread); c.LostUnread > 0 && c.LostUnread == c.Replaced {
		f.say(severityInfo, path, "", "%s of %s are replaced by a newer one of their subject before they are delivered: max_msgs_per_subject keeps no more", n, name)
	} else if c.LostUnread > 0 {
		f.say(severityWarning, path, "raise the stream's limits to hold the backlog, or let discard new refuse what does not fit",
			"%s loses %s (%s) that limits or age remove before they are delivered", name, n, share)
	}
	const explicit = "set ack_policy explicit: what is not acked comes again after ack_wait"
	path = design.Join(path, "ack_policy")
	if n, share := of(c.LostHeld); c.LostHeld > 0 {
		f.say(severityWarning, path, explicit,
			"%s loses %s (%s) that workers or their client libraries hold when they end: under ack_policy none nobody is given them again", name, n, share)
	}
	if n, share := of(c.LostFailed); c.LostFailed > 0 {
		f.say(severityWarning, path, explicit, "%s loses %s (%s) whose handlers fail: under ack_policy none a nak means nothing", name, n, share)
	}
}

// load says how the workers stand to what arrives.
func (f *finder) load(i int, c crew) {
	e, path, name := f.fluid[i], design.Join(f.m.ConsumerPaths[i], "workers"), f.a.Consumers[i].Name
	if e.Rate == 0 || e.Capacity == 0 {
		return
	}
	saturate := fmt.Sprintf("%s of %s saturate at %s%s", workersText(c), name, size.PerSecond.Format(e.Capacity), f.handlersAlone(i, e.Capacity))
	if e.Usual >= e.Capacity {
		f.say(severityWarning, path, f.countAdvice(i, c, false),
			"%s and %s arrive: pending grows by %s an hour, %s at the end of the run", saturate, size.PerSecond.Format(e.Usual),
			size.Messages.Format((e.Usual-e.Capacity)*time.Hour.Seconds()), size.FormatCount(f.value(i, "pending_end")))
		return
	}
	if mark, rec, ok := f.worstMark(i); ok {
		limit := f.patience(i, mark)
		if rec.Took >= 0 && rec.Took <= limit {
			f.say(severityInfo, path, "", "%s; the %s leaves %s, and %s is level again %s after it", saturate, markText(mark), size.Messages.Format(rec.Peak), name, size.FormatSeconds(rec.Took))
			return
		}
		took := "which are not drained within the run"
		if rec.Took >= 0 {
			took = "drained after " + size.FormatSeconds(rec.Took)
		}
		f.say(severityWarning, path, f.countAdvice(i, c, true), "%s; the %s leaves %s, %s", saturate, markText(mark), size.Messages.Format(rec.Peak), took)
		return
	}
	f.say(severityInfo, path, "", "%s and %s arrive: they are busy %s of the time, latency p99 is %s", saturate, size.PerSecond.Format(e.Rate), f.text(i, "utilisation"), f.text(i, "latency_p99"))
}

// handlersAlone says what a consumer's handlers take where it is clearly more than
// its workers do, because handlers wait while the next batch is asked for: package
// size counts it so.
func (f *finder) handlersAlone(i int, capacity float64) string {
	const clearly, same = 0.97, 0.01
	fl := fluid{w: &f.m.Workload}
	alone, asked := 0.0, 0.0
	for k := range f.m.Workers {
		g := &f.m.Workers[k]
		if g.Stream != f.m.Consumers[i].Stream || g.Consumer != f.m.Consumers[i].Name || g.Start != 0 {
			continue
		}
		p := fl.pace(k)
		alone += float64(g.Count) * float64(max(1, g.Concurrency)) / max(p.service, 1) * 1e9
		asked += float64(g.Count) * p.rate * 1e9
	}
	if capacity >= clearly*alone || math.Abs(asked-capacity) > same*capacity {
		return ""
	}
	return fmt.Sprintf(" (their handlers alone take %s, as weir size counts: they wait while the next batch is asked for)", size.PerSecond.Format(alone))
}

// batches says where handlers wait for the slowest message of their batch.
func (f *finder) batches(i int, c crew) {
	const wasteful = 0.7 // of the handlers' own rate
	g := c.groups[0]
	if g.Mode != ModeFetch || g.Concurrency < 2 || f.fluid[i].Utilisation < 0.5 {
		return
	}
	fl := fluid{w: &f.m.Workload}
	for k := range f.m.Workers {
		if &f.m.Workers[k] != g {
			continue
		}
		p := fl.pace(k)
		free := float64(g.Concurrency) / p.service
		if p.rate >= wasteful*free {
			return
		}
		f.say(severityWarning, design.Join(f.m.ConsumerPaths[i], "workers"),
			"ask for the next messages before the last ones are done (Consume in place of Fetch), or run more workers with less concurrency each",
			"a worker of %s asks for its next %s only when the slowest of the batch is done: its %s handlers take %s in place of %s", f.a.Consumers[i].Name,
			size.Messages.Format(float64(max(1, g.Batch))), size.FormatCount(float64(g.Concurrency)), size.PerSecond.Format(p.rate*1e9), size.PerSecond.Format(free*1e9))
	}
}

func workersText(c crew) string {
	if c.handlers > c.count {
		return fmt.Sprintf("%d handlers (count %d)", c.handlers, c.count)
	}
	return fmt.Sprintf("workers (count %d)", c.count)
}

// countAdvice is how many workers to have, for the goals and to keep up. Where
// there is no goal to say how long a backlog may last, as long as it took to grow.
func (f *finder) countAdvice(i int, c crew, backlog bool) string {
	m := *f.m
	m.Goals = slices.DeleteFunc(slices.Clone(m.Goals), func(g WantedGoal) bool { return m.floorOf(&g) != "" })
	if backlog && !slices.ContainsFunc(m.Goals, func(g WantedGoal) bool { return g.Consumer == i && (g.Name == "drain" || g.Name == "oldest_pending") }) {
		m.Goals = append(slices.Clone(m.Goals), WantedGoal{Name: "drain", Consumer: i, Limit: float64(f.longestBurst())})
	}
	n, ok := m.WorkersNeeded(i)
	switch {
	case !ok:
		return "more workers do not help: make messages quicker to handle, or raise max_ack_pending"
	case n.Count <= c.count:
		return ""
	}
	return fmt.Sprintf("raise count to %d: %s", n.Count, n.Why)
}

// longestBurst is the length of the longest one, and a minute at least.
func (f *finder) longestBurst() time.Duration {
	longest := time.Minute
	for _, k := range f.m.Marks {
		longest = max(longest, k.For)
	}
	return longest
}

func markText(m MarkAnswer) string {
	if m.For > 0 {
		return size.FormatSeconds(m.For) + " " + m.Text
	}
	return m.Text
}

// worstMark is the burst or fault that costs a consumer most, where it costs
// more than a moment.
func (f *finder) worstMark(i int) (mark MarkAnswer, rec RecoveryAnswer, ok bool) {
	clear := f.m.withoutFaults(i)
	for at, k := range f.a.Marks {
		for _, r := range k.Recoveries {
			if r.Consumer != f.a.Consumers[i].Name || r.Peak < f.fluid[i].Capacity || f.ofBurst(at, r, &clear) {
				continue
			}
			longer := rec.Took >= 0 && (r.Took < 0 || r.Took > rec.Took) || r.Took == rec.Took && r.Peak > rec.Peak
			if !ok || longer {
				mark, rec, ok = k, r, true
			}
		}
	}
	return mark, rec, ok
}

// ofBurst reports whether a fault in the midst of a burst has its backlog from that:
// without any fault, more than half of it is there as well.
func (f *finder) ofBurst(at int, r RecoveryAnswer, clear *ConsumerEstimate) bool {
	const half = 0.5
	k := f.m.Marks[at]
	gone := f.m.Until.Seconds()
	if r.Took >= 0 {
		gone = (k.At + k.For).Seconds() + r.Took
	}
	if k.Burst || clear.mostIn(k.At.Seconds(), gone, f.m.Until) < half*r.Peak {
		return false
	}
	return slices.ContainsFunc(f.m.Marks[:len(f.a.Marks)], func(b Mark) bool {
		return b.Burst && b.At.Seconds() <= gone && clear.overloadedIn(b.At, b.For, f.m.Until)
	})
}

// patience is how long a consumer may need after a mark: its goal, or as long as
// what happened took.
func (f *finder) patience(i int, mark MarkAnswer) float64 {
	limit := max(mark.For, time.Minute.Seconds())
	for _, g := range f.m.Goals {
		if g.Consumer == i && g.Name == "drain" {
			limit = time.Duration(g.Limit).Seconds()
		}
	}
	return limit
}

// drainAfter is when a fluid backlog is gone after what began at and lasted so
// many seconds, in seconds behind its end; +Inf for never.
func (e *ConsumerEstimate) drainAfter(at, lasted float64, until time.Duration) float64 {
	step := until.Seconds() / float64(len(e.Pending))
	end := at + lasted
	for k := int(end / step); k < len(e.Pending); k++ {
		if e.Pending[k] < 1 {
			return max(0, float64(k+1)*step-end)
		}
	}
	return math.Inf(1)
}

// twice says why messages are handled more than once.
func (f *finder) twice(i int, c crew) {
	share := f.value(i, "handled_twice")
	if share < 0.0001 {
		return
	}
	cfg := &f.m.Consumers[i]
	wait, setting := cfg.AckWait, "ack_wait"
	if wait <= 0 {
		wait = defaultAckWait
	}
	if len(cfg.BackOff) > 0 {
		wait, setting = cfg.BackOff[0], "backoff[0]"
	}
	held := time.Duration(0)
	for _, g := range c.groups {
		held = max(held, heldFor(g))
	}
	path := design.Join(f.m.ConsumerPaths[i], strings.TrimSuffix(setting, "[0]"))
	if held > wait {
		f.say(severityWarning, path, fmt.Sprintf("raise %s above %s, fetch fewer messages at once, or send in-progress for all that a worker holds", setting, size.FormatDuration(held)),
			"%s of the messages of %s are handled more than once: %s is %s, and a message may be held for %s, the rest of its batch included", f.text(i, "handled_twice"), f.a.Consumers[i].Name, setting, size.FormatDuration(wait), size.FormatDuration(held))
		return
	}
	f.say(severityWarning, path, "make handlers idempotent: redelivery is at least once", "%s of the messages of %s are handled more than once", f.text(i, "handled_twice"), f.a.Consumers[i].Name)
}

// heldFor is how long a worker holds the last message of a batch, as a bad case:
// handlers that work one behind the other, at the mean, and the last one at its
// 99.9th percentile.
func heldFor(g *WorkerGroup) time.Duration {
	ahead := 0.0
	if batch, hands := max(1, g.Batch), max(1, g.Concurrency); batch > hands {
		ahead = math.Ceil(float64(batch)/float64(hands)) - 1
	}
	return time.Duration(ahead*MeanOf(g.Service)) + quantile(g.Service, 0.999)
}

// quantile is a quantile of a distribution's steps.
func quantile(d Draw, p float64) time.Duration {
	if d == nil {
		return 0
	}
	values := make([]int64, quantileSteps)
	for i := range uint64(quantileSteps) {
		values[i] = d(i<<52|1<<51, i+1, 1)
	}
	slices.Sort(values)
	return time.Duration(values[min(quantileSteps-1, int(p*quantileSteps))])
}

// stalled says where max_ack_pending keeps workers idle.
func (f *finder) stalled(i int, c crew) {
	const noteworthy = 0.02
	if f.value(i, "stalled") < noteworthy || f.value(i, "utilisation") > 0.95 {
		return
	}
	limit := f.m.Consumers[i].MaxAckPending
	if limit == 0 {
		limit = defaultMaxAckPending
	}
	need := 0
	for _, g := range c.groups {
		need += g.Count * max(g.Batch, g.Concurrency, 1)
	}
	advice := ""
	if need > limit {
		advice = fmt.Sprintf("raise max_ack_pending to %d: what the workers hold at once", need)
	}
	f.say(severityWarning, design.Join(f.m.ConsumerPaths[i], "max_ack_pending"), advice,
		"max_ack_pending %d holds messages of %s back %s of the time", limit, f.a.Consumers[i].Name, f.text(i, "stalled"))
}

// stream says what the limits of a stream did.
func (f *finder) stream(i int) {
	s, cfg, path := f.r.Streams[i], &f.m.Streams[i], f.m.StreamPaths[i]
	refused, all := 0.0, 0.0
	for _, p := range f.r.Publishers {
		if p.Stream == s.Name {
			refused, all = refused+float64(p.GivenUp), all+float64(p.Messages)
		}
	}
	if refused > 0 {
		f.say(severityWarning, path, "raise the limit, drain faster, or let publishers retry for longer", "%s of the messages for %s (%s) are given up by their publishers",
			size.Share.Format(ratio(refused, all)), s.Name, size.FormatCount(refused))
	}
	full := ratio(float64(s.MaxBytes), float64(cfg.MaxBytes))
	const almost = 0.9
	if cfg.MaxBytes > 0 && full >= almost {
		what := "the oldest messages go"
		if cfg.DiscardNew {
			what = "publishers are refused"
		}
		f.say(severityInfo, design.Join(path, "max_bytes"), "", "%s is %s full within the run; at max_bytes %s", s.Name, size.Share.Format(full), what)
	}
}
