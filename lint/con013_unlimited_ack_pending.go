package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON013",
	Name:     "unlimited-ack-pending",
	Severity: design.Warning,
	Title:    "With max_ack_pending -1 a whole stream may be delivered, unacked and delivered again.",
	Why: "Nothing stops delivery while nobody acks. The server keeps about 85 bytes of memory and 5 on disk for each unacked message (measured on v2.15.2), and after " +
		"ack_wait all of them come again. -1 passes the max_ack_pending of consumer_limits and of the server too (server/consumer.go; measured).",
	Fix:   "Write a max_ack_pending of some times what the workers have in hand.",
	Refs:  []string{"server/consumer.go"},
	Check: func(f *Facts) { f.Consumers(f.unlimitedPending) },
})

// pendingHeap is what an unacked message takes of the server's memory, in bytes
// (measured, v2.15.2).
const pendingHeap = 85

// muchUnacked is how many unacked messages are worth a warning: a hundred times
// the server's default limit.
const muchUnacked = 100_000

func (f *Facts) unlimitedPending(c *Consumer) {
	path := design.Join(c.Path, "max_ack_pending")
	if !c.Acks() || c.Config.MaxAckPending > 0 || c.Config.AckPolicy.String() == "Flow Control" || !f.Has(path) {
		return
	}
	write := "write max_ack_pending: 1000, or what the workers need"
	if c.InHand() > 0 {
		write = fmt.Sprintf("write max_ack_pending: %d", max(1000, 4*c.InHand()))
	}
	most, ok := f.MostMessages(c.Of)
	if !ok {
		f.Need("the publishers of a stream, with rate and payload")
		f.Report(path, Said{Severity: design.Info, Write: write, What: "lets the server deliver the whole stream without an ack, and deliver it again after ack_wait"})
		return
	}
	said := Said{Write: write,
		What:   fmt.Sprintf("lets the server deliver the whole stream without an ack, at most %s with %s of memory, and deliver it again after ack_wait", messages(most), size.FormatBytes(most*pendingHeap)),
		Figure: &Figure{"unacked messages at most", most, "msgs", Bound}}
	if most < muchUnacked {
		said.Severity = design.Info
	}
	f.Report(path, said)
}
