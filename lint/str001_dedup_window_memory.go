package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR001",
	Name:     "dedup-window-memory",
	Severity: design.Warning,
	Title:    "The duplicate window keeps more message ids in memory than the server can spare.",
	Why: "Every id of the window stays in memory in full, on every replica: some 136 bytes an id of 36 characters (125 to 146; server/stream.go, v2.15.2; measured for " +
		"16 to 64 characters up to a million ids), and ids that have expired are freed late. Clients repeat within minutes, not days.",
	Fix: "Make the window as long as a publisher may repeat a message (its retry_for), some minutes; for longer, let max_msgs_per_subject: 1 with " +
		"discard: new and discard_new_per_subject refuse a second message of a subject.",
	Refs:  []string{"server/stream.go"},
	Proof: "duplicate-window-memory",
	Check: func(f *Facts) { f.AcceptedStreams(f.dedupMemory) },
})

// mostOfMemory is the share of a node's memory from which one dedup table is
// worth a warning, and memorySmall the size below which it never is.
const (
	mostOfMemory = 0.1
	memorySmall  = 512 << 20
)

func (f *Facts) dedupMemory(s *Stream) {
	if s.Config.Duplicates <= 0 || s.Kind != "stream" {
		return
	}
	rate, id := 0.0, 0
	for _, p := range s.Publishers() {
		if p.MsgIDBytes > 0 {
			rate, id = rate+LoadOf([]Feed{p}).High, max(id, p.MsgIDBytes)
		}
	}
	if len(s.Publishers()) == 0 && f.Has(design.Join(s.Path, "duplicate_window")) && s.Config.Duplicates > 10*time.Minute {
		f.windowOfUnknown(s)
	}
	if rate == 0 {
		return
	}
	d, err := size.OfDedup(size.DedupInput{Rate: rate, Window: s.Config.Duplicates, IDBytes: float64(id), Replicas: max(1, s.Config.Replicas)})
	if err != nil {
		return
	}
	node := f.memoryOf(s)
	if d.Heap.High < memorySmall || node > 0 && d.Heap.High < mostOfMemory*float64(node) {
		return
	}
	said := Said{What: fmt.Sprintf("keeps %s ids in memory: %s on each replica, up to %s with expired ids that are not freed yet", size.FormatCount(d.Entries.Value), size.FormatBytes(d.Live.Value), size.FormatBytes(d.Heap.High)),
		Value: design.FormatDuration(int64(s.Config.Duplicates)), Figure: &Figure{"live ids on a node", d.Live.Value, "B", Computed}}
	if node > 0 {
		said.What += fmt.Sprintf(", of the node's %s", size.FormatBytes(float64(node)))
	}
	said.Write = "write duplicate_window: 2m, or as long as publishers repeat a message"
	if s.Config.Duplicates <= defaultWindow {
		said.Write = "write a shorter duplicate_window, as long as publishers repeat a message"
	}
	if longest, known := longestRetry(s); known && longest < s.Config.Duplicates {
		value := design.FormatDuration(int64(longest))
		said.Write = "write duplicate_window: " + value
		said.Fix = f.SetFix("Write duplicate_window: "+value, design.Join(s.Path, "duplicate_window"), value)
	}
	f.Report(design.Join(s.Path, "duplicate_window"), said)
}

// windowOfUnknown is about a window whose publishers are not known: what each
// message a second costs.
func (f *Facts) windowOfUnknown(s *Stream) {
	f.Need("the publishers of a stream, with rate and msg_id")
	d, err := size.OfDedup(size.DedupInput{Rate: 1, Window: s.Config.Duplicates, IDBytes: 36, Replicas: max(1, s.Config.Replicas)})
	if err != nil || s.Config.Duplicates < time.Hour {
		return
	}
	f.Report(design.Join(s.Path, "duplicate_window"), Said{Severity: design.Info,
		What:  fmt.Sprintf("keeps %s ids in memory for each message a second that is published with one: %s on each replica", size.FormatCount(d.Entries.Value), size.FormatBytes(d.Live.Value)),
		Write: "write 2m, or as long as publishers repeat a message", Figure: &Figure{"memory for each message a second", d.Live.Value, "B", Computed}})
}

// longestRetry is the window that the publishers' retries need, which end two
// ack_timeouts inside of it (advise), in whole minutes, and no less than the default
// where the window is longer than that; known is false when one does not say how long
// it tries.
func longestRetry(s *Stream) (longest time.Duration, known bool) {
	if s.Config.Duplicates > defaultWindow {
		longest = defaultWindow
	}
	for _, p := range s.Publishers() {
		if p.RetryFor == 0 {
			return 0, false
		}
		needs := p.RetryFor + 2*max(p.AckTimeout, ackTimeout)
		longest = max(longest, (needs + time.Minute - 1).Truncate(time.Minute))
	}
	return longest, true
}

// memoryOf is the memory of a node that the stream lives on; 0 when not given.
func (f *Facts) memoryOf(s *Stream) int64 {
	return s.Site.Server.Memory
}
