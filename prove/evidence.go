// Package prove runs a real nats-server and compares what it does with what
// the pure packages predict. What it returns is evidence: the server's version,
// what was asked, what came back, where the two differ, and what was not
// exercised.
//
// It is not a benchmark and it never connects to a server that it did not
// start. Servers run inside this process without a listening port, and are
// stopped and their files removed before a function returns, also when the
// context ends.
//
//	e, err := prove.Matrix(ctx, []string{"orders.*"}, []string{"orders.eu"}, prove.Options{})
//	if err == nil && e.Agrees() { … }
package prove

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"weir/internal/predict"
	"weir/size"
)

// ServerVersion is the release of the embedded nats-server, such as "2.15.2".
const ServerVersion = server.VERSION

// Options are what every proof run takes. The zero value is usable.
type Options struct {
	// Weir is the version of the caller, written into the evidence.
	Weir string
	// Progress is called with the steps done and their total, at most every 100 ms
	// and at the end, from the goroutine that called the proof. nil means no calls.
	Progress func(done, total int)
	// Stage is called when a run begins something else, "applying". nil means no
	// calls.
	Stage func(name string)
	// Log is called with what the servers of a script or a design log, notices and
	// above, from goroutines of the servers; node counts from 0, level is "INF",
	// "WRN", "ERR" or "FTL". It must not block. nil means no calls.
	Log func(node int, level, text string)
}

// Evidence is what a run leaves behind, in schema 1. It holds no paths and no
// ports, and its times are relative to Started, so that it can be shared.
type Evidence struct {
	Schema  int        `json:"schema"`
	Weir    string     `json:"weir,omitempty"`
	Started time.Time  `json:"started"`
	Host    string     `json:"host"` // as HostInfo.Kind
	Server  ServerInfo `json:"server"`
	// Target is the server version whose behaviour was predicted.
	Target string `json:"target"`
	// Claims are what the run shows, each with the steps under it; none where the
	// kind of run says it in figures of its own.
	Claims []Claim `json:"claims,omitempty"`
	// Scaling is how the workload relates to the design, nil without one.
	Scaling *Scaling `json:"scaling,omitempty"`
	Steps   []Step   `json:"steps"`
	// Events are what the workers of a script did, in the order of time, the first
	// 1,000.
	Events []Event `json:"events,omitempty"`
	// Cluster is what the servers did during a workload, nil without one.
	Cluster   *Cluster     `json:"cluster,omitempty"`
	Predicted []Prediction `json:"predicted"`
	// Pending has the consumers with workers of a workload, none without one.
	Pending      []Pending      `json:"pending,omitempty"`
	Goals        []Goal         `json:"goals,omitempty"`
	NotExercised []NotExercised `json:"not_exercised,omitempty"`
	// Partial is set when the run ended before all was compared.
	Partial bool `json:"partial,omitempty"`
}

// ServerInfo names the server of a run.
type ServerInfo struct {
	Version string `json:"version"`
	Nodes   int    `json:"nodes"`
}

// Step is one thing that was done to the server.
type Step struct {
	N       int      `json:"n"`
	AtMS    int64    `json:"at_ms"` // since Started
	Do      string   `json:"do"`
	Request string   `json:"request,omitempty"`
	Reply   *Reply   `json:"reply,omitempty"`
	Figures []Figure `json:"figures,omitempty"`
	// Changes are the values that the server stores otherwise than they were
	// sent, without saying so.
	Changes []Change `json:"changes,omitempty"`
	Expect  string   `json:"expect"`
	OK      bool     `json:"ok"`
	// Unfinished is set when the run was broken off in it: OK is false then, and
	// that says nothing of the server.
	Unfinished bool `json:"unfinished,omitempty"`
}

// Event is something that a worker did with a message.
type Event struct {
	AtMS   int64 `json:"at_ms"`  // since Started
	Worker int   `json:"worker"` // from 1, of the work step that began last
	// Kind is "begin" when its handler began to run, "progress" when it said that
	// it still runs, "end" when it ended.
	Kind     string `json:"kind"`
	Stream   string `json:"stream"`
	Seq      uint64 `json:"seq"`      // of the stream
	Delivery uint64 `json:"delivery"` // 1 for the first
	// Answer is what an end sent: ack, nak, term, or nothing.
	Answer string `json:"answer,omitempty"`
}

// The kinds of an Event.
const (
	EventBegin    = "begin"
	EventProgress = "progress"
	EventEnd      = "end"
)

// Change is a value that the server stores otherwise than it was sent.
type Change struct {
	Path   string `json:"path"` // of the design, else the name in the API
	Kind   string `json:"kind"` // filled, changed or dropped, as in package verdict
	Sent   string `json:"sent,omitempty"`
	Stored string `json:"stored,omitempty"`
}

// Claim is a sentence that a run shows to hold or not to hold.
type Claim struct {
	// Kind is "harm" or "cure" in a proof of a trap, else "claim".
	Kind string `json:"kind"`
	Text string `json:"text"`
	Held bool   `json:"held"`
	// From and To are the numbers of the first and the last step under it; 0
	// where it did not come to that.
	From int `json:"from"`
	To   int `json:"to"`
	// Unfinished is set when the run was broken off under it and all steps until
	// then were as expected: Held is false then, and that is no verdict.
	Unfinished bool `json:"unfinished,omitempty"`
}

// Goal is what became of a goal of the design.
type Goal struct {
	Path string `json:"path"`
	Goal string `json:"goal"` // "handled_twice at most 0.1%"
	// Verdict is "met", "missed", "not comparable" (the run was scaled, or another
	// version ran) or "not exercised".
	Verdict string `json:"verdict"`
	// Measured is the measured value, "" when nothing was.
	Measured string `json:"measured,omitempty"`
	Why      string `json:"why,omitempty"`
}

// The verdicts of a Goal.
const (
	Met           = "met"
	Missed        = "missed"
	NotComparable = "not comparable"
	GoalUntried   = "not exercised"
)

// Reply is what the server answered. Code and ErrCode are those of the JetStream
// API, 0 where the answer carries none.
type Reply struct {
	Code    int    `json:"code,omitempty"`
	ErrCode int    `json:"err_code,omitempty"`
	Text    string `json:"text,omitempty"`
	// Body is the reply itself where it says more than Text, else nil.
	Body json.RawMessage `json:"body,omitempty"`
}

// String gives the answer as package subject predicts it:
// "500/10052 invalid subject".
func (r Reply) String() string {
	if r.Code == 0 {
		return r.Text
	}
	return fmt.Sprintf("%d/%d %s", r.Code, r.ErrCode, r.Text)
}

// Figure is a number with its unit.
type Figure struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
	Unit  string `json:"unit"`
}

// Amount writes n of a unit of figures: "1 message", "2,000 messages", "2,000"
// without a unit.
func Amount(n int64, unit string) string {
	one := strings.TrimSuffix(unit, "s")
	switch {
	case unit == "deliveries":
		one = "delivery"
	case len(unit) < 4 || strings.Contains(unit, "/"): // ms, messages/s
		one = unit
	}
	return strings.TrimSpace(size.Counted(n, one, unit))
}

// Prediction lays a predicted figure beside the measured one.
type Prediction struct {
	Figure
	// From is what predicted it: "simulation", "sizing", or "" for what follows
	// from the design alone. A simulated figure that is not in its band is told,
	// and no run fails by it: the machine that ran it has its own pace.
	From string `json:"from,omitempty"`
	// Low and High bound what agrees with the prediction; both 0 where only Value
	// does.
	Low      int64 `json:"low,omitempty"`
	High     int64 `json:"high,omitempty"`
	Measured int64 `json:"measured"`
}

// Where predictions come from.
const (
	FromSimulation = predict.FromSimulation
	FromSizing     = predict.FromSizing
)

// Agrees reports whether the measured figure is the predicted one or within its
// bounds.
func (p Prediction) Agrees() bool {
	if p.Low == 0 && p.High == 0 {
		return p.Measured == p.Value
	}
	return p.Low <= p.Measured && p.Measured <= p.High
}

// NotExercised names something that the run could not put to the server.
type NotExercised struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// InputError is an error of what the caller asked for, as against one of running
// it: a scenario that the design does not have, a server that is none.
type InputError struct{ Err error }

// Error is the error's text.
func (e *InputError) Error() string { return e.Err.Error() }

// Unwrap returns the error itself.
func (e *InputError) Unwrap() error { return e.Err }

// maxListed bounds each list of an Evidence; what is beyond it is counted.
const maxListed = 1000

func newEvidence(opt Options) Evidence {
	return Evidence{
		Schema: 1, Weir: opt.Weir, Started: time.Now().UTC().Round(time.Millisecond), Host: "embedded",
		Server: ServerInfo{Version: ServerVersion, Nodes: 1}, Target: ServerVersion,
	}
}

// Decides reports whether a prediction that does not agree is a failure of the
// run.
func (p Prediction) Decides() bool { return p.From != FromSimulation }

// Held reports whether the run went to its end, every step and every prediction
// that decides was as expected, every claim held and no goal was missed.
func (e *Evidence) Held() bool {
	for _, s := range e.Steps {
		if !s.OK {
			return false
		}
	}
	for _, p := range e.Predicted {
		if p.Decides() && !p.Agrees() {
			return false
		}
	}
	for _, c := range e.Claims {
		if !c.Held {
			return false
		}
	}
	for _, g := range e.Goals {
		if g.Verdict == Missed {
			return false
		}
	}
	return !e.Partial
}

// ranOn notes which servers the run is about.
func (e *Evidence) ranOn(i HostInfo) {
	e.Host, e.Server = i.Kind, ServerInfo{Version: i.Version, Nodes: i.Nodes}
}

// claim appends a claim over the steps from a number on; it holds when those
// that there are by then were as expected.
func (e *Evidence) claim(kind, text string, from int) {
	c := Claim{Kind: kind, Text: text, Held: from <= len(e.Steps), From: from, To: len(e.Steps)}
	failed := false
	for _, s := range e.Steps[min(from-1, len(e.Steps)):] {
		c.Held = c.Held && s.OK
		c.Unfinished = c.Unfinished || s.Unfinished
		failed = failed || !s.OK && !s.Unfinished
	}
	c.Unfinished = c.Unfinished && !failed
	if c.To < from {
		c.From, c.To = 0, 0
	}
	e.Claims = append(e.Claims, c)
}

// brokenOff marks a step in which the run ended: what it would have shown is not
// known.
func (s *Step) brokenOff() { s.OK, s.Unfinished = false, true }

// claimBrokenOff appends a claim over the steps from a number on that the run was
// to end with, and did not come to.
func (e *Evidence) claimBrokenOff(text string, from int) {
	e.claim("claim", text, from)
	c := &e.Claims[len(e.Claims)-1]
	failed := c.From > 0 && !c.Held && !c.Unfinished
	c.Held, c.Unfinished = false, !failed
}

// step appends a step and returns it to be filled.
func (e *Evidence) step(do, expect string) *Step {
	e.Steps = append(e.Steps, Step{N: len(e.Steps) + 1, AtMS: time.Since(e.Started).Milliseconds(), Do: do, Expect: expect})
	return &e.Steps[len(e.Steps)-1]
}

func (e *Evidence) leaveOut(what, why string) {
	if len(e.NotExercised) < maxListed {
		e.NotExercised = append(e.NotExercised, NotExercised{What: what, Why: why})
		return
	}
	e.NotExercised[maxListed-1] = NotExercised{What: "others", Why: "more are left out than are listed here"}
}

// progress calls a callback at most every 100 ms.
type progress struct {
	call func(done, total int)
	last time.Time
}

func (p *progress) report(done, total int) {
	if p.call == nil || done < total && time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last = time.Now()
	p.call(done, total)
}
