package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CAP011",
	Name:     "default-store-shrinks",
	Severity: design.Warning,
	Title:    "Without max_file_store the limit is three quarters of the disk that is free at the start, and less at each restart.",
	Why: "Servers before 2.14 count what their own streams occupy as used disk: after a restart the limit may be below what is stored and reserved, and streams are " +
		"not recovered or not created (server/disk_avail.go, v2.12.15; 2.14.10 and 2.15.2 add it back). What others write to the volume lowers it in all.",
	Fix:   "Write max_file_store, at least the sum of max_bytes.",
	Refs:  []string{"server/disk_avail.go", "nats-server #3641"},
	Check: func(f *Facts) { f.defaultStoreShrinks() },
})

func (f *Facts) defaultStoreShrinks() {
	for _, s := range f.everyServer() {
		if _, path := f.confNumber(s, "conf.jetstream", "max_file_store"); path != "" || s.Disk <= 0 {
			continue
		}
		reserved := 0.0
		f.storedOn(s, func(o *Stream, copies float64) {
			if o.storage() == size.File {
				reserved += max(0, float64(o.Config.MaxBytes)) * copies
			}
		})
		full, err := size.OfRestart(size.Server{Disk: s.Disk}, reserved, false)
		if err == nil && f.VersionAt(s.Path).AtLeast(addsBack) {
			f.othersOnTheVolume(s, full.First.Value, reserved)
			continue
		}
		if err != nil || !full.Shrinks {
			continue
		}
		expected := 0.0
		f.storedOn(s, func(o *Stream, copies float64) {
			if o.storage() == size.File {
				expected += f.fills(o) * copies
			}
		})
		said := Said{Severity: design.Info, Value: "not written", Write: fmt.Sprintf("write max_file_store: %s or more", size.FormatBytes(reserved))}
		again := full
		if r, err := size.OfRestart(size.Server{Disk: s.Disk}, expected, false); err == nil && r.Shrinks {
			said.Severity, again = design.Warning, r
		}
		said.What = fmt.Sprintf("makes the server take three quarters of the free disk: %s at the first start and %s at a restart with its streams full, which hold up to %s a server",
			size.FormatBytes(again.First.Value), size.FormatBytes(again.Again.Value), size.FormatBytes(reserved))
		said.Figure = &Figure{"max_file_store after a restart", again.Again.Value, "B", Bound}
		f.Report(f.confPath(s, "conf.jetstream", "max_file_store"), said)
	}
}

// addsBack is the release from which a server does not count its own streams as used
// disk.
var addsBack = natsapi.Version{Major: 2, Minor: 14}

// nearlyAll is the share of the default limit from which what others write may cost
// a stream.
const nearlyAll = 0.6

// othersOnTheVolume is about servers that count only what is not theirs.
func (f *Facts) othersOnTheVolume(s design.Server, limit, reserved float64) {
	if reserved < nearlyAll*limit {
		return
	}
	f.Report(f.confPath(s, "conf.jetstream", "max_file_store"), Said{Severity: design.Info, Value: "not written", Write: fmt.Sprintf("write max_file_store: %s or more", size.FormatBytes(reserved)),
		What: fmt.Sprintf("is three quarters of the disk that is free when the server starts, %s at most, and streams reserve %s: what others write to the volume lowers it",
			size.FormatBytes(limit), size.FormatBytes(reserved)),
		Figure: &Figure{"max_file_store at most", limit, "B", Bound}})
}

// fills is how many reported bytes a stream will hold: what its publishers bring
// it to, or max_bytes where nobody is known to publish.
func (f *Facts) fills(s *Stream) float64 {
	most := max(0, float64(s.Config.MaxBytes))
	if len(s.Publishers()) == 0 && s.Kind == "stream" {
		return most
	}
	if sized := f.SizeOf(s.Path); sized != nil {
		return sized.Size.Reported.Value
	}
	return most
}
