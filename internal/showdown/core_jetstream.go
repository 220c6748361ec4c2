package showdown

import (
	"errors"

	"weir/design"
	"weir/sim"
	"weir/size"
)

// coreSides are a caller's design on JetStream, and on core NATS nothing to size:
// what core loses follows from the same arrivals.
func coreSides(d *design.Design) ([]*design.Design, error) {
	if !hasStreams(d) {
		return nil, errors.New("the design has no stream; there is nothing that JetStream would keep")
	}
	return []*design.Design{nil, d}, nil
}

// addCore compares what is lost, stored and waited for. Core is not simulated:
// what arrives while all readers are away is lost, and those arrivals are the ones
// that JetStream's run had.
func addCore(s *Showdown, c *Comparison, sides []*sided) error {
	js := sides[1]
	lostSoFar, lost := s.lostByCore(js.answer)
	c.row("lost by the outage, all readers together", lost, js.simulated("lost_messages", true))
	none := exact("nothing", 0, size.Count, "core NATS keeps nothing and delivers nothing twice")
	for _, one := range []struct{ what, figure string }{
		{"pending at most", "pending"}, {"level again after the outage", "drain"}, {"redeliveries", "redelivered"},
	} {
		f := js.simulated(one.figure, one.figure == "redelivered")
		none.Unit = f.Unit
		c.row(one.what, none, f)
	}
	c.Rows = append(c.Rows, Row{"latency p99, stored to acked", []Cell{{Text: "no ack"}, cellOf(js.simulated("latency_p99", false))}})
	none.Unit = size.Bytes
	c.row("disk, all servers", none, js.disk())
	none.Unit = size.BytesPerSecond
	c.row("written to disk, all servers", none, js.written())
	c.Rows = append(c.Rows, Row{"the publisher hears that it was taken", words("no", "yes, by a PubAck")})
	c.Verdict = "With all readers away for " + size.FormatDuration(s.outage.how) + ", core loses " + lost.Amount() + "; JetStream loses " +
		js.simulated("lost_messages", true).Amount() + " and is level again after " + js.simulated("drain", false).Amount() + ", for " + js.disk().Amount() + " of disk."
	c.draw(s, js.answer, Line{"lost by core so far", lostSoFar}, Line{"pending on JetStream", js.pendingLine().Values})
	c.note("core is not simulated: what it loses are the messages that arrive for a reader in the run of JetStream while that reader is away")
	return nil
}

// written is what all servers write to disk a second.
func (s *sided) written() size.Figure {
	return s.ofSites("written to disk", size.BytesPerSecond, func(z size.SiteSize) size.Figure {
		var parts []size.Figure
		for _, n := range z.Nodes {
			parts = append(parts, n.Writes)
		}
		return size.Sum("written", parts...)
	})
}

// lostByCore is what arrives for each reader during the outage, summed over
// readers: by time, and in all. What arrives in a step is what became pending and
// ack pending in it, and what was acked.
func (s *Showdown) lostByCore(a *sim.Answer) ([]float64, size.Figure) {
	var soFar []float64
	sum, from, to := 0.0, s.outage.at.Seconds(), (s.outage.at + s.outage.how).Seconds()
	for i := range a.Consumers[:min(1, len(a.Consumers))] {
		soFar = make([]float64, len(a.Consumers[i].Series.Pending))
	}
	for k := range soFar {
		at := float64(k+1) * a.Step
		for i := range a.Consumers {
			if n := arrivedIn(&a.Consumers[i].Series, k, a.Step); at > from && at <= to {
				sum += n
			}
		}
		soFar[k] = sum
	}
	f := worked("lost", sum, size.Messages, "messages that arrive during the outage, for each reader",
		given("outage", s.outage.how.Seconds(), size.Seconds), given("readers", float64(len(a.Consumers)), size.Count))
	return soFar, f
}

// arrivedIn is how many messages reached a consumer in step k.
func arrivedIn(c *sim.ConsumerSeries, k int, step float64) float64 {
	n := c.Pending[k] + c.AckPending[k] + c.Acked[k]*step
	if k > 0 {
		n -= c.Pending[k-1] + c.AckPending[k-1]
	}
	return max(0, n)
}
