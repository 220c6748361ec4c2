package cli

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func readRows(t *testing.T, r io.Reader) ([]string, error) {
	t.Helper()
	rr := newRowReader("test", r)
	var rows []string
	for {
		row, err := rr.next()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows = append(rows, string(row))
	}
}

func TestRows(t *testing.T) {
	big := strings.Repeat("x", maxRow)
	tests := []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"one row", "a\n", []string{"a"}},
		{"no LF at the end", "a\nb", []string{"a", "b"}},
		{"empty rows", "\n\na\n\n", []string{"", "", "a", ""}},
		{"CRLF file", "a\r\nb\r\n", []string{"a", "b"}},
		{"CRLF file without the last end", "a\r\nb", []string{"a", "b"}},
		{"CRLF file with empty rows", "\r\na\r\n", []string{"", "a"}},
		{"CR CR LF loses one", "a\r\r\nb\r\n", []string{"a\r", "b"}},
		{"CR is a byte when one row ends otherwise", "a\r\nb\nc\r\n", []string{"a\r", "b", "c\r"}},
		{"CR is a byte when the first row has none", "a\nb\r\n", []string{"a", "b\r"}},
		{"CR without LF is a byte", "a\r", []string{"a\r"}},
		{"any bytes", "\x00\xff\t\v\n", []string{"\x00\xff\t\v"}},
		{"the window decides", strings.Repeat("a\r\n", crlfWindow) + "b\n", append(slices.Repeat([]string{"a"}, crlfWindow), "b")},
		{"the longest row", big + "\n" + big, []string{big, big}},
		{"the longest row of a CRLF file", big + "\r\n", []string{big}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{"at once": strings.NewReader(tt.in), "in halves": iotest.HalfReader(strings.NewReader(tt.in))} {
				got, err := readRows(t, r)
				if err != nil || !slices.Equal(got, tt.want) {
					t.Errorf("%s: got %d rows, %v; want %d", how, len(got), err, len(tt.want))
				}
			}
		})
	}
}

func TestRowTooLong(t *testing.T) {
	for _, in := range []string{"a\nb\n" + strings.Repeat("x", maxRow+1), "a\nb\n" + strings.Repeat("x", maxRow+1) + "\n", "a\r\nb\r\n" + strings.Repeat("x", maxRow+1) + "\r\n", "a\nb\n" + strings.Repeat("x", maxRow+3) + "\nc\n", "a\r\nb\r\n" + strings.Repeat("x", 2*maxRow)} {
		got, err := readRows(t, strings.NewReader(in))
		var bad inputError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), "test:3: the row is longer than 1 MiB") {
			t.Errorf("got %v", err)
		}
		if len(got) != 2 {
			t.Errorf("%d rows before it, want 2", len(got))
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "a\tb", "\\", "\\t", "a\x00\xff\r\n\f\x7f", "é日", "\\x4", "\xe9\x97"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := escape(s)
		if strings.ContainsAny(e, "\t\n\r\x00\f\x7f") {
			t.Errorf("escape(%q) = %q holds what it should not", s, e)
		}
		if got := unescape(e); got != s {
			t.Errorf("unescape(escape(%q)) = %q", s, got)
		}
		if again := unescape(unescape(escape(e))); again != s {
			t.Errorf("twice: %q, want %q", again, s)
		}
	})
}

func FuzzRows(f *testing.F) {
	for _, s := range []string{"", "a\n", "a\r\nb\r\n", "a\r\nb\n", "\n", "\r\n\r"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		rows, err := readRows(t, strings.NewReader(s))
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
		if s == "" {
			want = nil
		}
		if len(rows) != len(want) {
			t.Fatalf("%q: %d rows, want %d", s, len(rows), len(want))
		}
		for i, row := range rows {
			if row != want[i] && row+"\r" != want[i] {
				t.Errorf("%q: row %d is %q, want %q", s, i+1, row, want[i])
			}
		}
	})
}

func TestUnescape(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"all", `\t\n\r\0\f\x7f\\`, "\t\n\r\x00\f\x7f\\"},
		{"upper case hex", `\xFF`, "\xff"},
		{"unknown ones stay", `\q\x4\xzz\`, `\q\x4\xzz\`},
		{"an escaped backslash ends nothing", `\\t`, `\t`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := unescape(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestShow(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"as it is", `orders.>`, `orders.>`},
		{"letters of any script", "é.日本", "é.日本"},
		{"quotes and backslashes", `a"b\c`, `a"b\c`},
		{"empty", "", `""`},
		{"space", "a b", `"a b"`},
		{"escape sequence of a terminal", "a\x1b[31m", `"a\x1b[31m"`},
		{"not UTF-8", "a\xff", `"a\xff"`},
		{"no-break space", "a\u00a0b", `"a\u00a0b"`},
		{"long", strings.Repeat("x", 5000), strings.Repeat("x", 100) + "… (5,000 bytes)"},
		{"cut between letters", strings.Repeat("x", 99) + "日本", strings.Repeat("x", 99) + "… (105 bytes)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := show(tt.in); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestExpandRange(t *testing.T) {
	tests := []struct {
		name, in string
		first    string
		last     string
		n        int
	}{
		{"counter", "order-{0..9999}", "order-0", "order-9999", 10_000},
		{"width is kept", "s.{007..120}.t", "s.007.t", "s.120.t", 114},
		{"one", "{5..5}", "5", "5", 1},
		{"two counters", "a{0..1}b{8..9}c", "a0b8c", "a1b9c", 4},
		{"braces that are no counter", "{x}-{0..1}", "{x}-0", "{x}-1", 2},
		{"a counter of letters", "{0..1}{a..f}", "", "", 0},
		{"a counter that is not closed", "{0..1}{0..1", "", "", 0},
		{"too many pairs", "{0..999}{0..1000}", "", "", 0},
		{"downwards", "a{2..1}", "", "", 0},
		{"no counter", "abc", "", "", 0},
		{"too many", "a{0..1000000}", "", "", 0},
		{"huge", "a{0..99999999999999999999}", "", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := expandRange(tt.in, maxListRows)
			if (err != nil) != (tt.n == 0) || len(got) != tt.n {
				t.Fatalf("%d keys, %v", len(got), err)
			}
			if tt.n > 0 && (got[0] != tt.first || got[len(got)-1] != tt.last) {
				t.Errorf("%s … %s", got[0], got[len(got)-1])
			}
		})
	}
}
