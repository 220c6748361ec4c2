package sim

import (
	"fmt"
	"time"

	"weir/size"
)

// latencyPercentiles are the goals of latency with their percentiles.
var latencyPercentiles = map[string]float64{"latency_p50": 0.5, "latency_p95": 0.95, "latency_p99": 0.99}

// floorOf says why no number of workers meets a goal of latency, "" where one may:
// handling alone takes longer, or as large a share of the messages as the
// percentile leaves out comes again only after the limit.
func (m *Model) floorOf(g *WantedGoal) string {
	p, ok := latencyPercentiles[g.Name]
	if !ok {
		return ""
	}
	limit := time.Duration(g.Limit)
	for _, w := range m.crew(g.Consumer).groups {
		if alone := quantile(w.Service, p); alone > limit {
			return fmt.Sprintf("handling a message takes %s at %s", size.FormatDuration(alone), g.Name[len("latency_"):])
		}
		if share, wait, why := m.comesAgainAfter(g.Consumer, w, limit); share >= nearly*(1-p) {
			return fmt.Sprintf("%s of the deliveries come again only after %s (%s), which is %s for any number of workers",
				size.Share.Format(share), size.FormatDuration(wait), why, g.Name)
		}
	}
	return ""
}

// nearly is the part of the share beyond a percentile from which on a sample of the
// run may have the percentile in it.
const nearly = 0.95

// comesAgainAfter is the share of a group's deliveries that fail and come again so
// late that the limit has passed, with the shortest such wait and what makes it.
func (m *Model) comesAgainAfter(i int, w *WorkerGroup, limit time.Duration) (share float64, wait time.Duration, why string) {
	c := &m.Consumers[i]
	if w.Act == nil || c.Ack == AckNone || w.AckEvery > 1 {
		return 0, 0, ""
	}
	silence, setting := c.AckWait, "ack_wait"
	if silence <= 0 {
		silence = defaultAckWait
	}
	if len(c.BackOff) > 0 {
		silence, setting = c.BackOff[0], "backoff[0]"
	}
	late := 0
	for k := range uint64(quantileSteps) {
		after, by := time.Duration(0), ""
		switch a := w.Act(k<<52|1<<51, k+1, 1); a.Do {
		case DoNakDelay:
			after, by = a.Delay, "nak with delay"
		case DoNothing, DoAckLost:
			after, by = silence, setting
		default:
			continue
		}
		if after+time.Duration(MeanOf(w.Service)) < limit {
			continue
		}
		if late++; wait == 0 || after < wait {
			wait, why = after, by
		}
	}
	return float64(late) / quantileSteps, wait, why
}

// floor says of a goal that was missed, and that workers do not help, why.
func (f *finder) floor(i int) {
	for k := range f.m.Goals {
		g := &f.m.Goals[k]
		if g.Consumer != i || !f.missed(g) {
			continue
		}
		if why := f.m.floorOf(g); why != "" {
			f.say(severityWarning, g.Path, "shorten the delay or let fewer messages fail, or set a goal that has room for it: more workers do not help",
				"%s of %s cannot be met: %s", g.Name, f.a.Consumers[i].Name, why)
		}
	}
}

// missed reports whether the answer misses a goal.
func (f *finder) missed(g *WantedGoal) bool {
	for k := range f.a.Goals {
		if x := &f.a.Goals[k]; x.Name == g.Name && x.Consumer == f.a.Consumers[g.Consumer].Name {
			return x.Missed()
		}
	}
	return false
}
