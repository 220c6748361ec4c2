package prove

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/design"
	"weir/size"
)

// goals turns the design's goals into verdicts, once a workload has run to its end.
func (r *designRun) goals(w *workload) {
	for _, c := range w.consumers {
		stream, _ := c.names()
		levels := []design.Goals{c.goals}
		for _, s := range c.stream.scope.Streams {
			if s.Name == stream {
				levels = append(levels, s.Goals)
			}
		}
		for _, g := range r.goalsOf(levels...) {
			r.e.Goals = append(r.e.Goals, r.judge(w, c, g))
		}
	}
	for _, s := range r.d.Goals.Survive {
		r.e.Goals = append(r.e.Goals, r.survived(w, s))
	}
}

// noWorkload is why goals are not exercised where no workload runs.
const noWorkload = "no workload was run"

// untried lists goals that nothing was run for: those that a workload would have
// been judged by, each with why.
func (r *designRun) untried(why string) {
	add := func(path, goal string) {
		r.e.Goals = append(r.e.Goals, Goal{Path: path, Goal: goal, Verdict: GoalUntried, Why: why})
	}
	for _, scope := range r.d.Scopes() {
		for _, s := range scope.Streams {
			for _, c := range s.Consumers {
				if len(c.Workers) == 0 {
					continue
				}
				for _, g := range r.goalsOf(c.Goals, s.Goals) {
					add(g.path, g.text(s.Name+"/"+c.Name))
				}
			}
		}
	}
	for _, s := range r.d.Goals.Survive {
		add(survivePath, surviveText(s))
	}
}

// wanted is one goal that holds for a consumer.
type wanted struct {
	path, name string
	at         float64 // ns for times, 0 to 1 for shares
}

// text is the goal as evidence names it.
func (g wanted) text(consumer string) string {
	return g.name + " of " + consumer + " at most " + goalText(g.name, g.at)
}

// goalsOf are the goals of a consumer: its own and its stream's, which levels are,
// and the design's, the nearest one of each name.
func (r *designRun) goalsOf(levels ...design.Goals) []wanted {
	levels = append(levels, r.d.Goals)
	var out []wanted
	for _, name := range []string{"latency_p50", "latency_p95", "latency_p99", "oldest_pending", "pending", "drain", "handled_twice", "lost", "rejected", "utilisation"} {
		for _, g := range levels {
			path := design.Join(g.Path, name)
			if g.Path != "" && r.d.Has(path) {
				out = append(out, wanted{path, name, goalValue(g, name)})
				break
			}
		}
	}
	return out
}

func goalValue(g design.Goals, name string) float64 {
	return map[string]float64{
		"latency_p50": float64(g.LatencyP50), "latency_p95": float64(g.LatencyP95), "latency_p99": float64(g.LatencyP99),
		"oldest_pending": float64(g.OldestPending), "pending": float64(g.Pending), "drain": float64(g.Drain),
		"handled_twice": g.HandledTwice, "lost": g.Lost, "rejected": g.Rejected, "utilisation": g.Utilisation,
	}[name]
}

// judge compares what a run measured of a consumer with a goal. Shares compare
// whatever the scale; times and counts only where nothing was scaled and no event
// of a scenario was: an election takes its 4 to 9 s of the shortest run as well.
func (r *designRun) judge(w *workload, c *loadConsumer, g wanted) Goal {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := Goal{Path: g.path, Goal: g.text(c.name)}
	share := g.name == "handled_twice" || g.name == "lost" || g.name == "rejected"
	measured, any := c.measured(w, g.name)
	if !any {
		out.Verdict, out.Why = GoalUntried, "nothing was measured"
		return out
	}
	out.Measured = goalText(g.name, measured)
	// Less load can hide a loss, and does not make one.
	lost := (g.name == "lost" || g.name == "rejected") && measured > g.at
	short := w.shortfall(c.stream)
	switch {
	case len(r.differ) > 0:
		out.Verdict, out.Why = NotComparable, fmt.Sprintf("nats-server %s ran, and %s", r.version, r.differ[0])
	case !share && !w.asWritten():
		out.Verdict, out.Why = NotComparable, "the run was scaled"
	case !share && r.scenario != nil:
		out.Verdict, out.Why = NotComparable, fmt.Sprintf("scenario %s takes a larger share of a run of %s than of the design's time", r.scenario.Name, plainly(w.span))
	case short != "" && !lost:
		out.Verdict, out.Why = NotComparable, short
	case measured <= g.at:
		out.Verdict = Met
	default:
		out.Verdict = Missed
	}
	return out
}

// measured is the figure that a goal is about; any is false when there is none.
func (c *loadConsumer) measured(w *workload, name string) (v float64, any bool) {
	percentile := func(p float64) (float64, bool) {
		return float64(c.latency.ValueAtPercentile(p)) * float64(time.Microsecond), c.latency.TotalCount() > 0
	}
	ratio := func(n, of int64) (float64, bool) {
		if of == 0 {
			return 0, false
		}
		return float64(n) / float64(of), true
	}
	switch name {
	case "latency_p50":
		return percentile(50)
	case "latency_p95":
		return percentile(95)
	case "latency_p99":
		return percentile(99)
	case "oldest_pending":
		return float64(c.oldest), true
	case "pending":
		return float64(c.maxPending), true
	case "drain": // a scaled run has no burst and no fault as long as the design's
		return 0, false
	case "handled_twice":
		return ratio(c.twice(), int64(len(c.acked)))
	case "lost":
		return ratio(c.lost+c.replaced, c.expected) // as the simulator counts them
	case "rejected":
		var rejected, sent int64
		for _, p := range w.publishers {
			if p.stream == c.stream {
				rejected, sent = rejected+p.rejected, sent+p.sent
			}
		}
		return ratio(rejected, sent)
	}
	return c.utilisation(w), true
}

// plainly writes a duration as a design does where it is of whole minutes: 10m, not
// 10m0s.
func plainly(d time.Duration) string {
	if d > 0 && d%time.Minute == 0 {
		return design.FormatDuration(int64(d))
	}
	return d.String()
}

func goalText(name string, v float64) string {
	switch {
	case strings.HasPrefix(name, "latency") || name == "oldest_pending" || name == "drain":
		return plainly(time.Duration(v).Round(10 * time.Microsecond))
	case name == "pending":
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g%%", 100*v)
}

// faultEvents are the events of a scenario in which a fault of goals.survive
// comes up.
var faultEvents = map[string]func(design.Event) bool{
	"node":         func(e design.Event) bool { return e.Do == "kill" && strings.HasPrefix(e.Target, "node") },
	"zone":         func(e design.Event) bool { return e.Do == "kill" && strings.HasPrefix(e.Target, "zone") },
	"leader":       func(e design.Event) bool { return e.Do == "kill" && strings.HasPrefix(e.Target, "leader") },
	"restart":      func(e design.Event) bool { return e.Do == "restart" },
	"worker-stall": func(e design.Event) bool { return e.Do == "stall" },
	"worker-crash": func(e design.Event) bool { return e.Do == "crash" },
}

// dies has the faults in which a node ends without a word.
var dies = map[string]bool{"node": true, "zone": true, "leader": true}

// survivePath is the path of each goal about a fault.
const survivePath = "goals.survive"

func surviveText(s design.Survive) string {
	if s.For > 0 {
		return "survive " + s.Fault + " " + plainly(s.For)
	}
	return "survive " + s.Fault
}

// survived judges a fault: it has to cost no acknowledged message.
func (r *designRun) survived(w *workload, s design.Survive) Goal {
	out := Goal{Path: survivePath, Goal: surviveText(s), Verdict: GoalUntried, Why: "name a scenario with this fault"}
	played := false
	if r.scenario != nil {
		for _, e := range r.scenario.Events {
			played = played || faultEvents[s.Fault] != nil && faultEvents[s.Fault](e)
		}
	}
	if !played {
		return out
	}
	lost := int64(0)
	for _, c := range w.consumers {
		lost += c.lost
	}
	if dies[s.Fault] && !r.host.Info().Kills && lost == 0 {
		out.Why = "on this host a node is shut down in good order and does not die; weir prove --with runs servers that are killed"
		return out
	}
	out.Measured = size.Counted(lost, "message", "messages") + " lost"
	if short := w.shortfall(nil); short != "" {
		out.Measured += "; " + short
	}
	switch {
	case len(r.differ) > 0:
		out.Verdict, out.Why = NotComparable, fmt.Sprintf("nats-server %s ran, and %s", r.version, r.differ[0])
	case lost > 0:
		out.Verdict, out.Why = Missed, ""
	default:
		out.Verdict, out.Why = Met, "in scenario "+r.scenario.Name
	}
	return out
}

// GoalsSay counts the goals in one sentence, those of goals.survive among them; ""
// for a design without goals. A fault is run only where a scenario has it.
func (e *Evidence) GoalsSay() string {
	if len(e.Goals) == 0 {
		return ""
	}
	var n [5]int
	for _, g := range e.Goals {
		i := slices.Index(goalVerdicts, g.Verdict)
		if g.Verdict == GoalUntried && g.Path == survivePath {
			i++
		}
		n[i]++
	}
	text := strconv.Itoa(n[0]) + " of " + size.Counted(len(e.Goals), "goal", "goals") + " met, " + strconv.Itoa(n[1]) + " missed"
	for i, what := range []string{NotComparable, GoalUntried, "of goals.survive not run, as no scenario that was played has the fault"} {
		if n[i+2] > 0 {
			text += "; " + strconv.Itoa(n[i+2]) + " " + what
		}
	}
	return text + "."
}

var goalVerdicts = []string{Met, Missed, NotComparable, GoalUntried}
