package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"weir/design"
	"weir/sim"
	"weir/size"
)

// BackpressureLabRequest asks backpressure.lab. Values are texts by the name of a
// slider, as a design file has them; what is left out is what the lab opens with.
type BackpressureLabRequest struct {
	Values   map[string]string `json:"values"`
	Seed     int64             `json:"seed,omitempty"`
	Estimate bool              `json:"estimate,omitempty"`
}

// BackpressureLabReply is the run with pull and push over each other.
type BackpressureLabReply struct {
	Simulated
	Sliders []SizeSlider `json:"sliders"`
	Retries []LabRetries `json:"retries"`
	Axis    Axis         `json:"axis"`
}

// LabRetries is when a message comes again that is answered in one way, in seconds
// from its first delivery.
type LabRetries struct {
	Action  string    `json:"action"`
	Verdict string    `json:"verdict"`
	Waits   []LabWait `json:"waits"`
	Marks   []LabMark `json:"marks"`
	Narrow  []LabMark `json:"narrow"` // the marks for a phone, where more lie on each other
}

// LabWait is what passes between two deliveries, or before the message is given up.
type LabWait struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	Text string  `json:"text"`
}

// LabMark is a delivery, or several that lie too near each other to be told apart.
type LabMark struct {
	At   float64 `json:"at"`
	Text string  `json:"text"` // "1", "2 to 5", "given up"
	// Lost is set when the message is given up there.
	Lost  bool   `json:"lost"`
	About string `json:"about"`
}

// labSetting is one slider of the lab.
type labSetting struct {
	name, label, opens string
	stops              []stop
	read               func(string) (float64, error)
	set                func(*LabRequest, float64)
}

const nanoseconds = 1e9

var labSettings = []labSetting{
	{"rate", "rate", "500/s", stopsOf(design.ParseRate, []string{"10/s", "50/s", "100/s", "200/s", "500/s", "1000/s", "2000/s", "5000/s"}), design.ParseRate, func(r *LabRequest, v float64) { r.Rate = v }},
	{"burst", "burst rate", "2000/s", stopsOf(design.ParseRate, []string{"0/s", "100/s", "500/s", "1000/s", "2000/s", "5000/s", "10000/s"}), design.ParseRate, func(r *LabRequest, v float64) { r.BurstRate = v }},
	{"burst_for", "burst for", "1m", durations("10s", "30s", "1m", "2m", "5m"), duration, func(r *LabRequest, v float64) { r.BurstFor = v / nanoseconds }},
	{"workers", "workers", "6", stopsOf(wholeNumber, wholes(1, 2, 3, 4, 6, 8, 12, 16, 32)), wholeNumber, func(r *LabRequest, v float64) { r.Workers = int(v) }},
	{"service", "service time p50", "5ms", durations("1ms", "2ms", "5ms", "10ms", "20ms", "50ms", "100ms", "500ms", "1s"), duration, func(r *LabRequest, v float64) { r.ServiceP50 = v / nanoseconds }},
	{"service_p99", "service time p99", "50ms", durations("5ms", "10ms", "50ms", "100ms", "500ms", "1s", "5s", "30s"), duration, func(r *LabRequest, v float64) { r.ServiceP99 = v / nanoseconds }},
	{"ack_wait", "ack_wait", "30s", durations("1s", "2s", "5s", "10s", "30s", "1m", "5m"), duration, func(r *LabRequest, v float64) { r.AckWait = v / nanoseconds }},
	{"fetch", "batch", "50", stopsOf(wholeNumber, wholes(1, 5, 10, 20, 50, 100, 200, 500)), wholeNumber, func(r *LabRequest, v float64) { r.Fetch = int(v) }},
	{"max_ack_pending", "max_ack_pending", "1000", stopsOf(wholeNumber, wholes(1, 10, 50, 100, 500, 1000, 5000, 20000)), wholeNumber, func(r *LabRequest, v float64) { r.MaxAckPending = int(v) }},
	{"stall", "workers stall for", "0s", durations("0s", "10s", "30s", "1m", "2m"), duration, func(r *LabRequest, v float64) { r.StallFor = v / nanoseconds }},
}

// labSpan is how long the lab simulates, burst and stall beginning at these times.
const (
	labSpan    = 600.0
	labBurstAt = 60.0
	labStallAt = 300.0
)

func backpressureLab(ctx context.Context, in BackpressureLabRequest, progress Progress) (BackpressureLabReply, error) {
	ask := LabRequest{Seed: in.Seed, Estimate: in.Estimate, For: labSpan, BurstAt: labBurstAt, StallAt: labStallAt}
	var out BackpressureLabReply
	for _, s := range labSettings {
		text := s.opens
		if v := in.Values[s.name]; v != "" {
			text = v
		}
		n, err := s.read(text)
		if err != nil {
			return out, &Error{Code: CodeBadRequest, Path: s.name, Message: s.label + ": " + err.Error()}
		}
		s.set(&ask, n)
		out.Sliders = append(out.Sliders, sliderOf(s.name, s.label, text, n, s.stops))
	}
	for name := range in.Values {
		if !hasSetting(name) {
			return out, &Error{Code: CodeBadRequest, Path: "values", Message: fmt.Sprintf("%q is no setting of the lab", name)}
		}
	}
	if ask.ServiceP99 < ask.ServiceP50 {
		ask.ServiceP99 = ask.ServiceP50
	}
	if ask.BurstRate == 0 {
		ask.BurstFor = 0
	}
	if ask.StallFor == 0 {
		ask.StallAt = 0
	}
	a, err := labShowing(ctx, ask, progress, partials(ctx, func(a *sim.Answer) BackpressureLabReply {
		return BackpressureLabReply{Simulated: Simulated{Run: a.Verdict, Groups: labGroups(a)}}
	}))
	if err != nil {
		return out, err
	}
	tellApart(a)
	out.Simulated = simulatedOf(a)
	out.Groups = labGroups(a)
	return out, labRetries(ask, &out)
}

// apartBy are the figures in which pull and push are told apart, the worst to have
// first.
var apartBy = []struct{ figure, says string }{
	{"lost_messages", "loses"},
	{"dropped", "drops in the client"},
	{"stranded", "strands after max_deliver"},
	{"redelivered", "redelivers"},
	{"pending_end", "leaves pending at the end"},
}

// tellApart has the verdict say in what pull and push differ, where that is much:
// what findings say of each of them alone is said behind it.
func tellApart(a *sim.Answer) {
	const much, noteworthy = 1.5, 10
	if len(a.Consumers) != 2 || a.Estimate || a.Partial != "" {
		return
	}
	for _, by := range apartBy {
		x, ok := a.Consumers[0].Figure(by.figure)
		y, same := a.Consumers[1].Figure(by.figure)
		more, less, name, other := x, y, "pull", "push"
		if y.Value > x.Value {
			more, less, name, other = y, x, other, name
		}
		if !ok || !same || more.Value < noteworthy || more.Value < much*less.Value {
			continue
		}
		a.Verdict = fmt.Sprintf("%s %s %s, %s %s.", strings.ToUpper(name[:1])+name[1:], by.says, size.Counted(more.Value, "message", "messages"), other, size.FormatCount(less.Value))
		return
	}
}

// labGroups are the ways to read over each other, and then each by itself on the
// same axes, so that they can stand side by side.
func labGroups(a *sim.Answer) []SimulatedGroup {
	if len(a.Consumers) == 0 {
		return nil
	}
	at := make([]int, len(a.Consumers))
	for i := range at {
		at[i] = i
		// The lab has no payload, and bytes of subjects alone say nothing.
		a.Consumers[i].Figures = slices.DeleteFunc(a.Consumers[i].Figures, func(f sim.Figure) bool { return f.Name == "pending_bytes" })
	}
	out := []SimulatedGroup{groupOf(a, "over each other", "", at...)}
	for i, c := range a.Consumers {
		g := groupOf(a, c.Name[strings.LastIndexByte(c.Name, '/')+1:], "", i)
		for k := range g.Charts {
			for _, all := range out[0].Charts {
				if all.Title == g.Charts[k].Title {
					g.Charts[k].Y = all.Y
				}
			}
		}
		out = append(out, g)
	}
	return out
}

func hasSetting(name string) bool {
	for _, s := range labSettings {
		if s.name == name {
			return true
		}
	}
	return false
}

// labRetries adds when a message comes again, for each way to answer it.
func labRetries(ask LabRequest, out *BackpressureLabReply) error {
	const maxDeliver = 5
	last, courses := 1.0, []sim.RetryCourse{}
	for _, one := range []struct {
		name string
		sim.Retries
	}{
		{"no answer: ack_wait runs out", sim.Retries{Act: sim.Action{Do: sim.DoNothing}}},
		{"nak", sim.Retries{Act: sim.Action{Do: sim.DoNak}}},
		{"nak with a delay of 5 s", sim.Retries{Act: sim.Action{Do: sim.DoNakDelay, Delay: secondsOf(5)}}},
		{"no answer, backoff 1s, 5s, 15s", sim.Retries{BackOff: spansOf([]float64{1, 5, 15}), Act: sim.Action{Do: sim.DoNothing}}},
		{"term", sim.Retries{Act: sim.Action{Do: sim.DoTerm}}},
	} {
		one.AckWait, one.MaxDeliver, one.Service = secondsOf(ask.AckWait), maxDeliver, secondsOf(ask.ServiceP50)
		course, err := sim.RetryTimeline(one.Retries)
		if err != nil {
			return badRequest(err)
		}
		last = max(last, course.GivenUp.Seconds(), course.Attempts[len(course.Attempts)-1].End.Seconds())
		courses = append(courses, course)
		out.Retries = append(out.Retries, LabRetries{Action: one.name, Verdict: course.Describe(), Waits: labWaits(course, one.Act.Do)})
	}
	out.Axis = axisOf(last, size.Seconds)
	for i, course := range courses {
		// The picture is some 750 px wide, on a phone 330 px.
		out.Retries[i].Marks, out.Retries[i].Narrow = labMarks(course, out.Axis.Max/750), labMarks(course, out.Axis.Max/330)
	}
	return nil
}

// labWaits are the pauses of a course: with a nak from the end of a run on, without
// an answer from the delivery on.
func labWaits(c sim.RetryCourse, answer sim.ActionKind) (out []LabWait) {
	for i, a := range c.Attempts {
		from, to := a.Start, c.GivenUp
		if answer == sim.DoNak || answer == sim.DoNakDelay {
			from = a.End
		}
		if i+1 < len(c.Attempts) {
			to = c.Attempts[i+1].Start
		}
		if wait := to - from; wait >= time.Millisecond {
			out = append(out, LabWait{from.Seconds(), to.Seconds(), size.FormatDuration(wait.Round(time.Millisecond))})
		}
	}
	return out
}

// labMarks are the deliveries and the end of a course; what would lie on the mark
// before it shares that one. A px is so many seconds.
func labMarks(c sim.RetryCourse, px float64) (out []LabMark) {
	const padding, letter, least = 8, 6.5, 18 // px of a mark
	covered := func(at float64) bool {
		if len(out) == 0 {
			return false
		}
		m := &out[len(out)-1]
		return at < m.At+px*max(least, padding+letter*float64(len(m.Text)))
	}
	first := 0 // of the mark at the end of out
	for _, a := range c.Attempts {
		at := a.Start.Seconds()
		about := fmt.Sprintf("delivery %d after %s", a.Number, size.FormatSeconds(at))
		if covered(at) {
			m := &out[len(out)-1]
			m.Text, m.About = fmt.Sprintf("%d to %d", first, a.Number), m.About+", "+about
			continue
		}
		first = a.Number
		out = append(out, LabMark{At: at, Text: fmt.Sprint(a.Number), About: about})
	}
	if !c.Stranded {
		return out
	}
	at := c.GivenUp.Seconds()
	end := LabMark{At: at, Text: "given up", Lost: true, About: "given up after " + size.FormatSeconds(at)}
	if m := &out[len(out)-1]; covered(at) {
		m.Text, m.About, m.Lost = m.Text+", given up", m.About+", "+end.About, true
		return out
	}
	return append(out, end)
}
