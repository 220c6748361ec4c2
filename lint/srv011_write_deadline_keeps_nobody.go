package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "SRV011",
	Name:     "write-deadline-keeps-nobody",
	Severity: design.Warning,
	Title:    "A long write_deadline does not keep a slow client connected: max_pending ends it first.",
	Why: "write_deadline is how long one write may block. What waits for a connection is bounded in bytes by max_pending, 64 MiB by default, and beyond it the server closes the connection " +
		"without a word (server/client.go, v2.15.2; measured). A client that reads slower than is sent to it gets there.",
	Fix:   "Let the client pull, or make it faster; raise max_pending and write_deadline together only for clients that catch up.",
	Refs:  []string{"server/client.go", "nats-server #997"},
	Check: func(f *Facts) { f.longDeadline() },
})

func (f *Facts) longDeadline() {
	const usual = 10 * time.Second
	s := f.Server
	deadline, path := f.confNumber(s, natsapi.Conf, "write_deadline")
	pending, raised := f.confNumber(s, natsapi.Conf, "max_pending")
	if path == "" || time.Duration(deadline) <= 3*usual || raised != "" && pending > 64*size.MiB {
		return
	}
	if raised == "" {
		pending = 64 * size.MiB
	}
	said := Said{What: fmt.Sprintf("bounds one blocked write; a client that falls %s behind is disconnected all the same (max_pending)", size.FormatBytes(float64(pending))),
		Write: "let slow clients pull, or raise max_pending with it", Figure: &Figure{"bytes until a slow client is disconnected", float64(pending), "B", Bound}}
	for _, sub := range f.Subscribers {
		in, out := f.subscriberRates(sub)
		if full, err := size.OfSlowConsumer(pending, in, out); err == nil && in > out && out > 0 {
			said.What += fmt.Sprintf(": subscriber %s gets %s a second and reads %s, so after %s", clip(sub.Name), size.FormatBytes(in), size.FormatBytes(out), size.FormatSeconds(full.Value))
			said.Figure = &Figure{"time until a slow client is disconnected", full.Value, "s", Computed}
			break
		}
	}
	f.Report(path, said)
}

// subscriberRates are the bytes a second that one process of a core subscriber is
// sent and can handle; out is 0 when its service time is not known.
func (f *Facts) subscriberRates(sub *design.Subscriber) (in, out float64) {
	var feeds []Feed
	for _, p := range feedsOf(&f.Design.Scope) {
		if feed, ok := p.through([]string{sub.Subject}); ok && feed.All {
			feeds = append(feeds, feed)
		}
	}
	mean, rate := meanBytes(feeds), LoadOf(feeds).Low
	if sub.Queue != "" {
		rate /= float64(max(sub.Count, 1))
	}
	if each, ok := Mean(sub.ServiceTime); ok && each > 0 {
		out = float64(max(sub.Concurrency, 1)) / each.Seconds() * mean
	}
	return rate * mean, out
}
