package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR026",
	Name:     "copy-outlives-lifetime",
	Severity: design.Warning,
	Title:    "Messages that end their life in the origin stay in the copy.",
	Why: "A mirror and a stream with sources take a message with its header Nats-TTL and keep it as long as their own limits say: only a stream with allow_msg_ttl acts on the header " +
		"(server/stream.go, server/filestore.go, v2.15.2; measured).",
	Fix:   "Write allow_msg_ttl: true at the copy as well, or a max_age that is the longest lifetime.",
	Since: natsapi.Version{Major: 2, Minor: 11},
	Refs:  []string{"ADR-43", "server/filestore.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.copyOutlives) },
})

func (f *Facts) copyOutlives(s *Stream) {
	if s.Config.AllowMsgTTL {
		return
	}
	for _, origin := range f.Streams {
		if origin.Scope != s.Scope || !origin.Accepted || !origin.Config.AllowMsgTTL || !s.copiesAny(map[*Stream]bool{origin: true}) {
			continue
		}
		for _, p := range origin.Publishers() {
			if p.TTL <= 0 || s.Config.MaxAge > 0 && s.Config.MaxAge <= p.TTL {
				continue
			}
			said := Said{What: fmt.Sprintf("keeps what publisher %s gives %s in stream %s: messages do not end here", clip(p.Name), size.FormatDuration(p.TTL), clip(origin.Name)),
				Write: "write allow_msg_ttl: true"}
			if rate := LoadOf([]Feed{p}).High; rate > 0 {
				said.What += fmt.Sprintf(", %s a day", messages(rate*86400))
				said.Figure = &Figure{"messages that outlive their origin", rate * 86400, "msgs/day", Bound}
			} else {
				said.Severity = design.Info
			}
			f.Report(s.Path, said)
			return
		}
	}
}
