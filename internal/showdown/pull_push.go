package showdown

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/size"
)

// What the sockets of both ends take before the server's own buffer fills, and the
// server's defaults (nats-server v2.15.2 const.go). The first was measured on
// loopback and depends on the kernel.
const (
	socketsLow, socketsHigh = 3 * size.MiB, 16 * size.MiB
	defaultMaxPending       = 64 * size.MiB
	defaultWriteDeadline    = 10 * time.Second
)

// stalled is a case of a reader that stands still: how many messages of which size
// can be in flight to its connection, and how the server bounds them.
type stalled struct {
	side, name string
	messages   float64
	size       float64 // bytes
	acks       string  // explicit, none, or flow: none with flow_control
	maxPending float64
	deadline   time.Duration
	proof      string
}

func readStall(s *Showdown, f []string) error {
	one := stalled{side: f[0], name: f[1], acks: f[4], proof: f[7]}
	var err error
	if one.messages, err = strconv.ParseFloat(f[2], 64); err != nil {
		return err
	}
	bytes, err := design.ParseSize(f[3])
	if err != nil {
		return err
	}
	pending, err := design.ParseSize(f[5])
	if err != nil {
		return err
	}
	one.size, one.maxPending = float64(bytes), float64(pending)
	one.deadline, err = duration(f[6])
	s.stalls = append(s.stalls, one)
	return err
}

// inFlight is the bytes that the server has to send while the reader stands still.
func (x stalled) inFlight() size.Figure {
	return times("bytes in flight", size.Bytes, given("messages in flight", x.messages, size.Messages), given("message", x.size, size.Bytes))
}

// outcome says what becomes of the connection and of what was in flight, and how
// bad that is.
// Source: nats-server v2.15.2 client.go queueOutbound, handleWriteTimeout,
// consumer.go needFlowControl; the proofs show it.
func (x stalled) outcome() (connection, lost, level string) {
	bytes := x.inFlight().Value
	lost = "nothing: it comes again after ack_wait"
	if x.acks == "none" {
		lost = "what was in flight"
	}
	switch {
	case x.acks == "flow":
		return "open: the server waits at the end of its window", "nothing", ""
	case bytes > x.maxPending+socketsHigh:
		return "closed at max_pending " + size.FormatBytes(x.maxPending), lost, "error"
	case bytes > socketsHigh:
		return "closed after write_deadline " + size.FormatDuration(x.deadline), lost, "error"
	case bytes > socketsLow:
		return "depends on the sockets' buffers", lost, "warning"
	}
	return "open: delivery stops", "nothing", ""
}

// pullPushSides are a caller's design with all consumers pull, and all push.
func pullPushSides(d *design.Design) ([]*design.Design, error) {
	n := 0
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			n += len(s.Consumers)
		}
	}
	if n == 0 {
		return nil, errors.New("the design has no consumer; there is nothing that pulls or is pushed to")
	}
	pull := withStreams(d, func(s *design.Stream) {
		for _, c := range s.Consumers {
			c.Config.DeliverSubject, c.Config.DeliverGroup, c.Config.FlowControl, c.Config.Heartbeat = "", "", false, 0
		}
	})
	push := withStreams(d, func(s *design.Stream) {
		for _, c := range s.Consumers {
			if c.Config.DeliverSubject == "" {
				c.Config.DeliverSubject, c.Config.DeliverGroup = "deliver."+c.Name, c.Name
			}
		}
	})
	return []*design.Design{pull, push}, nil
}

// addPullPush compares the runs, says who is closed when a reader stands still, and
// where pull loses.
func addPullPush(s *Showdown, c *Comparison, sides []*sided) error {
	c.simulatedRows(sides)
	c.draw(s, sides[0].answer, sides[0].pendingLine(), sides[1].pendingLine())
	cases, title := s.stalls, "Who is disconnected when a reader stands still"
	if c.Design != "" {
		cases = nil
		for i, one := range sides {
			cases = append(cases, one.stalls(s.Sides[i].Letter, i == 1)...)
		}
	}
	closed := [2]int{}
	t := Table{Title: title, About: "from bytes in flight, max_pending and write_deadline; one process frozen whole",
		Head: []string{"Consumer", "In flight", "Connection", "Lost"}, Num: []bool{false, true, false, false}}
	for _, x := range cases {
		connection, lost, level := x.outcome()
		if level == "error" {
			closed[strings.Index("AB", x.side)]++
		}
		t.Rows = append(t.Rows, TableRow{Side: x.side, Cells: append([]Cell{{Text: x.name}, cellOf(x.inFlight())}, words(connection, lost)...), Level: level, Proof: x.proof})
	}
	c.Tables = append(c.Tables, t, whereLoses(sides))
	c.Strip = stripOf(s, sides)
	if c.Design != "" {
		c.Verdict = fmt.Sprintf("When a reader stands still: as pull consumers %s, as push consumers %s; what decides is bytes in flight.",
			size.Counted(closed[0], "connection is closed", "connections are closed"), size.Counted(closed[1], "connection is closed", "connections are closed"))
	}
	return nil
}

// The ends of a strip: nobody is closed below, and beyond all are.
const stripLow, stripHigh = 64 * size.KiB, 1 * size.GiB

// stripOf places the consumers of the sides' designs by their bytes in flight.
func stripOf(s *Showdown, sides []*sided) *Strip {
	var cases []stalled
	for i, one := range sides {
		cases = append(cases, one.stalls(s.Sides[i].Letter, i == 1)...)
	}
	if len(cases) == 0 {
		return nil
	}
	pending := min(max(cases[0].maxPending, socketsHigh), stripHigh/2)
	out := &Strip{Title: "Bytes in flight to one reader that stands still", Zones: []Zone{
		{stripLow, socketsLow, "stays connected, delivery stops", ""},
		{socketsLow, socketsHigh, "depends on the sockets", "warning"},
		{socketsHigh, pending + socketsHigh, "closed after " + size.FormatDuration(cases[0].deadline), "error"},
		{pending + socketsHigh, stripHigh, "closed at max_pending " + size.FormatBytes(cases[0].maxPending), "error"},
	}}
	for _, at := range []float64{stripLow, size.MiB, socketsHigh, 64 * size.MiB, stripHigh} {
		out.Ticks = append(out.Ticks, Point{Text: size.FormatBytes(at), Bytes: at})
	}
	for _, x := range cases {
		connection, _, _ := x.outcome()
		bytes := x.inFlight().Value
		out.Points = append(out.Points, Point{x.side, x.name + ": " + size.FormatBytes(bytes), min(max(bytes, stripLow), stripHigh), strings.HasPrefix(connection, "closed")})
	}
	return out
}

// stalls are the cases of a caller's consumers. With pull one connection holds at
// most one batch; with push everything up to max_ack_pending may be in flight to
// one member of the group, because it is the only one that reads, or all stall.
func (x *sided) stalls(letter string, push bool) (out []stalled) {
	conf := func(key string) float64 {
		v, _ := x.design.Value(design.Join(design.Join(x.design.Server.Path, "conf"), key))
		return max(0, float64(v.Int))
	}
	limits := stalled{side: letter, maxPending: conf("max_pending"), deadline: time.Duration(conf("write_deadline"))}
	if limits.maxPending == 0 {
		limits.maxPending = defaultMaxPending
	}
	if limits.deadline == 0 {
		limits.deadline = defaultWriteDeadline
	}
	for _, scope := range x.design.Scopes() {
		for _, s := range scope.Streams {
			sized := x.size.Stream(s.Path)
			for _, c := range s.Consumers {
				if sized == nil {
					continue
				}
				one := limits
				m := sized.Input.Message
				one.size = m.Subject + m.Header + m.Payload
				one.inFlightOf(&c.Config, c.Workers, push, sized.Input.Rate.Average())
				one.name = s.Name + "/" + c.Name + ", " + one.name
				out = append(out, one)
			}
		}
	}
	return out
}

// stallOf is the stall that is asked about where nothing bounds what is in flight.
const stallOf = time.Minute

// inFlightOf sets how many messages can be in flight, and says from what.
func (x *stalled) inFlightOf(c *api.ConsumerConfig, workers []*design.Workers, push bool, rate float64) {
	const byDefault = 1000 // nats-server v2.15.2: JsDefaultMaxAckPending
	x.acks = "explicit"
	if c.AckPolicy == api.AckNone {
		x.acks = "none"
		if push && c.FlowControl {
			x.acks = "flow"
		}
	}
	most := float64(c.MaxAckPending)
	if most == 0 {
		most = byDefault
	}
	unbounded := rate * stallOf.Seconds()
	if x.acks != "explicit" || most < 0 {
		most = unbounded
	}
	if push {
		x.messages, x.name = most, "push, max_ack_pending "+size.FormatCount(most)
		if x.acks != "explicit" || c.MaxAckPending < 0 {
			x.name = "push, " + size.FormatDuration(stallOf) + " of messages"
		}
		return
	}
	batch := 1.0
	for _, w := range workers {
		batch = max(batch, float64(w.Fetch), float64(w.Concurrency))
	}
	x.messages = min(batch, most)
	x.name = "pull, batch " + size.FormatCount(x.messages)
}

// whereLoses computes what pull costs at low rate: round trips, and requests for
// nothing.
func whereLoses(sides []*sided) Table {
	t := Table{Title: "Where pull loses", About: "arithmetic, no network was measured", Head: []string{"", "Pull", "Push"}, Num: []bool{false, true, true}}
	add := func(what string, pull, push size.Figure) {
		t.Rows = append(t.Rows, TableRow{Cells: []Cell{{Text: what}, cellOf(pull), cellOf(push)}})
	}
	service := given("service time", serviceOf(sides[0].design), size.Seconds)
	for _, ms := range []float64{0.3, 5, 50} {
		trip := given("round trip", ms/1000, size.Seconds)
		pull := worked("one worker with fetch 1", 1/(trip.Value+service.Value), size.PerSecond, "1 / (round trip + service time)", trip, service)
		push := worked("one worker that is pushed to", 1/max(service.Value, 1e-6), size.PerSecond, "1 / service time", service)
		add("one worker, fetch 1, round trip "+size.FormatSeconds(trip.Value), pull, push)
	}
	readers, expires := given("idle readers", 1000, size.Count), given("expires", 30, size.Seconds)
	expires.Source = "nats.go v1.55.0: Consume and Fetch ask for 30 s"
	add("requests a second of 1,000 idle readers", worked("requests a second", readers.Value/expires.Value, size.Count, "readers / expires", readers, expires),
		exact("requests a second", 0, size.Count, "a push consumer asks for nothing"))
	return t
}

// serviceOf is the mean service time of the first worker that has one, in seconds.
func serviceOf(d *design.Design) float64 {
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			for _, c := range s.Consumers {
				for _, w := range c.Workers {
					if m := w.ServiceTime.MeanValue(); m > 0 {
						return m / float64(time.Second)
					}
				}
			}
		}
	}
	return 0
}
