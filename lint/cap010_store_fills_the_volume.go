package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CAP010",
	Name:     "store-fills-the-volume",
	Severity: design.Warning,
	Title:    "max_file_store leaves no room on the volume for what it does not count.",
	Why: "max_file_store limits what streams report. RAFT logs, removed records that are not compacted yet, indexes and the file system itself lie beside " +
		"(server/filestore.go, v2.15.2; measured: up to two blocks a stream): the disk is full before the limit is, and every stream of the server stops.",
	Fix:   "Write max_file_store of at most 90 % of the volume.",
	Refs:  []string{"server/filestore.go", "nats-io/k8s #717"},
	Check: func(f *Facts) { f.storeAgainstVolume() },
})

func (f *Facts) storeAgainstVolume() {
	for _, s := range f.everyServer() {
		store, path := f.confNumber(s, "conf.jetstream", "max_file_store")
		v, err := size.OfVolume(size.Server{Disk: s.Disk, MaxFileStore: store})
		if path == "" || s.Disk <= 0 || err != nil || !v.Tight {
			continue
		}
		advised := v.Advised.Int() / size.MiB * size.MiB
		text := design.FormatSize(advised)
		f.Report(path, Said{What: fmt.Sprintf("is more than 90 %% of the volume of %s, of which about %s are left after formatting; logs, dead records and indexes lie there as well", size.FormatBytes(float64(s.Disk)), size.FormatBytes(v.Usable.Value)),
			Write: "write " + text + " or less", Figure: &Figure{"advised max_file_store", v.Advised.Value, "B", Computed}, Fix: f.SetFix("Write "+text, path, text)})
	}
}
