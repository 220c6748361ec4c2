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
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
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
}

// Evidence is what a run leaves behind, in schema 1. It holds no paths and no
// ports, and its times are relative to Started, so that it can be shared.
type Evidence struct {
	Schema  int        `json:"schema"`
	Weir    string     `json:"weir,omitempty"`
	Started time.Time  `json:"started"`
	Host    string     `json:"host"` // "embedded": a server inside the process
	Server  ServerInfo `json:"server"`
	// Target is the server version whose behaviour was predicted.
	Target       string         `json:"target"`
	Steps        []Step         `json:"steps"`
	Predicted    []Prediction   `json:"predicted"`
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
	Expect  string   `json:"expect"`
	OK      bool     `json:"ok"`
}

// Reply is what the server answered. Code and ErrCode are those of the JetStream
// API, 0 where the answer carries none.
type Reply struct {
	Code    int    `json:"code,omitempty"`
	ErrCode int    `json:"err_code,omitempty"`
	Text    string `json:"text,omitempty"`
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

// Prediction lays a predicted figure beside the measured one.
type Prediction struct {
	Figure
	Measured int64 `json:"measured"`
}

// NotExercised names something that the run could not put to the server.
type NotExercised struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// maxListed bounds each list of an Evidence; what is beyond it is counted.
const maxListed = 1000

func newEvidence(opt Options) Evidence {
	return Evidence{
		Schema: 1, Weir: opt.Weir, Started: time.Now().UTC().Round(time.Millisecond), Host: "embedded",
		Server: ServerInfo{Version: ServerVersion, Nodes: 1}, Target: ServerVersion,
	}
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
