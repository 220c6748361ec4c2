package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CAP013",
	Name:     "streams-outgrow-the-store",
	Severity: design.Warning,
	Title:    "What is kept by age alone needs more than the server has.",
	Why: "max_age bounds time and not bytes, and a stream without max_bytes reserves nothing: nobody notices before max_file_store is used up, and then every stream of the server " +
		"refuses with 10023 (server/jetstream.go, v2.15.2).",
	Fix:   "Write max_bytes for the disk there is, a shorter max_age, or more disk.",
	Refs:  []string{"server/jetstream.go", "err_code 10023"},
	Check: func(f *Facts) { f.outgrownStores() },
})

func (f *Facts) outgrownStores() {
	for _, s := range f.everyServer() {
		limit, bounded, byAge := 0.0, 0.0, 0.0
		var worst *Stream
		most, whole, alike := 0.0, 0.0, 0.0 // alike is what each server has for certain
		f.storedOn(s, func(o *Stream, copies float64) {
			if o.storage() != size.File || o.Kind != "stream" {
				return
			}
			if o.Site.StoreGiven || s.Disk > 0 {
				limit = float64(o.Site.Setting.Server.MaxStore)
			}
			bytes := float64(o.Config.MaxBytes)
			if bytes > 0 {
				bounded += bytes * copies
			} else if bytes = f.keptByAge(o); bytes*copies > most {
				worst, most, whole = o, bytes*copies, bytes
			}
			if o.Config.MaxBytes <= 0 {
				byAge += bytes * copies
			}
			if copies >= 1 {
				alike += bytes
			}
		})
		if worst == nil || limit == 0 {
			continue
		}
		where, keeps := "on each of its servers", byAge
		if most < whole { // not each server has it, and one that does has all of it
			where, keeps = "on a server that has it", whole
		}
		if bounded+byAge <= limit && (most >= whole || whole+alike <= limit) {
			continue
		}
		what := fmt.Sprintf("keeps %s %s, and there are %s for streams", size.FormatBytes(keeps), where, size.FormatBytes(limit))
		if bounded > 0 {
			what += fmt.Sprintf(", of which others reserve %s", size.FormatBytes(bounded))
		}
		f.Report(design.Join(worst.Path, "max_age"), Said{Value: design.FormatDuration(int64(worst.Config.MaxAge)), What: what, Write: "write max_bytes, a shorter max_age, or give the servers more",
			Figure: &Figure{"bytes that age keeps on a server", keeps, "B", Computed}})
	}
}

// keptByAge is what a stream keeps that only its age bounds, in bytes of one copy; 0 for
// others. Of a stream that copies others it is what it is sized with.
func (f *Facts) keptByAge(s *Stream) float64 {
	if s.Config.MaxAge <= 0 || s.Config.MaxMsgs > 0 || s.Config.MaxMsgsPer > 0 || s.Config.Retention.String() != "Limits" {
		return 0
	}
	bytes := s.Load().High * recordMean(s) * s.Config.MaxAge.Seconds()
	if sized := f.SizeOf(s.Path); bytes == 0 && sized != nil && sized.Size.Retained.Binds == "max_age" {
		bytes = sized.Size.Reported.Value
	}
	return bytes
}
