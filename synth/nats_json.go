package synth

import (
	"weir/design"
	"weir/dialect"
)

var _ = target(Target{
	Name: "nats-json", Title: "JSON for the NATS CLI", Group: Configuration, Order: 1,
	About: "One file for each stream and consumer, as nats stream add --config and nats consumer add --config take them.",
	Proof: "TestNatsJSON", Proves: "every file is created on a real server",
	write: func(d *design.Design) ([]File, []Note, error) {
		files, _, err := writtenAs("json", d)
		return files, nil, err
	},
})

// writtenAs is what a notation makes of a design, and what it has no words for.
func writtenAs(notation string, d *design.Design) (files []File, unsaid design.Problems, err error) {
	found, err := dialect.Find(notation)
	if err != nil {
		return nil, nil, err
	}
	written, unsaid := found.Write(d)
	for _, f := range written {
		files = append(files, File{Path: f.Path, Text: string(f.Text)})
	}
	return files, unsaid, nil
}
