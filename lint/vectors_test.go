package lint

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"weir/design"
	"weir/natsapi"
)

// generic is what a refusal says about which nobody wrote more than the tables.
const generic = "is refused"

// TestVectorsExplained reads the measured requests as files and counts how many
// of the refusals say more than that it is one. WEIR_VECTORS names the folder.
func TestVectorsExplained(t *testing.T) {
	folder := os.Getenv("WEIR_VECTORS")
	if folder == "" {
		t.Skip("WEIR_VECTORS is not set")
	}
	f, err := os.Open(filepath.Join(folder, "cfg-cases.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	refusals, unexplained := 0, 0
	left := map[string]int{}
	example := map[string]string{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		sources := vectorSources(lines.Bytes())
		if sources == nil {
			continue
		}
		for _, f := range CheckSources(sources, Options{Target: natsapi.Embedded}).Findings {
			if f.ErrCode == 0 {
				continue
			}
			refusals++
			if !strings.Contains(f.Message, generic) {
				continue
			}
			unexplained++
			_, words, _ := strings.Cut(f.Message, " answers ")
			key := fmt.Sprintf("%d %.50s", f.ErrCode, words)
			left[key]++
			example[key] = fmt.Sprintf("%.200s", f.Message)
		}
	}
	t.Logf("explained %d of %d refusals", refusals-unexplained, refusals)
	keys := make([]string, 0, len(left))
	for k := range left {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return left[keys[i]] > left[keys[j]] })
	for _, k := range keys[:min(20, len(keys))] {
		t.Logf("%4d %s", left[k], example[k])
	}
	if 100*unexplained > refusals {
		t.Errorf("%d of %d refusals are not explained", unexplained, refusals)
	}
}

// vectorSources are a case's requests as files, nil for one that no file can
// hold: another body than an object, an update.
func vectorSources(line []byte) []*design.Source {
	var c struct {
		Setup []struct {
			Subject string          `json:"subject"`
			Body    json.RawMessage `json:"body"`
		} `json:"setup"`
		Request struct {
			Kind    string          `json:"kind"`
			Subject string          `json:"subject"`
			Body    json.RawMessage `json:"body"`
		} `json:"request"`
	}
	if json.Unmarshal(line, &c) != nil || len(c.Request.Body) == 0 || c.Request.Body[0] != '{' || !strings.HasSuffix(c.Request.Kind, "_create") {
		return nil
	}
	var out []*design.Source
	add := func(subject string, body []byte) {
		text := fmt.Sprintf(`{"subject":%q,"body":%s}`, "$JS.API."+subject, body)
		out = append(out, design.NewSource(fmt.Sprintf("%d.json", len(out)), []byte(text)))
	}
	for _, s := range c.Setup {
		add(s.Subject, s.Body)
	}
	add(c.Request.Subject, c.Request.Body)
	return out
}
