// Package synth writes what a design becomes: configuration that servers and the
// NATS CLI take, and client code in several languages. What it writes is
// deterministic, and every target has a proof that runs what it wrote.
//
//	out, err := synth.Generate("nats-json", d)
//	for _, f := range out.Files {
//		fmt.Println(f.Path)
//	}
//
// A target is one file of the package with a variable made by target. Client code
// is kept as whole, compilable sources beside it in a .txtar of the target's name;
// what comes from the design is in one settings file of each project, so that no
// name of a design can break out of its quotes anywhere else.
package synth

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// Group says what kind of thing a target writes.
type Group string

// The groups of targets.
const (
	Configuration Group = "configuration"
	ClientCode    Group = "client code"
)

// wants says what a design has to have for a target of the group.
func (g Group) wants() string {
	if g == ClientCode {
		return "no publisher, and no pull consumer for a worker"
	}
	return "no stream, consumer or publisher"
}

// Target is one thing that Weir writes from a design.
type Target struct {
	// Name is the word for it in commands, Title what people call it.
	Name, Title string
	Group       Group
	// About says in a sentence or two what is written and what is done with it.
	About string
	// Proof names the test that runs what was written, and Proves says what it
	// shows. A test holds that it is there.
	Proof, Proves string
	// Opens is the path of the file that shows best what the target is, "" for the
	// first one.
	Opens string
	// Order is the place in lists, within the group.
	Order int
	// write makes the files. Notes are what the design does not say or the target
	// cannot.
	write func(d *design.Design) (files []File, notes []Note, err error)
}

// File is one file of an output. Path has slashes, no part that leads outside
// and none that is hidden.
type File struct {
	Path string `json:"path"`
	Text string `json:"text"`
	// Run is true for a script, which is made executable.
	Run bool `json:"run,omitempty"`
	// Yours is true for a file that people put their own work into: where one exists
	// it is kept, whatever it says.
	Yours bool `json:"yours,omitempty"`
}

// Note is something that the design leaves open or the target cannot say, and
// what was written instead.
type Note struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Output is what a target wrote.
type Output struct {
	Target string `json:"target"`
	Files  []File `json:"files"`
	Notes  []Note `json:"notes"`
}

// registered fills as the targets' variables are made. Files come in any order,
// and Targets sorts.
var registered []*Target

// target puts a target on the list. A fault in one is a fault of the program, so
// it panics, in every test.
func target(t Target) *Target {
	switch {
	case t.Name == "" || t.Title == "" || t.About == "" || t.write == nil:
		panic("synth: the target " + t.Name + " is not whole")
	case slices.ContainsFunc(registered, func(o *Target) bool { return o.Name == t.Name }):
		panic("synth: two targets are called " + t.Name)
	}
	registered = append(registered, &t)
	return &t
}

// Targets lists the targets: configuration, then client code.
func Targets() []*Target {
	out := slices.Clone(registered)
	slices.SortFunc(out, func(a, b *Target) int {
		if a.Group != b.Group {
			return strings.Compare(string(b.Group), string(a.Group))
		}
		if a.Order != b.Order {
			return a.Order - b.Order
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// Find is the target of a name. The error suggests the one that was meant.
func Find(name string) (*Target, error) {
	var names []string
	for _, t := range Targets() {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	if near := natsapi.Suggest(name, names); near != "" {
		return nil, fmt.Errorf("%q is not a target; did you mean %s?", name, near)
	}
	return nil, fmt.Errorf("%q is not a target; there are %s", name, strings.Join(names, ", "))
}

// Generate writes a design for a target. Files are in the order of their paths.
// It is an error when the design has nothing that the target could write.
func Generate(name string, d *design.Design) (Output, error) {
	t, err := Find(name)
	if err != nil {
		return Output{}, err
	}
	files, notes, err := t.write(d)
	if err != nil {
		return Output{}, fmt.Errorf("generate %s: %w", name, err)
	}
	if len(files) == 0 {
		return Output{}, fmt.Errorf("generate %s: the design has nothing for it: %s", name, t.Group.wants())
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	taken := map[string]bool{}
	for _, f := range files {
		if f.Path == "" || path.IsAbs(f.Path) || path.Clean(f.Path) != f.Path || strings.HasPrefix(f.Path, "..") {
			return Output{}, fmt.Errorf("generate %s: %q cannot be the path of a file", name, f.Path)
		}
		folded := strings.ToLower(f.Path) // some file systems do not tell capitals from small letters
		if taken[folded] {
			return Output{}, fmt.Errorf("generate %s: two parts of the design are both written to %s; rename one", name, f.Path)
		}
		taken[folded] = true
	}
	return Output{Target: name, Files: files, Notes: notes}, nil
}
