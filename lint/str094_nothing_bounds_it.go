package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR094",
	Name:     "nothing-bounds-it",
	Severity: design.Warning,
	Title:    "Nothing but the disk ends the growth of this stream.",
	Why: "Without max_bytes, max_age or max_msgs a stream of retention limits grows until max_file_store is used up; then every stream of the server refuses " +
		"(server/jetstream.go, v2.15.2: 10023, insufficient resources).",
	Fix:   "Write max_bytes for the disk and max_age for the readers.",
	Refs:  []string{"server/jetstream.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.unbounded) },
})

func (f *Facts) unbounded(s *Stream) {
	c := s.Config
	if s.Kind != "stream" || c.Retention.String() != "Limits" || c.MaxBytes > 0 || c.MaxAge > 0 || c.MaxMsgs > 0 || c.MaxMsgsPer > 0 || c.Mirror != nil {
		return
	}
	if len(s.Publishers()) == 0 {
		f.boundedByStore(s)
		return
	}
	perSecond := f.bytesPerSecond(s)
	if perSecond <= 0 {
		return
	}
	said := Said{What: fmt.Sprintf("has no limit: it grows by %s a day, on each of %d replicas", size.FormatBytes(perSecond*86400), max(c.Replicas, 1)),
		Write: "write max_bytes and max_age", Figure: &Figure{"growth", perSecond * 86400, "B/d", Computed}}
	if room, of := s.mostOfStore(); room > 0 {
		said.What += fmt.Sprintf(", and fills %s%s after %s", size.FormatBytes(room), of, size.FormatSeconds(room/perSecond))
	}
	f.Report(s.Path, said)
}

// mostOfStore is what one replica of a stream can grow to on the servers of its
// site, or in its account where that allows less; 0 where neither is known.
func (s *Stream) mostOfStore() (bytes float64, of string) {
	disk := float64(max(s.Site.Server.Disk, 0))
	if limit := s.Site.Setting.Account.MaxStore; s.Site.Limited != "" && limit > 0 {
		if each := float64(limit) / float64(max(s.Config.Replicas, 1)); disk == 0 || each < disk {
			return each, ", its part of the account's max_storage,"
		}
	}
	return disk, ""
}

// boundedByStore is about a stream that nobody is known to publish to: how fast it
// grows is not known, and how far is when the servers' store is.
func (f *Facts) boundedByStore(s *Stream) {
	f.Need("the publishers of a stream, with rate and payload")
	said := Said{Severity: design.Info, Write: "write max_bytes and max_age"}
	switch given := s.Site.StoreGiven || s.Site.Server.Disk > 0; {
	case len(s.Config.Sources) > 0:
		return
	case f.growth(s) > 0:
		perDay := f.growth(s)
		said.Severity = ""
		said.What = fmt.Sprintf("has no limit, and grew by %s a day since its first message: it goes on until the server's store is full", size.FormatBytes(perDay))
		said.Figure = &Figure{"growth", perDay, "B/d", Computed}
		if room, of := s.mostOfStore(); room > 0 {
			said.What += fmt.Sprintf(", and fills %s%s after %s", size.FormatBytes(room), of, size.FormatSeconds(room/perDay*86400))
		}
	case given:
		store := float64(s.Site.Setting.Server.MaxStore)
		said.What = fmt.Sprintf("has no limit: it may grow to the %s that the server has for all streams", size.FormatBytes(store))
		said.Figure = &Figure{"most that it takes", store, "B", Bound}
	case !f.saysAll() || f.Has(design.Join(s.Path, "max_bytes")) || f.Has(design.Join(s.Path, "max_age")):
		said.What = "is unlimited in bytes, age and messages: it grows until the server's store is full, after store / (rate × stored size)"
	default:
		return
	}
	f.Report(s.Path, said)
}

// growth is how many bytes a day a stream grew by, as a server reported its first and
// last message; 0 where it did not, or where they are less than an hour apart.
func (f *Facts) growth(s *Stream) float64 {
	bytes, _ := f.Observed(s.Path, "state", "bytes")
	first, ok := f.ObservedTime(s.Path, "state", "first_ts")
	last, known := f.ObservedTime(s.Path, "state", "last_ts")
	if age := last.Sub(first); ok && known && bytes > 0 && age > time.Hour {
		return float64(bytes) / age.Hours() * 24
	}
	return 0
}
