package synth

import "golang.org/x/tools/txtar"

// projectFiles are the files of a project that are the same for every design.
func projectFiles(archive []byte) []File {
	var out []File
	for _, f := range txtar.Parse(archive).Files {
		out = append(out, File{Path: f.Name, Text: string(f.Data)})
	}
	return out
}
