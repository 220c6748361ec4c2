package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"weir/design"
	"weir/size"
)

// WantedGoal is one goal of a design for one consumer.
type WantedGoal struct {
	Path string // where the design says it
	// Name is the goal's: latency_p50, latency_p95, latency_p99, oldest_pending,
	// pending, drain, handled_twice, lost, rejected or utilisation.
	Name     string
	Consumer int     // in Workload.Consumers
	Limit    float64 // nanoseconds, messages, or a share from 0 to 1
}

// goalKinds are the goals that a run answers, in the order of the design's
// table, and how a design holds their limits.
var goalKinds = []struct {
	name  string
	limit func(design.Goals) float64
}{
	{"latency_p50", func(g design.Goals) float64 { return float64(g.LatencyP50) }},
	{"latency_p95", func(g design.Goals) float64 { return float64(g.LatencyP95) }},
	{"latency_p99", func(g design.Goals) float64 { return float64(g.LatencyP99) }},
	{"oldest_pending", func(g design.Goals) float64 { return float64(g.OldestPending) }},
	{"pending", func(g design.Goals) float64 { return float64(g.Pending) }},
	{"drain", func(g design.Goals) float64 { return float64(g.Drain) }},
	{"handled_twice", func(g design.Goals) float64 { return g.HandledTwice }},
	{"lost", func(g design.Goals) float64 { return g.Lost }},
	{"rejected", func(g design.Goals) float64 { return g.Rejected }},
	{"utilisation", func(g design.Goals) float64 { return g.Utilisation }},
}

// goals collects what the design wants of each consumer that somebody works on:
// its own goals, its stream's, the design's, the nearest one of each name.
func (b *builder) goals() {
	for _, c := range b.read {
		if len(c.Workers) == 0 {
			continue
		}
		for _, kind := range goalKinds {
			for _, level := range []design.Goals{c.Goals, c.stream.Goals, b.d.Goals} {
				path := design.Join(level.Path, kind.name)
				if level.Path != "" && b.d.Has(path) {
					b.m.Goals = append(b.m.Goals, WantedGoal{path, kind.name, c.index, kind.limit(level)})
					break
				}
			}
		}
	}
	b.m.Survive = b.d.Goals.Survive
}

// refusedGoals are the goals of consumers that the server refuses, by themselves or
// with their stream: d is the design with them.
func (b *builder) refusedGoals(d *design.Design) {
	if len(b.m.Refused) == 0 {
		return
	}
	there := map[string]bool{}
	for _, c := range b.read {
		there[c.Path] = true
	}
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			for _, c := range s.Consumers {
				if there[c.Path] || len(c.Workers) == 0 {
					continue
				}
				for _, kind := range goalKinds {
					for _, level := range []design.Goals{c.Goals, s.Goals, d.Goals} {
						path := design.Join(level.Path, kind.name)
						if level.Path == "" || !d.Has(path) {
							continue
						}
						u, by := limitUnit(kind.name)
						g := GoalAnswer{Path: path, Name: kind.name, Consumer: workloadName(scope, s.Name) + "/" + c.Name, Wanted: "at most " + u.Format(kind.limit(level)/by)}
						g.leaveOpen(NotDecided, "the server refuses it")
						b.m.undecided = append(b.m.undecided, g)
						break
					}
				}
			}
		}
	}
}

// limitUnit is the unit of a goal, and by what its limit is divided to be in it.
func limitUnit(name string) (u size.Unit, by float64) {
	switch name {
	case "handled_twice", "lost", "rejected", "utilisation":
		return size.Share, 1
	case "pending":
		return size.Messages, 1
	}
	return size.Seconds, 1e9
}

// judge holds the answer to the model's goals. A figure with an interval is
// judged by its upper end.
func (m *Model) judge(a *Answer) []GoalAnswer {
	out := make([]GoalAnswer, 0, len(m.Goals))
	for _, g := range m.Goals {
		c := &a.Consumers[g.Consumer]
		u, by := limitUnit(g.Name)
		limit := g.Limit / by
		f, _ := c.Figure(g.Name)
		one := GoalAnswer{Path: g.Path, Name: g.Name, Consumer: c.Name, Wanted: "at most " + u.Format(limit), Got: f.Text}
		one.Met = f.Worst() <= limit
		switch {
		case limit > 0:
			one.Margin = (limit - f.Worst()) / limit
		case !one.Met:
			one.Margin = -1
		}
		one.Text = marginText(one, limit)
		if open, why := m.open(a, c, &g); open == NotExercised || open != "" && one.Met {
			one.leaveOpen(open, why)
		}
		out = append(out, one)
	}
	return append(out, m.undecided...)
}

func (g *GoalAnswer) leaveOpen(open, why string) {
	g.Met, g.Margin, g.Open, g.Text = false, 0, open, why
	if open == NotExercised {
		g.Got = "nothing"
	}
}

// open says why a run does not answer a goal, "" where it does. A run that is not
// long enough to meet it may be long enough to miss it.
func (m *Model) open(a *Answer, c *ConsumerAnswer, g *WantedGoal) (open, why string) {
	none := func(name string) bool {
		f, _ := c.Figure(name)
		return f.Value == 0
	}
	stream := m.Consumers[g.Consumer].Stream
	published := slices.ContainsFunc(a.Publishers, func(p PublisherAnswer) bool { return p.Stream == stream })
	switch f, _ := c.Figure(g.Name); {
	case g.Name == "rejected" && published:
		return "", ""
	case none("rate"):
		return NotExercised, "nothing that is published reaches it"
	case g.Name == "drain" && len(m.Marks) == 0:
		return NotExercised, "the run has no burst and no fault"
	case g.Name == "drain" && f.AtLeast:
		return NotDecided, "the run ends before it is level again; run it for longer"
	case strings.HasPrefix(g.Name, "latency") && none("acked_rate"):
		return NotDecided, "no message is acknowledged within the run"
	}
	return "", ""
}

func marginText(g GoalAnswer, limit float64) string {
	const many = 10
	switch {
	case limit == 0 && g.Met:
		return "met"
	case limit == 0:
		return "missed"
	case g.Met:
		return size.FormatCount(math.Round(100*g.Margin)) + " % to spare"
	case 1-g.Margin >= many:
		return size.FormatCount(math.Round(1-g.Margin)) + " times the limit"
	}
	return size.FormatCount(math.Round(-100*g.Margin)) + " % over"
}

// conclude sums the answer up.
func (a *Answer) conclude(m *Model) {
	missed := 0
	var worst *GoalAnswer
	for i := range a.Goals {
		if g := &a.Goals[i]; g.Missed() {
			missed++
			if worst == nil || g.Margin < worst.Margin {
				worst = g
			}
		}
	}
	a.Met = missed == 0 && a.Partial == "" && len(m.Circles) == 0 && len(m.Refused) == 0
	unrun := len(m.Survive)
	for i := range a.Goals {
		if strings.HasPrefix(a.Goals[i].Path, survivePath) {
			unrun--
		}
	}
	all := len(a.Goals) + unrun
	left := ""
	if len(a.Goals) > 0 {
		left = a.leftOpen(all, unrun)
	}
	behind := 0
	for _, f := range a.Findings {
		if f.Severity == severityWarning {
			behind++
		}
	}
	switch {
	case a.Partial != "":
		a.Verdict = "Not answered in full: " + a.Partial + "."
	case len(m.Circles) > 0: // goals are about figures that mean nothing then
		a.Verdict = a.Findings[0].Text
	case worst != nil && all == 1:
		a.Verdict = fmt.Sprintf("The goal is missed: %s.", worst.says())
	case worst != nil:
		a.Verdict = fmt.Sprintf("%d of %d goals are missed; the worst: %s.", missed, all, worst.says())
	case left != "":
		a.Verdict = left
	case len(a.Goals) == 1:
		a.Verdict = "The goal is met."
	case len(a.Goals) > 1:
		a.Verdict = fmt.Sprintf("All %d goals are met.", len(a.Goals))
	case behind > 0:
		a.Verdict = a.Findings[0].Text
	case len(m.Workers) == 0:
		a.Verdict = "Nobody works on a consumer: messages are stored and stay."
	default:
		a.Verdict = "Every consumer keeps up."
	}
	if a.Partial == "" && len(a.Goals) == 0 && unrun > 0 {
		a.Verdict += " " + size.Counted(unrun, "goal of goals.survive was", "goals of goals.survive were") + " not run."
	}
	a.refused(m)
}

// refused puts what the server refuses before the verdict.
func (a *Answer) refused(m *Model) {
	if a.Refused = m.Refused; len(m.Refused) > 0 {
		a.Verdict = design.RefusedSays(m.Refused) + " " + a.Verdict
	}
}

// leftOpen is the verdict of an answer that misses none of all goals and leaves some
// open, unrun ones of goals.survive among them; "" where it leaves none.
func (a *Answer) leftOpen(all, unrun int) string {
	var met int
	var parts []string
	for _, open := range []string{NotExercised, NotDecided} {
		n := 0
		for i := range a.Goals {
			if a.Goals[i].Open == open {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, open))
		}
	}
	for i := range a.Goals {
		if a.Goals[i].Met {
			met++
		}
	}
	if unrun > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s not run", unrun, survivePath))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s met, none is missed; %s.", met, size.Counted(all, "goal is", "goals are"), strings.Join(parts, ", "))
}

// says is a goal with its figure in one clause.
func (g *GoalAnswer) says() string {
	if g.Consumer == "" {
		return g.Name + ": " + g.Got
	}
	return fmt.Sprintf("%s of %s is %s, wanted %s", g.Name, g.Consumer, g.Got, g.Wanted)
}
