package prover

import (
	"context"

	"weir/internal/methods"
	"weir/prove"
)

// CodeNotRunning is the code of a methods.Error of what is asked of a workload
// while none runs.
const CodeNotRunning = "not_running"

// setLive keeps what is run, nil for nothing.
func (p *Prover) setLive(l *prove.Live) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live = l
}

func (p *Prover) theLive() (*prove.Live, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.live == nil {
		return nil, &methods.Error{Code: CodeNotRunning, Message: "no workload runs: faults are made while the workload of a design does"}
	}
	return p.live, nil
}

// FaultRequest is a fault to do to the servers of the workload that runs: kill or
// start of "node 2", kill of "leader ORDERS", step_down of a stream.
type FaultRequest struct {
	Do     string `json:"do"`
	Target string `json:"target"`
}

// FaultReply says what was done.
type FaultReply struct {
	Said string `json:"said"`
}

func (p *Prover) fault(_ context.Context, in FaultRequest, _ methods.Progress) (FaultReply, error) {
	live, err := p.theLive()
	if err != nil {
		return FaultReply{}, err
	}
	said, err := live.Do(in.Do, in.Target)
	if err != nil {
		return FaultReply{}, methods.BadRequest(err)
	}
	return FaultReply{Said: said}, nil
}

func (p *Prover) finish(context.Context, Nothing, methods.Progress) (Nothing, error) {
	live, err := p.theLive()
	if err == nil {
		live.Finish()
	}
	return Nothing{}, err
}

// LookReply is what the servers of the workload do; Running is false, and the rest
// is empty, while none runs.
type LookReply struct {
	Running bool `json:"running"`
	// Over is set once publishing has ended; faults are no longer made then.
	Over    bool         `json:"over"`
	Cluster ShownCluster `json:"cluster"`
}

func (p *Prover) look(context.Context, Nothing, methods.Progress) (LookReply, error) {
	live, err := p.theLive()
	if err != nil {
		return LookReply{}, nil
	}
	seen, now := live.Cluster()
	return LookReply{true, seen.To > 0, shownCluster(seen, live.Steps(), now)}, nil
}
