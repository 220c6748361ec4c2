package interview

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"weir/design"
)

// page writes the design file.
type page struct {
	needs
	crews              []crew
	disk, memory       int64 // of a server; memory is 0 while not known
	diskFor, memoryFor string
	reasons            int // values written with a reason of ours
	b                  strings.Builder
}

func (p *page) line(indent int, format string, args ...any) {
	p.b.WriteString(strings.Repeat(" ", indent))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

// why writes a value with its reason.
func (p *page) why(indent int, reason, format string, args ...any) {
	p.reasons++
	p.line(indent, format+" # "+strings.ReplaceAll(reason, "%", "%%"), args...)
}

// write is the text; what is left open in it is advised on.
func (p *page) write() string {
	p.b.Reset()
	p.reasons = 0
	p.line(0, "# %s, from six answers. A comment says why a value is as it is, where nobody asked for it.", p.What)
	p.line(0, "weir: 1")
	p.line(0, "name: %s", p.What)
	p.writeServers()
	p.line(0, "\nstreams:")
	p.writeStream()
	p.writeDeadLetters()
	p.writePublishers()
	p.writeGoals()
	p.writeScenarios()
	return p.b.String()
}

func (p *page) writeServers() {
	p.line(0, "\nserver:")
	p.line(2, "version: %q", p.version)
	switch {
	case p.zones:
		p.why(2, "the loss of a zone must cost nothing: one server in each of three", "nodes: %d", p.nodes)
		p.line(2, "zones: [a, b, c]")
	case p.nodes > 1:
		p.why(2, "two of three are a majority, so that one may fail", "nodes: %d", p.nodes)
	default:
		p.why(2, "nothing that may fail asks for more", "nodes: 1")
		if p.oneByOne() {
			p.why(2, "it has the only copy, and publishers wait for each ack: without sync_interval a power cut takes what was acknowledged in the last 2 min", "conf: {sync_interval: always}")
		}
	}
	if p.memory > 0 {
		p.why(2, p.memoryFor, "memory: %s", design.FormatSize(p.memory))
	}
	p.why(2, p.diskFor, "disk: %s", design.FormatSize(p.disk))
}

func (p *page) writeStream() {
	p.line(2, "%s:", p.stream)
	p.line(4, "subjects: [%s]", p.subject("*", "*"))
	if p.kind == Jobs {
		p.why(4, "a job leaves with its ack", "retention: workqueue")
	} else {
		p.why(4, "every reader reads all of its own, now or later", "retention: limits")
	}
	p.line(4, "max_age: %s", p.Keep)
	p.line(4, "consumers:")
	for i := range p.readers {
		p.writeReader(&p.readers[i], p.crews[i])
	}
}

// subject is the subject of what flows: its name, a key where there are several,
// and the type, "new" where there are none and no key tells messages apart.
func (p *page) subject(key, kind string) string {
	tokens := []string{p.What}
	if p.keys > 1 {
		tokens = append(tokens, key)
	}
	if len(p.types) > 0 || p.keys <= 1 {
		tokens = append(tokens, kind)
	}
	return strings.Join(tokens, ".")
}

func (p *page) writeReader(r *reader, c crew) {
	p.line(6, "%s:", r.Name)
	var filters []string
	for _, t := range r.types {
		filters = append(filters, p.subject("*", t))
	}
	switch len(filters) {
	case 0:
	case 1:
		p.line(8, "filter_subject: %s", filters[0])
	default:
		p.line(8, "filter_subjects: [%s]", strings.Join(filters, ", "))
	}
	p.line(8, "ack_policy: explicit")
	p.line(8, "workers:")
	p.why(10, c.countFor, "count: %d", c.count)
	p.line(10, "concurrency: %d", r.atATime)
	p.why(10, c.fetchFor, "fetch: %d", c.fetch)
	if r.slowest > 0 {
		p.line(10, "service_time: {p50: %s, p99: %s}", r.Takes, r.Slowest)
	} else {
		p.line(10, "service_time: {mean: %s}", r.Takes)
	}
}

// writeDeadLetters keeps what ran out of tries from being forgotten.
func (p *page) writeDeadLetters() {
	p.line(2, "%s_DLQ:", p.stream)
	p.line(4, "# Advisories about messages that were delivered max_deliver times; a small mover")
	p.line(4, "# reads them, fetches the message by its sequence and publishes it below dead.%s.", p.stream)
	p.line(4, "subjects: [$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.%s.>]", p.stream)
	p.line(4, "retention: limits")
	p.why(4, "a month for somebody to look", "max_age: 720h")
	p.why(4, "a bound, whatever happens", "max_bytes: 256MiB")
	p.line(4, "consumers:")
	p.line(6, "mover:")
	p.line(8, "ack_policy: explicit")
	p.line(8, "workers: {count: 1, concurrency: 1, fetch: 10, service_time: 10ms}")
	p.line(2, "%s_DEAD:", p.stream)
	p.why(4, "the second is of advisories that the mover itself gave up", "subjects: [dead.%[1]s.>, dead.%[1]s_DLQ.>]", p.stream)
	p.why(4, "a month for somebody to look at what no worker could handle", "max_age: 720h")
	p.why(4, "a bound, whatever happens", "max_bytes: 256MiB")
}

// writePublishers has a publisher for each type, so that each is known to be read.
func (p *page) writePublishers() {
	p.line(0, "\npublishers:")
	if len(p.types) == 0 {
		p.writePublisher(p.What, "new")
	}
	for _, t := range p.types {
		p.writePublisher(t, t)
	}
}

func (p *page) writePublisher(name, kind string) {
	share := float64(max(len(p.types), 1))
	rate, peak := p.rate/share, p.peak/share
	p.line(2, "%s:", name)
	p.line(4, "subject: %s", p.subject("{key}", kind))
	if p.keys > 1 {
		p.line(4, "tokens: {key: %d}", p.keys)
	}
	if share > 1 {
		p.why(4, fmt.Sprintf("%s for %d types", p.Rate, len(p.types)), "rate: %s", rateText(rate))
	} else {
		p.line(4, "rate: %s", p.Rate)
	}
	if p.peak > p.rate {
		text := p.Peak
		if share > 1 {
			text = rateText(peak)
		}
		p.line(4, "bursts: [{rate: %s, for: %s, every: 24h}]", text, p.PeakFor)
	}
	if p.largest > p.size {
		p.line(4, "payload: {mean: %s, p99: %s}", p.Size, p.Largest)
	} else {
		p.line(4, "payload: %s", p.Size)
	}
	if p.oneByOne() {
		p.why(4, "one by one, each answered: the rate leaves time for it", "mode: sync")
	} else {
		p.why(4, "several unanswered at a time: one by one, a round trip each would be the limit", "mode: async")
	}
	p.why(4, "a time-out does not say whether a message was stored: under the same id it can be sent again", "msg_id: uuid")
}

// oneByOne reports whether a publisher waits for each ack before it sends the next:
// up to 50 a second a round trip each is no burden.
func (p *page) oneByOne() bool {
	return max(p.rate, p.peak)/float64(max(len(p.types), 1)) <= 50
}

// rateText writes a rate in the unit in which it is not below one.
func rateText(perSecond float64) string {
	v, unit := perSecond, "s"
	for _, longer := range []struct {
		unit string
		by   float64
	}{{"m", 60}, {"h", 60}, {"d", 24}} {
		if v >= 1 {
			break
		}
		v, unit = v*longer.by, longer.unit
	}
	return strconv.FormatFloat(v, 'f', max(0, 3-len(strconv.Itoa(int(v)))), 64) + "/" + unit
}

func (p *page) writeGoals() {
	if p.wait <= 0 && p.Twice == "" && len(p.survive) == 0 && p.nodes == 1 {
		return // nothing was asked for
	}
	p.line(0, "\ngoals:")
	if p.wait > 0 {
		p.line(2, "oldest_pending: %s", p.Wait)
	}
	if p.Twice != "" {
		p.line(2, "handled_twice: %s", p.Twice)
	}
	// A single server of which nothing was asked loses what a power cut takes.
	if len(p.survive) > 0 || p.nodes > 1 {
		p.why(2, "what was acknowledged is handled", "lost: 0%%")
	}
	if len(p.survive) > 0 {
		p.line(2, "survive: [%s]", strings.Join(split(p.Survive), ", "))
	}
}

// writeScenarios has what may fail happen, for the simulator and the proof.
func (p *page) writeScenarios() {
	var lines []string
	for _, s := range p.survive {
		switch s.Fault {
		case "node":
			lines = append(lines, "  node-loss:\n    - {at: 5m, kill: node, for: 3m}")
		case "worker-stall":
			span := s.For
			if span == 0 {
				span = time.Minute
			}
			lines = append(lines, fmt.Sprintf("  stall:\n    - {at: 5m, stall: %s, for: %s}", p.readers[0].Name, design.FormatDuration(int64(span))))
		}
	}
	if len(lines) > 0 {
		p.line(0, "\nscenarios:\n%s", strings.Join(lines, "\n"))
	}
}
