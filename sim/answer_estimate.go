package sim

import (
	"fmt"
	"math"

	"weir/size"
)

// Estimate answers from the fluid model, in well under 100 ms: rates, capacity,
// backlog and when it is gone. Answer.Estimate is true, and goals are not judged.
func (m *Model) Estimate() (*Answer, error) {
	list, err := Estimate(m.Workload, m.Until)
	if err != nil {
		return nil, err
	}
	a := &Answer{Scenario: m.Scenario, Seconds: m.Until.Seconds(), Estimate: true, Step: m.Until.Seconds() / estimateSteps, Notes: m.Notes, Met: true}
	behind := -1
	for i, e := range list {
		add := func(c *ConsumerAnswer, name, title string, u size.Unit, v float64) {
			c.Figures = append(c.Figures, Figure{Name: name, Title: title, Unit: u, Value: finite(v), Text: u.Format(v)})
		}
		c := ConsumerAnswer{Name: e.Stream + "/" + e.Name, Path: m.consumerPath(i)}
		add(&c, "rate", "arriving", size.PerSecond, e.Rate)
		add(&c, "capacity", "workers can take", size.PerSecond, e.Capacity)
		add(&c, "utilisation", "workers busy", size.Share, min(1, e.Utilisation))
		add(&c, "pending", "pending at most", size.Messages, math.Round(e.MaxPending))
		add(&c, "oldest_pending", "oldest pending at most", size.Seconds, e.LongestWait.Seconds())
		add(&c, "drained_at", "last backlog gone at", size.Seconds, e.DrainedAt.Seconds())
		c.Series.Pending = e.Pending
		a.Consumers = append(a.Consumers, c)
		// Who never catches up is said before who falls behind for a time.
		if falls := e.Peak > e.Capacity; falls && (behind < 0 || e.Usual >= e.Capacity && list[behind].Usual < list[behind].Capacity) {
			behind = i
		}
	}
	a.Marks = m.markTimes()
	a.Verdict = "Estimate: workers can take what arrives."
	if behind >= 0 {
		a.Verdict = m.fallsBehind(&list[behind])
	}
	a.refused(m)
	a.Met = len(m.Refused) == 0
	if len(m.Circles) > 0 {
		f := &finder{m: m, a: a}
		f.circles()
		a.Findings, a.Met, a.Verdict = f.out, false, f.out[0].Text
	}
	return a, nil
}

// fallsBehind says when more arrives than workers take: always, or in a burst, and
// then how busy they are outside of it, as size and the diagram count.
func (m *Model) fallsBehind(e *ConsumerEstimate) string {
	name := e.Stream + "/" + e.Name
	if e.Usual >= e.Capacity {
		return "Estimate: more arrives at " + name + " than its workers can take."
	}
	when := "at the busiest time"
	for i := range m.Marks {
		if k := &m.Marks[i]; k.Burst && e.overloadedIn(k.At, k.For, m.Until) {
			when = "during the burst"
			break
		}
	}
	return fmt.Sprintf("Estimate: %s more arrives at %s than its workers can take, %s of %s; outside of it they are busy %s of the time.",
		when, name, size.PerSecond.Format(e.Peak), size.PerSecond.Format(e.Capacity), size.Share.Format(ratio(e.Usual, e.Capacity)))
}

// markTimes are the marks with their times alone.
func (m *Model) markTimes() (out []MarkAnswer) {
	const most = 100
	for _, k := range m.Marks[:min(most, len(m.Marks))] {
		out = append(out, MarkAnswer{At: k.At.Seconds(), For: min(k.For, m.Until-k.At).Seconds(), Text: k.Text})
	}
	return out
}
