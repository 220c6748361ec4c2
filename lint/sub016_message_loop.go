package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB016",
	Name:     "message-loop",
	Severity: design.Warning,
	Title:    "A message comes back to the stream that it started from, and each round stores it again.",
	Why: "Republishing and push delivery are publishes: what lands on a subject that another stream captures is stored there, and from there it may come back. " +
		"The server refuses such a cycle inside of one stream (10052 for republish, 10081 for deliver_subject) and does not see one through two (server/stream.go, " +
		"server/consumer.go, v2.15.2).",
	Fix:   "Send to a subject that no stream of the way back captures, or copy with sources and a filter that leaves out what came from there.",
	Refs:  []string{"server/stream.go", "err_code 10052", "err_code 10081"},
	Check: func(f *Facts) { f.loops() },
})

// hop is a way by which messages of one stream land in another.
type hop struct {
	path, way string
	to        *Stream
}

func (f *Facts) loops() {
	hops := map[*Stream][]hop{}
	f.AcceptedStreams(func(s *Stream) { hops[s] = f.hopsOf(s) })
	said := map[*Stream]bool{}
	for _, from := range f.Streams {
		if round := roundTrip(hops, func(one hop) *Stream { return one.to }, from); round != nil && !said[from] {
			names := []string{from.Name}
			for _, h := range round {
				said[h.to] = true
				names = append(names, h.way+" "+h.to.Name)
			}
			f.Report(round[0].path, Said{What: fmt.Sprintf("closes a circle: %s; each round stores the message again, without end", clip(strings.Join(names, ", "))),
				Write: "send to a subject that none of these streams captures", Figure: &Figure{"more messages for each one", float64(len(round)), "msgs/round", Bound}})
		}
	}
}

// hopsOf are the ways out of a stream by publishing: republish and push.
func (f *Facts) hopsOf(s *Stream) []hop {
	var out []hop
	add := func(path, dest, way string) {
		for _, t := range f.Streams {
			for _, subj := range t.Config.Subjects {
				if t != s && t.Scope == s.Scope && t.Accepted && subject.Valid(dest) && subject.Meet(dest, subj) {
					out = append(out, hop{path, way, t})
					break
				}
			}
		}
	}
	if r := s.Config.RePublish; r != nil {
		add(design.Join(design.Join(s.Path, "republish"), "dest"), destPattern(r.Destination), "republished to")
	}
	for _, c := range s.Consumers {
		if c.IsPush() && c.Accepted {
			add(design.Join(c.Path, "deliver_subject"), c.Config.DeliverSubject, "pushed to")
		}
	}
	return out
}

// destPattern is the destination of a transform with * for what varies.
func destPattern(dest string) string {
	tokens := strings.Split(dest, subject.Separator)
	for i, t := range tokens {
		if strings.Contains(t, "{{") || strings.HasPrefix(t, "$") {
			tokens[i] = subject.One
		}
	}
	return strings.Join(tokens, subject.Separator)
}
