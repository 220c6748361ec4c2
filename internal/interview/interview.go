// Package interview makes a complete design of the answers to six questions:
// what flows, how much, how big, how long to keep, who consumes and how slowly,
// what may fail.
//
//	r, faults := interview.Design(interview.Example())
//	if len(faults) == 0 {
//		fmt.Print(r.Text)
//	}
//
// The answers alone decide: no clock, no randomness. Streams, subjects and
// filters are written from the names; the number of workers and their batch come
// from package sim's model of a worker, what is then open from package advise,
// disk and memory of the servers from package size. Each value that was not
// answered has its reason beside it as a comment.
package interview

import (
	"fmt"
	"math"

	"weir/advise"
	"weir/design"
	"weir/size"
)

// FileName is what the design is called until somebody saves it.
const FileName = "design.yaml"

// Result is the design that answers lead to.
type Result struct {
	// Text is the design file.
	Text string
	// Advised counts the values that were not answered and have a reason.
	Advised int
}

// Fault is an answer that cannot be used.
type Fault struct {
	// Field is the answer's name; readers are "reader 1", "reader 2"…
	Field string `json:"field"`
	Says  string `json:"says"`
}

// Design makes the design. Faults say which answers cannot be used, all of them
// at once; the result is then empty.
func Design(a Answers) (Result, []Fault) {
	n, faults := a.read()
	if len(faults) > 0 {
		return Result{}, faults
	}
	crews, faults := n.crews()
	if len(faults) > 0 {
		return Result{}, faults
	}
	p := page{needs: n, crews: crews, disk: endless}
	text, advised, err := taken(p.write())
	if err == nil {
		// What the servers need follows from the streams, and is advised on in turn.
		if err = p.servers(text); err == nil {
			text, advised, err = taken(p.write())
		}
	}
	if err != nil {
		return Result{}, []Fault{{Field: "keep", Says: err.Error()}}
	}
	return Result{Text: text, Advised: advised + p.reasons}, nil
}

// Sizes of a server's disk: endless while it is not known, and the most that one
// is given.
const (
	endless  = 1 << 50
	mostDisk = 64 << 40
)

// taken puts what package advise has for the open settings into a text.
func taken(draft string) (text string, taken int, err error) {
	src := design.NewSource(FileName, []byte(draft))
	d, problems := design.ParseSource(src)
	if problems.Failed() {
		return "", 0, fmt.Errorf("read the design: %w", problems[0])
	}
	a, err := advise.ForDesign(d)
	if err != nil {
		return "", 0, err
	}
	edits, without := advise.Edits(d, a)
	out, err := design.ApplyEdits(src, edits)
	return string(out), a.Open - len(without), err
}

// servers takes the disk and the memory of a server from the size of a design
// whose servers are not said yet.
func (p *page) servers(text string) error {
	d, problems := design.Parse(FileName, []byte(text))
	if problems.Failed() {
		return fmt.Errorf("read the design: %w", problems[0])
	}
	z, err := size.FromDesign(d, size.DesignOptions{})
	if err != nil {
		return fmt.Errorf("size the design: %w", err)
	}
	disk, memory, reserved := 0.0, 0.0, 0.0
	for _, pod := range z.Sites[0].Pods {
		disk, memory = max(disk, pod.Volume.High), max(memory, pod.Memory.High)
	}
	for _, e := range z.Sites[0].Ledger {
		if e.What == "max_file_store" {
			reserved = max(reserved, e.Reserved.Value)
		}
	}
	// A tenth of the disk is left to what the server writes beside messages.
	disk = max(disk, reserved/0.88)
	if disk > mostDisk {
		return fmt.Errorf("a server would need a disk of %s; keep it for a shorter time, or spread it over several streams", size.FormatBytes(disk))
	}
	needed := memory
	memory = max(memory, p.cached()/cachedShare)
	p.disk, p.memory = roomy(disk), roomy(memory)
	p.diskFor = fmt.Sprintf("streams reserve %s on a node, and files take at most %s", size.FormatBytes(reserved), size.FormatBytes(disk))
	p.memoryFor = fmt.Sprintf("the server needs %s, Go's garbage included", size.FormatBytes(needed))
	if memory > needed {
		p.memoryFor = fmt.Sprintf("blocks that are written and read stay in memory for %d s, up to %s of them", size.CacheSeconds, size.FormatBytes(p.cached()))
	}
	return nil
}

// cachedShare is how much of a server's memory such blocks take at most.
const cachedShare = 0.2

// cached is what a node holds of what it writes and, as leader, sends. A tenth is
// for the messages' headers and subjects.
func (p *page) cached() float64 {
	rate := p.rate
	if p.peak > 0 {
		rate += (p.peak - p.rate) * p.peakFor.Hours() / 24
	}
	return size.CacheSeconds * 1.1 * rate * float64(p.size) * (1 + float64(len(p.readers))/float64(max(p.nodes, 1)))
}

// roomy is a size that machines come with: 1, 1.5, 2, 3, 4, 6… GiB.
func roomy(b float64) int64 {
	for unit := float64(size.GiB); ; unit *= 2 {
		for _, n := range []float64{unit, 1.5 * unit} {
			if b <= n || n >= math.MaxInt64/4 {
				return int64(n)
			}
		}
	}
}
