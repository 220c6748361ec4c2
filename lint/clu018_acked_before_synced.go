package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CLU018",
	Name:     "acked-before-synced",
	Severity: design.Warning,
	Title:    "A PubAck of a single replica means that the message was written, not that it survives a power cut.",
	Why: "The server syncs its files every sync_interval, two minutes by default, and acknowledges before (server/filestore.go, v2.15.2). With one replica nobody else " +
		"has what the disk does not.",
	Fix:  "Write sync_interval: always under conf.jetstream, or num_replicas: 3 on servers that do not lose power together.",
	Refs: []string{"server/filestore.go", "nats-server #7564"},
	Check: func(f *Facts) {
		told := false // worth knowing once
		f.AcceptedStreams(func(s *Stream) { told = f.ackedBeforeSynced(s, told) || told })
	},
})

func (f *Facts) ackedBeforeSynced(s *Stream, told bool) bool {
	if s.Kind != "stream" || s.Config.Replicas > 1 || s.Config.Mirror != nil || s.storage() != size.File || s.Config.NoAck {
		return false
	}
	interval := 2 * time.Minute
	if v, ok := f.Conf(s.Site.Server, "conf.jetstream", "sync_interval"); ok {
		if v.Text == "always" {
			return false
		}
		interval = time.Duration(v.Int)
	}
	written := 0.0 // at most, between two syncs
	trusting := "" // a publisher that waits for each ack
	for _, p := range s.Publishers() {
		if p.Mode == "sync" {
			trusting = p.Name
		}
		if p.Mode != "core" {
			_, _, most := size.RateOf(p.Publisher).Arrivals(interval.Seconds())
			written += most
		}
	}
	if written == 0 || interval <= 0 {
		return false
	}
	goals := f.goalsOf(s)
	// Who lists the faults that nothing may be lost in has said whether power is one.
	strict := goals.Path != "" && f.Has(design.Join(goals.Path, "lost")) && goals.Lost == 0 && len(goals.Survive) == 0
	for _, g := range goals.Survive {
		strict = strict || g.Fault == "node"
	}
	said := Said{Severity: design.Info, Value: fmt.Sprint(max(s.Config.Replicas, 1)),
		What:  fmt.Sprintf("is the only copy, and it is synced every %s: a power cut takes up to %s", design.FormatDuration(int64(interval)), size.Counted(written, "acknowledged message", "acknowledged messages")),
		Write: "write sync_interval: always, or num_replicas: 3", Figure: &Figure{"window of loss", interval.Seconds(), "s", Bound}}
	switch {
	case strict && s.Scope.Leafnode == "":
		said.Severity = design.Warning
	case s.Scope.Leafnode == "" && trusting != "" && f.singleServer(s):
		said.Severity = design.Warning
		said.What += fmt.Sprintf(", each of which publisher %s takes for durable", clip(trusting))
	case told:
		return false
	}
	f.Report(design.Join(s.Path, "num_replicas"), said)
	return true
}

// singleServer reports whether a design says that a stream has one server and leaves
// sync_interval to it: nobody has thought of a power cut.
func (f *Facts) singleServer(s *Stream) bool {
	_, chosen := f.Conf(s.Site.Server, "conf.jetstream", "sync_interval")
	return !chosen && s.Site.Server.Nodes == 1 && f.Has(design.Join(s.Site.Server.Path, "nodes"))
}
