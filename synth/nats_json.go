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
		json, err := dialect.Find("json")
		if err != nil {
			return nil, nil, err
		}
		written, _ := json.Write(d)
		var files []File
		for _, f := range written {
			files = append(files, File{Path: f.Path, Text: string(f.Text)})
		}
		return files, nil, nil
	},
})
