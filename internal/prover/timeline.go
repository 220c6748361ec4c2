package prover

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/prove"
)

// Timeline is what happened under one claim, drawn from the evidence alone.
// Places are shares of its width, from 0 to 1.
type Timeline struct {
	Title string `json:"title"`
	Label string `json:"label"` // as ShownClaim.Label
	Held  bool   `json:"held"`
	// Unfinished is as prove.Claim has it.
	Unfinished bool   `json:"unfinished"`
	Ticks      []Tick `json:"ticks"`
	Lanes      []Lane `json:"lanes"`
}

// Tick is a time on the axis, from the first step of the claim.
type Tick struct {
	At   float64 `json:"at"`
	Text string  `json:"text"`
}

// Lane is a row of a Timeline, or several where its texts would lie on each
// other.
type Lane struct {
	Name  string `json:"name"`
	Rows  int    `json:"rows"`
	Spans []Span `json:"spans"`
	Marks []Mark `json:"marks"`
}

// Span is a time in a Lane.
type Span struct {
	Row  int     `json:"row"` // of the lane, from 0
	From float64 `json:"from"`
	To   float64 `json:"to"`
	Text string  `json:"text"`
	// Kind is "wait" while ack_wait runs, "run" while a handler runs or a node leads,
	// "again" when a handler runs on a redelivery, "idle" while a node follows, "down"
	// while it is down or no PubAck comes, "acks" while they come, "window" while a
	// duplicate_window runs.
	Kind string `json:"kind"`
	// About is the whole sentence for a reader who cannot see it.
	About string `json:"about"`
}

// Mark is a moment in a Lane.
type Mark struct {
	Row int `json:"row"`
	// Before is set where Text stands before the mark: near the end.
	Before bool    `json:"before"`
	At     float64 `json:"at"`
	Text   string  `json:"text"`
	// Kind is "done", "step" (done, of those that are not published), "refused" (by the server), "bad" (not as expected), "signal"
	// (a signal of progress) or "fault" (something done to the servers).
	Kind  string `json:"kind"`
	About string `json:"about"`
}

// maxSpans bounds what is drawn of one lane; a longer one is not readable.
const maxSpans = 40

// timelines draws each claim that was reached.
func timelines(e *prove.Evidence) []Timeline {
	var out []Timeline
	for i, c := range e.Claims {
		if c.From == 0 {
			continue
		}
		steps := e.Steps[c.From-1 : c.To]
		w := window{from: steps[0].AtMS, to: lastOf(e, i)}
		t := Timeline{Title: c.Text, Held: c.Held, Unfinished: c.Unfinished, Ticks: w.ticks()}
		if c.Kind != "claim" {
			t.Label = c.Kind
		}
		events := slices.DeleteFunc(slices.Clone(e.Events), func(ev prove.Event) bool { return ev.AtMS < w.from || ev.AtMS > w.to })
		if lane := w.waits(events, configured(e.Steps[:c.To], "consumer ").AckWait); len(lane.Spans) > 0 {
			t.Lanes = append(t.Lanes, lane)
		}
		t.Lanes = append(t.Lanes, w.workers(events)...)
		published, others := w.published(steps)
		if lane := w.remembered(steps, configured(e.Steps[:c.To], "stream ").Window); len(lane.Spans) > 0 {
			t.Lanes = append(t.Lanes, lane)
		}
		if len(published.Marks) > 0 {
			t.Lanes = append(t.Lanes, published)
		}
		t.Lanes = append(t.Lanes, others)
		for i := range t.Lanes {
			t.Lanes[i].stack()
		}
		out = append(out, t)
	}
	return out
}

// charWidth is the share of a timeline's width that a character takes, for one
// of 800 px: what is narrower has texts that touch.
const charWidth = 7.0 / 800

// stack gives spans that overlap, and marks whose texts would, rows of their own.
// A mark without a text stands in the first row, and so do those beside spans,
// whose texts are not drawn.
func (l *Lane) stack() {
	var spans, texts rows
	for i := range l.Spans {
		s := &l.Spans[i]
		s.Row = spans.place(s.From, s.To)
	}
	for i := range l.Marks {
		m := &l.Marks[i]
		if m.Text == "" || len(l.Spans) > 0 {
			continue
		}
		length := float64(len(m.Text)+2) * charWidth
		from, to := m.At, m.At+length
		if m.Before = to > 1; m.Before {
			from, to = m.At-length, m.At
		}
		if m.Kind == "step" && !texts.hold(from) {
			m.Text = ""
			continue
		}
		m.Row = texts.place(from, to)
	}
	l.Rows = max(1, len(spans), len(texts))
}

// rows are the ends of what each row holds so far.
type rows []float64

// mostRows bounds what the texts of usual steps take.
const mostRows = 5

// hold reports whether a place is free within mostRows.
func (r rows) hold(from float64) bool {
	return len(r) < mostRows || slices.ContainsFunc(r, func(end float64) bool { return end <= from })
}

// place finds the first row that is free from a place on.
func (r *rows) place(from, to float64) int {
	for i, end := range *r {
		if end <= from {
			(*r)[i] = to
			return i
		}
	}
	*r = append(*r, to)
	return len(*r) - 1
}

// lastOf is when the claim with an index was over: when the next began, else
// with the last that happened.
func lastOf(e *prove.Evidence, claim int) int64 {
	for _, next := range e.Claims[claim+1:] {
		if next.From > 0 {
			return max(e.Steps[next.From-1].AtMS, e.Steps[e.Claims[claim].To-1].AtMS)
		}
	}
	last := e.Steps[e.Claims[claim].To-1].AtMS
	for _, ev := range e.Events {
		last = max(last, ev.AtMS)
	}
	return last
}

// window is the time that a Timeline shows, in ms since the run began.
type window struct{ from, to int64 }

func (w window) at(ms int64) float64 {
	if w.to <= w.from {
		return 0
	}
	return min(1, max(0, float64(ms-w.from)/float64(w.to-w.from)))
}

// ticks are round times, some five of them.
func (w window) ticks() []Tick {
	const most = 6
	length := w.to - w.from
	step := int64(1)
	for _, by := range []int64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000} {
		if step = by; length/by <= most {
			break
		}
	}
	var out []Tick
	for ms := int64(0); ms <= length; ms += step {
		out = append(out, Tick{w.at(w.from + ms), w.since(w.from + ms)})
	}
	return out
}

// since is a moment as the axis counts it: in ms where all of it is short.
func (w window) since(ms int64) string {
	const short = 5_000
	if w.to-w.from <= short {
		return fmt.Sprintf("%d ms", ms-w.from)
	}
	return strconv.FormatFloat(float64(ms-w.from)/1e3, 'g', 3, 64) + " s"
}

// run is one run of a handler: where its begin is and its end, nil while it
// runs.
type run struct {
	begin    prove.Event
	end      *prove.Event
	progress []prove.Event
}

// runsOf pairs begins with ends.
func runsOf(events []prove.Event) []run {
	var out []run
	for _, ev := range events {
		if ev.Kind == prove.EventBegin {
			out = append(out, run{begin: ev})
			continue
		}
		for i := range out {
			r := &out[i]
			if r.end != nil || r.begin.Worker != ev.Worker || r.begin.Seq != ev.Seq || r.begin.Delivery != ev.Delivery {
				continue
			}
			if ev.Kind == prove.EventProgress {
				r.progress = append(r.progress, ev)
			} else {
				r.end = &ev
			}
			break
		}
	}
	return out
}

// waits shows ack_wait as it ran for each delivery: from the delivery, anew from
// each signal of progress, until it was over or the answer came.
func (w window) waits(events []prove.Event, wait time.Duration) Lane {
	lane := Lane{Name: "server"}
	if wait <= 0 {
		return lane
	}
	text := "ack_wait " + wait.String()
	for _, r := range runsOf(events) {
		starts := []int64{r.begin.AtMS}
		for _, p := range r.progress {
			starts = append(starts, p.AtMS)
		}
		for i, from := range starts {
			to := from + wait.Milliseconds()
			switch {
			case i+1 < len(starts):
				to = min(to, starts[i+1])
			case r.end != nil:
				to = min(to, r.end.AtMS)
			}
			if len(lane.Spans) < maxSpans {
				lane.Spans = append(lane.Spans, Span{From: w.at(from), To: w.at(to), Text: text, Kind: "wait",
					About: fmt.Sprintf("%s of message %d, delivery %d, from %s to %s", text, r.begin.Seq, r.begin.Delivery, w.since(from), w.since(to))})
			}
		}
	}
	return lane
}

// workers shows the runs of each worker's handler.
func (w window) workers(events []prove.Event) []Lane {
	var out []Lane
	for _, r := range runsOf(events) {
		for len(out) < r.begin.Worker {
			out = append(out, Lane{Name: fmt.Sprintf("worker %d", len(out)+1)})
		}
		lane := &out[r.begin.Worker-1]
		if len(lane.Spans) >= maxSpans {
			continue
		}
		to, answer := w.to, ", still running"
		if r.end != nil {
			to, answer = r.end.AtMS, fmt.Sprintf(", %s at %s", r.end.Answer, w.since(r.end.AtMS))
			lane.Marks = append(lane.Marks, Mark{At: w.at(to), Text: r.end.Answer, Kind: "done", About: fmt.Sprintf("%s of message %d at %s", r.end.Answer, r.end.Seq, w.since(to))})
		}
		for _, p := range r.progress {
			lane.Marks = append(lane.Marks, Mark{At: w.at(p.AtMS), Kind: "signal", About: "in progress at " + w.since(p.AtMS)})
		}
		kind := "run"
		if r.begin.Delivery > 1 {
			kind = "again"
		}
		text := fmt.Sprintf("message %d, delivery %d", r.begin.Seq, r.begin.Delivery)
		lane.Spans = append(lane.Spans, Span{From: w.at(r.begin.AtMS), To: w.at(to), Text: text, Kind: kind,
			About: fmt.Sprintf("%s runs from %s%s", text, w.since(r.begin.AtMS), answer)})
	}
	return out
}

// published shows what was published and what the server said, and beside it
// every other step.
func (w window) published(steps []prove.Step) (published, others Lane) {
	published.Name, others.Name = "publish", "steps"
	for _, s := range steps {
		m := Mark{At: w.at(s.AtMS), Kind: "done", About: fmt.Sprintf("%s: %s", w.since(s.AtMS), s.Do)}
		if s.Reply != nil {
			m.About += ": " + s.Reply.String()
			if s.Reply.ErrCode > 0 {
				m.Kind, m.Text = "refused", fmt.Sprint(s.Reply.ErrCode)
			}
		}
		if !s.OK && !s.Unfinished {
			m.Kind = "bad"
		}
		verb := strings.TrimPrefix(s.Do, "? ")
		if !strings.HasPrefix(verb, "publish ") {
			if m.Kind == "done" {
				m.Kind = "step"
			}
			if m.Text == "" && m.Kind == "step" && slices.ContainsFunc(breaking, func(b string) bool { return strings.HasPrefix(verb, b+" ") }) {
				m.Text, m.Kind = verb, "fault"
			}
			if m.Text == "" {
				m.Text = shortStep(verb)
			}
			others.Marks = append(others.Marks, m)
			continue
		}
		if m.Text == "" {
			m.Text = saidOf(s)
		}
		published.Marks = append(published.Marks, m)
	}
	return published, others
}

// shortStep is a step as a timeline says it: what it looks for, or its verb and
// what it is done to.
func shortStep(do string) string {
	verb, rest, _ := strings.Cut(do, " ")
	switch verb {
	case "expect":
		return rest
	case "until":
		looked, _, _ := strings.Cut(rest, " within ")
		return looked
	}
	for _, word := range strings.Fields(rest) {
		if !strings.Contains(word, "=") {
			return verb + " " + word
		}
	}
	return verb
}

// breaking are the verbs of steps that take something away; what comes after is
// read with them in mind.
var breaking = []string{"kill", "restart", "stepdown", "purge", "delete", "close"}

// saidOf is the PubAck of a publish step in a word or two.
func saidOf(s prove.Step) string {
	if s.Reply == nil {
		return "no answer asked for"
	}
	var ack struct {
		Seq       uint64 `json:"seq"`
		Duplicate bool   `json:"duplicate"`
	}
	if json.Unmarshal(s.Reply.Body, &ack) != nil || ack.Seq == 0 {
		return ""
	}
	if ack.Duplicate {
		return fmt.Sprintf("duplicate of seq %d", ack.Seq)
	}
	return fmt.Sprintf("seq %d", ack.Seq)
}

// remembered shows how long duplicate_window runs for each message that was stored
// under an id of its own. Whether the server still knows the id is what the next
// publish with it shows.
func (w window) remembered(steps []prove.Step, window time.Duration) Lane {
	lane := Lane{Name: "ids"}
	for _, s := range steps {
		id := keyOf(s.Do, "id")
		if id == "" || keyOf(s.Do, "n") != "" || window <= 0 || len(lane.Spans) >= maxSpans {
			continue
		}
		if said := saidOf(s); !strings.HasPrefix(said, "seq ") {
			continue
		}
		to := s.AtMS + window.Milliseconds()
		text := fmt.Sprintf("%s: duplicate_window %s", id, window)
		lane.Spans = append(lane.Spans, Span{From: w.at(s.AtMS), To: w.at(to), Text: text, Kind: "window",
			About: fmt.Sprintf("%s from %s to %s", text, w.since(s.AtMS), w.since(to))})
	}
	return lane
}

// keyOf is the value of a key in a step's text, "" without it.
func keyOf(do, key string) string {
	for _, word := range strings.Fields(do) {
		if value, ok := strings.CutPrefix(word, key+"="); ok {
			return value
		}
	}
	return ""
}

// times are those of a configuration that timelines draw.
type times struct {
	AckWait time.Duration `json:"ack_wait"`
	Window  time.Duration `json:"duplicate_window"`
}

// configured are the times of the last stream or consumer that was made, by the
// server's own answer; zero without one.
func configured(steps []prove.Step, verb string) times {
	for _, s := range slices.Backward(steps) {
		if s.Reply == nil || !strings.HasPrefix(s.Do, verb) {
			continue
		}
		var answer struct {
			Config times `json:"config"`
		}
		if json.Unmarshal(s.Reply.Body, &answer) == nil {
			return answer.Config
		}
	}
	return times{}
}
