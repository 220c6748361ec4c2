package size

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// gridRow is one row of a grid of measured streams: what was written and what the
// server and the file system said.
type gridRow struct {
	name     string
	storage  string
	stream   Stream
	messages float64
	reported float64
	blocks   float64 // bytes of block files, of which the s2 ratio is taken
	disk     float64
	heap     float64
	hot      float64 // heap right after writing
}

// readGrid reads the columns that a grid has by their names.
func readGrid(t *testing.T, path string) []gridRow {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range records[0] {
		column[name] = i
	}
	var rows []gridRow
	for _, rec := range records[1:] {
		num := func(name string) float64 {
			v, err := strconv.ParseFloat(rec[column[name]], 64)
			if err != nil {
				t.Fatalf("column %s: %v", name, err)
			}
			return v
		}
		r := gridRow{storage: rec[column["storage"]], messages: num("msgs"), reported: num("reported_bytes"),
			blocks: num("blk_live"), disk: num("du_apparent_stopped"), heap: num("heap_delta_rest12s"), hot: num("heap_delta_hot")}
		r.stream = Stream{
			Message:  Message{Subject: num("subject_bytes"), Header: num("hdr"), Payload: num("payload")},
			Messages: r.messages, Subjects: SubjectSet{Count: num("uniq_subjects_eff")},
		}
		switch r.storage {
		case "memory":
			r.stream.Storage = Memory
		case "s2", "s2c":
			r.stream.Compression = S2
		case "chacha", "aes":
			r.stream.Cipher = Cipher(r.storage)
		}
		r.name = fmt.Sprintf("%s payload=%.0f header=%.0f subjects=%.0f messages=%.0f",
			r.storage, r.stream.Message.Payload, r.stream.Message.Header, r.stream.Subjects.Count, r.messages)
		rows = append(rows, r)
	}
	return rows
}

// agreement counts cells within a bound, and keeps what is outside.
type agreement struct {
	name     string
	n, agree int
	worst    float64
	misses   []string
}

func (a *agreement) compare(row string, got, want, bound float64) {
	a.n++
	off := math.Abs(got - want)
	if want != 0 {
		off /= want
	}
	a.worst = max(a.worst, off)
	if off <= bound {
		a.agree++
		return
	}
	a.misses = append(a.misses, fmt.Sprintf("%s: computed %.0f, measured %.0f (%.2f %%)", row, got, want, 100*(got-want)/want))
}

// judge logs the agreement and fails when anything is outside its bound.
func (a *agreement) judge(t *testing.T) {
	t.Helper()
	t.Logf("%s: agree %d of %d, worst %.4f %%", a.name, a.agree, a.n, 100*a.worst)
	for i, m := range a.misses {
		if i == 20 {
			break
		}
		t.Log(m)
	}
	if a.n == 0 {
		t.Errorf("%s: nothing was compared", a.name)
	}
	if a.agree < a.n {
		t.Errorf("%s: %d of %d outside the bound", a.name, a.n-a.agree, a.n)
	}
}

// judgeGrid compares the model with measured streams.
func judgeGrid(t *testing.T, rows []gridRow) {
	t.Helper()
	rep := &agreement{name: "reported bytes, exact"}
	disk := &agreement{name: "disk within 1 %: file, aes, chacha"}
	s2 := &agreement{name: "disk within 3 %: s2, ratio of the row's blocks"}
	s2c := &agreement{name: "disk within 3 %: s2c, ratio of the row's blocks"}
	heap := &agreement{name: "memory heap within 5 %"}
	hot := &agreement{name: "file heap while written within 10 %"}
	for _, r := range rows {
		got, err := OfStream(r.stream, 0, 0)
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		rep.compare(r.name, got.Reported.Value, r.reported, 0)
		if r.storage != "memory" {
			hot.compare(r.name, hotHeap(r.stream, got), r.hot, 0.10)
		}
		switch r.storage {
		case "memory":
			heap.compare(r.name, memoryStore(got.Retained.Messages, r.stream.Message, r.stream.Subjects).Value, r.heap, 0.05)
		case "file", "aes", "chacha":
			disk.compare(r.name, got.Disk.Total.Value, r.disk, 0.01)
		case "s2", "s2c":
			into := s2
			if r.storage == "s2c" {
				into = s2c
			}
			l := layoutOf(got.Disk.BlockSize.Value, recordFigure(r.stream.Message, File).Value, r.messages)
			r.stream.S2Ratio = (r.blocks - l.tail) / (r.reported - l.tail)
			got, err = OfStream(r.stream, 0, 0)
			if err != nil {
				t.Fatalf("%s: %v", r.name, err)
			}
			into.compare(r.name, got.Disk.Total.Value, r.disk, 0.03)
		}
	}
	for _, a := range []*agreement{rep, disk, s2, s2c, heap, hot} {
		a.judge(t)
	}
}

// hotHeap is the heap of a file stream that was just written: one block in memory,
// the subjects of all blocks.
func hotHeap(s Stream, z StreamSize) float64 {
	s.Rate.Mean = 1
	block := loadedBlocks(s, z.Retained.Messages, z.Disk).Value
	s.LoadedBlocks = z.Disk.Blocks.Value
	return emptyStream + block + subjectIndex(s, z.Retained.Messages, z.Disk).Value
}

// TestVectorsStorageGrid holds the model to a grid that was measured elsewhere.
func TestVectorsStorageGrid(t *testing.T) {
	dir := os.Getenv("WEIR_VECTORS")
	if dir == "" {
		t.Skip("WEIR_VECTORS is not set: it names the folder of measured vectors")
	}
	judgeGrid(t, readGrid(t, filepath.Join(dir, "storage-grid.csv")))
}
