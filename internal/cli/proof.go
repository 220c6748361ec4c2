package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"weir/internal/engine"
	"weir/natsapi"
	"weir/prove"
	"weir/size"
)

// proofRun is a run on the real server, which Ctrl-C ends in good order.
type proofRun struct {
	c       *Command
	ctx     context.Context
	stop    context.CancelFunc
	options prove.Options
	shown   bool // a progress line stands on the terminal
}

// startProof prepares a run; what names the things counted in its progress. The
// caller calls end, more than once if need be.
func (c *Command) startProof(what string) *proofRun {
	p := &proofRun{c: c}
	p.ctx, p.stop = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	p.options.Weir = engine.Version
	if !isTerminal(c.Stderr) {
		return p
	}
	started, stage := time.Now(), "proving"
	p.options.Progress = func(done, total int) {
		if time.Since(started) < time.Second/2 {
			return
		}
		p.shown = true
		fmt.Fprintf(c.Stderr, "\r%s: %s of %s %s \x1b[K", stage, thousands(done), thousands(total), what)
	}
	p.options.Stage = func(name string) {
		stage = name
		if time.Since(started) >= time.Second/2 {
			p.shown = true
			fmt.Fprintf(c.Stderr, "\r%s \x1b[K", stage)
		}
	}
	return p
}

// proofs runs proofs one after the other; the error says why it ended early.
func (p *proofRun) proofs(list []prove.Proof, with string) (runs []ranProof, ended error) {
	for i, proof := range list {
		options := p.options
		if stage := options.Stage; stage != nil {
			where := fmt.Sprintf("proof %d of %d, %s", i+1, len(list), proof.Name)
			options.Stage = func(name string) { stage(where + ": " + name) }
			options.Stage("starting")
		}
		e, err := proof.Run(p.ctx, prove.ScriptOptions{Options: options, With: with})
		if err != nil {
			return runs, p.explain(err)
		}
		runs = append(runs, ranProof{proof.Name, proof.Claim, e})
	}
	return runs, nil
}

// end stops listening for Ctrl-C and takes the progress line away.
func (p *proofRun) end() {
	p.stop()
	if p.shown {
		fmt.Fprint(p.c.Stderr, "\r\x1b[K")
		p.shown = false
	}
}

// explain names Ctrl-C as what ended a run, and marks errors of the input.
func (p *proofRun) explain(err error) error {
	if err != nil && p.ctx.Err() != nil {
		return errors.New("interrupted")
	}
	var bad *prove.InputError
	if errors.As(err, &bad) {
		return inputError{err}
	}
	return err
}

// provable refuses a target that is not the release of the server that runs.
func provable(target targetFlag) error {
	var embedded targetFlag
	if err := embedded.Set(prove.ServerVersion); err != nil {
		return err
	}
	if target.version != (natsapi.Version{}) && target.release() != embedded.release() {
		return badInput("--prove runs nats-server %s, which cannot prove what %s does; leave --target out", prove.ServerVersion, target.release())
	}
	return nil
}

// ran is the sentence that says what ran and whether it agreed.
func ran(e prove.Evidence, compared string, different int, agrees bool) cell {
	on := "nats-server " + e.Server.Version + ": " + compared
	switch {
	case e.Partial:
		return warn(fmt.Sprintf("ended early on %s compared, %s different", on, thousands(different)))
	case different > 0:
		return bad(fmt.Sprintf("ran on %s, %s", on, size.Counted(different, "differs", "differ")))
	case !agrees:
		return bad(fmt.Sprintf("ran on %s, and the server said something unexpected", on))
	}
	return good(fmt.Sprintf("ran on %s, all agree", on))
}

func (c *Command) printRan(sentence cell) {
	c.print(sentence)
	c.out.WriteByte('\n')
}

// printNotExercised lists what was not put to the server.
func (c *Command) printNotExercised(left []prove.NotExercised) {
	const most = 20
	for i, n := range left {
		if i == most {
			fmt.Fprintf(c.out, "not exercised: %s more\n", thousands(len(left)-most))
			break
		}
		fmt.Fprintf(c.out, "not exercised: %s: %s\n", n.What, n.Why)
	}
}
