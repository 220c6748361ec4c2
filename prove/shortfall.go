package prove

import (
	"fmt"
	"math"
	"time"
)

// enough is the share of the messages that were due from which on a publisher kept
// to its rate.
const enough = 0.9

// accrue counts what was due up to an instant, at the rate until then. The caller
// holds the lock.
func (p *loadPublisher) accrue(now time.Time) {
	if !p.since.IsZero() && now.After(p.since) {
		p.due += p.rate() * now.Sub(p.since).Seconds()
	}
	p.since = now
}

// short reports whether clearly less was published than was due. Arrivals are
// random: three standard deviations are chance. The caller holds the lock.
func (p *loadPublisher) short() bool {
	sent := float64(p.sent)
	return sent < enough*p.due && p.due-sent > 3*math.Sqrt(p.due)
}

// share is the part of what was due that was published, 1 where it is not short of
// it. The caller holds the lock.
func (p *loadPublisher) share() float64 {
	if !p.short() {
		return 1
	}
	return float64(p.sent) / p.due
}

// shortfall says what publishers fell short of, "" when they did not; of a stream
// that some of them publish into only those count.
func (w *workload) shortfall(of *loadStream) string {
	var due, sent float64
	short, direct := false, false
	for _, p := range w.publishers {
		direct = direct || p.stream == of
	}
	for _, p := range w.publishers {
		if direct && p.stream != of {
			continue
		}
		p.mu.Lock()
		short = short || p.short()
		due, sent = due+p.due, sent+float64(p.sent)
		p.mu.Unlock()
	}
	if !short {
		return ""
	}
	return fmt.Sprintf("%.0f of %.0f messages that were due were published: %s", sent, math.Max(due, sent), w.heldUp())
}

// heldUp is what keeps publishers from their rates.
func (w *workload) heldUp() string {
	if w.r.scenario != nil || w.faults > 0 {
		return "this machine, or what was done to the servers, held publishers up"
	}
	return "this machine did not publish faster"
}

// noteShortfall adds to the law what was published of what was due.
func (w *workload) noteShortfall() {
	said := w.shortfall(nil)
	if said == "" || w.r.e.Scaling == nil {
		return
	}
	var due, sent float64
	for _, p := range w.publishers {
		p.mu.Lock()
		due, sent = due+p.due, sent+float64(p.sent)
		p.mu.Unlock()
	}
	w.r.e.Scaling.Published = min(0.999, math.Round(1000*sent/due)/1000)
	w.r.e.Scaling.Law += "; only " + said
}

// Shortfall says in a clause that less was published than was due, "" where that is
// not so.
func (e *Evidence) Shortfall() string {
	if e.Scaling == nil || e.Scaling.Published == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g%% of the messages that were due were published", 100*e.Scaling.Published)
}
