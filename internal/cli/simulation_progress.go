package cli

import (
	"fmt"
	"time"
)

// simulationProgress shows on a terminal how far a long simulation is.
type simulationProgress struct {
	c             *Command
	what          string // "simulating"
	started, last time.Time
	shown         bool // a line stands on the terminal
}

// progressOf is the progress of what; nil where nobody would see it. The caller calls
// end.
func (c *Command) progressOf(what string) *simulationProgress {
	if !isTerminal(c.Stderr) {
		return nil
	}
	return &simulationProgress{c: c, what: what, started: time.Now()}
}

// report is what sim calls with the share that is done, nil for nobody.
func (p *simulationProgress) report() func(done float64) bool {
	if p == nil {
		return nil
	}
	return func(done float64) bool {
		const quiet, pause = time.Second / 2, time.Second / 10
		if now := time.Now(); now.Sub(p.started) >= quiet && now.Sub(p.last) >= pause {
			p.last, p.shown = now, true
			fmt.Fprintf(p.c.Stderr, "\r%s: %.0f %% \x1b[K", p.what, 100*done)
		}
		return true
	}
}

// end takes the line away.
func (p *simulationProgress) end() {
	if p != nil && p.shown {
		fmt.Fprint(p.c.Stderr, "\r\x1b[K")
		p.shown = false
	}
}
