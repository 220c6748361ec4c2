package design_test

import (
	"testing"

	"weir/design"
)

// TestDesign_With sets what is open as if it had been written, and leaves the
// design that it was made of as it is.
func TestDesign_With(t *testing.T) {
	d, problems := design.Parse("weir.yaml", []byte("weir: 1\nstreams: {A: {subjects: [a], num_replicas: 3}, B: {}}\n"))
	if problems.Failed() {
		t.Fatal(problems)
	}
	values := func(text string) *design.Node {
		n, problems := design.ParseYAML(design.NewSource("advised", []byte(text)))
		if problems.Failed() {
			t.Fatal(problems)
		}
		return n
	}
	with, problems := d.With(values("{server: {nodes: 3}, streams: {A: {max_age: 72h}, B: {max_bytes: 1GiB}}}"))
	if problems.Failed() {
		t.Fatal(problems)
	}
	if got := with.Streams[0].Config.MaxAge.Hours(); got != 72 || with.Streams[0].Config.Replicas != 3 || with.Streams[1].Config.MaxBytes != 1<<30 || with.Server.Nodes != 3 {
		t.Errorf("max_age %v h, %+v, %+v, %d nodes", got, with.Streams[0].Config, with.Streams[1].Config, with.Server.Nodes)
	}
	if d.Has("streams.A.max_age") || d.Has("server") {
		t.Error("the design itself was changed")
	}
	if _, problems = d.With(values("{streams: {A: {num_replicas: 1}}}")); !problems.Failed() {
		t.Error("what is written was changed without a problem")
	}
}
