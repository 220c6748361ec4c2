package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/natsapi"
)

var _ = rule(Rule{
	Code:     "SRV014",
	Name:     "store-in-tmp",
	Severity: design.Warning,
	Title:    "JetStream keeps its files in a folder that the system empties.",
	Why: "Without store_dir the server takes the system's temporary directory (server/jetstream.go, v2.15.2), which a restart of the machine or of the container, or a cleaner, empties: streams, " +
		"consumers and everything acknowledged.",
	Fix:   "Write store_dir on a disk of its own.",
	Refs:  []string{"server/jetstream.go"},
	Check: func(f *Facts) { f.temporaryStores() },
})

// temporaryFolders are emptied at a restart, or lie in memory.
var temporaryFolders = []string{"/tmp", "/var/tmp", "/dev/shm", "/run"}

func (f *Facts) temporaryStores() {
	for _, s := range f.everyServer() {
		path, dir := f.confPath(s, "conf.jetstream", "store_dir"), ""
		for _, asset := range []natsapi.Asset{"conf.jetstream", natsapi.Conf} {
			if v, ok := f.Conf(s, asset, "store_dir"); ok {
				path, dir = f.confPath(s, asset, "store_dir"), v.Text
			}
		}
		if dir == "" && f.ownConf(s, "jetstream") {
			f.Report(design.Join(design.Join(s.Path, "conf"), "jetstream"), Said{Severity: design.Info,
				What:  "names no store_dir: without one on the command line the server keeps all streams in the system's temporary folder, and says so in its log alone",
				Write: "write store_dir: /var/lib/nats or another folder on a disk"})
		}
		for _, t := range temporaryFolders {
			if dir != t && !strings.HasPrefix(dir, t+"/") {
				continue
			}
			f.Report(path, Said{What: fmt.Sprintf("lies below %s, which is emptied: all acknowledged messages%s are gone at a restart of the machine", t, f.andStreamsOn(s)),
				Write: "write a folder on a disk, such as /var/lib/nats", Figure: &Figure{"share of the messages lost", 1, "share", Bound}})
			break
		}
	}
}

// andStreamsOn counts the streams of the design on a server, for a sentence; "" where
// it has none there.
func (f *Facts) andStreamsOn(s design.Server) string {
	streams := 0
	f.storedOn(s, func(*Stream, float64) { streams++ })
	if streams == 0 {
		return ""
	}
	return ", and " + counted(streams, "stream") + " of this design,"
}
