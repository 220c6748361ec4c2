package lint

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON002",
	Name:     "push-without-flow-control",
	Severity: design.Warning,
	Title:    "The server pushes without asking, and what a slow reader misses is lost or comes back in a flood.",
	Why: "A push consumer sends at the speed of the connection. With ack_policy none nothing is sent again: a client drops what is beyond its pending limit " +
		"(nats.go: 500,000 messages or 64 MiB for a subscription), and a reader that does not read is disconnected after write_deadline (10 s) or at " +
		"max_pending (64 MiB), without an error that says so (server/client.go, v2.15.2; measured). With max_ack_pending -1 everything unacked comes again.",
	Fix: "Use a pull consumer: it gets what it asks for. Where it has to be push, write flow_control: true and idle_heartbeat, or ack_policy: explicit " +
		"with a max_ack_pending that fits into the client.",
	Refs:  []string{"server/client.go", "server/consumer.go", "ADR-15"},
	Proof: "push-stuck-ack-none",
	Check: func(f *Facts) { f.Consumers(f.pushUnguarded) },
})

// longStall is a stall that readers are expected to survive when no goal says
// another: a deployment, a pause of the garbage collector, a lock in a database.
const longStall = 5 * time.Minute

func (f *Facts) pushUnguarded(c *Consumer) {
	if !c.IsPush() || c.Config.FlowControl {
		return
	}
	if c.Config.AckPolicy.String() != "None" && c.Config.MaxAckPending > 0 {
		return // delivery stops at max_ack_pending
	}
	load := c.Load()
	bytes := meanBytes(c.Publishers())
	if f.backlogPushed(c, false) {
		return
	}
	if !load.Known || load.High == 0 {
		f.Need("the publishers of a stream, with rate and payload")
		f.Report(design.Join(c.Path, "deliver_subject"), Said{Severity: design.Info,
			What:  "is pushed to without flow control: a reader that stalls loses what is beyond its pending limit, 64 MiB at most",
			Write: "use a pull consumer, or write flow_control: true and idle_heartbeat: 5s", Fix: f.withFlowControl(c)})
		return
	}
	limit, limitBytes := clientLimits(c)
	seconds := float64(limit) / load.High
	if bytes > 0 {
		seconds = math.Min(seconds, float64(limitBytes)/(load.High*bytes))
	}
	if seconds > f.stallToSurvive(c).Seconds() {
		f.backlogPushed(c, true)
		return
	}
	lost := "and the rest is lost"
	if c.Config.AckPolicy.String() != "None" {
		lost = "and all that is unacked comes again at once, as max_ack_pending is -1"
	}
	f.Report(design.Join(c.Path, "deliver_subject"), Said{
		What: fmt.Sprintf("is pushed to without flow control: at %s a second a reader that stalls is over its pending limit after %s, %s",
			counted(int(math.Round(load.High)), "message"), size.FormatSeconds(seconds), lost),
		Write:  "use a pull consumer, or write flow_control: true and idle_heartbeat: 5s",
		Fix:    f.withFlowControl(c),
		Figure: &Figure{"stall until messages are lost", seconds, "s", Computed}})
}

// backlogPushed looks at what waits for the consumer by its info, or that of its
// stream, or at what the stream keeps at most; it reports whether it is more than a
// client keeps.
func (f *Facts) backlogPushed(c *Consumer, kept bool) bool {
	waiting, ok := f.Observed(c.Path, "num_pending")
	stored, known := f.Observed(c.Of.Path, "state", "messages")
	if !ok && c.Config.DeliverPolicy.String() == "All" {
		waiting, ok = stored, known
	}
	limit, limitBytes := clientLimits(c)
	bytes, wait, basis := 0.0, "wait", Computed
	if most, bounded := f.MostMessages(c.Of); kept && bounded && c.Config.DeliverPolicy.String() == "All" && c.Of.Config.Retention.String() == "Limits" {
		waiting, ok = int64(most), true // a new consumer begins with all that is kept
		wait, basis = "may wait for a new one", Bound
		bytes = most * meanBytes(c.Publishers())
	}
	if all, sized := f.Observed(c.Of.Path, "state", "bytes"); sized && stored > 0 {
		bytes = float64(all) / float64(stored) * float64(waiting)
	}
	if !ok || waiting <= int64(limit) && bytes <= float64(limitBytes) {
		return false
	}
	f.Report(design.Join(c.Path, "deliver_subject"), Said{
		What: fmt.Sprintf("is pushed to without flow control, and %s %s: the server sends them as fast as the connection takes them, and a client keeps %s or %s",
			messages(float64(waiting)), wait, messages(float64(limit)), size.FormatBytes(float64(limitBytes))),
		Write: "use a pull consumer, or write flow_control: true and idle_heartbeat: 5s", Fix: f.withFlowControl(c),
		Figure: &Figure{"messages pushed at once", float64(waiting), "msgs", basis}})
	return true
}

func (f *Facts) withFlowControl(c *Consumer) *design.Fix {
	return f.oneOf("Write flow_control: true and idle_heartbeat: 5s",
		toWrite{design.Join(c.Path, "flow_control"), "true"}, toWrite{design.Join(c.Path, "idle_heartbeat"), "5s"})
}

// maxPending is how many bytes nats.go keeps for a subscription, and the server's
// max_pending for a connection when nothing else is written: 64 MiB both.
const maxPending = 64 << 20

// clientLimits are the pending limits of one subscription: as written, else those
// of nats.go.
func clientLimits(c *Consumer) (messages int, bytes int64) {
	for _, w := range c.Workers {
		if n := w.PendingLimit; n > 0 && (messages == 0 || n < messages) {
			messages = n
		}
		if n := w.PendingBytes; n > 0 && (bytes == 0 || n < bytes) {
			bytes = n
		}
	}
	return cmp.Or(messages, size.ClientPendingMessages), cmp.Or(bytes, maxPending)
}

// stallToSurvive is the longest stall of workers that the goals name.
func (f *Facts) stallToSurvive(c *Consumer) time.Duration {
	for _, goals := range []design.Goals{c.Goals, f.Goals} {
		for _, s := range goals.Survive {
			if s.For > 0 {
				return s.For
			}
		}
	}
	return longStall
}

// meanBytes is the mean payload of feeds, weighted by their rates; 0 when one of
// them does not say.
func meanBytes(feeds []Feed) float64 {
	bytes, rate := 0.0, 0.0
	for _, p := range feeds {
		mean, known := Mean(p.Payload)
		if r := LoadOf([]Feed{p}).High; r > 0 && known {
			bytes, rate = bytes+r*float64(mean), rate+r
		} else if r > 0 {
			return 0
		}
	}
	if rate == 0 {
		return 0
	}
	return bytes / rate
}
