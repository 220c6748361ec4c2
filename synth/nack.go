package synth

import (
	"strings"

	"weir/design"
)

var _ = target(Target{
	Name: "nack", Title: "NACK resources for Kubernetes", Group: Configuration, Order: 2,
	About: "One manifest for each stream, consumer and bucket, for kubectl apply where the NACK controller runs (jetstream.nats.io/v1beta2). What the controller would set otherwise than the server is written out.",
	Proof: "TestNACK", Proves: "what the manifests say is created on a real server, and is what the design says",
	write: func(d *design.Design) ([]File, []Note, error) {
		files, unsaid, err := writtenAs("nack", d)
		var notes []Note
		for _, p := range unsaid {
			if forNACK(p.Path) {
				notes = append(notes, Note{Path: p.Path, Text: p.Message})
			}
		}
		for _, a := range d.Accounts {
			notes = append(notes, Note{Path: a.Path, Text: "the manifests name an Account resource " + a.Name + ": it holds the servers and credentials with which the controller connects"})
		}
		return files, notes, err
	},
})

// forNACK reports whether somebody who uses NACK would look for what stands at a
// path in its resources: clients and servers are elsewhere anyway.
func forNACK(path string) bool {
	section, rest, _ := strings.Cut(path, ".")
	switch section {
	case "leafnodes":
		return !strings.Contains(rest, ".")
	case "streams", "kv", "objects":
		return !strings.HasSuffix(path, ".workers")
	}
	return false
}
