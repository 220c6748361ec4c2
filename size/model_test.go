package size

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMeasuredGrid holds the model to what the real server took when the grid was
// last measured. It runs in the browser's Go as well.
func TestMeasuredGrid(t *testing.T) {
	cells, err := MeasuredGrid()
	if err != nil {
		t.Fatal(err)
	}
	judgeCells(t, cells)
	for _, c := range cells {
		back, err := parseCell(strings.Split(c.row(), "\t"))
		if err != nil {
			t.Fatal(err)
		}
		if back.row() != c.row() {
			t.Errorf("row is not read back:\n%s\n%s", c.row(), back.row())
		}
	}
	table, err := AccuracyTable()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(table, "missed") || strings.Count(table, "\n| ") != len(cells) {
		t.Errorf("table has a miss or lacks cells:\n%s", table)
	}
}

// judgeCells logs every cell, and fails for each that does not agree.
func judgeCells(t *testing.T, cells []Cell) {
	t.Helper()
	agree := 0
	for _, c := range cells {
		off, ok, err := c.Agrees()
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		f, _ := c.Computed()
		t.Logf("%-28s %-26s computed %14.0f (%.0f to %.0f) measured %14.0f off %+.3f %%", c.Name, c.Quantity, f.Value, f.Low, f.High, c.Measured, 100*off)
		if !ok {
			t.Errorf("%s, %s: computed %.0f (%.0f to %.0f), measured %.0f", c.Name, c.Quantity, f.Value, f.Low, f.High, c.Measured)
			continue
		}
		agree++
	}
	t.Logf("agree %d of %d", agree, len(cells))
	if len(cells) == 0 {
		t.Error("nothing was compared")
	}
}

// TestRecord has the record sizes of the server's own functions.
func TestRecord(t *testing.T) {
	for _, c := range []struct {
		name                     string
		s                        Storage
		subject, header, payload int
		want                     uint64
	}{
		{"empty", File, 1, 0, 0, 31}, {"file", File, 10, 0, 128, 168}, {"file, headers", File, 10, 64, 128, 236},
		{"memory", Memory, 10, 0, 128, 154}, {"memory, headers", Memory, 10, 64, 128, 218},
	} {
		if got := RecordBytes(c.s, c.subject, c.header, c.payload); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
		r := must[Record](t)(OfRecord(Message{Subject: float64(c.subject), Header: float64(c.header), Payload: float64(c.payload)}, c.s))
		if r.Reported.Value != float64(c.want) {
			t.Errorf("%s: figure %g, want %d", c.name, r.Reported.Value, c.want)
		}
	}
	if got := HeaderBlock(HeaderField{"K", "v"}); got != len("NATS/1.0\r\nK: v\r\n\r\n") {
		t.Errorf("header block %d", got)
	}
	if got := HeaderBlock(); got != 0 {
		t.Errorf("no headers take %d", got)
	}
	if _, alone := MsgIDHeader(36); alone != HeaderBlock(HeaderField{"Nats-Msg-Id", strings.Repeat("x", 36)}) {
		t.Errorf("header of an id %d", alone)
	}
}

// TestSevenDays is the example that is often repeated as 45 GB.
func TestSevenDays(t *testing.T) {
	for _, c := range []struct{ id, want, low, high float64 }{{36, 823e9, 710e9, 890e9}, {16, 629e9, 560e9, 690e9}} {
		d := must[Dedup](t)(OfDedup(DedupInput{Rate: 10_000, Window: 7 * 24 * time.Hour, IDBytes: c.id, Replicas: 3}))
		near(t, "ids", d.Entries.Value, 6.048e9, 0)
		near(t, "heap", d.Live.Value, c.want, 0.001)
		if d.Live.Low < c.low || d.Live.High > c.high {
			t.Errorf("band %g to %g", d.Live.Low, d.Live.High)
		}
		if d.Live.Value < 13*45e9 {
			t.Error("it is 14 to 19 times what is often repeated")
		}
		near(t, "cluster", d.Cluster.Value, 3*d.Heap.Value, 1e-9)
		if d.Exact.Value < d.Live.Low*0.95 || d.Exact.Value > d.Live.High*1.05 {
			t.Errorf("at exactly this number %s, the band is %s", d.Exact, d.Live)
		}
	}
	short := must[Dedup](t)(OfDedup(DedupInput{Rate: 10_000, Window: 2 * time.Minute, IDBytes: 36}))
	near(t, "two minutes", short.Live.Value, 163e6, 0.01)
}

// TestMapGrowth has the measured bytes of an entry that map and slice growth
// explain.
func TestMapGrowth(t *testing.T) {
	for _, c := range []struct{ id, n, want float64 }{
		{16, 200e3, 92.8}, {16, 500e3, 113.3}, {16, 1e6, 113.0}, {36, 200e3, 124.7}, {36, 500e3, 145.4}, {36, 1e6, 145.0}, {64, 200e3, 140.8}, {64, 500e3, 161.3}, {64, 1e6, 161.0},
	} {
		got := dedupTable(given("ids", c.n, Count), c.id).Exact.Value / c.n
		near(t, "bytes of an id", got, c.want, 0.011)
	}
	for _, c := range []struct{ n, want int64 }{{0, 0}, {1, 8}, {36, 48}, {64, 64}, {1025, 1152}, {32768, 32768}, {32769, 40960}, {100_000, 106_496}} {
		if got := SizeClass(c.n); got != c.want {
			t.Errorf("size class of %d is %d, want %d", c.n, got, c.want)
		}
	}
}

// TestMeasureS2 compares ratios of samples with what the server made of the same
// kind of payload.
func TestMeasureS2(t *testing.T) {
	random := make([][]byte, 9_000)
	state := uint64(5)
	for i := range random {
		random[i] = make([]byte, 1024)
		for k := range random[i] {
			random[i][k] = byte(hash(&state))
		}
	}
	s := Stream{Compression: S2, Message: Message{Subject: 10, Payload: 1024}, Subjects: SubjectSet{Count: 1000}}
	m := must[S2Measurement](t)(MeasureS2(random, s, 0))
	if m.Ratio.Value < 0.97 || m.Ratio.Value > 1.001 {
		t.Errorf("random payloads: %s, want about 1", m.Ratio)
	}
	one := must[S2Measurement](t)(MeasureS2([][]byte{[]byte(strings.Repeat(`{"a":1,"b":"text"}`, 50))}, s, 0))
	if one.Ratio.Value > 0.2 || !strings.Contains(one.Ratio.Note, "give more samples") || one.Ratio.High != 1 {
		t.Errorf("one sample: %s, %q", one.Ratio, one.Ratio.Note)
	}
	var refused *InputError
	if _, err := MeasureS2(nil, s, 0); !errors.As(err, &refused) {
		t.Errorf("no samples: %v", err)
	}
	for _, samples := range [][][]byte{{{}}, {nil, []byte("x")}, {make([]byte, 20*MiB)}} {
		if m, err := MeasureS2(samples, Stream{MaxBytes: 1000}, 0); err != nil || m.Ratio.Value <= 0 {
			t.Errorf("odd samples: %v, %v", m.Ratio, err)
		}
	}
}

// TestRetained: what binds, and when.
func TestRetained(t *testing.T) {
	m := Message{Subject: 20, Payload: 950}
	for _, c := range []struct {
		name  string
		s     Stream
		binds string
		msgs  float64
	}{
		{"age first", Stream{Message: m, Rate: Rate{Mean: 10}, MaxAge: time.Hour, MaxBytes: GiB}, "max_age", 36_000},
		{"bytes first", Stream{Message: m, Rate: Rate{Mean: 1000}, MaxAge: 72 * time.Hour, MaxBytes: 1_000_000}, "max_bytes", 1000},
		{"count first", Stream{Message: m, Rate: Rate{Mean: 1000}, MaxMsgs: 5, MaxBytes: GiB}, "max_msgs", 5},
		{"per subject", Stream{Message: m, Rate: Rate{Mean: 1}, MaxMsgsPerSubject: 2, Subjects: SubjectSet{Count: 50}}, "max_msgs_per_subject", 100},
		{"backlog", Stream{Message: m, Rate: Rate{Mean: 1}, Retention: WorkQueue, Backlog: 70, Consumers: []Consumer{{AckPending: 30}}}, "acknowledgement", 100},
		{"given", Stream{Message: m, Messages: 7, MaxMsgs: 5}, "messages", 7},
		{"nothing", Stream{Message: m, Rate: Rate{Mean: 1}}, "", 30 * daySeconds},
	} {
		r := must[Retained](t)(OfRetention(c.s, 0))
		if r.Binds != c.binds || r.Messages.Value != c.msgs {
			t.Errorf("%s: %q binds at %g, want %q at %g", c.name, r.Binds, r.Messages.Value, c.binds, c.msgs)
		}
	}
}

// TestArrivals: a rate with bursts and a daily shape.
func TestArrivals(t *testing.T) {
	r := Rate{Mean: 100, Bursts: []Burst{{Rate: 1000, For: 10 * time.Minute, Every: 24 * time.Hour}}}
	near(t, "average", r.Average(), 100+900*600.0/86400, 1e-9)
	mean, low, high := r.Arrivals(3600)
	near(t, "emptiest hour", low, 360_000, 1e-9)
	near(t, "fullest hour", high, 360_000+900*600, 1e-9)
	if mean < low || mean > high {
		t.Errorf("mean %g outside %g to %g", mean, low, high)
	}
	day := Rate{Mean: 10, Hours: make([]float64, 24)}
	day.Hours[9], day.Hours[10] = 1, 1
	_, low, high = day.Arrivals(3600)
	near(t, "night", low, 0, 0)
	near(t, "morning", high, 10*86400/2, 1e-9)
	_, low, high = day.Arrivals(86400)
	near(t, "whole day, least", low, 864_000, 1e-9)
	near(t, "whole day, most", high, 864_000, 1e-9)
	near(t, "peak", day.Peak(), 120, 1e-9)
	mean, earliest, latest := day.timeFor(432_000)
	near(t, "on average", mean, 43200, 1e-9)
	near(t, "earliest", earliest, 3600, 1e-6)
	if latest < 22*3600 {
		t.Errorf("latest %g: the day has an empty stretch of 22 hours", latest)
	}
}

// TestExplain is the working of one figure, as text and as JSON.
func TestExplain(t *testing.T) {
	d := must[Dedup](t)(OfDedup(DedupInput{Rate: 766, Window: 12 * time.Hour, IDBytes: 36, Replicas: 3}))
	golden(t, "explain-dedup.txt", Explain(d.Heap))
	r := must[Record](t)(OfRecord(Message{Subject: 17, Header: 64, Payload: 1228.8}, File))
	golden(t, "explain-record.txt", Explain(r.Reported))
	raw, err := json.MarshalIndent(r.Reported, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "record.json", string(raw)+"\n")
	var back Figure
	if err := json.Unmarshal(raw, &back); err != nil || Explain(back) != Explain(r.Reported) {
		t.Errorf("the figure is not read back: %v", err)
	}
}

// golden compares with a file of testdata; UPDATE=1 writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs:\n%s", name, got)
	}
}

// TestFigure: bands, saturation, and what counts as measured.
func TestFigure(t *testing.T) {
	big := given("big", 1e18, Bytes)
	f := product("huge", Bytes, big, big)
	if !f.Saturated || f.Value != Limit || f.Int() != math.MaxInt64 {
		t.Errorf("1e36 B is %s, saturated %v", f, f.Saturated)
	}
	if s := sum("more", Bytes, f, big); !s.Saturated || !strings.HasPrefix(s.String(), "more than 8 EiB") {
		t.Errorf("a sum with a saturated term is %q", s)
	}
	if !strings.Contains(Explain(f), "beyond 64 bits") {
		t.Error("explain does not say that the figure is saturated")
	}
	assumed := sum("s", Bytes, given("a", 1, Bytes), coefficient("b", 1, Bytes, Assumed, ""))
	if assumed.Measured() || !strings.Contains(Explain(assumed), "not measured") {
		t.Error("a figure with an assumed term counts as measured")
	}
	if !sum("s", Bytes, given("a", 1, Bytes), coefficient("b", 1, Bytes, Measured, "")).Measured() {
		t.Error("a figure of given and measured terms does not count as measured")
	}
	if g := given("x", math.NaN(), Bytes); g.Value != 0 {
		t.Errorf("NaN is shown as %g", g.Value)
	}
}
