package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
)

// Baseline is what was found before and is not to be reported again: so many
// findings of a code at a path of a file. Lines do not count, so that a text may
// move.
type Baseline struct {
	known map[baselineKey]int
}

type baselineKey struct {
	Code    string `json:"code"`
	File    string `json:"file"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message,omitempty"` // of findings without a path
}

type baselineRow struct {
	baselineKey
	Count int `json:"count"`
}

type baselineFile struct {
	Version  int           `json:"weir_baseline"`
	Findings []baselineRow `json:"findings"`
}

// NewBaseline is the baseline of findings. Those of files that cannot be read are
// not in it: nobody knows what else is wrong there.
func NewBaseline(findings []Finding) Baseline {
	b := Baseline{map[baselineKey]int{}}
	for _, f := range findings {
		if !f.Unreadable() {
			b.known[keyOf(f)]++
		}
	}
	return b
}

func keyOf(f Finding) baselineKey {
	k := baselineKey{Code: f.Code, File: f.File, Path: f.Path}
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
	b := Baseline{map[baselineKey]int{}}
	for _, row := range file.Findings {
		b.known[row.baselineKey] += row.Count
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
// found any more.
func (b Baseline) Split(findings []Finding, files []string) (fresh, known []Finding, stale int) {
	left := make(map[baselineKey]int, len(b.known))
	for k, n := range b.known {
		left[k] = n
	}
	for _, f := range findings {
		if k := keyOf(f); left[k] > 0 && !f.Unreadable() {
			left[k]--
			known = append(known, f)
			continue
		}
		fresh = append(fresh, f)
	}
	for k, n := range left {
		if slices.Contains(files, k.File) {
			stale += n
		}
	}
	return fresh, known, stale
}
