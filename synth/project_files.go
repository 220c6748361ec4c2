package synth

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"
)

// ProjectMissing is why client code cannot be written: a file of its project is
// neither in the program nor was it given.
type ProjectMissing struct{ Name string }

// Error says which.
func (e *ProjectMissing) Error() string {
	return fmt.Sprintf("%q, the code that is the same for every design, was not loaded", e.Name)
}

// given are the archives of GiveProject, by name.
var given sync.Map

// GiveProject makes known an archive that a program built with the tag apart does
// not hold, after Generate returned ProjectMissing for its name: the browser loads
// them when they are wanted. They are the client_*.txtar of this package.
func GiveProject(name string, archive []byte) { given.Store(name, archive) }

// projectFiles are the files of a project that are the same for every design. The README
// of each tells people to put their own work into two of them.
func projectFiles(name string) ([]File, error) {
	archive, err := projectArchives.ReadFile(name)
	if err != nil {
		later, ok := given.Load(name)
		if !ok {
			return nil, &ProjectMissing{name}
		}
		archive = later.([]byte)
	}
	var out []File
	for _, f := range txtar.Parse(archive).Files {
		word, _, _ := strings.Cut(path.Base(f.Name), ".")
		yours := strings.EqualFold(word, "handler") || strings.EqualFold(word, "metrics")
		out = append(out, File{Path: f.Name, Text: string(f.Data), Yours: yours})
	}
	return out, nil
}
