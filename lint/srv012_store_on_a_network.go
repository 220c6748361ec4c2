package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/natsapi"
)

var _ = rule(Rule{
	Code:     "SRV012",
	Name:     "store-on-a-network",
	Severity: design.Warning,
	Title:    "store_dir looks like a network file system.",
	Why: "The server renames, truncates and syncs its files and takes what the file system answers for done. On NFS, EFS or SMB a handle goes stale or a sync is answered early, and a stream " +
		"stops or loses what was acknowledged (nats-server #2792; server/filestore.go, v2.15.2).",
	Fix:   "Use a local disk or a block device of the node, and replicas for what a node may lose.",
	Refs:  []string{"server/filestore.go", "nats-server #2792"},
	Check: func(f *Facts) { f.networkStores() },
})

// networkWords are parts of paths by which people mount network file systems.
var networkWords = []string{"nfs", "efs", "smb", "cifs", "gluster", "s3fs", "azurefile"}

func (f *Facts) networkStores() {
	for _, s := range f.everyServer() {
		for _, asset := range []natsapi.Asset{"conf.jetstream", natsapi.Conf} {
			v, ok := f.Conf(s, asset, "store_dir")
			word := networkWord(v.Text)
			if !ok || word == "" {
				continue
			}
			f.Report(f.confPath(s, asset, "store_dir"), Said{What: fmt.Sprintf("names %s: the acknowledged messages of up to two minutes%s depend on how it keeps locks and syncs", word, f.andStreamsOn(s)),
				Write: "put it on a local disk or block device", Figure: &Figure{"window of loss", 120, "s", Bound}})
			break
		}
	}
}

// networkWord is the word in a path that says that it is mounted over a network.
func networkWord(path string) string {
	for part := range strings.FieldsFuncSeq(strings.ToLower(path), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') }) {
		for _, w := range networkWords {
			if strings.TrimRight(part, "0123456789") == w || part == w {
				return w
			}
		}
	}
	return ""
}
