package prove

import (
	"context"
	"errors"
	"maps"
	"testing"
	"time"
)

// eagerDesign stores 32 MiB a second.
const eagerDesign = `weir: 1
name: eager
server: {nodes: 1, disk: 10GiB}
streams: {S: {subjects: ["s.*"], consumers: {c: {workers: {count: 1, service_time: 1ms}}}}}
publishers: {p: {subject: s.a, rate: 1000/s, payload: 32KiB, mode: sync}}
`

// TestRunsEnd: whatever ends a run early, its servers, files and goroutines are gone
// when it returns or panics, and its evidence so far is marked partial.
func TestRunsEnd(t *testing.T) {
	script := func(t *testing.T, text string) *Script {
		t.Helper()
		s, err := ParseScript("p", 1, text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const busy = "server nodes=3\nstream S subjects=s.* num_replicas=3\nconsumer S/c ack_policy=explicit\nwork S/c workers=2 service=1ms\nload s.a n=100000 rate=100/s\nwait 200ms\nwait 1m"
	tests := []struct {
		name string
		run  func(t *testing.T, ctx context.Context, end func()) (Evidence, error)
	}{
		{"a script that is cancelled while it works in the background", func(t *testing.T, ctx context.Context, end func()) (Evidence, error) {
			return RunScript(ctx, script(t, busy), ScriptOptions{Options: Options{Progress: func(done, _ int) {
				if done == 6 {
					end()
				}
			}}})
		}},
		{"a script cancelled while its servers start", func(t *testing.T, ctx context.Context, end func()) (Evidence, error) {
			return RunScript(ctx, script(t, busy), ScriptOptions{Options: Options{Log: func(int, string, string) { end() }}})
		}},
		{"a sizing that is cancelled", func(t *testing.T, ctx context.Context, end func()) (Evidence, error) {
			// It fills streams for a minute: this is in the middle of it on any machine.
			defer time.AfterFunc(time.Second, end).Stop()
			e, err := Sizing(ctx, SizingOptions{})
			return e.Evidence, err
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			leavesNothing(t)
			reason := errors.New("the test ends it")
			ctx, end := context.WithCancelCause(t.Context())
			e, err := tt.run(t, ctx, func() { end(reason) })
			if !errors.Is(err, reason) || !e.Partial || e.Held() {
				t.Errorf("error %v, partial %v, held %v", err, e.Partial, e.Held())
			}
		})
	}
}

// TestBrokenOffIsNotJudged: of a run that is broken off, whatever it was doing, no
// step, claim, figure or goal that was not decided is said to have failed or to be
// met.
func TestBrokenOffIsNotJudged(t *testing.T) {
	d := parseDesign(t, `weir: 1
name: goals
server: {nodes: 1, disk: 10GiB}
streams:
  S:
    subjects: ["s.*"]
    consumers: {c: {goals: {handled_twice: 0.1%}, workers: {count: 1, service_time: 1ms}}}
  COPY: {mirror: {name: S}, consumers: {all: {}}}
publishers: {p: {subject: s.a, rate: 100/s, payload: 1KiB, mode: sync}}
goals: {lost: 0%, latency_p99: 1ms}
`)
	const publishing = "publishing"
	for _, stage := range []string{"starting nats-server", "applying", "routing", StageWorkload, publishing} {
		t.Run(stage, func(t *testing.T) {
			leavesNothing(t)
			ctx, end := context.WithCancel(t.Context())
			defer end()
			live := func(*Live) {}
			if stage == publishing {
				live = func(*Live) { end() }
			}
			e, err := Design(ctx, d, DesignOptions{For: time.Minute, Live: live, Options: Options{Stage: func(name string) {
				if name == stage {
					end()
				}
			}}})
			if !errors.Is(err, context.Canceled) || !e.Partial || e.Held() {
				t.Fatalf("error %v, partial %v, held %v", err, e.Partial, e.Held())
			}
			for _, s := range e.Steps {
				if !s.OK && !s.Unfinished {
					t.Errorf("failed step %+v", s)
				}
			}
			for _, c := range e.Claims {
				if !c.Held && !c.Unfinished {
					t.Errorf("claim %+v", c)
				}
			}
			for _, p := range e.Predicted {
				if p.Decides() && !p.Agrees() {
					t.Errorf("figure %+v", p)
				}
			}
			goals := map[string]string{}
			for _, g := range e.Goals {
				goals[g.Path] = g.Verdict + ": " + g.Why
			}
			const undecided = "not exercised: the run ended before it was decided"
			want := map[string]string{"goals.lost": undecided, "goals.latency_p99": undecided, "streams.S.consumers.c.goals.handled_twice": undecided}
			if !maps.Equal(goals, want) {
				t.Errorf("goals %v", goals)
			}
			if last := e.Claims[max(0, len(e.Claims)-1):]; stage == publishing && (len(last) == 0 || !last[0].Unfinished) {
				t.Errorf("the workload's claim is %+v", last)
			}
		})
	}
}

// TestPanicsLeaveNothing: a panic in what the caller gave goes through a run, which
// ends its servers on the way.
func TestPanicsLeaveNothing(t *testing.T) {
	options := Options{
		Progress: func(int, int) { panic("of the caller") },
		Stage: func(name string) {
			if name == "running the workload" {
				panic("of the caller")
			}
		},
	}
	tests := []struct {
		name string
		run  func(ctx context.Context) error
	}{
		{"script", func(ctx context.Context) error {
			s, err := ParseScript("p", 1, "server nodes=3\nstream S subjects=s.* num_replicas=3")
			if err == nil {
				_, err = RunScript(ctx, s, ScriptOptions{Options: options})
			}
			return err
		}},
		{"design", func(ctx context.Context) error {
			_, err := Design(ctx, parseDesign(t, eagerDesign), DesignOptions{Options: Options{Stage: options.Stage}, For: time.Second})
			return err
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			leavesNothing(t)
			defer func() {
				if got := recover(); got != "of the caller" {
					t.Errorf("recovered %v", got)
				}
			}()
			t.Errorf("no panic, error %v", tt.run(t.Context()))
		})
	}
}
