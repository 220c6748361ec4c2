package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"weir/design"
)

// Live is the workload of a design while it runs. Through it somebody who looks
// on can see what the servers do and do faults to them; each fault becomes a step
// of the evidence. Its methods may be called from several goroutines, also when
// the workload is over.
type Live struct {
	w      *workload
	faults playing
	finish context.CancelFunc

	mu    sync.Mutex
	over  bool
	steps []Step
	down  []int // nodes that faults took down
}

// The things that Live.Do does.
const (
	FaultKill     = "kill"      // takes nodes down, see Host.Kill
	FaultStart    = "start"     // starts a node that is down on its own store
	FaultStepDown = "step_down" // makes the leader of a stream hand over
)

// errOver is what is said to a fault that comes too late.
var errOver = errors.New("the workload is over: start it anew")

// newLive makes the Live of a workload whose publishing ends with finish.
func (w *workload) newLive(ctx context.Context, finish context.CancelFunc) *Live {
	return &Live{w: w, finish: finish, faults: playing{w: w, ctx: ctx, own: &links{h: w.r.host}}}
}

// Do carries out a fault: kill and start take "node 2" or "leader ORDERS",
// step_down takes a stream. It returns what was done in words. Faults are made one
// after the other.
func (l *Live) Do(fault, target string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return "", errOver
	}
	return l.do(fault, target)
}

func (l *Live) do(fault, target string) (string, error) {
	step := Step{AtMS: l.w.sinceStarted(), Do: "fault: " + strings.ReplaceAll(fault, "_", " ") + " " + target, Expect: "done", OK: true}
	said, err := l.carryOut(fault, target)
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", strings.ReplaceAll(fault, "_", " "), target, err)
	}
	step.Reply = &Reply{Text: said}
	l.steps = append(l.steps, step)
	return said, nil
}

func (l *Live) carryOut(fault, target string) (string, error) {
	switch fault {
	case FaultStepDown:
		return "asked to hand over", l.faults.stepDown(target)
	case FaultStart:
		node, err := l.node(target)
		if err != nil {
			return "", err
		}
		l.w.nodes.Lock()
		defer l.w.nodes.Unlock()
		l.down = slices.DeleteFunc(l.down, func(n int) bool { return n == node })
		return nodeName(node) + ": started on its own store", l.w.r.host.Restart(l.faults.ctx, node)
	case FaultKill:
		nodes, err := l.faults.nodes(target)
		if err != nil {
			return "", err
		}
		if !slices.ContainsFunc(nodes, l.w.r.host.Running) {
			return "", fmt.Errorf("%s is down", target)
		}
		_, said, err := l.faults.kill(design.Event{Do: "kill", Target: target})
		l.down = append(l.down, nodes...)
		return said, err
	}
	return "", fmt.Errorf("%q is not %s, %s or %s", fault, FaultKill, FaultStart, FaultStepDown)
}

func (l *Live) node(target string) (int, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(target, "node "))
	if err != nil || n < 1 || n > l.w.r.host.Info().Nodes {
		return 0, fmt.Errorf("%q: the run has nodes 1 to %d", target, l.w.r.host.Info().Nodes)
	}
	return n - 1, nil
}

// Finish ends the publishing early; the run goes on with what it has.
func (l *Live) Finish() { l.finish() }

// Cluster is what happened to the servers so far, and what its times count up to.
func (l *Live) Cluster() (Cluster, int64) {
	return l.w.cluster.soFar(), l.w.sinceStarted()
}

// Steps are the faults so far.
func (l *Live) Steps() []Step {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.steps)
}

// close takes no more faults, and starts what they left down: otherwise nothing
// could be compared.
func (l *Live) close() []Step {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	for _, node := range slices.Clone(l.down) {
		if l.w.r.host.Running(node) {
			continue
		}
		// What does not come back shows in the figures.
		_, _ = l.do(FaultStart, "node "+strconv.Itoa(node+1))
		if n := len(l.steps); n > 0 {
			l.steps[n-1].Reply.Text += ", as publishing is over"
		}
	}
	l.faults.own.close()
	return slices.SortedStableFunc(slices.Values(l.steps), func(a, b Step) int { return cmp.Compare(a.AtMS, b.AtMS) })
}

// sinceStarted is now, as evidence counts time.
func (w *workload) sinceStarted() int64 { return time.Since(w.r.e.Started).Milliseconds() }
