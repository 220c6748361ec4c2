package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/internal/calculator"
	"weir/lint"
	"weir/size"
)

var sizeMethods = []method{
	on("size.design", "What a design occupies: servers, limits, growth, exposure, with values tried in place of what is written.", sizeDesign),
}

// SizeRequest asks size.design. Try are values by design path that stand in for
// what is written.
type SizeRequest struct {
	Files []File            `json:"files"`
	Try   map[string]string `json:"try,omitempty"`
	// Brief leaves the working of figures out: while a value moves nobody reads it,
	// and it is most of the reply.
	Brief bool `json:"brief,omitempty"`
}

// SizeReply is the size of a design, or, where it cannot be read, the findings
// that say why.
type SizeReply struct {
	Says     string         `json:"says"`
	Fits     bool           `json:"fits"`
	Notes    []string       `json:"notes"`
	Sites    []SizedSite    `json:"sites"`
	Terms    SizedTable     `json:"terms"`
	Exposure SizedTable     `json:"exposure"`
	Sliders  []SizeSlider   `json:"sliders"`
	Findings []lint.Finding `json:"findings"`
	// Fixes write the tried values into the files.
	Fixes []design.Fix `json:"fixes"`
}

// SizedSite is one cluster of servers.
type SizedSite struct {
	Name string `json:"name"`
	// About says how many sites are alike, "" for one.
	About string `json:"about"`
	Bars  []Bar  `json:"bars"`
	// Growth is the disk of the fullest server from empty.
	Growth Chart      `json:"growth"`
	Binds  SizedTable `json:"binds"`
	Ledger SizedTable `json:"ledger"`
	Pods   SizedTable `json:"pods"`
}

// SizedTable is a table with figures; the first column names the row.
type SizedTable struct {
	Columns []SizedColumn `json:"columns"`
	Rows    []SizedRow    `json:"rows"`
	// Left counts rows that were left out.
	Left int `json:"left"`
}

// SizedColumn is a head; numbers stand to the right.
type SizedColumn struct {
	Title string `json:"title"`
	Num   bool   `json:"num"`
}

// SizedRow is a row; level is "", warning or error, Path a part of the design.
type SizedRow struct {
	Cells []CalculatedCell `json:"cells"`
	Level string           `json:"level"`
	Path  string           `json:"path"`
}

// SizeSlider is a value that can be tried: texts of the design file in order.
type SizeSlider struct {
	Path  string   `json:"path"`
	Label string   `json:"label"`
	Value string   `json:"value"`
	Stops []string `json:"stops"`
}

// Bounds of what a reply carries.
const (
	sizeDepth     = 6
	mostSizedRows = 60
	fewSized      = 12 // with more streams figures carry less of their working
)

func sizeDesign(_ context.Context, in SizeRequest, _ Progress) (SizeReply, error) {
	d, faults, err := oneDesign(in.Files, "files")
	if err != nil || len(faults) > 0 {
		return SizeReply{Findings: faults}, err
	}
	files, fixes, err := tryValues(d, in.Files, in.Try)
	if err != nil {
		return SizeReply{}, err
	}
	tried, faults, err := oneDesign(files, "files")
	if err == nil && len(faults) > 0 {
		err = &Error{Code: CodeBadRequest, Path: "try", Message: faults[0].Message}
	}
	if err != nil {
		return SizeReply{}, err
	}
	z, err := size.FromDesign(tried, size.DesignOptions{Refuses: refusedOf})
	if err != nil {
		return SizeReply{}, badRequest(err)
	}
	depth := sizeDepth
	switch {
	case in.Brief:
		depth = 0
	case len(z.Streams) > fewSized:
		depth = 2
	}
	out := SizeReply{Sliders: slidersOf(d, z, in.Try), Fixes: fixes, Terms: termTable(z, depth), Exposure: exposureTable(z)}
	out.Says, out.Fits = calculator.DesignSays(z)
	for _, n := range z.Notes {
		out.Notes = append(out.Notes, strings.TrimPrefix(n.Path+": ", ": ")+n.Text)
	}
	for _, s := range z.Sites {
		if len(s.Cluster.Streams) > 0 {
			out.Sites = append(out.Sites, sizedSite(s, depth))
		}
	}
	return out, nil
}

// tryValues puts values by design path in the place of what files say. The fixes
// write them into the files as they are.
func tryValues(d *design.Design, files []File, try map[string]string) ([]File, []design.Fix, error) {
	paths := make([]string, 0, len(try))
	for p := range try {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	var fixes []design.Fix
	for _, p := range paths {
		value := try[p]
		refused := &Error{Code: CodeBadRequest, Path: "try", Message: fmt.Sprintf("%q cannot be tried for %s: it has no place that can be written in these files", value, p)}
		original, fix := d.SetFix("Set "+p+" to "+value, p, value), (*design.Fix)(nil)
		now, faults, err := oneDesign(files, "files")
		if err != nil {
			return nil, nil, err
		}
		if len(faults) == 0 {
			fix = now.SetFix("", p, value)
		}
		if fix == nil || original == nil {
			return nil, nil, refused
		}
		fixes = append(fixes, *original)
		files = slices.Clone(files) // what was read is remembered by its files
		for i, f := range files {
			text, err := design.ApplyEdits(design.NewSource(f.Name, []byte(f.Text)), fix.Edits)
			if err != nil {
				return nil, nil, badRequest(err)
			}
			files[i].Text = string(text)
		}
	}
	return files, fixes, nil
}

func sizedSite(s size.SiteSize, depth int) SizedSite {
	all := s.All()
	out := SizedSite{Name: s.Name, Bars: nodeBars(s, depth)}
	if s.Count > 1 {
		out.About = "one of " + size.FormatCount(float64(s.Count)) + " alike"
	}
	fullest := 0
	for i, n := range s.Nodes {
		if n.Disk.Value > s.Nodes[fullest].Disk.Value {
			fullest = i
		}
	}
	out.Growth = growthChart(s, fullest)
	out.Binds = bindTable(s, all, depth)
	out.Ledger = ledgerTable(s)
	out.Pods = sizedTableOf(calculator.PodTable(s.Pods), depth)
	return out
}

// nodeBars are the disk and the heap of each server; servers alike share theirs.
func nodeBars(s size.SiteSize, depth int) []Bar {
	type alike struct {
		at    int
		names []string
	}
	var groups []alike
	for i, n := range s.Nodes {
		k := slices.IndexFunc(groups, func(g alike) bool {
			o := s.Nodes[g.at]
			return o.Disk.Amount() == n.Disk.Amount() && o.Heap.Amount() == n.Heap.Amount() && len(o.Parts) == len(n.Parts)
		})
		if k < 0 {
			groups = append(groups, alike{at: i})
			k = len(groups) - 1
		}
		groups[k].names = append(groups[k].names, n.Server)
	}
	var out []Bar
	for _, g := range groups {
		name := strings.Join(g.names, ", ")
		if len(g.names) > 1 {
			name = "each of " + name
		}
		n, server := s.Nodes[g.at], s.Cluster.Servers[g.at]
		disk := calculator.Bar{Name: "Disk, " + name, Total: n.Disk, Parts: streamParts(n.Parts, n.Disk, func(p size.Part) size.Figure { return p.Disk })}
		disk.Limits = named(server.MaxFileStore, "max_file_store", server.Disk, "volume")
		heap := calculator.Bar{Name: "Live heap, " + name, Total: n.Heap, Parts: streamParts(n.Parts, n.Heap, func(p size.Part) size.Figure { return p.Heap })}
		if server.GoMemLimit == 0 && n.Garbage.Value > 0 {
			heap.Parts = append(heap.Parts, calculator.Part{Name: "garbage before collection, without GOMEMLIMIT", Figure: n.Garbage, Beside: true})
		}
		heap.Limits = named(server.GoMemLimit, "GOMEMLIMIT", server.Memory, "memory")
		out = append(out, barOf(disk, depth), barOf(heap, depth))
	}
	return out
}

func named(one int64, what string, other int64, otherWhat string) []size.Figure {
	return []size.Figure{{Name: what, Value: float64(one), Unit: size.Bytes}, {Name: otherWhat, Value: float64(other), Unit: size.Bytes}}
}

// mostParts is how many streams have a part of their own in a bar.
const mostParts = 3

// streamParts are the streams of a server, the largest first, the rest together,
// and what no stream has.
func streamParts(parts []size.Part, total size.Figure, of func(size.Part) size.Figure) []calculator.Part {
	sorted := slices.Clone(parts)
	slices.SortStableFunc(sorted, func(a, b size.Part) int { return cmp.Compare(of(b).Value, of(a).Value) })
	var out []calculator.Part
	var rest []size.Figure
	sum := 0.0
	for i, p := range sorted {
		f := of(p)
		sum += f.Value
		if i < mostParts || len(sorted) == mostParts+1 {
			out = append(out, calculator.Part{Name: p.Stream, Figure: f})
		} else {
			rest = append(rest, f)
		}
	}
	if len(rest) > 0 {
		out = append(out, calculator.Part{Name: size.FormatCount(float64(len(rest))) + " more streams", Figure: size.Sum("other streams", rest...)})
	}
	if left := total.Value - sum; left > total.Value*1e-3 {
		out = append(out, calculator.Part{Name: "the server itself", Figure: size.Figure{Name: "the server itself", Value: left, Low: left, High: left, Unit: total.Unit, Basis: size.Arithmetic, Formula: "all of it less its streams"}})
	}
	return out
}

// growthChart draws how the disk of a server fills.
func growthChart(s size.SiteSize, i int) Chart {
	g, server := s.Growth[i], s.Cluster.Servers[i]
	c := Chart{Title: "Disk of " + g.Server + " from empty", Head: []string{"after", "disk", "least", "most"}}
	line := Series{Name: "disk", Area: true}
	most, last := 0.0, 0.0
	for _, p := range g.Points {
		c.Xs = append(c.Xs, p.Seconds)
		line.Values, line.Low, line.High = append(line.Values, p.Value), append(line.Low, p.Low), append(line.High, p.High)
		c.Rows = append(c.Rows, []string{size.FormatSeconds(p.Seconds), size.FormatBytes(p.Value), size.FormatBytes(p.Low), size.FormatBytes(p.High)})
		most, last = max(most, p.High), p.Seconds
	}
	for _, f := range named(server.MaxFileStore, "max_file_store", server.Disk, "volume") {
		// A volume that is far from full would press the curve flat.
		if f.Value > 0 && f.Value < 4*most {
			c.Limits = append(c.Limits, Mark{At: f.Value, Text: f.Name + " " + f.Amount()})
			most = max(most, f.Value)
		}
	}
	c.Series = []Series{line}
	c.X, c.Y = axisOf(last, size.Seconds), axisOf(most, size.Bytes)
	c.X.Max = max(last, 1)
	c.X.Ticks = slices.DeleteFunc(c.X.Ticks, func(t Tick) bool { return t.At > c.X.Max })
	return c
}

func numbers(titles ...string) []SizedColumn {
	out := make([]SizedColumn, len(titles))
	for i, t := range titles {
		name, num := strings.CutPrefix(t, "#")
		out[i] = SizedColumn{name, num}
	}
	return out
}

func shown(f size.Figure, depth int) CalculatedCell {
	g := figureOf(f, depth)
	return CalculatedCell{Text: g.Text, Figure: &g}
}

func said(s string) CalculatedCell { return CalculatedCell{Text: s} }

// bindTable is what is used up first, with limits of streams and consumers.
func bindTable(s size.SiteSize, all size.ClusterSize, depth int) SizedTable {
	t := SizedTable{Columns: numbers("Limit", "Where", "#Share", "#Used", "#Of", "Means")}
	seen := map[string]int{}
	for _, b := range all.Bindings {
		if b.Used.Value == 0 {
			continue
		}
		row := SizedRow{Cells: []CalculatedCell{said(b.What), said(b.Where), shown(b.Share, depth), shown(b.Used, depth), shown(b.Limit, min(depth, 1)), said(b.Says)}}
		switch ofServer := slices.ContainsFunc(s.Nodes, func(n size.NodeSize) bool { return n.Server == b.Where }); {
		case b.Share.Value > 1 && ofServer:
			row.Level = "error"
		case b.Share.High > 1 && ofServer:
			row.Level = "warning"
		}
		key := b.What + b.Share.Amount() + b.Used.Amount() + b.Limit.Amount()
		if k, known := seen[key]; known { // servers alike
			t.Rows[k].Cells[1].Text += ", " + b.Where
			continue
		}
		if len(t.Rows) >= mostSizedRows {
			t.Left++
			continue
		}
		seen[key] = len(t.Rows)
		t.Rows = append(t.Rows, row)
	}
	return t
}

func ledgerTable(s size.SiteSize) SizedTable {
	t := SizedTable{Columns: numbers("Where", "Limit", "#Reserved", "#Of", "#Share", "Means")}
	for _, e := range s.Ledger {
		if len(t.Rows) >= mostSizedRows {
			t.Left++
			continue
		}
		row := SizedRow{Cells: []CalculatedCell{said(e.Where), said(e.What), shown(e.Reserved, 2), shown(e.Limit, 2), shown(e.Share, 1), said(e.Says)}}
		if e.Over {
			row.Level = "error"
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func sizedTableOf(from calculator.Table, depth int) SizedTable {
	t := SizedTable{}
	for i, name := range from.Columns {
		t.Columns = append(t.Columns, SizedColumn{name, i > 0})
	}
	for _, r := range calculatedTable(from).Rows {
		t.Rows = append(t.Rows, SizedRow{Cells: r})
	}
	return t
}

// termTable is what each stream takes, by term.
func termTable(z size.DesignSize, depth int) SizedTable {
	t := SizedTable{Columns: numbers("Stream", "Binds", "#Arriving", "#Messages", "#Reported", "#Disk each", "#RAFT log", "#Heap each", "#Dedup heap")}
	for _, s := range z.Streams {
		if len(t.Rows) >= mostSizedRows {
			t.Left++
			continue
		}
		rate := size.Figure{Name: "arriving in " + s.Name, Unit: size.PerSecond, Basis: size.Arithmetic}
		if len(s.Arrivals) > 0 {
			rates := make([]size.Figure, len(s.Arrivals))
			for i, a := range s.Arrivals {
				rates[i] = a.Rate
			}
			rate = size.Sum(rate.Name, rates...)
		}
		t.Rows = append(t.Rows, SizedRow{Path: s.Path, Cells: []CalculatedCell{
			said(s.Name), said(calculator.BindsSays(s.Size.Retained)), shown(rate, depth), shown(s.Size.Retained.Messages, depth), shown(s.Size.Reported, depth),
			shown(s.Size.Disk.Total, depth), shown(s.Size.Raft.Log, depth), shown(s.Size.Heap.Live, depth), shown(s.Size.Dedup.Heap, depth)}})
	}
	return t
}

// exposureTable is what failures cost; streams that lose alike share a row.
func exposureTable(z size.DesignSize) SizedTable {
	t := SizedTable{Columns: numbers("Failure", "Streams", "#Acknowledged at risk", "#Without service", "Why", "Publishers see")}
	seen := map[string]int{}
	for _, s := range z.Streams {
		for _, e := range s.Exposure {
			outage, risk := shown(e.Outage, 2), shown(e.AtRisk, 3)
			outage.Text, risk.Text = e.OutageSays(), e.RiskSays()
			key := string(e.Failure) + risk.Text + outage.Text + e.Says + e.Publisher
			if k, known := seen[key]; known {
				t.Rows[k].Cells[1].Text += ", " + s.Name
				continue
			}
			if len(t.Rows) >= mostSizedRows {
				t.Left++
				continue
			}
			row := SizedRow{Path: s.Path, Cells: []CalculatedCell{said(string(e.Failure)), said(s.Name), risk, outage, said(e.Says), said(e.Publisher)}}
			if e.AtRisk.High > 0 {
				row.Level = "warning"
			}
			seen[key] = len(t.Rows)
			t.Rows = append(t.Rows, row)
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b SizedRow) int {
		return cmp.Compare(failureOrder(z, a.Cells[0].Text), failureOrder(z, b.Cells[0].Text))
	})
	return t
}

// failureOrder is the place of a failure in the list of the first stream.
func failureOrder(z size.DesignSize, name string) int {
	return slices.IndexFunc(z.Streams[0].Exposure, func(e size.Exposure) bool { return string(e.Failure) == name })
}
