package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/size"
	"weir/subject"
)

// OutlineRequest asks design.outline.
type OutlineRequest struct {
	Files []File `json:"files"`
}

// OutlineReply lists what a design has, scope by scope, in the order of the
// text. Of more than MaxOutline things of a kind the rest is left out and
// Complete is false.
type OutlineReply struct {
	Name        string              `json:"name"`
	Streams     []OutlineStream     `json:"streams"`
	Consumers   []OutlineConsumer   `json:"consumers"`
	Publishers  []OutlinePublisher  `json:"publishers"`
	Subscribers []OutlineSubscriber `json:"subscribers"`
	Complete    bool                `json:"complete"`
	// Reached is a sentence on where what is published ends.
	Reached string `json:"reached"`
}

// MaxOutline is the most things of one kind that an outline lists.
const MaxOutline = 5_000

// OutlineItem is what everything in an outline has.
type OutlineItem struct {
	Name string `json:"name"`
	// Path is the design path, At where that is written.
	Path string          `json:"path"`
	At   design.Position `json:"at"`
	// Account and Leafnode say where it lives; "" for $G and for the hub.
	Account  string `json:"account,omitempty"`
	Leafnode string `json:"leafnode,omitempty"`
}

// OutlineStream is a stream or bucket.
type OutlineStream struct {
	OutlineItem
	Kind      string   `json:"kind"` // stream, kv or object_store
	Subjects  []string `json:"subjects"`
	Retention string   `json:"retention"`
	Storage   string   `json:"storage"`
	Replicas  int      `json:"replicas"`
	// From names the streams that it copies from; Mirror is true for a mirror.
	From   []string `json:"from"`
	Mirror bool     `json:"mirror,omitempty"`
	// Assumed is true for a stream that no file defines.
	Assumed bool `json:"assumed,omitempty"`
}

// OutlineConsumer is a consumer.
type OutlineConsumer struct {
	OutlineItem
	Stream  string   `json:"stream"`
	Filters []string `json:"filters"`
	Push    bool     `json:"push,omitempty"`
	// Workers counts the workers of all groups.
	Workers int `json:"workers"`
}

// OutlinePublisher is a publisher and the streams that store what it publishes.
type OutlinePublisher struct {
	OutlineItem
	Subject string `json:"subject"`
	// Pattern is the subject with * for each placeholder.
	Pattern string `json:"pattern"`
	// Rate is in messages a second, all processes together.
	Rate    float64  `json:"rate"`
	Streams []string `json:"streams"`
}

// OutlineSubscriber is a group of core NATS subscribers.
type OutlineSubscriber struct {
	OutlineItem
	Subject string `json:"subject"`
	Queue   string `json:"queue,omitempty"`
}

func outlineDesign(_ context.Context, in OutlineRequest, _ Progress) (OutlineReply, error) {
	designs, _, err := read(in.Files, "files")
	if err != nil {
		return OutlineReply{}, err
	}
	out := OutlineReply{Complete: true}
	for _, d := range designs {
		if out.Name == "" {
			out.Name = d.Name
		}
		for _, scope := range d.Scopes() {
			out.scope(d, scope)
		}
	}
	out.Reached = out.reached()
	out.Complete = cut(&out.Streams) && out.Complete
	out.Complete = cut(&out.Consumers) && out.Complete
	out.Complete = cut(&out.Publishers) && out.Complete
	out.Complete = cut(&out.Subscribers) && out.Complete
	return out, nil
}

// reached says which publishers a stream stores, which only subscribers hear, and
// which nobody.
func (o *OutlineReply) reached() string {
	var core int
	var lost []string
	for _, p := range o.Publishers {
		if len(p.Streams) > 0 {
			continue
		}
		heard := func(s OutlineSubscriber) bool {
			return s.Account == p.Account && s.Leafnode == p.Leafnode && subject.Collide(s.Subject, p.Pattern)
		}
		if slices.ContainsFunc(o.Subscribers[:min(len(o.Subscribers), MaxOutline)], heard) {
			core++
		} else {
			lost = append(lost, p.Name)
		}
	}
	all := size.Counted(len(o.Publishers), "publisher", "publishers")
	switch {
	case len(o.Publishers) == 0:
		return "The design has no publisher: nothing is published that a pattern could take"
	case len(lost) > 0:
		const named = 3
		text := fmt.Sprintf("%d of %s reach no stream and no subscriber: %s", len(lost), all, strings.Join(lost[:min(named, len(lost))], ", "))
		if more := len(lost) - named; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		return text
	case core > 0:
		return fmt.Sprintf("What %s send is received: of %d by a stream, of %d by subscribers alone", all, len(o.Publishers)-core, core)
	case len(o.Publishers) == 1:
		return "What the publisher sends is stored by a stream"
	}
	return fmt.Sprintf("What each of %s sends is stored by a stream", all)
}

func cut[T any](list *[]T) (whole bool) {
	if len(*list) <= MaxOutline {
		return true
	}
	*list = (*list)[:MaxOutline]
	return false
}

func (o *OutlineReply) scope(d *design.Design, scope *design.Scope) {
	item := func(name, path string) OutlineItem {
		i := OutlineItem{Name: name, Path: path, At: d.Where(path), Account: scope.Account, Leafnode: scope.Leafnode}
		if i.Account == design.Hub {
			i.Account = ""
		}
		return i
	}
	first := len(o.Streams)
	for _, s := range scope.Streams {
		row := outlineStream(item(s.Name, s.Path), "stream", &s.Config)
		row.Assumed = s.Assumed
		o.Streams = append(o.Streams, row)
		for _, c := range s.Consumers {
			row := OutlineConsumer{OutlineItem: item(c.Name, c.Path), Stream: s.Name, Filters: c.Config.FilterSubjects, Push: c.Config.DeliverSubject != ""}
			if c.Config.FilterSubject != "" {
				row.Filters = append([]string{c.Config.FilterSubject}, row.Filters...)
			}
			for _, w := range c.Workers {
				row.Workers += w.Count
			}
			o.Consumers = append(o.Consumers, row)
		}
	}
	for _, b := range scope.KV {
		o.Streams = append(o.Streams, outlineStream(item(b.Name, b.Path), "kv", &b.Config))
	}
	for _, b := range scope.Objects {
		o.Streams = append(o.Streams, outlineStream(item(b.Name, b.Path), "object_store", &b.Config))
	}
	for _, p := range scope.Publishers {
		row := OutlinePublisher{OutlineItem: item(p.Name, p.Path), Subject: p.Subject, Pattern: p.Pattern(), Rate: p.Rate}
		// No more than are shown: each publisher is held against each stream.
		if len(o.Publishers) >= MaxOutline {
			break
		}
		for _, s := range o.Streams[min(first, MaxOutline):min(len(o.Streams), MaxOutline)] {
			if slices.ContainsFunc(s.Subjects, func(subj string) bool { return subject.Collide(subj, row.Pattern) }) {
				row.Streams = append(row.Streams, s.Name)
			}
		}
		o.Publishers = append(o.Publishers, row)
	}
	for _, s := range scope.Subscribers {
		o.Subscribers = append(o.Subscribers, OutlineSubscriber{item(s.Name, s.Path), s.Subject, s.Queue})
	}
}

func outlineStream(item OutlineItem, kind string, c *api.StreamConfig) OutlineStream {
	row := OutlineStream{OutlineItem: item, Kind: kind, Subjects: c.Subjects, Retention: strings.ToLower(c.Retention.String()),
		Storage: strings.ToLower(c.Storage.String()), Replicas: max(1, c.Replicas)}
	if c.Mirror != nil {
		row.From, row.Mirror = []string{c.Mirror.Name}, true
	}
	for _, s := range c.Sources {
		if s != nil {
			row.From = append(row.From, s.Name)
		}
	}
	if len(row.Subjects) == 0 && len(row.From) == 0 {
		row.Subjects = []string{c.Name}
	}
	return row
}
