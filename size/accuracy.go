package size

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// measuredGrid holds what the real server took, cell by cell. prove.Sizing
// measures it again and compares; its test rewrites it with UPDATE=1.
//
//go:embed measured.tsv
var measuredGrid string

// Quantity is what was measured of a cell, with the bar that the model is held
// to.
type Quantity string

// The quantities that are compared with the real server.
const (
	// ReportedBytes is state.bytes: exact.
	ReportedBytes Quantity = "reported"
	// DiskBytes is the file sizes of a stream after a clean stop: within 1 %.
	DiskBytes Quantity = "disk"
	// DiskBand is DiskBytes of a stream that removes messages: inside the band.
	DiskBand Quantity = "disk band"
	// DiskS2 is DiskBytes with the ratio that MeasureS2 found in samples: within 3 %.
	DiskS2 Quantity = "disk, ratio from samples"
	// MemoryHeap is the live heap of a memory stream: within 10 %.
	MemoryHeap Quantity = "memory store heap"
	// SubjectHeap is the live heap of a file stream's subjects with all its blocks
	// loaded: within 10 %.
	SubjectHeap Quantity = "subjects heap"
	// DedupHeap is the live heap of a dedup table before the first id expires:
	// within 10 %.
	DedupHeap Quantity = "dedup heap"
	// DedupPeak is the largest live heap of a dedup table over several windows:
	// inside the band.
	DedupPeak Quantity = "dedup peak"
	// ConsumerHeap is the live heap of a file stream's consumers: within 10 %.
	ConsumerHeap Quantity = "consumers heap"
	// StreamHeap is the live heap of so many empty streams (Messages counts them):
	// within 10 %.
	StreamHeap Quantity = "empty streams heap"
	// RaftHeap is the live heap of so many idle streams of three replicas with as
	// many consumers each as Stream has, over three servers: within 10 %.
	RaftHeap Quantity = "RAFT groups heap"
	// ConnectionHeap is the live heap of so many connections with one subscription:
	// within 10 %.
	ConnectionHeap Quantity = "connections heap"
	// Blocks is the number of block files: exact.
	Blocks Quantity = "blocks"
	// RaftLog is the log of a stream of three replicas on one of them: within 10 %.
	RaftLog Quantity = "raft log"
)

// Bar is the share by which computed and measured may differ; inBand means that
// the measured value must lie between Low and High instead.
func (q Quantity) Bar() (bar float64, inBand bool) {
	switch q {
	case ReportedBytes, Blocks:
		return 0, false
	case DiskBytes:
		return 0.01, false
	case DiskS2:
		return 0.03, false
	case DiskBand, DedupPeak:
		return 0, true
	}
	return 0.10, false
}

// Cell is one comparison with the real server.
type Cell struct {
	Name     string   `json:"name"`
	Quantity Quantity `json:"quantity"`
	// Stream is the input; its Messages is what was written.
	Stream Stream `json:"-"`
	// Measured is in bytes, on Version.
	Measured float64 `json:"measured"`
	Version  string  `json:"version"`
}

// Computed is what this package says of the cell.
func (c Cell) Computed() (Figure, error) {
	z, err := OfStream(c.Stream, 0, 0)
	if err != nil {
		return Figure{}, err
	}
	msgs := z.Retained.Messages
	switch c.Quantity {
	case ReportedBytes:
		return z.Reported, nil
	case DiskBytes, DiskBand, DiskS2:
		return z.Disk.Total, nil
	case MemoryHeap:
		return memoryStore(msgs, c.Stream.Message, c.Stream.Subjects), nil
	case SubjectHeap:
		s := c.Stream
		s.LoadedBlocks = z.Disk.Blocks.Value
		return subjectIndex(s, msgs, z.Disk), nil
	case DedupHeap:
		return dedupTable(msgs, c.Stream.Message.ID).Exact, nil
	case DedupPeak:
		return streamDedup(c.Stream).Heap, nil
	case ConsumerHeap:
		return consumersHeap(c.Stream), nil
	case StreamHeap:
		return product("empty streams", Bytes, msgs, coefficient("stream", emptyStream, Bytes, Measured, heapSource)), nil
	case RaftHeap:
		return product("idle streams of three replicas", Bytes, msgs, given("replicas", 3, Count), sum("replica", Bytes,
			coefficient("stream", emptyStream, Bytes, Measured, heapSource), consumersHeap(c.Stream), raftOf(c.Stream).Heap)), nil
	case ConnectionHeap:
		return product("connections", Bytes, msgs, coefficient("connection", connection, Bytes, Measured, heapSource)), nil
	case Blocks:
		return z.Disk.Blocks, nil
	case RaftLog:
		return product("raft log", Bytes, msgs, computed("log entry", c.Stream.Message.Subject+c.Stream.Message.Header+c.Stream.Message.Payload+walSync, Bytes,
			"subject, header block, payload and entry of one publish at a time")), nil
	}
	return Figure{}, &InputError{Path: "quantity", Value: string(c.Quantity), Reason: "nothing of this name is computed"}
}

// Agrees compares the cell, and says by what share the computed value is off.
func (c Cell) Agrees() (off float64, ok bool, err error) {
	f, err := c.Computed()
	if err != nil {
		return 0, false, err
	}
	if c.Measured != 0 {
		off = (f.Value - c.Measured) / c.Measured
	}
	bar, inBand := c.Quantity.Bar()
	if inBand {
		return off, c.Measured >= f.Low && c.Measured <= f.High, nil
	}
	return off, off <= bar && off >= -bar, nil
}

// gridColumns are the columns of measured.tsv.
const gridColumns = "name\tquantity\tmeasured\tversion\tstorage\tcompression\tcipher\tretention\tsubject\theader\tpayload\tid\tsubjects\tshape\tkey\tshared\tmessages\t" +
	"max_bytes\tmax_msgs\tmax_msgs_per_subject\tdeletes\tconsumers\tack_pending\ts2_ratio\trate\twindow\treplicas"

// row writes the cell as a line of measured.tsv.
func (c Cell) row() string {
	s := c.Stream
	n := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	pending := 0.0
	for _, w := range s.Consumers {
		pending += w.AckPending
	}
	window := ""
	if s.DuplicateWindow > 0 {
		window = s.DuplicateWindow.String()
	}
	return strings.Join([]string{c.Name, string(c.Quantity), n(c.Measured), c.Version, string(s.storage()), string(s.Compression), string(s.Cipher), string(s.Retention),
		n(s.Message.Subject), n(s.Message.Header), n(s.Message.Payload), n(s.Message.ID), n(s.Subjects.Count), string(s.Subjects.Shape), n(s.Subjects.Key), n(s.Subjects.Shared), n(s.Messages),
		n(float64(s.MaxBytes)), n(float64(s.MaxMsgs)), n(float64(s.MaxMsgsPerSubject)), n(s.InteriorDeletes), n(float64(len(s.Consumers))), n(pending), n(s.S2Ratio), n(s.Rate.Mean), window, n(float64(s.Replicas))}, "\t")
}

// FormatGrid writes cells as measured.tsv holds them.
func FormatGrid(cells []Cell) string {
	text := gridColumns + "\n"
	for _, c := range cells {
		text += c.row() + "\n"
	}
	return text
}

// MeasuredGrid returns the cells that were measured on the real server.
func MeasuredGrid() ([]Cell, error) { return parseGrid(measuredGrid) }

func parseGrid(text string) ([]Cell, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != gridColumns {
		return nil, &InputError{Path: "measured.tsv", Value: lines[0], Reason: "the columns are others than this version writes"}
	}
	var out []Cell
	for n, line := range lines[1:] {
		c, err := parseCell(strings.Split(line, "\t"))
		if err != nil {
			return nil, fmt.Errorf("read measured.tsv, line %d: %w", n+2, err)
		}
		out = append(out, c)
	}
	return out, nil
}

func parseCell(f []string) (Cell, error) {
	if want := strings.Count(gridColumns, "\t") + 1; len(f) != want {
		return Cell{}, fmt.Errorf("%d columns instead of %d", len(f), want)
	}
	var err error
	n := func(i int) float64 {
		if f[i] == "" || err != nil {
			return 0
		}
		var v float64
		if v, err = strconv.ParseFloat(f[i], 64); err != nil {
			return 0
		}
		err = number("column "+strconv.Itoa(i+1), v)
		return v
	}
	s := Stream{Name: f[0], Storage: Storage(f[4]), Compression: Compression(f[5]), Cipher: Cipher(f[6]), Retention: Retention(f[7]),
		Message: Message{Subject: n(8), Header: n(9), Payload: n(10), ID: n(11)}, Subjects: SubjectSet{Count: n(12), Shape: KeyShape(f[13]), Key: n(14), Shared: n(15)},
		Messages: n(16), MaxBytes: int64(n(17)), MaxMsgs: int64(n(18)), MaxMsgsPerSubject: int64(n(19)), InteriorDeletes: n(20), S2Ratio: n(23), Rate: Rate{Mean: n(24)}, Replicas: int(min(n(26), 9))}
	consumers, pending := int(min(n(21), 1000)), n(22)
	for i := 0; i < consumers; i++ {
		s.Consumers = append(s.Consumers, Consumer{AckPending: pending / float64(consumers)})
	}
	c := Cell{Name: f[0], Quantity: Quantity(f[1]), Measured: n(2), Version: f[3], Stream: s}
	if f[25] != "" && err == nil {
		c.Stream.DuplicateWindow, err = time.ParseDuration(f[25])
	}
	return c, err
}

// AccuracyTable renders the measured grid as Markdown: what was computed, what the
// real server took, and by how much they differ.
func AccuracyTable() (string, error) {
	cells, err := MeasuredGrid()
	if err != nil {
		return "", err
	}
	return accuracyTable(cells)
}

func accuracyTable(cells []Cell) (string, error) {
	var b strings.Builder
	b.WriteString("| cell | quantity | computed | measured | off by | bar |\n|---|---|---:|---:|---:|---|\n")
	agree := 0
	for _, c := range cells {
		f, err := c.Computed()
		if err != nil {
			return "", err
		}
		off, ok, err := c.Agrees()
		if err != nil {
			return "", err
		}
		bar, inBand := c.Quantity.Bar()
		text := "exact"
		if inBand {
			text = "within " + f.Unit.Format(f.Low) + " to " + f.Unit.Format(f.High)
		} else if bar > 0 {
			text = formatDecimals(bar*100, 0) + " %"
		}
		if ok {
			agree++
		} else {
			text += ", missed"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s %% | %s |\n", c.Name, c.Quantity, FormatCount(f.Value), FormatCount(c.Measured), formatDecimals(off*100, 2), text)
	}
	fmt.Fprintf(&b, "\n%d of %d cells agree.\n", agree, len(cells))
	return b.String(), nil
}
