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
		most := 0.0
		f.storedOn(s, func(o *Stream, copies float64) {
			if o.storage() != size.File || o.Kind != "stream" {
				return
			}
			if o.Site.StoreGiven || s.Disk > 0 {
				limit = float64(o.Site.Setting.Server.MaxStore)
			}
			if o.Config.MaxBytes > 0 {
				bounded += float64(o.Config.MaxBytes) * copies
				return
			}
			if o.Config.MaxAge <= 0 || o.Config.MaxMsgs > 0 || o.Config.MaxMsgsPer > 0 || o.Config.Retention.String() != "Limits" {
				return
			}
			bytes := o.Load().High * recordMean(o) * o.Config.MaxAge.Seconds() * copies
			if byAge += bytes; bytes > most {
				worst, most = o, bytes
			}
		})
		if worst == nil || limit == 0 || bounded+byAge <= limit {
			continue
		}
		what := fmt.Sprintf("keeps %s on each of its servers, and there are %s for streams", size.FormatBytes(byAge), size.FormatBytes(limit))
		if bounded > 0 {
			what += fmt.Sprintf(", of which others reserve %s", size.FormatBytes(bounded))
		}
		f.Report(design.Join(worst.Path, "max_age"), Said{Value: design.FormatDuration(int64(worst.Config.MaxAge)), What: what, Write: "write max_bytes, a shorter max_age, or give the servers more",
			Figure: &Figure{"bytes that age keeps on a server", byAge, "B", Computed}})
	}
}
