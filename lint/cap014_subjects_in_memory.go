package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CAP014",
	Name:     "subjects-in-memory",
	Severity: design.Warning,
	Title:    "Each distinct subject or key stays in the memory of every replica, also when the messages are on disk.",
	Why: "The index of subjects is kept in memory: about 63 bytes each and as much again for every block that is read, and longer subjects take more (server/filestore.go, v2.15.2; " +
		"measured up to a million subjects).",
	Fix:   "Put what varies without end into the payload or headers, divide the bucket, or give the servers memory, with GOMEMLIMIT at 80 % of it.",
	Refs:  []string{"server/filestore.go", "nats-server #4397"},
	Proof: "many-subjects",
	Check: func(f *Facts) { f.AcceptedStreams(f.subjectsInMemory) },
})

const (
	// fewSubjects is below what takes memorySmall at some 130 bytes each.
	fewSubjects = 2_000_000
	// mostForSubjects is the share of a node's memory that they may take.
	mostForSubjects = 1.0 / 3
)

func (f *Facts) subjectsInMemory(s *Stream) {
	if f.mostSubjects(s) < fewSubjects {
		return
	}
	sized := f.SizeOf(s.Path)
	if observed, ok := f.Observed(s.Path, "state", "num_subjects"); ok && (sized == nil || sized.Input.Subjects.Count == 0) {
		f.subjectsObserved(s, float64(observed))
		return
	}
	if sized == nil {
		return
	}
	in := sized.Input
	in.LoadedBlocks = sized.Size.Disk.Blocks.Value // a reader of everything
	whole, err := size.OfStream(in, f.maxPayload(s), 0)
	if err != nil {
		return
	}
	heap, ok := whole.Heap.Live.Term("subjects")
	node := f.memoryOf(s)
	if !ok || heap.Value < memorySmall || node > 0 && heap.Value < mostForSubjects*float64(node) {
		return
	}
	what := fmt.Sprintf("keeps up to %s subjects in memory: %s on each replica while all of it is read", size.FormatCount(f.mostSubjects(s)), size.FormatBytes(heap.Value))
	if node > 0 {
		what += fmt.Sprintf(", of the node's %s", size.FormatBytes(float64(node)))
	}
	f.Report(s.Path, Said{What: what, Write: "use fewer subjects, or set GOMEMLIMIT to 80 % of a larger memory", Figure: &Figure{"subjects in memory", heap.Value, "B", Computed}})
}

// mostSubjects is the number of keys of a bucket, or of the subjects that
// publishers can make.
func (f *Facts) mostSubjects(s *Stream) float64 {
	if s.Bucket != nil {
		return float64(s.Bucket.Keys)
	}
	if n, ok := f.Observed(s.Path, "state", "num_subjects"); ok {
		return float64(n)
	}
	total := 0.0
	for _, p := range s.Publishers() {
		total += subjectsOf(p.Publisher)
	}
	return total
}

// bytesOfSubject is what a subject takes while all of a stream is read, as measured for
// short ones: 63 bytes each, and as much again when its block is read.
const bytesOfSubject = 127

// subjectsObserved is about the subjects that a server reported, of which nobody said
// how long they are.
func (f *Facts) subjectsObserved(s *Stream, subjects float64) {
	heap, node := subjects*bytesOfSubject, f.memoryOf(s)
	if heap < memorySmall || node > 0 && heap < mostForSubjects*float64(node) {
		return
	}
	f.Report(s.Path, Said{What: fmt.Sprintf("keeps %s subjects in memory: %s on each replica while all of it is read, and more where subjects are longer than 18 bytes", size.FormatCount(subjects), size.FormatBytes(heap)),
		Write: "use fewer subjects, or set GOMEMLIMIT to 80 % of a larger memory", Figure: &Figure{"subjects in memory", heap, "B", Computed}})
}
