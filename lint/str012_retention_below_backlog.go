package lint

import (
	"fmt"
	"math"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR012",
	Name:     "retention-below-backlog",
	Severity: design.Warning,
	Title:    "Messages are removed by a limit before this consumer has read them.",
	Why: "discard old, max_msgs, max_bytes and max_age remove the oldest message whoever still needs it, in every retention, workqueue and interest included " +
		"(server/filestore.go, v2.15.2; measured). The consumer is not told.",
	Fix:  "Size the limits for the backlog of a burst, add workers, or write discard: new on a workqueue or interest stream, with which publishers are refused (10077) until there is room.",
	Refs: []string{"server/filestore.go", "argo-events #3150"},
	Check: func(f *Facts) {
		f.backlogsAgainstRetention()
		f.AcceptedStreams(f.dropsJobs)
	},
})

// overload is a time in which more arrives than a consumer's workers take.
type overload struct {
	what     string
	arriving float64 // of the consumer, messages a second
	whole    float64 // of the stream
	lasts    time.Duration
	stalled  bool // nobody reads
}

// backlogsAgainstRetention reports each consumer that a limit outruns, and those of
// partitions that are alike once.
func (f *Facts) backlogsAgainstRetention() {
	type partition struct{ path, shape, write string }
	var found []Said
	var at []partition
	alike := map[partition]int{}
	f.Consumers(func(c *Consumer) {
		path, said := f.backlogAgainstRetention(c)
		if path == "" {
			return
		}
		shape, _ := partitionOf(c)
		p := partition{path, shape, said.Write}
		if alike[p]++; shape == "" || alike[p] == 1 {
			found, at = append(found, said), append(at, p)
		}
	})
	for i, said := range found {
		if n := alike[at[i]]; at[i].shape != "" && n > 1 {
			said.What += fmt.Sprintf("; so it is for %d partitions", n)
		}
		f.Report(at[i].path, said)
	}
}

// backlogAgainstRetention is what is to be said of a consumer, and the limit at
// fault; "" for nothing.
func (f *Facts) backlogAgainstRetention(c *Consumer) (path string, said Said) {
	s := c.Of
	taken, known := c.PerSecond()
	if !known || taken <= 0 || s.Config.Mirror != nil || c.Config.DeliverPolicy.String() == "last" {
		return "", Said{}
	}
	if most := float64(c.Config.MaxAckPending); c.Acks() && most > 0 && c.Handlers() > 0 {
		taken *= math.Min(1, most/float64(c.Handlers()))
	}
	holds, limit := s.Holds()
	if s.Config.Discard.String() == "New" {
		holds, limit = math.Inf(1), ""
	}
	worst, lost, at := overload{}, 0.0, ""
	for _, o := range append(c.overloads(), f.stalls(c)...) {
		room, by := holds*o.arriving/o.whole, limit
		waits := taken
		if o.stalled {
			waits = o.arriving
		}
		if age := s.Config.MaxAge.Seconds() * waits; age > 0 && age < room {
			room, by = age, "max_age"
		}
		if l := (o.arriving-o.reads(taken))*o.lasts.Seconds() - room; by != "" && l > lost {
			worst, lost, at = o, l, by
		}
	}
	if lost < 1 {
		return "", Said{}
	}
	said = Said{Value: valueOfLimit(s, at), Write: "raise " + at + ", add workers, or write discard: new"}
	if s.Config.Retention.String() == "Limits" { // nothing that is read makes room there: it would refuse for ever
		said.Write = "raise " + at + ", or add workers"
	}
	if worst.lasts == forEver {
		said.Write = c.keepUp(worst.arriving)
		share := 1 - taken/worst.arriving
		said.What = fmt.Sprintf("removes %s of the messages before %s/%s has read them: %s arrive a second and its workers take %s", percent(share), clip(s.Name), clip(c.Name),
			size.FormatCount(worst.arriving), size.FormatCount(taken))
		said.Figure = &Figure{"messages lost unread", share, "share", Computed}
	} else {
		backlog := (worst.arriving - worst.reads(taken)) * worst.lasts.Seconds()
		said.What = fmt.Sprintf("is less than the backlog of %s/%s in %s: %s wait at its end (%s arrive a second, %s are taken), and %s are removed unread", clip(s.Name), clip(c.Name), worst.what,
			size.FormatCount(backlog), size.FormatCount(worst.arriving), size.FormatCount(worst.reads(taken)), size.FormatCount(lost))
		said.Figure = &Figure{"messages lost unread", lost, "msgs", Computed}
	}
	return design.Join(s.Path, at), said
}

// keepUp is what lets a consumer take more than arrives.
func (c *Consumer) keepUp(arriving float64) string {
	handlers, limit := c.handlersFor(arriving), c.Config.MaxAckPending
	switch {
	case !c.Acks() || limit <= 0 || limit >= handlers:
		return fmt.Sprintf("add workers: %d handlers take more than arrives", handlers)
	case limit == 1:
		return "split the subjects over more consumers, as max_ack_pending is 1"
	case c.Handlers() >= handlers:
		return fmt.Sprintf("write max_ack_pending: %d or more", c.roomyAckPending())
	}
	return fmt.Sprintf("write max_ack_pending: %d or more, and add workers: %d handlers take more than arrives", c.roomyAckPending(), handlers)
}

// dropsJobs is about a workqueue whose publishers are not known: what its limits
// do when they bind.
func (f *Facts) dropsJobs(s *Stream) {
	if s.Config.Retention.String() != "WorkQueue" || s.Config.Discard.String() == "New" || len(s.Publishers()) > 0 {
		return
	}
	for _, limit := range []string{"max_msgs", "max_bytes"} {
		if path := design.Join(s.Path, limit); f.Has(path) && (limit == "max_msgs" && s.Config.MaxMsgs > 0 || limit == "max_bytes" && s.Config.MaxBytes > 0) {
			f.Need("the publishers of a stream, with rate and payload")
			f.Report(path, Said{Severity: design.Info, Write: "write discard: new, so that publishers learn of it",
				What: "removes the oldest messages of the workqueue once it is reached, done or not, and tells nobody"})
			return
		}
	}
}

// reads is how fast the workers take messages meanwhile.
func (o overload) reads(taken float64) float64 {
	if o.stalled {
		return 0
	}
	return taken
}

// forEver is how long a mean rate lasts.
const forEver = time.Duration(math.MaxInt64)

// overloads are the mean load and each burst, counting only what surely arrives.
func (c *Consumer) overloads() []overload {
	mine, whole := c.Load().Low, c.Of.Load().High
	out := []overload{{what: "the mean", arriving: mine, whole: math.Max(whole, mine), lasts: forEver}}
	for _, p := range c.Publishers() {
		for _, b := range p.Bursts {
			if more := b.Rate - LoadOf([]Feed{p}).Low; p.All && more > 0 {
				out = append(out, overload{what: "the burst of " + clip(p.Name), arriving: mine + more, whole: math.Max(whole+more, mine+more), lasts: b.For})
			}
		}
	}
	return out
}

// stalls are the times without workers that the nearest goals ask to survive.
func (f *Facts) stalls(c *Consumer) []overload {
	var out []overload
	for _, g := range f.goalsOfConsumer(c).Survive {
		if mine := c.Load().Low; g.Fault == "worker-stall" && g.For > 0 && mine > 0 {
			out = append(out, overload{what: "the stall of " + design.FormatDuration(int64(g.For)) + " that the goals survive", arriving: mine,
				whole: math.Max(c.Of.Load().High, mine), lasts: g.For, stalled: true})
		}
	}
	return out
}

// valueOfLimit is a limit that is not written, for people.
func valueOfLimit(s *Stream, limit string) string {
	switch limit {
	case "max_msgs":
		return fmt.Sprint(s.Config.MaxMsgs)
	case "max_bytes":
		return design.FormatSize(s.Config.MaxBytes)
	}
	return design.FormatDuration(int64(s.Config.MaxAge))
}
