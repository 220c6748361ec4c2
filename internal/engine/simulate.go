package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"weir/design"
	"weir/internal/methods"
	"weir/sim"
)

var simulateMethods = []method{
	on("simulate.run", "Simulates a design: figures over time and in total, goals met or missed, findings.", simulateRun),
	on("simulate.retries", "When one message that cannot be handled is delivered again.", simulateRetries),
}

// progressEvery is the pause between two reports of progress.
const progressEvery = 100 * time.Millisecond

// reporter turns a share that is done into reports, and ends the run with ctx.
func reporter(ctx context.Context, progress Progress, what string) func(done float64) bool {
	last := time.Now()
	return func(done float64) bool {
		if now := time.Now(); now.Sub(last) >= progressEvery {
			last = now
			const steps = 1000
			progress(int64(done*steps), steps, what)
		}
		return ctx.Err() == nil
	}
}

// partialEvery is the pause between two partial answers: each is drawn.
const partialEvery = 250 * time.Millisecond

// partials tells a run's answer so far to whoever listens under ctx, as a reply of
// the method that runs it; nil when nobody does.
func partials[Out any](ctx context.Context, reply func(*sim.Answer) Out) func(func() *sim.Answer) {
	tell := methods.Partial[Out](ctx)
	if tell == nil {
		return nil
	}
	last := time.Now()
	return func(answer func() *sim.Answer) {
		if now := time.Now(); now.Sub(last) >= partialEvery {
			tell(reply(answer()))
			last = time.Now()
		}
	}
}

// SimulateRequest asks simulate.run. For is a duration such
// as "2h", "" for as long as the design's scenario and bursts need.
type SimulateRequest struct {
	Files    []File `json:"files"`
	Scenario string `json:"scenario,omitempty"`
	For      string `json:"for,omitempty"`
	Seed     int64  `json:"seed,omitempty"`
	Seeds    int    `json:"seeds,omitempty"`
	Points   int    `json:"points,omitempty"`  // of the series; 0 is 600
	Survive  bool   `json:"survive,omitempty"` // judge goals.survive as well, one run each
	// Traces are the CSV files that the design names.
	Traces []File `json:"traces,omitempty"`
}

// SimulateReply is the answer, with the names of the design's scenarios.
type SimulateReply struct {
	Answer    *sim.Answer `json:"answer"`
	Scenarios []string    `json:"scenarios"`
}

// maxPoints is the most points of a series that a reply carries.
const maxPoints = 5_000

// readOne reads the one design of a request.
func readOne(files []File) (*design.Design, error) {
	designs, problems, err := read(files, "files")
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		if p.Severity == design.Error {
			return nil, &Error{Code: CodeBadRequest, Message: p.Message, Path: p.Path, Line: p.Line, Col: p.Col}
		}
	}
	if len(designs) != 1 {
		return nil, &Error{Code: CodeBadRequest, Path: "files", Message: fmt.Sprintf("there are %d designs; name one", len(designs))}
	}
	return designs[0], nil
}

// parseSpan reads a duration; "" is 0.
func parseSpan(s, path string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	d, err := design.ParseDuration(s)
	if err != nil {
		return 0, &Error{Code: CodeBadRequest, Path: path, Message: err.Error()}
	}
	return time.Duration(d), nil
}

func (r *SimulateRequest) model() (*sim.Model, []string, error) {
	d, err := readOne(r.Files)
	if err != nil {
		return nil, nil, err
	}
	if r.Points < 0 || r.Points > maxPoints || r.Seeds < 0 {
		return nil, nil, &Error{Code: CodeBadRequest, Path: "points", Message: fmt.Sprintf("points and seeds are from 0, points at most %d", maxPoints)}
	}
	o, err := designOptions(r.Scenario, r.For, r.Traces)
	if err != nil {
		return nil, nil, err
	}
	m, err := sim.FromDesign(d, o)
	if err != nil {
		return nil, nil, badRequest(err)
	}
	var names []string
	for _, s := range d.Scenarios {
		names = append(names, s.Name)
	}
	return m, names, nil
}

func designOptions(scenario, span string, traces []File) (o sim.DesignOptions, err error) {
	o = sim.DesignOptions{Scenario: scenario, Refuses: refusedOf, Files: map[string][]byte{}}
	if o.For, err = parseSpan(span, "for"); err != nil {
		return o, err
	}
	for _, f := range traces {
		o.Files[f.Name] = []byte(f.Text)
	}
	return o, nil
}

// simulated sorts the errors of a run: what stopped it, what the caller gave, and
// runs that ended early, which are answers.
func simulated(ctx context.Context, a *sim.Answer, err error) (*sim.Answer, error) {
	var tooMuch *sim.TooMuchError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil, a != nil && errors.As(err, &tooMuch):
		return a, nil
	}
	return nil, badRequest(err)
}

func simulateRun(ctx context.Context, in SimulateRequest, progress Progress) (SimulateReply, error) {
	return simulateShowing(ctx, in, progress, nil)
}

// simulateShowing is simulateRun that shows its answer so far.
func simulateShowing(ctx context.Context, in SimulateRequest, progress Progress, show func(func() *sim.Answer)) (SimulateReply, error) {
	m, names, err := in.model()
	if err != nil {
		return SimulateReply{}, err
	}
	a, err := m.Simulate(ctx, sim.SimulateOptions{Seed: uint64(in.Seed), Seeds: in.Seeds, Points: in.Points, Partial: show, Progress: reporter(ctx, progress, "simulated")})
	if a, err = simulated(ctx, a, err); err != nil {
		return SimulateReply{}, err
	}
	if in.Survive && a.Partial == "" {
		goals, err := m.JudgeSurvive(ctx, uint64(in.Seed), reporter(ctx, progress, "faults"))
		if ctx.Err() != nil {
			return SimulateReply{}, ctx.Err()
		}
		if err != nil {
			return SimulateReply{}, badRequest(err)
		}
		a.AddGoals(m, goals)
	}
	return SimulateReply{a, names}, nil
}

func simulateEstimate(_ context.Context, in SimulateRequest, _ Progress) (SimulateReply, error) {
	m, names, err := in.model()
	if err != nil {
		return SimulateReply{}, err
	}
	a, err := m.Estimate()
	if err != nil {
		return SimulateReply{}, badRequest(err)
	}
	return SimulateReply{a, names}, nil
}

// LabRequest is what a lab simulates. Times are in seconds, rates in messages a
// second; what is left out is the server's or the library's default.
type LabRequest struct {
	Rate          float64   `json:"rate"`
	BurstRate     float64   `json:"burst_rate,omitempty"`
	BurstAt       float64   `json:"burst_at,omitempty"`
	BurstFor      float64   `json:"burst_for,omitempty"`
	Workers       int       `json:"workers,omitempty"`
	Concurrency   int       `json:"concurrency,omitempty"`
	Fetch         int       `json:"fetch,omitempty"`
	ServiceP50    float64   `json:"service_p50,omitempty"`
	ServiceP99    float64   `json:"service_p99,omitempty"`
	NakRate       float64   `json:"nak_rate,omitempty"`
	NakDelay      float64   `json:"nak_delay,omitempty"`
	AckWait       float64   `json:"ack_wait,omitempty"`
	BackOff       []float64 `json:"backoff,omitempty"`
	MaxDeliver    int       `json:"max_deliver,omitempty"`
	MaxAckPending int       `json:"max_ack_pending,omitempty"`
	Payload       int64     `json:"payload,omitempty"`
	StallAt       float64   `json:"stall_at,omitempty"`
	StallFor      float64   `json:"stall_for,omitempty"`
	For           float64   `json:"for,omitempty"`
	Seed          int64     `json:"seed,omitempty"`
	Estimate      bool      `json:"estimate,omitempty"` // the coarse answer only
}

// labMessages is how many messages a lab's run sends at most, so that a slider
// does not start a run of minutes.
const labMessages = 20_000_000

// labShowing simulates pull beside push under identical arrivals, and shows its answer so far.
func labShowing(ctx context.Context, in LabRequest, progress Progress, show func(func() *sim.Answer)) (*sim.Answer, error) {
	if err := checkBackoff(in.BackOff); err != nil {
		return nil, err
	}
	m, err := sim.LabModel(sim.Lab{
		Rate: in.Rate, BurstRate: in.BurstRate, BurstAt: secondsOf(in.BurstAt), BurstFor: secondsOf(in.BurstFor),
		Workers: in.Workers, Concurrency: in.Concurrency, Fetch: in.Fetch, ServiceP50: secondsOf(in.ServiceP50), ServiceP99: secondsOf(in.ServiceP99),
		NakRate: in.NakRate, NakDelay: secondsOf(in.NakDelay), AckWait: secondsOf(in.AckWait), BackOff: spansOf(in.BackOff), MaxDeliver: in.MaxDeliver,
		MaxAckPending: in.MaxAckPending, Payload: in.Payload, StallAt: secondsOf(in.StallAt), StallFor: secondsOf(in.StallFor), For: secondsOf(in.For),
	})
	if err != nil {
		return nil, badRequest(err)
	}
	if in.Estimate {
		a, err := m.Estimate()
		return simulated(ctx, a, err)
	}
	a, err := m.Simulate(ctx, sim.SimulateOptions{Seed: uint64(in.Seed), MaxMessages: labMessages, Partial: show, Progress: reporter(ctx, progress, "simulated")})
	return simulated(ctx, a, err)
}

// checkBackoff refuses a list that no design has.
func checkBackoff(list []float64) error {
	const most = 1_000
	if len(list) > most {
		return &Error{Code: CodeBadRequest, Path: "backoff", Message: fmt.Sprintf("%d steps are more than %d", len(list), most)}
	}
	return nil
}

// secondsOf is a number of seconds, at most some 30 years either way.
func secondsOf(s float64) time.Duration {
	const most = 1e9
	if s != s {
		return 0
	}
	return time.Duration(min(max(s, -most), most) * float64(time.Second))
}

func spansOf(list []float64) (out []time.Duration) {
	for _, s := range list {
		out = append(out, secondsOf(s))
	}
	return out
}

// RetriesRequest asks simulate.retries. Action is what the handler answers: ack,
// nak, nak_delay, term or nothing. Times are in seconds.
type RetriesRequest struct {
	AckWait    float64   `json:"ack_wait,omitempty"`
	BackOff    []float64 `json:"backoff,omitempty"`
	MaxDeliver int       `json:"max_deliver,omitempty"`
	Service    float64   `json:"service"`
	Action     string    `json:"action"`
	Delay      float64   `json:"delay,omitempty"` // of nak_delay
}

// RetriesReply is the timeline of one message.
type RetriesReply struct {
	Attempts []RetryAttempt `json:"attempts"`
	Stranded bool           `json:"stranded"`
	Verdict  string         `json:"verdict"`
}

// RetryAttempt is one delivery, in seconds from the first.
type RetryAttempt struct {
	Number int     `json:"number"`
	Start  float64 `json:"start"`
	End    float64 `json:"end"`
}

var handlerActions = map[string]sim.ActionKind{"ack": sim.DoAck, "nak": sim.DoNak, "nak_delay": sim.DoNakDelay, "term": sim.DoTerm, "nothing": sim.DoNothing}

func simulateRetries(_ context.Context, in RetriesRequest, _ Progress) (RetriesReply, error) {
	act, ok := handlerActions[in.Action]
	if !ok {
		return RetriesReply{}, &Error{Code: CodeBadRequest, Path: "action", Message: fmt.Sprintf("%q is not one of ack, nak, nak_delay, term, nothing", in.Action)}
	}
	if err := checkBackoff(in.BackOff); err != nil {
		return RetriesReply{}, err
	}
	course, err := sim.RetryTimeline(sim.Retries{AckWait: secondsOf(in.AckWait), BackOff: spansOf(in.BackOff), MaxDeliver: in.MaxDeliver,
		Service: secondsOf(in.Service), Act: sim.Action{Do: act, Delay: secondsOf(in.Delay)}})
	if err != nil {
		return RetriesReply{}, badRequest(err)
	}
	out := RetriesReply{Stranded: course.Stranded, Verdict: course.Describe()}
	for _, a := range course.Attempts {
		out.Attempts = append(out.Attempts, RetryAttempt{a.Number, a.Start.Seconds(), a.End.Seconds()})
	}
	return out, nil
}
