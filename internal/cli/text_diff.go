package cli

import (
	"bytes"

	"github.com/rogpeppe/go-internal/diff"
)

// textDiff is the change from one text to another as patch reads it; nil where there
// is none. What both have is context, also where a line is not the only one of its
// kind, which package diff gives as taken out and put in again.
func textDiff(beforeName string, before []byte, afterName string, after []byte) []byte {
	text := diff.Diff(beforeName, before, afterName, after)
	if text == nil {
		return nil
	}
	var out bytes.Buffer
	var from, to [][]byte
	flush := func() {
		mergeLines(&out, from, to)
		from, to = nil, nil
	}
	inside := false
	for line := range bytes.Lines(text) {
		switch {
		case inside && line[0] == '-' && len(to) == 0:
			from = append(from, line[1:])
		case inside && line[0] == '+':
			to = append(to, line[1:])
		default:
			flush()
			inside = inside || bytes.HasPrefix(line, []byte("@@"))
			if inside && line[0] == '-' {
				from = append(from, line[1:])
			} else {
				out.Write(line)
			}
		}
	}
	flush()
	return out.Bytes()
}

// mostCompared bounds the work for one run of lines; a longer one stays as it is.
const mostCompared = 4_000_000

// mergeLines writes lines that become others, those that both have in common as
// context: the longest such sequence.
func mergeLines(out *bytes.Buffer, from, to [][]byte) {
	n, m := len(from), len(to)
	write := func(mark byte, line []byte) {
		out.WriteByte(mark)
		out.Write(line)
	}
	var common [][]int32 // lines of from[i:] and to[j:]
	for range n + 1 {
		if n*m <= mostCompared {
			common = append(common, make([]int32, m+1))
		}
	}
	for i := n - 1; i >= 0 && common != nil; i-- {
		for j := m - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); bytes.Equal(from[i], to[j]) {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case common != nil && i < n && j < m && bytes.Equal(from[i], to[j]):
			write(' ', from[i])
			i, j = i+1, j+1
		case i < n && (j == m || common == nil || common[i+1][j] >= common[i][j+1]):
			write('-', from[i])
			i++
		default:
			write('+', to[j])
			j++
		}
	}
}
