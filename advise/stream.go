package advise

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

// StreamNeeds is what a stream has to carry. Zero values are unknown unless said
// otherwise.
type StreamNeeds struct {
	Name     string
	Subjects []string
	// Rate is what is published into it, Message the mean message.
	Rate    size.Rate
	Message size.Message
	// Payload99 is the 99th percentile of the payload in bytes.
	Payload99 float64
	// PayloadRare is what one payload in 10,000 exceeds, in bytes.
	PayloadRare float64
	// Distinct is how many subjects occur.
	Distinct float64
	// Retention is the retention policy; "" is limits.
	Retention size.Retention
	// Keep is how long messages have to stay readable.
	Keep time.Duration
	// Replicas is wished; 0 lets the nodes and the faults to survive decide.
	Replicas int
	// Nodes and Zones are what there is; Disk is what a node has for the stream.
	Nodes, Zones int
	Disk         int64
	// MostWindow is the servers' limit on duplicate_window; 0 is none.
	MostWindow time.Duration
	// MaxPayload is the server's max_payload; 0 is 1 MiB.
	MaxPayload int64
	// CompressesTo is what S2 leaves of the payload, from 0 to 1.
	CompressesTo float64
	// RetryFor is how long a publisher sends the same message id, AckTimeout how
	// long it waits for an answer.
	RetryFor, AckTimeout time.Duration
	// Outage is the longest time without its workers that it has to bridge.
	Outage time.Duration
	// PerSubject is max_msgs_per_subject; 0 and -1 are unlimited.
	PerSubject int64
	// Copies is true for a mirror and for a stream with sources.
	Copies bool
	// Survive are the faults that must cost no acknowledged message.
	Survive []design.Survive
	// Caught is true when every publisher handles a refusal.
	Caught bool

	// room is what it may reserve beside the other streams of a design.
	room room
}

// streamPlan is the advice on a stream while it is worked out: what was decided,
// written or advised, is in at.
type streamPlan struct {
	settings
	StreamNeeds
	at    size.Stream
	relax []string
	// window is duplicate_window as it should be: written, or advised.
	window time.Duration
	// claimed is what it would reserve if there were room for it, in bytes.
	claimed float64
	// missing says which facts would give more advice.
	missing []string
}

// streamSettings are asked in this order: later ones build on earlier ones.
var streamSettings = []func(*streamPlan){
	(*streamPlan).storage,
	(*streamPlan).numReplicas,
	(*streamPlan).discard,
	(*streamPlan).maxAge,
	(*streamPlan).duplicateWindow,
	(*streamPlan).maxMsgSize,
	(*streamPlan).compression,
	(*streamPlan).maxBytes,
	(*streamPlan).allowDirect,
}

// ForStream advises on one stream from its needs alone. An error names the need
// that cannot be used, or has the words with which servers refuse the outcome.
func ForStream(n StreamNeeds) (Advice, error) {
	if err := n.check(); err != nil {
		return Advice{}, err
	}
	p := planStream(settings{}, n)
	asset := p.asset()
	config, err := p.config(nil)
	if err != nil {
		return Advice{}, err
	}
	if err := p.judged(config); err != nil {
		return Advice{}, err
	}
	asset.Config, asset.Command = config, streamCommand(n.Name)
	a := Advice{Assets: []Asset{asset}, Relax: p.relax, Missing: p.missing}
	a.count()
	return a, nil
}

// check refuses what no stream can have.
func (n *StreamNeeds) check() error {
	s := size.Stream{Name: n.Name, Storage: size.File, Message: n.Message, Rate: n.Rate, MaxAge: n.Keep, Replicas: n.Replicas}
	if err := s.Validate("stream"); err != nil {
		return fmt.Errorf("advise stream: %w", err)
	}
	most := max(float64(n.MaxPayload), size.MiB)
	if has := n.Message.Header + n.Message.Payload; has > most {
		return fmt.Errorf("advise stream: a message of %s is more than the %s that a server takes (max_payload)", size.FormatBytes(has), size.FormatBytes(most))
	}
	return nil
}

func planStream(s settings, n StreamNeeds) *streamPlan {
	if n.Retention == "" {
		n.Retention = size.Limits
	}
	if n.MaxPayload <= 0 {
		n.MaxPayload = size.MiB // MAX_PAYLOAD_SIZE, const.go, 2.15.2
	}
	if n.Disk > 0 && s.d == nil {
		n.room = room{(1 - keptFree) * float64(n.Disk), size.FormatBytes(float64(n.Disk)) + " disk of a node"}
	}
	p := &streamPlan{settings: s, StreamNeeds: n}
	p.at = size.Stream{Name: n.Name, Storage: size.File, Retention: n.Retention, Compression: size.NoCompression,
		Message: n.Message, Rate: n.Rate, Subjects: size.SubjectSet{Count: n.Distinct}, MaxMsgsPerSubject: n.PerSubject, Source: n.Copies}
	for _, advise := range streamSettings {
		advise(p)
	}
	if n.Rate.Average() == 0 {
		open := "max_bytes and the heap of message ids stay open"
		if _, ok := p.written("max_bytes"); ok {
			open = "how long its max_bytes last and the heap of message ids are not known"
		}
		p.missing = append(p.missing, fmt.Sprintf("how much is published into %s: without it %s", n.Name, open))
	}
	return p
}

func (p *streamPlan) asset() Asset {
	a := Asset{Kind: "stream", Name: p.Name, Path: p.path, Settings: p.list}
	if avg := p.Rate.Average(); avg > 0 {
		a.Says = perSecond(avg)
		if peak := p.Rate.Peak(); peak > avg*1.05 {
			a.Says += ", at most " + perSecond(peak)
		}
		a.Says += ", " + size.FormatBytes(avg*(p.Message.Payload+p.Message.Header)) + "/s"
	} else {
		a.Says = "no publisher is known"
	}
	age := "no max_age"
	if p.at.MaxAge > 0 {
		age = span(p.at.MaxAge)
	}
	a.Says += fmt.Sprintf(", %s, R%d", age, max(p.at.Replicas, 1))
	return a
}

// survives reports whether a fault is among those to survive.
func (p *streamPlan) survives(fault string) bool { return survives(p.Survive, fault) }

func survives(list []design.Survive, fault string) bool {
	for _, s := range list {
		if s.Fault == fault {
			return true
		}
	}
	return false
}
