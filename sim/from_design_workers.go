package sim

import (
	"fmt"
	"math"
	"slices"
	"time"

	"weir/design"
)

// workers makes groups of workers of those of the design. One whose count a
// scenario changes becomes several groups, by when they are at work.
func (b *builder) workers() error {
	for _, c := range b.read {
		if len(c.Workers) == 0 {
			b.say(c.Path, "nobody works on it: what it has to deliver stays pending")
		}
		for _, g := range c.Workers {
			group, err := b.groupOf(c, g)
			if err != nil {
				return fmt.Errorf("%s: %w", design.Join(g.Path, "service_time"), err)
			}
			b.m.Workers = append(b.m.Workers, b.shifts(c, g, group)...)
		}
	}
	return nil
}

func (b *builder) groupOf(c *readConsumer, g *design.Workers) (WorkerGroup, error) {
	service, err := b.draw(g.ServiceTime, ofDuration)
	if err != nil {
		return WorkerGroup{}, err
	}
	if g.ServiceTime.Kind == design.DistAbsent {
		b.say(g.Path, "service_time is not given: handling a message takes no time but that of the calls")
	}
	cfg := &b.m.Consumers[c.index]
	out := WorkerGroup{
		Name: groupName(c, g), Stream: cfg.Stream, Consumer: cfg.Name, Count: g.Count, Concurrency: max(1, g.Concurrency), Batch: g.Fetch, MaxBytes: g.FetchBytes,
		Expires: g.Expires, Service: service, Act: actionOf(g.Errors), InProgress: g.InProgress, InProgressHeld: true, PendingMsgs: int64(g.PendingLimit), PendingBytes: g.PendingBytes, ReadPerSecond: g.ReadPerSecond,
	}
	if cfg.Push {
		out.Mode = ModePush
		return out, nil
	}
	if g.Loop == "consume" {
		out.Mode = ModeConsume
	}
	if out.Batch <= 0 {
		out.Batch = out.Concurrency
		b.say(g.Path, "fetch is not given: a worker asks for as many messages as it handles at once, %d", out.Batch)
	}
	if most := c.Config.MaxRequestBatch; most > 0 {
		out.Batch = min(out.Batch, most)
	}
	return out, nil
}

// groupName tells the groups of a run apart: STREAM/consumer, with the group's
// own name where a consumer has several.
func groupName(c *readConsumer, g *design.Workers) string {
	name := c.stream.name + "/" + c.Name
	if g.Name != "" {
		name += "/" + g.Name
	}
	return name
}

// actionOf is what workers do with their messages: each error takes its share
// of the deliveries.
func actionOf(errors []design.Errors) func(u, seq uint64, delivery int) Action {
	if len(errors) == 0 {
		return nil
	}
	actions := make([]Action, len(errors)+1)
	upTo := make([]uint64, len(errors))
	sum := 0.0
	for i, e := range errors {
		sum = min(1, sum+e.Rate)
		upTo[i] = uint64(sum * (1 << 32))
		switch e.Action {
		case "term":
			actions[i].Do = DoTerm
		case "ack":
			actions[i].Do = DoAck
		case "nothing":
			actions[i].Do = DoNothing
		case "ack_lost":
			actions[i].Do = DoAckLost
		default:
			actions[i] = Action{Do: DoNak}
			if e.Delay > 0 {
				actions[i] = Action{DoNakDelay, e.Delay}
			}
		}
	}
	return func(u, _ uint64, _ int) Action {
		for i, top := range upTo {
			if u>>32 < top {
				return actions[i]
			}
		}
		return Action{}
	}
}

// shifts are the groups that a group becomes when the scenario scales it: the
// workers that are there at the same times.
func (b *builder) shifts(c *readConsumer, g *design.Workers, group WorkerGroup) []WorkerGroup {
	changes := b.countsOf(c, g)
	if len(changes) == 1 {
		return []WorkerGroup{group}
	}
	most := 0
	for _, x := range changes {
		most = max(most, x.count)
	}
	var out []WorkerGroup
	// A worker i is there whenever the count is above i.
	for i := 0; i < most; {
		same := most
		for _, x := range changes {
			if x.count > i {
				same = min(same, x.count)
			}
		}
		for k := 0; k < len(changes); k++ {
			if changes[k].count <= i {
				continue
			}
			one := group
			one.Count, one.Start = same-i, changes[k].at
			for k+1 < len(changes) && changes[k+1].count > i {
				k++
			}
			if k+1 < len(changes) {
				one.Stop = changes[k+1].at
			}
			if len(out) > 0 {
				one.Name = fmt.Sprintf("%s+%d", group.Name, len(out))
			}
			out = append(out, one)
		}
		i = same
	}
	return out
}

// headcount is how many workers there are from a time on.
type headcount struct {
	at    time.Duration
	count int
}

// countsOf is how a group's count changes.
func (b *builder) countsOf(c *readConsumer, g *design.Workers) []headcount {
	out := []headcount{{0, g.Count}}
	if b.scenario == nil {
		return out
	}
	events := slices.Clone(b.scenario.Events)
	slices.SortStableFunc(events, func(x, y design.Event) int { return int(x.At - y.At) })
	for _, e := range events {
		if e.Do != "scale" || !slices.Contains(b.consumersNamed(e.Target), c) {
			continue
		}
		// Several groups share the new count as they shared the old one.
		to := e.To
		if all := countOf(c.Workers); len(c.Workers) > 1 && all > 0 {
			to = int(math.Round(float64(e.To) * float64(g.Count) / float64(all)))
		}
		before := out[len(out)-1].count
		out = append(out, headcount{e.At, to})
		if e.For > 0 && e.At+e.For < b.m.Until {
			out = append(out, headcount{e.At + e.For, before})
		}
	}
	slices.SortStableFunc(out, func(x, y headcount) int { return int(x.at - y.at) })
	return out
}

func countOf(groups []*design.Workers) (n int) {
	for _, g := range groups {
		n += g.Count
	}
	return n
}
