package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "PUB013",
	Name:     "some-with-ttl",
	Severity: design.Warning,
	Title:    "A key that one publisher gives a lifetime is kept for ever when another one writes it.",
	Why: "Nats-TTL belongs to the message, not to the subject (ADR-43; server/stream.go, v2.15.2). The next value of the subject without the header has no lifetime, and replaces the one " +
		"that had.",
	Fix:   "Let every publisher of the subject set ttl.",
	Refs:  []string{"ADR-43", "nats-server issue 6959"},
	Check: func(f *Facts) { f.AcceptedStreams(f.someWithTTL) },
})

func (f *Facts) someWithTTL(s *Stream) {
	if !s.Config.AllowMsgTTL || s.Config.MaxAge > 0 {
		return
	}
	for _, p := range s.Publishers() {
		if p.TTL > 0 {
			continue
		}
		for _, other := range s.Publishers() {
			if other.TTL <= 0 || !subject.Meet(p.Pattern, other.Pattern) {
				continue
			}
			f.Report(p.Path, Said{
				What: fmt.Sprintf("writes subjects that publisher %s gives a lifetime of %s, and gives them none: what it wrote last stays for ever, at most %s",
					clip(other.Name), size.FormatDuration(other.TTL), size.Counted(subjectsOf(p.Publisher), "key", "keys")),
				Write:  fmt.Sprintf("write ttl: %s", design.FormatDuration(int64(other.TTL))),
				Figure: &Figure{"keys without a lifetime", subjectsOf(p.Publisher), "keys", Bound}})
			break
		}
	}
}
