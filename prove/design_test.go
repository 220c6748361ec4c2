package prove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"weir/design"
	"weir/natsapi"
	"weir/verdict"
)

func parseDesign(t *testing.T, text string) *design.Design {
	t.Helper()
	d, problems := design.Parse("test.yaml", []byte(text))
	if problems.Failed() {
		t.Fatal(problems)
	}
	return d
}

// explain fails the test with what the evidence shows otherwise than expected.
func explain(t *testing.T, e Evidence) {
	t.Helper()
	for _, f := range failures(e) {
		t.Error(f)
	}
}

// failures lists the steps, predictions and claims of an evidence that are not
// as they should be.
func failures(e Evidence) []string {
	var no []string
	for _, s := range e.Steps {
		if !s.OK {
			no = append(no, fmt.Sprintf("step %d %s: %s\nexpected %s\nanswered %+v", s.N, s.Do, s.Request, s.Expect, s.Reply))
		}
	}
	for _, p := range e.Predicted {
		if p.Decides() && !p.Agrees() {
			no = append(no, fmt.Sprintf("%s: predicted %d, measured %d", p.Name, p.Value, p.Measured))
		}
	}
	for _, c := range e.Claims {
		if !c.Held {
			no = append(no, "does not hold: "+c.Text)
		}
	}
	return no
}

// TestPresets: the servers accept every preset, but for the trap of one, answer
// as predicted and route as predicted.
func TestPresets(t *testing.T) {
	for _, p := range design.Presets() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			e, err := Design(t.Context(), parseDesign(t, p.Text), DesignOptions{For: -1})
			if err != nil {
				t.Fatal(err)
			}
			if p.Name == "five-traps" {
				refused := &e.Claims[0]
				if refused.Held || !strings.HasSuffix(refused.Text, "(1 refused)") || e.Held() {
					t.Errorf("got %+v", refused)
				}
				refused.Held = true
			}
			explain(t, e)
			if len(e.Claims) < 2 || !e.Held() {
				t.Errorf("held %v, %+v", e.Held(), e.Claims)
			}
		})
	}
}

// TestDesignAssumedPlaces: where a design does not say what its cluster is called and
// which tags its servers have, weir check takes them to be what placements ask for;
// the servers of a run are so too, and the run says it.
func TestDesignAssumedPlaces(t *testing.T) {
	d := parseDesign(t, "weir: 1\nserver: {nodes: 3}\nstreams:\n  A: {subjects: [a], placement: {cluster: east}}\n  B: {subjects: [b], placement: {tags: [ssd]}}\n")
	e, err := Design(t.Context(), d, DesignOptions{For: -1})
	if err != nil {
		t.Fatal(err)
	}
	explain(t, e)
	var left []string
	for _, n := range e.NotExercised {
		left = append(left, n.Why)
	}
	for _, j := range verdict.JudgeDesign(d, natsapi.Version{})[:1] {
		if !slices.Equal(left, j.Site.Assumed) || len(left) != 2 {
			t.Errorf("left out %q, assumed %q", left, j.Site.Assumed)
		}
	}
	if !e.Held() {
		t.Errorf("%+v", e.Claims)
	}
}

func TestDesignOnOtherServers(t *testing.T) {
	preset, err := design.FindPreset("orders")
	if err != nil {
		t.Fatal(err)
	}
	for _, server := range testServers(t)[1:] {
		t.Run(server.version, func(t *testing.T) {
			leavesNothing(t)
			e, err := Design(t.Context(), parseDesign(t, preset.Text), DesignOptions{With: server.with, For: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			explain(t, e)
			if e.Host != "child" || e.Server.Version != server.version {
				t.Errorf("host %q, version %s", e.Host, e.Server.Version)
			}
		})
	}
}

func TestDesignEndsWithContext(t *testing.T) {
	leavesNothing(t)
	preset, err := design.FindPreset("jobs")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e, err := Design(ctx, parseDesign(t, preset.Text), DesignOptions{Options: Options{Stage: func(name string) {
		if name == "routing" {
			cancel()
		}
	}}})
	if !errors.Is(err, context.Canceled) || !e.Partial || e.Held() || len(e.Steps) == 0 {
		t.Errorf("got %v, partial %v, %d steps", err, e.Partial, len(e.Steps))
	}
}
