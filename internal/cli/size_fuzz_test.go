package cli

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// FuzzSize holds the calculators to an answer or a refusal, whatever their flags
// say: no panic, no trouble, and JSON whose numbers are numbers.
func FuzzSize(f *testing.F) {
	f.Add("1.2KiB", "10000/s", "168h", "5e8", "100000", "36", "20GiB")
	f.Add("0", "999999999999999999/s", "15000w", "1e18", "1e18", "1MiB", "9223372036854775807B")
	f.Add("2047MiB", "1/d", "1ns", "1", "1", "1", "1B")
	f.Add("-1", "1e30/s", "NaN", "Inf", "1e999", "0x10", "GB")
	f.Fuzz(func(t *testing.T, payload, rate, span, messages, subjects, id, bytes string) {
		message := []string{"--payload=" + payload, "--id-bytes=" + id}
		stream := append([]string{"--rate=" + rate, "--max-age=" + span, "--max-bytes=" + bytes, "--subjects=" + subjects, "--replicas=3", "--consumers=2"}, message...)
		for _, args := range [][]string{
			append([]string{"record"}, message...),
			append([]string{"memory", "--messages=" + messages, "--subjects=" + subjects}, message...),
			{"dedup", "--rate=" + rate, "--window=" + span, "--id-bytes=" + id},
			append([]string{"stream"}, stream...),
			append([]string{"stream", "--subject-shape=random", "--messages=" + messages, "--storage=memory", "--retention=workqueue"}, stream...),
			append([]string{"cluster", "--nodes=3", "--memory=" + bytes, "--disk=" + bytes}, stream...),
		} {
			checkSize(t, args)
		}
	})
}

// checkSize runs one calculator as text and as JSON.
func checkSize(t *testing.T, args []string) {
	t.Helper()
	text, textCode := runSize(t, args)
	body, code := runSize(t, append(args, "--format=json", "--explain"))
	if code != textCode {
		t.Errorf("%q: code %d as text, %d as JSON", args, textCode, code)
	}
	if code == ExitUsage {
		return
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Errorf("%q: %s", args, text)
	}
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("%q: %v in %s", args, err, body)
	}
	checkNumbers(t, args, v)
}

func runSize(t *testing.T, args []string) (string, int) {
	t.Helper()
	var stdout, stderr strings.Builder
	c := &Command{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr}
	code := c.Main(append([]string{"size"}, args...))
	switch {
	case code == ExitTrouble:
		t.Fatalf("%q: trouble: %s", args, stderr.String())
	case code == ExitUsage && stderr.Len() == 0:
		t.Errorf("%q: refused without a word", args)
	case code != ExitUsage && stdout.Len() == 0:
		t.Errorf("%q: no answer", args)
	}
	return stdout.String(), code
}

// checkNumbers walks JSON: no number is negative or beyond 64 bits.
func checkNumbers(t *testing.T, args []string, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			checkNumbers(t, args, e)
		}
	case []any:
		for _, e := range v {
			checkNumbers(t, args, e)
		}
	case float64:
		if v < 0 || v > math.MaxInt64 {
			t.Errorf("%q: %g in the answer", args, v)
		}
	}
}
