package synth

import (
	"golang.org/x/tools/txtar"

	"weir/design"
)

// clientProject is a project of client code: what is the same for every design,
// and the design's settings at a path. Without publishers and consumers there is
// none.
func clientProject(d *design.Design, archive []byte, c *clientSettings, path string, settings func(*design.Design, *clientSettings) string) ([]File, []Note, error) {
	if c.empty() {
		return nil, nil, nil
	}
	return append(projectFiles(archive), File{Path: path, Text: settings(d, c)}), c.notes, nil
}

// projectFiles are the files of a project that are the same for every design.
func projectFiles(archive []byte) []File {
	var out []File
	for _, f := range txtar.Parse(archive).Files {
		out = append(out, File{Path: f.Name, Text: string(f.Data)})
	}
	return out
}
