package lint

import (
	"fmt"
	"math"
	"strings"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR023",
	Name:     "outage-outlasts-retention",
	Severity: design.Warning,
	Title:    "While the link is down the site's stream removes what its copy has not seen.",
	Why: "A source or mirror goes on where it stopped, with what is still there. Limits of the site's stream do not wait for it: what max_age, max_msgs or max_bytes removed meanwhile is missing in " +
		"the copy for good (server/stream.go processSourceMsgs, v2.15.2).",
	Fix:   "Let the site keep messages for longer than the longest outage.",
	Refs:  []string{"server/stream.go setupSourceConsumer"},
	Check: func(f *Facts) { f.AcceptedStreams(f.outageOfOrigin) },
})

func (f *Facts) outageOfOrigin(s *Stream) {
	look := func(name, prefix string) {
		origin := f.leafOrigin(name, prefix)
		if origin == nil || s.Scope.Leafnode != "" {
			return
		}
		var down time.Duration
		for _, leaf := range f.Leafnodes {
			if leaf.Name == origin.Scope.Leafnode {
				down = leaf.OutageFor
			}
		}
		kept, limit := keptFor(origin)
		if down <= 0 || limit == "" || kept >= down {
			return
		}
		said := Said{Value: valueOfLimit(origin, limit), Write: fmt.Sprintf("keep more than %s", design.FormatDuration(int64(down))),
			What: fmt.Sprintf("keeps %s, and the link may be down for %s: what is %s old is removed before stream %s has copied it", size.FormatDuration(kept), design.FormatDuration(int64(down)), size.FormatDuration(kept), clip(s.Name))}
		missing := (down - kept).Seconds()
		said.Figure = &Figure{"time that is missing in the copy", missing, "s", Computed}
		if rate := origin.Load().High; rate > 0 {
			said.What += fmt.Sprintf(", %s in one outage", messages(rate*missing))
			said.Figure = &Figure{"messages missing in the copy", rate * missing, "msgs", Computed}
		}
		f.Report(design.Join(origin.Path, limit), said)
	}
	if m := s.Config.Mirror; m != nil {
		look(m.Name, apiOf(m.External))
	}
	for _, src := range s.Config.Sources {
		look(src.Name, apiOf(src.External))
	}
}

// leafOrigin is the stream of a leaf node site that a copy names by its domain; the
// sites of an entry that counts several are numbered behind its domain.
func (f *Facts) leafOrigin(name, prefix string) *Stream {
	if prefix == "" {
		return nil
	}
	for _, leaf := range f.Leafnodes {
		domain := domainOf(leaf)
		numbered := leaf.Count > 1 && strings.HasPrefix(prefix, "$JS."+domain+"-")
		if domain == "" || prefix != "$JS."+domain+".API" && !numbered {
			continue
		}
		for _, o := range f.Streams {
			if o.Scope == &leaf.Scope && o.Config.Name == name && o.Accepted {
				return o
			}
		}
	}
	return nil
}

// keptFor is how long a stream keeps a message, and the limit that ends it; "" when
// none is known to.
func keptFor(s *Stream) (kept time.Duration, limit string) {
	kept = math.MaxInt64
	if age := s.Config.MaxAge; age > 0 {
		kept, limit = age, "max_age"
	}
	if holds, by := s.Holds(); by != "" && s.Config.Discard.String() == "Old" {
		if rate := s.Load().High; rate > 0 && holds/rate < kept.Seconds() {
			kept, limit = time.Duration(holds/rate*float64(time.Second)), by
		}
	}
	return kept, limit
}
