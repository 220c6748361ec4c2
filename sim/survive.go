package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"weir/design"
	"weir/size"
)

// JudgeSurvive runs each fault of goals.survive by itself, in place of the
// scenario, and says whether it costs a message that was acknowledged. A run is
// as long as the fault and what follows need, at most an hour. An error comes with
// what was judged before it.
func (m *Model) JudgeSurvive(ctx context.Context, seed uint64, progress func(done float64) bool) ([]GoalAnswer, error) {
	var out []GoalAnswer
	for i, s := range m.Survive {
		short := *m
		short.Until = min(m.Until, time.Hour, max(10*time.Minute, 4*s.For))
		f, err := short.WithFault(s)
		if err != nil {
			return out, err
		}
		o := Options{Seed: seed, Until: f.Until}
		if progress != nil {
			o.Progress = func(done float64) bool { return progress((float64(i) + done) / float64(len(m.Survive))) }
		}
		r, err := Run(ctx, f.Workload, o)
		var tooMuch *TooMuchError
		if err != nil && !errors.As(err, &tooMuch) {
			return out, fmt.Errorf("survive %s: %w", s.Fault, err)
		}
		goal := f.survived(s, r, i)
		if err != nil {
			goal.leaveOpen(NotDecided, tooMuch.Error())
		}
		out = append(out, goal)
	}
	return out, nil
}

// survivePath is where a design lists the faults that it has to survive.
const survivePath = "goals.survive"

// survived judges one fault.
func (m *Model) survived(s design.Survive, r *Result, i int) GoalAnswer {
	name := "survive " + s.Fault
	if s.For > 0 {
		name += " " + size.FormatDuration(s.For)
	}
	g := GoalAnswer{Path: design.Index(survivePath, i), Name: name, Wanted: "no acknowledged message lost", Margin: -1}
	lost := int64(0)
	for _, c := range r.Consumers {
		// What a newer message replaces before it is read, the fault did not take.
		lost += c.LostUnread - c.Replaced + c.LostHeld
	}
	unreachable := ""
	for i := range m.Streams {
		cfg := &m.Streams[i]
		// A copy that nobody works on can be made again from what it copies.
		spare := cfg.Copy && !slices.ContainsFunc(m.Consumers, func(c Consumer) bool { return c.Stream == cfg.Name })
		if m.Server.Nodes > 1 && cfg.Replicas < 2 && !cfg.Apart && !spare && (s.Fault == "node" || s.Fault == "zone") {
			unreachable = cfg.Name
		}
	}
	g.Got = size.Messages.Format(float64(lost)) + " lost"
	switch {
	case lost > 0:
		g.Text = "messages are gone"
	case unreachable != "":
		g.Got = unreachable + " has one replica, which is away with its node"
		g.Text = "its messages come back with the node, and are lost if its disk is"
	default:
		g.Met, g.Margin, g.Text = true, 1, "met"
	}
	return g
}

// AddGoals adds goals that runs of their own answered, such as those of
// JudgeSurvive, and sums the answer up again.
func (a *Answer) AddGoals(m *Model, goals []GoalAnswer) {
	a.Goals = append(a.Goals, goals...)
	if missing := len(m.Survive) - len(goals); missing > 0 {
		a.Partial = fmt.Sprintf("%d of %s not run: it was interrupted", missing, size.Counted(len(m.Survive), "fault of goals.survive was", "faults of goals.survive were"))
	}
	a.conclude(m)
}
