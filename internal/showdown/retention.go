package showdown

import (
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/size"
	"weir/subject"
)

// retentions are those of the sides, in their order.
var retentions = []api.RetentionPolicy{api.LimitsPolicy, api.InterestPolicy, api.WorkQueuePolicy}

// retentionSides are a caller's design with each retention on all its streams.
func retentionSides(d *design.Design) ([]*design.Design, error) {
	if !hasStreams(d) {
		return nil, errors.New("the design has no stream; there is no retention to choose")
	}
	out := make([]*design.Design, len(retentions))
	for i, r := range retentions {
		out[i] = withStreams(d, func(s *design.Stream) { s.Config.Retention = r })
	}
	return out, nil
}

// withStreams is a design whose streams are changed copies.
func withStreams(d *design.Design, change func(*design.Stream)) *design.Design {
	out := *d
	scope := func(in []*design.Stream) []*design.Stream {
		copies := make([]*design.Stream, len(in))
		for i, s := range in {
			one := *s
			one.Consumers = slices.Clone(s.Consumers)
			for k, c := range s.Consumers {
				consumer := *c
				one.Consumers[k] = &consumer
			}
			change(&one)
			copies[i] = &one
		}
		return copies
	}
	out.Streams = scope(d.Streams)
	out.Accounts = slices.Clone(d.Accounts)
	for i, a := range d.Accounts {
		one := *a
		one.Streams = scope(a.Streams)
		out.Accounts[i] = &one
	}
	out.Leafnodes = slices.Clone(d.Leafnodes)
	for i, l := range d.Leafnodes {
		one := *l
		one.Streams = scope(l.Streams)
		out.Leafnodes[i] = &one
	}
	return &out
}

// addRetention compares what is stored. A work queue that the server would refuse
// has no figures.
func addRetention(s *Showdown, c *Comparison, sides []*sided) error {
	held := each(sides, func(s *sided) size.Figure { return s.held() })
	c.row("messages in the streams at most", held...)
	c.row("disk of all servers", each(sides, (*sided).disk)...)
	c.simulatedRows(sides)
	refused := refusedQueues(sides[0].design)
	var lines []Line
	for i, one := range sides {
		if i == len(sides)-1 && len(refused) > 0 {
			continue
		}
		lines = append(lines, one.messagesLine())
	}
	c.draw(s, sides[0].answer, lines...)
	if len(refused) > 0 {
		for i := range c.Rows {
			c.Rows[i].Cells[len(sides)-1] = Cell{Text: "refused"}
		}
		for _, r := range refused {
			c.note("%s", r)
		}
		c.Verdict = fmt.Sprintf("In %s limits holds %s, interest %s; workqueue is refused, because consumers overlap.", size.FormatDuration(s.length), held[0].Amount(), held[1].Amount())
		return nil
	}
	c.Verdict = fmt.Sprintf("After %s, with all readers away for %s of it, limits holds %s; interest held at most %s, and workqueue %s: what was still to do.",
		size.FormatDuration(s.length), size.FormatDuration(s.outage.how), held[0].Amount(), held[1].Amount(), held[2].Amount())
	return nil
}

// held is the most messages that all streams hold together.
func (s *sided) held() size.Figure {
	f := size.Figure{Name: "messages at most", Unit: size.Messages, Basis: size.Arithmetic}
	for i := range s.answer.Streams {
		one, _ := s.answer.Streams[i].Figure("messages")
		f.Value += one.Value
	}
	f.Low, f.High = f.Value, f.Value
	f.Source = fmt.Sprintf("simulated, %s, seed %d", size.FormatSeconds(s.answer.Seconds), s.answer.Seed)
	return f
}

// messagesLine is what all streams hold over time.
func (s *sided) messagesLine() Line {
	out := Line{Name: s.name}
	for i := range s.answer.Streams {
		out.Values = plus(out.Values, s.answer.Streams[i].Messages)
	}
	return out
}

// refusedQueues says which consumers a work queue refuses, by the err_code.
func refusedQueues(d *design.Design) (out []string) {
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			for i, a := range s.Consumers {
				for _, b := range s.Consumers[:i] {
					if overlap(filtersOf(a), filtersOf(b)) {
						out = append(out, fmt.Sprintf("a work queue %s refuses %s beside %s: one message would belong to both (10099, 10100)", s.Name, a.Name, b.Name))
					}
				}
			}
		}
	}
	return out
}

func filtersOf(c *design.Consumer) []string {
	switch {
	case c.Config.FilterSubject != "":
		return []string{c.Config.FilterSubject}
	case len(c.Config.FilterSubjects) > 0:
		return c.Config.FilterSubjects
	}
	return []string{">"}
}

func overlap(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if subject.Relate(x, y).Relation != subject.Disjoint {
				return true
			}
		}
	}
	return false
}
