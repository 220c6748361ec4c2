package synth

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"weir/size"
)

// Fault is a row of the table of faults: what became of the messages when client
// code was put through a fault against a real server. Counts are texts, because
// some are bounds; "-" is for what does not apply.
type Fault struct {
	// Target is that of Generate, Fault what was done to the client or the server.
	Target string `json:"target"`
	Fault  string `json:"fault"`
	// Messages were to be published or handled. Stored are in the stream, Fallback
	// in the fallback file, Both in the two, Lost in neither: for workers, never
	// handled. Twice were handled more than once.
	Messages string `json:"messages"`
	Stored   string `json:"stored"`
	Fallback string `json:"fallback"`
	Both     string `json:"both"`
	Lost     string `json:"lost"`
	Twice    string `json:"twice"`
}

// faultTable is written by UPDATE=1 go test ./synth -run Faults, and compared by
// the same test with what happens.
//
//go:embed faults.tsv
var faultTable string

// Faults is the table of a target, in the order in which the faults are tried; all
// of it for "".
func Faults(target string) []Fault {
	var out []Fault
	for line := range strings.Lines(faultTable) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) == 8 && f[0] != "target" && (target == "" || f[0] == target) {
			out = append(out, Fault{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]})
		}
	}
	return out
}

// FaultsSay sums a target's table up in a sentence, "" where the target has none.
func FaultsSay(target string) string {
	rows := Faults(target)
	if target == "" || len(rows) == 0 {
		return ""
	}
	messages, whole := 0, 0
	for _, r := range rows {
		n, err := strconv.Atoi(r.Messages)
		if err != nil {
			return ""
		}
		messages += n
		if r.Lost == "0" && (r.Both == "0" || r.Both == "-") {
			whole++
		}
	}
	if whole < len(rows) {
		return fmt.Sprintf("Run on a real server under %d faults: in %d of them messages were lost, or were in two places", len(rows), len(rows)-whole)
	}
	return fmt.Sprintf("Run on a real server under %d faults with %s messages: none was lost, and none was in both stream and fallback", len(rows), size.FormatCount(float64(messages)))
}
