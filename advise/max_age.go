package advise

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

// assumedKeep is advised where nothing says how long messages are needed: it
// outlasts a long weekend without readers.
const assumedKeep = 7 * 24 * time.Hour

// maxAge is how long messages are needed.
func (p *streamPlan) maxAge() {
	if p.PerSubject > 0 && p.Keep == 0 {
		p.lastPerSubject()
		return
	}
	keep := p.Keep
	set := Setting{Field: "max_age", Source: "filestore.go expireMsgs, 2.15.2",
		Rejected: []Rejected{{"0", "messages stay until another limit removes them, or until the disk is full"}}}
	switch {
	case keep > 0:
		set.Reason = fmt.Sprintf("messages have to stay readable for %s", span(keep))
	case p.Retention == size.Limits:
		keep = max(assumedKeep, upTo(2*p.Outage))
		set.Reason = "nothing says how long messages are needed: a week outlasts a long weekend without readers"
	default:
		keep = max(assumedKeep, upTo(2*p.Outage))
		set.Reason = "a handled message leaves at once; this is for what no worker ever acks, stranded messages included"
	}
	set.Advised, set.api = duration(keep)
	p.add(set, func(v design.Value) string {
		switch {
		case v.Int <= 0 && !p.limited() && p.Retention == size.Limits:
			return "without an age, bytes or messages limit the stream grows until the disk is full, and then refuses"
		case v.Int > 0 && p.Outage > 0 && v.Int < int64(p.Outage):
			return fmt.Sprintf("messages are removed after %s, unread, when the workers are away for %s", span(time.Duration(v.Int)), span(p.Outage))
		}
		return ""
	})
	p.at.MaxAge = keep
	if v, ok := p.written("max_age"); ok {
		p.at.MaxAge = time.Duration(max(v.Int, 0))
	}
}

// lastPerSubject leaves max_age out of a stream that keeps the last messages of
// each subject.
func (p *streamPlan) lastPerSubject() {
	p.add(Setting{Field: "max_age", State: Default, Advised: "none", Reason: "the last messages of each subject are the state that is kept, however old",
		Rejected: []Rejected{{design.FormatDuration(int64(assumedKeep)), "forgets the subjects that have been quiet"}}}, nil)
	if v, ok := p.written("max_age"); ok {
		p.at.MaxAge = time.Duration(max(v.Int, 0))
	}
}
