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
		keep, set.Reason = p.fittingKeep()
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

// fittingKeep is how long messages are kept where nobody says: a week, or what
// there is room for.
func (p *streamPlan) fittingKeep() (keep time.Duration, reason string) {
	keep = max(assumedKeep, upTo(2*p.Outage))
	reason = "nothing says how long messages are needed: a week outlasts a long weekend without readers"
	have := p.room
	if v, ok := p.written("max_bytes"); ok && v.Int > 0 {
		have = room{float64(v.Int), "max_bytes"}
	}
	need, ok := p.bytesOf(keep)
	if !ok || !have.known() || have.none() || roomier*need <= have.bytes {
		return keep, reason
	}
	fits := downTo(time.Duration(float64(keep) * have.bytes / (roomier * need)))
	least := p.windowNeeded()
	if v, ok := p.written("duplicate_window"); ok {
		least = time.Duration(v.Int) // a longer window than max_age is refused (10052)
	}
	if fits < max(least, p.Outage) {
		fits = upTo(max(least, p.Outage))
	}
	return min(fits, keep), fmt.Sprintf("nothing says how long messages are needed: there is room for %s of them (%s)", span(fits), have.of)
}

// bytesOf is what a stream of limits holds with a max_age.
func (p *streamPlan) bytesOf(keep time.Duration) (float64, bool) {
	try := *p
	try.at.MaxAge = keep
	record, err := size.OfRecord(p.Message, p.at.Storage)
	if err != nil {
		return 0, false
	}
	messages, _, ok := try.needed(record.Reported.Value)
	return messages * record.Reported.Value, ok
}

// asked reports whether somebody says what the stream has to keep.
func (p *streamPlan) asked() bool {
	return p.Keep > 0 || p.Retention != size.Limits || p.PerSubject > 0 && p.Distinct > 0
}
