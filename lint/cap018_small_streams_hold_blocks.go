package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CAP018",
	Name:     "small-streams-hold-blocks",
	Severity: design.Warning,
	Title:    "Many small streams take more memory than the messages in them.",
	Why: "Each file stream that is in use keeps the block it writes in memory, of 4 or 8 MiB where max_bytes does not make it smaller, and so does each that is read " +
		"(server/filestore.go, v2.15.2; measured: 9 MB with blocks of 8 MiB).",
	Fix:   "Fold them into one stream with a token more in the subject, and max_msgs_per_subject in place of max_bytes.",
	Refs:  []string{"server/filestore.go", "nats-server #4638"},
	Check: func(f *Facts) { f.smallStreams() },
})

const (
	// manyStreams is from where small streams are looked at, smallStream the
	// largest max_bytes of one.
	manyStreams = 50
	smallStream = 8 << 20
)

func (f *Facts) smallStreams() {
	for _, s := range f.everyServer() {
		var first *Stream
		streams, reserved := 0, 0.0
		f.storedOn(s, func(o *Stream, copies float64) {
			if n := o.Config.MaxBytes; o.Kind == "stream" && o.storage() == size.File && n > 0 && n <= smallStream && o.Load().High > 0 {
				if first == nil {
					first = o
				}
				streams, reserved = streams+1, reserved+float64(n)*copies
			}
		})
		if streams < manyStreams {
			continue
		}
		heap := 0.0
		f.storedOn(s, func(o *Stream, copies float64) {
			if sized := f.SizeOf(o.Path); sized != nil && o.Config.MaxBytes > 0 && o.Config.MaxBytes <= smallStream {
				heap += sized.Size.Heap.Live.High * copies
			}
		})
		if heap < reserved || s.Memory > 0 && heap < mostOfMemory*float64(s.Memory) {
			continue
		}
		f.Report(design.Join(first.Path, "max_bytes"), Said{What: fmt.Sprintf("makes this one of %d small streams in use on a server: they hold %s at most, and up to %s of memory for their blocks", streams, size.FormatBytes(reserved), size.FormatBytes(heap)),
			Write: "fold them into one stream", Figure: &Figure{"memory of their blocks", heap, "B", Bound}})
	}
}
