package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR028",
	Name:     "age-out-of-reach",
	Severity: design.Info,
	Title:    "The stream is full long before its messages reach max_age.",
	Why: "The limit that binds first removes the oldest message (server/filestore.go, v2.15.2; measured). Where that is max_bytes or max_msgs, max_age says how long messages " +
		"would be kept, and not how long they are.",
	Fix:   "Raise the limit that binds, or write the age that is reached, so that nobody counts on the longer one.",
	Refs:  []string{"server/filestore.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.ageOutOfReach) },
})

// nearlyReached is the share of max_age from which on the two limits are as good as
// in agreement.
const nearlyReached = 0.9

func (f *Facts) ageOutOfReach(s *Stream) {
	holds, limit := s.Holds()
	load := s.Load()
	age := s.Config.MaxAge.Seconds()
	if s.Kind != "stream" || s.Config.Retention.String() != "Limits" || s.Config.Discard.String() == "New" || limit == "" || load.Low <= 0 || age <= 0 {
		return
	}
	full := holds / load.Low // with what surely arrives; more fills it earlier
	if full >= nearlyReached*age {
		return
	}
	value := design.FormatSize(s.Config.MaxBytes)
	if limit == "max_msgs" {
		value = size.FormatCount(float64(s.Config.MaxMsgs))
	}
	f.Report(design.Join(s.Path, "max_age"), Said{
		What: fmt.Sprintf("is not reached: at %s a second %s (%s) is full after %s, and the oldest message is removed then",
			perSecond(load.Low), limit, value, size.FormatSeconds(full)),
		Write:  fmt.Sprintf("raise %s, or write the age that is kept", limit),
		Figure: &Figure{"age of the oldest message at most", full, "s", Computed}})
}
