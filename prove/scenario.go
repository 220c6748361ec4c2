package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"weir/design"
)

// playing is a scenario during a workload.
type playing struct {
	w     *workload
	ctx   context.Context
	steps []Step
	own   *links
}

// play carries out the events of the chosen scenario in their order and returns
// them as steps. Their times are not the design's: the first comes after a
// quarter of the run, the last at three quarters. How long something lasts is
// scaled like every time constant, and at most half of the run.
func (w *workload) play(ctx context.Context) []Step {
	if w.r.scenario == nil {
		return nil
	}
	p := &playing{w: w, ctx: ctx, own: &links{h: w.r.host}}
	defer p.own.close()
	events := slices.Clone(w.r.scenario.Events)
	slices.SortStableFunc(events, func(a, b design.Event) int { return cmp.Compare(a.At, b.At) })
	var undo sync.WaitGroup
	defer undo.Wait()
	for _, e := range events {
		if !sleepUntil(ctx, w.started.Add(w.position(e, events))) {
			break
		}
		step := Step{AtMS: time.Since(w.r.e.Started).Milliseconds(), Do: "scenario: " + w.r.does(e.Do) + " " + e.Target, Expect: "done", OK: true}
		end, said, err := p.do(e)
		if said != "" {
			step.Reply = &Reply{Text: said}
		}
		switch {
		case err != nil && ctx.Err() != nil:
			// A leader is missing for 4 to 9 s after a kill (server/raft.go), which
			// no scale shortens.
			const late = "the run ended before the servers answered; a longer one has room for elections"
			step.Reply = &Reply{Text: late}
			w.r.e.leaveOut(e.Path, late)
		case err != nil:
			step.OK, step.Reply = false, &Reply{Text: err.Error()}
		}
		if end != nil && e.For > 0 {
			lasts := min(time.Duration(float64(e.For)/w.time), w.span/2)
			if want := time.Duration(float64(e.For) / w.time); lasts < want {
				w.r.e.leaveOut(e.Path, fmt.Sprintf("it lasts %s in place of %s", lasts, want))
			}
			step.Do += " for " + lasts.String()
			at := time.Now().Add(lasts)
			undo.Go(func() {
				sleepUntil(ctx, at)
				end()
			})
		}
		p.steps = append(p.steps, step)
	}
	return p.steps
}

// does is what an event does on the run's host.
func (r *designRun) does(event string) string {
	if event == "kill" && !r.host.Info().Kills {
		return "shut down"
	}
	return event
}

// position is when in the run an event happens.
func (w *workload) position(e design.Event, events []design.Event) time.Duration {
	first, last := events[0].At, events[len(events)-1].At
	share := 0.0
	if last > first {
		share = float64(e.At-first) / float64(last-first)
	}
	return w.span/4 + time.Duration(share*float64(w.span/2))
}

// do starts an event; end ends it, nil where it has no end.
func (p *playing) do(e design.Event) (end func(), said string, err error) {
	switch e.Do {
	case "kill", "restart":
		return p.kill(e)
	case "step_down":
		return nil, "", p.stepDown(e.Target)
	case "burst":
		return p.burst(e)
	case "partition":
		p.w.r.e.leaveOut(e.Path, "networks are not cut")
		return nil, "not done: networks are not cut", nil
	}
	c := p.consumer(e.Target)
	if c == nil {
		return nil, "", fmt.Errorf("%q is not a consumer with workers", e.Target)
	}
	switch e.Do {
	case "stall":
		c.gate.shut()
		return c.gate.open, "", nil
	case "freeze":
		p.w.r.e.leaveOut(e.Path, "processes are not frozen; stall stops their handlers")
		return nil, "not done: processes are not frozen", nil
	case "slow":
		c.setPace(e.Factor)
		return func() { c.setPace(1) }, "", nil
	case "crash":
		return nil, "", c.crash()
	case "scale":
		p.w.r.e.leaveOut(e.Path, "workers are not added or taken away")
		return nil, "not done: workers are not added or taken away", nil
	}
	return nil, "", fmt.Errorf("%q is not played", e.Do)
}

// consumer is the one of a target such as billing or ORDERS/billing.
func (p *playing) consumer(target string) *loadConsumer {
	for _, c := range p.w.consumers {
		if c.name == target || strings.HasSuffix(c.name, "/"+target) {
			return c
		}
	}
	return nil
}

func (c *loadConsumer) setPace(factor float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slower = factor
}

// crash ends one worker process with what it holds; it does not come back.
func (c *loadConsumer) crash() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.crews) == 0 {
		return errors.New("no worker is left")
	}
	c.crews[0].end()
	c.crews = c.crews[1:]
	return nil
}

func (p *playing) burst(e design.Event) (end func(), said string, err error) {
	for _, pub := range p.w.publishers {
		if pub.Name != e.Target {
			continue
		}
		rate := func(r float64) {
			pub.mu.Lock()
			defer pub.mu.Unlock()
			pub.accrue(time.Now())
			pub.burst = r
		}
		rate(e.Rate)
		return func() { rate(0) }, "", nil
	}
	return nil, "", fmt.Errorf("%q is not a publisher of the workload", e.Target)
}

func (p *playing) stepDown(target string) error {
	stream, consumer, isConsumer := strings.Cut(target, "/")
	user := hubUser
	for _, s := range p.w.streams {
		if s.Name == stream {
			user = p.w.r.user(s.scope)
		}
	}
	s, err := p.own.as(p.ctx, user)
	if err != nil {
		return err
	}
	subject := "STREAM.LEADER.STEPDOWN." + stream
	if isConsumer {
		subject = "CONSUMER.LEADER.STEPDOWN." + stream + "." + consumer
	}
	a, err := s.api(p.ctx, answerWithin, subject, nil)
	if err == nil && a.silent != "" {
		err = errors.New(a.silent)
	}
	return errors.Join(err, a.asError())
}

// kill takes nodes down; they come back after the event's time, at once for
// restart.
func (p *playing) kill(e design.Event) (end func(), said string, err error) {
	nodes, err := p.nodes(e.Target)
	if err != nil {
		return nil, "", err
	}
	h := p.w.r.host
	var names []string
	p.w.nodes.Lock()
	for _, n := range nodes {
		if h.Running(n) {
			err = errors.Join(err, h.Kill(n))
			names = append(names, nodeName(n))
		}
	}
	p.w.nodes.Unlock()
	said = strings.Join(names, ", ") + ": " + h.Info().KillIs
	// Not with the context of publishing, because an event that outlives it is
	// ended as well.
	back := func() {
		p.w.nodes.Lock()
		defer p.w.nodes.Unlock()
		for _, n := range nodes {
			if !h.Running(n) {
				// What does not come back shows in the figures.
				_ = h.Restart(context.WithoutCancel(p.ctx), n)
			}
		}
	}
	if e.Do == "restart" {
		back()
		return nil, said, err
	}
	return back, said, err
}

// nodes are those of a target: node, node 2, zone a, leader ORDERS.
func (p *playing) nodes(target string) ([]int, error) {
	count := p.w.r.host.Info().Nodes
	kind, name, _ := strings.Cut(target, " ")
	switch {
	case kind == "node" && name == "":
		return []int{rand.New(rand.NewPCG(p.w.r.opt.Seed, 0)).IntN(count)}, nil
	case kind == "node":
		n, err := strconv.Atoi(name)
		if err != nil || n < 1 || n > count {
			return nil, fmt.Errorf("%q: the run has nodes 1 to %d", target, count)
		}
		return []int{n - 1}, nil
	case kind == "zone":
		var out []int
		for i, tags := range p.w.r.setup.Tags {
			if slices.ContainsFunc(tags, func(t string) bool { return strings.HasSuffix(t, ":"+name) }) {
				out = append(out, i)
			}
		}
		if len(out) == 0 {
			return nil, fmt.Errorf("%q: no node is in it", target)
		}
		return out, nil
	case kind == "leader":
		return p.leader(name)
	}
	return nil, fmt.Errorf("%q is not node, zone or leader", target)
}

func (p *playing) leader(stream string) ([]int, error) {
	for _, s := range p.w.streams {
		if s.Name != stream {
			continue
		}
		link, err := p.own.as(p.ctx, p.w.r.user(s.scope))
		if err != nil {
			return nil, err
		}
		var info streamInfo
		if err := link.info(p.ctx, "STREAM.INFO."+stream, &info); err != nil {
			return nil, err
		}
		for i := range p.w.r.host.Info().Nodes {
			if nodeName(i) == info.Cluster.Leader {
				return []int{i}, nil
			}
		}
		return []int{0}, nil // a single server leads everything
	}
	return nil, fmt.Errorf("%q is not a stream of the workload", stream)
}
