package subject_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"weir/subject"
)

// vectorFile is a TSV file of a vector family: its own small ones are under
// testdata/vectors, larger ones in the folder that WEIR_VECTORS names.
type vectorFile struct {
	name string
	// judge returns whether a row counts, and what disagrees ("" when it agrees).
	judge func(row map[string]string) (counts bool, disagreement string)
}

var vectorFiles = []vectorFile{
	{"subjects-match.tsv", judgeMatch},
	{"subjects-valid.tsv", judgeValid},
	{"subjects-valid-server.tsv", judgeValidServer},
	{"subjects-transform.tsv", judgeTransform},
	{"subjects-collide.tsv", judgeCollide},
	{"subjects-subset.tsv", judgeSubset},
	{"subjects-mqtt.tsv", judgeMQTT},
}

// TestVectorsSubjects holds the package to vectors measured elsewhere. The bar
// is every row that counts.
func TestVectorsSubjects(t *testing.T) {
	dir := os.Getenv("WEIR_VECTORS")
	if dir == "" {
		t.Skip("WEIR_VECTORS is not set: no outside vectors to judge by")
	}
	judgeFolder(t, dir)
}

// TestOwnVectors is the same for the repository's own vectors.
func TestOwnVectors(t *testing.T) { judgeFolder(t, filepath.Join("testdata", "vectors")) }

func judgeFolder(t *testing.T, dir string) {
	found := 0
	for _, f := range vectorFiles {
		rows, err := readVectors(filepath.Join(dir, f.name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		found++
		t.Run(f.name, func(t *testing.T) { judgeRows(t, f, rows) })
	}
	if found == 0 {
		t.Fatalf("no vector file of this family in %s", dir)
	}
}

func judgeRows(t *testing.T, f vectorFile, rows []map[string]string) {
	agree, judged := 0, 0
	for i, row := range rows {
		counts, no := f.judge(row)
		if !counts {
			continue
		}
		judged++
		if no == "" {
			agree++
			continue
		}
		if judged-agree <= 20 {
			t.Errorf("row %d: %s (%s)", i+2, no, row["source"])
		}
	}
	t.Logf("agree %d of %d (%d rows)", agree, judged, len(rows))
	if judged == 0 {
		t.Error("no row counts")
	}
}

func readVectors(path string) ([]map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var header []string
	var rows []map[string]string
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		cells := strings.Split(sc.Text(), "\t")
		if header == nil {
			header = cells
			continue
		}
		row := map[string]string{}
		for i, c := range cells {
			if i < len(header) {
				row[header[i]] = unescapeVector(c)
			}
		}
		rows = append(rows, row)
	}
	return rows, sc.Err()
}

// vectorEscape are the escapes of the vector files: \t \n \r \0 \f \xNN \\.
var vectorEscape = regexp.MustCompile(`\\(x[0-9a-fA-F]{2}|[tnr0f\\])`)

func unescapeVector(s string) string {
	return vectorEscape.ReplaceAllStringFunc(s, func(e string) string {
		if e[1] == 'x' {
			n, _ := strconv.ParseUint(e[2:], 16, 8)
			return string([]byte{byte(n)})
		}
		return map[byte]string{'t': "\t", 'n': "\n", 'r': "\r", '0': "\x00", 'f': "\f", '\\': "\\"}[e[1]]
	})
}

func judgeMatch(row map[string]string) (bool, string) {
	if row["oracle"] != "server" && row["oracle"] != "sublist" {
		return false, ""
	}
	want := row["expected"] == "true"
	p, s := row["pattern"], row["subject"]
	if got := subject.Match(p, s); got != want {
		return true, fmt.Sprintf("Match(%q, %q) = %v", p, s, got)
	}
	if row["oracle"] == "sublist" { // how a server routes, where its SubjectMatchesFilter may differ
		return true, ""
	}
	if got := subject.MatchesFilter(s, p); got != want {
		return true, fmt.Sprintf("MatchesFilter(%q, %q) = %v", s, p, got)
	}
	return true, ""
}

// judgedKinds are the kinds without a server function on which the client
// libraries agree.
var judgedKinds = map[string]bool{"kv-key": true, "kv-bucket": true, "stream-name": true, "consumer-name": true, "kv-search-key": true,
	"is-literal": true, "api-prefix": true, "queue": true, "mqtt-publish-topic": true, "subscribe-strict": true, "transform-source": true, "mirror-filter": true}

func judgeValid(row map[string]string) (bool, string) {
	if row["oracle"] != "server" && !judgedKinds[row["kind"]] {
		return false, ""
	}
	c, ok := subject.ContextNamed(row["kind"])
	if !ok {
		return true, fmt.Sprintf("no context %q", row["kind"])
	}
	if v := subject.Check(row["subject"], c); fmt.Sprint(v.Valid) != row["valid"] {
		return true, fmt.Sprintf("Check(%q, %s) = %v %s", row["subject"], c, v.Valid, v.Reason)
	}
	return true, ""
}

func judgeValidServer(row map[string]string) (bool, string) {
	s := row["subject"]
	if got := fmt.Sprint(subject.ValidLiteral(s)); got != row["publish_ok"] {
		return true, fmt.Sprintf("ValidLiteral(%q) = %s", s, got)
	}
	if got := fmt.Sprint(subject.Valid(s)); got != row["subscribe_ok"] {
		return true, fmt.Sprintf("Valid(%q) = %s", s, got)
	}
	return true, ""
}

func judgeTransform(row map[string]string) (bool, string) {
	if strings.Contains(row["destination"], "random") && row["expected"] != "ERROR" && row["expected"] != "OK" {
		return true, judgeRandom(row)
	}
	if row["oracle"] != "server" {
		return false, ""
	}
	for _, mode := range strings.Split(row["mode"], "+") {
		got := transformed(row, mode == "strict")
		if got == row["expected"] {
			continue
		}
		if row["expected"] == "ERROR" && strings.HasPrefix(got, "ERROR") {
			continue
		}
		return true, fmt.Sprintf("%s: %s -> %s of %q = %s, want %s", mode, row["source_pattern"], row["destination"], row["subject"], got, row["expected"])
	}
	return true, ""
}

// rangeInVector is a random number in an expectation, as in "a.[0-14]".
var rangeInVector = regexp.MustCompile(`\[(\d+)-(\d+)\]`)

// judgeRandom draws every number and compares the results with the expectation:
// one subject, several with "|" between them, or a range.
func judgeRandom(row map[string]string) string {
	want := strings.Split(row["expected"], "|")
	if m := rangeInVector.FindStringSubmatchIndex(row["expected"]); m != nil {
		e := row["expected"]
		low, _ := strconv.Atoi(e[m[2]:m[3]])
		high, _ := strconv.Atoi(e[m[4]:m[5]])
		want = nil
		for n := low; n <= high; n++ {
			want = append(want, fmt.Sprint(e[:m[0]], n, e[m[1]:]))
		}
	}
	tr, err := subject.NewTransform(row["source_pattern"], row["destination"], subject.TransformOptions{})
	if err != nil {
		return err.Error()
	}
	var got []string
	for n, bound := 0, 1; n < bound; n++ {
		out, err := tr.Apply(row["subject"], func(below int) int { bound = below; return n })
		if err != nil {
			return err.Error()
		}
		got = append(got, out)
	}
	if !slices.Equal(got, want) {
		return fmt.Sprintf("%s of %q = %q, want %q", row["destination"], row["subject"], got, want)
	}
	return ""
}

// transformed gives "OK" where the row only asks for acceptance.
func transformed(row map[string]string, strict bool) string {
	tr, err := subject.NewTransform(row["source_pattern"], row["destination"], subject.TransformOptions{Strict: strict})
	if err != nil {
		return "ERROR " + err.Error()
	}
	if row["subject"] == "" {
		return "OK"
	}
	out, err := tr.Apply(row["subject"], nil)
	if err != nil {
		return "ERROR " + err.Error()
	}
	return out
}

func judgeCollide(row map[string]string) (bool, string) {
	a, b := row["subject_a"], row["subject_b"]
	if got := subject.Collide(a, b); fmt.Sprint(got) != row["collide"] {
		return true, fmt.Sprintf("Collide(%q, %q) = %v", a, b, got)
	}
	if !subject.Valid(a) || !subject.Valid(b) {
		return true, ""
	}
	if got := subject.Relate(a, b).Relation != subject.Disjoint; fmt.Sprint(got) != row["collide"] {
		return true, fmt.Sprintf("Relate(%q, %q) = %v", a, b, got)
	}
	return true, ""
}

// judgeSubset reads rows whose columns may hold lists: true when any inner
// pattern, or the outer one, is covered.
func judgeSubset(row map[string]string) (bool, string) {
	covering, inner := row["covering_pattern"], row["inner_pattern"]
	got := false
	if strings.Contains(row["note"], "ANY listed filter") {
		for _, f := range strings.Split(inner, "|") {
			got = got || f != "" && subject.MatchesFilter(f, covering)
		}
	} else {
		got = subject.MatchesFilter(inner, covering)
	}
	if fmt.Sprint(got) != row["expected"] {
		return true, fmt.Sprintf("%q covers %q = %v", covering, inner, got)
	}
	return true, ""
}

func judgeMQTT(row map[string]string) (bool, string) {
	convert := subject.FromMQTTTopic
	if row["kind"] == "filter" {
		convert = subject.FromMQTTFilter
	}
	got, err := convert(row["mqtt"])
	if (err != nil) != (row["error"] != "") || err == nil && got != row["nats_subject"] {
		return true, fmt.Sprintf("%s %q = %q, %v; want %q %s", row["kind"], row["mqtt"], got, err, row["nats_subject"], row["error"])
	}
	if err == nil && row["kind"] == "topic" {
		if back := subject.ToMQTTTopic(got); back != row["mqtt"] {
			return true, fmt.Sprintf("ToMQTTTopic(%q) = %q, want %q", got, back, row["mqtt"])
		}
	}
	return true, ""
}
