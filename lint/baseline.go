package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"weir/design"
)

// Baseline is what was found before and is not to be reported again: so many
// findings of a code at a path of a file. Lines do not count, so that a text may
// move. One whose severity or figure got worse since is reported: that much nobody
// accepted.
type Baseline struct {
	known map[baselineKey]accepted
}

// accepted is how much of a kind a baseline knows: how many findings, the worst
// severity and the largest figure of them.
type accepted struct {
	Count    int             `json:"count"`
	Severity design.Severity `json:"severity,omitempty"`
	Figure   *float64        `json:"figure,omitempty"`
}

// worseFrom is how much larger than before a figure is when it counts as worse: less
// is rounding.
const worseFrom = 1.05

// notMore begin or end the names of figures of which more is not worse.
var notMore = []string{"time until ", "servers that may be lost", "largest ", "longest ", "messages until ", "subjects that ", "window of the origin", " at most", "users who may", "events that happen"}

// worse reports whether a finding is more than was accepted.
func (a accepted) worse(f Finding) bool {
	if a.Severity != "" && severityRank[f.Severity] < severityRank[a.Severity] {
		return true
	}
	return a.Figure != nil && f.Figure != nil && f.Figure.Value > *a.Figure*worseFrom &&
		!slices.ContainsFunc(notMore, func(s string) bool { return strings.HasPrefix(f.Figure.Name, s) || strings.HasSuffix(f.Figure.Name, s) })
}

// with is what is accepted when a finding is too.
func (a accepted) with(f Finding) accepted {
	if a.Count++; a.Severity == "" || severityRank[f.Severity] < severityRank[a.Severity] {
		a.Severity = f.Severity
	}
	if f.Figure != nil && (a.Figure == nil || f.Figure.Value > *a.Figure) {
		value := f.Figure.Value
		a.Figure = &value
	}
	return a
}

type baselineKey struct {
	Code    string `json:"code"`
	File    string `json:"file"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message,omitempty"` // of findings without a path
}

type baselineRow struct {
	baselineKey
	accepted
}

type baselineFile struct {
	Version  int           `json:"weir_baseline"`
	Findings []baselineRow `json:"findings"`
}

// NewBaseline is the baseline of findings. Those of files that cannot be read are
// not in it: nobody knows what else is wrong there. named is what the baseline calls a
// file, the same wherever Weir is run: its path from the baseline's own folder.
func NewBaseline(findings []Finding, named func(file string) string) Baseline {
	b := Baseline{map[baselineKey]accepted{}}
	for _, f := range findings {
		if !f.Unreadable() {
			k := keyOf(f, named)
			b.known[k] = b.known[k].with(f)
		}
	}
	return b
}

func keyOf(f Finding, named func(file string) string) baselineKey {
	k := baselineKey{Code: f.Code, File: named(f.File), Path: f.Path}
	if f.Path == "" {
		k.Message = f.Message
	}
	return k
}

// ReadBaseline reads what WriteJSON wrote.
func ReadBaseline(text []byte) (Baseline, error) {
	var file baselineFile
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return Baseline{}, fmt.Errorf("read baseline: %w", err)
	}
	if file.Version != 1 {
		return Baseline{}, fmt.Errorf("read baseline: weir_baseline is %d; this Weir reads 1", file.Version)
	}
	b := Baseline{map[baselineKey]accepted{}}
	for _, row := range file.Findings {
		row.Count += b.known[row.baselineKey].Count
		b.known[row.baselineKey] = row.accepted
	}
	return b, nil
}

// JSON is the baseline as a file, in the order of files, paths and codes.
func (b Baseline) JSON() []byte {
	file := baselineFile{Version: 1, Findings: []baselineRow{}}
	for k, n := range b.known {
		file.Findings = append(file.Findings, baselineRow{k, n})
	}
	sort.Slice(file.Findings, func(i, j int) bool {
		x, y := file.Findings[i], file.Findings[j]
		return x.File+"\x00"+x.Path+"\x00"+x.Code+"\x00"+x.Message < y.File+"\x00"+y.Path+"\x00"+y.Code+"\x00"+y.Message
	})
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(file) // texts and numbers alone
	return out.Bytes()
}

// Split divides findings into those that are new and those that the baseline
// knows; stale is how many it knows in the files that were checked and are not
// found any more. named is as of NewBaseline.
func (b Baseline) Split(findings []Finding, files []string, named func(file string) string) (fresh, known []Finding, stale int) {
	left := make(map[baselineKey]int, len(b.known))
	for k, a := range b.known {
		left[k] = a.Count
	}
	for _, f := range findings {
		k := keyOf(f, named)
		if left[k] == 0 || f.Unreadable() {
			fresh = append(fresh, f)
			continue
		}
		if left[k]--; b.known[k].worse(f) {
			fresh = append(fresh, f)
			continue
		}
		known = append(known, f)
	}
	for k, n := range left {
		if slices.ContainsFunc(files, func(file string) bool { return named(file) == k.File }) {
			stale += n
		}
	}
	return fresh, known, stale
}
