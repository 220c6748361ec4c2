package lint

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"weir/design"
)

// Codes of ignores themselves.
const (
	// CodeBadIgnore: an ignore that cannot be used: no such code, no reason.
	CodeBadIgnore = "IGN001"
	// CodeUnusedIgnore: an ignore that matches nothing.
	CodeUnusedIgnore = "IGN002"
)

// IgnoreFile is the name of the file that holds ignores for notations without
// comments: a list ignore of maps with code, path and reason.
const IgnoreFile = ".weir.yaml"

// Ignored is a finding that somebody decided to live with.
type Ignored struct {
	Finding
	Reason string `json:"reason"`
}

// ignore is one decision: a comment "# weir:ignore CODE reason" or an entry of
// .weir.yaml.
type ignore struct {
	code, reason string
	at           design.Position
	// A comment holds for lines of its file, an entry for a path of the design.
	first, last int
	path        string
	inFile      bool
	used        bool
}

const ignoreWord = "weir:ignore"

// applyIgnores takes the ignored findings out of a report, and adds what is wrong
// with the ignores.
func (r *Report) applyIgnores(sources []*design.Source) {
	var all []*ignore
	for _, src := range sources {
		if path.Base(src.Name) == IgnoreFile {
			all = append(all, r.readIgnoreFile(src)...)
		} else if !src.API && !strings.HasSuffix(strings.ToLower(src.Name), ".json") {
			all = append(all, r.readIgnoreComments(src)...)
		}
	}
	if len(all) == 0 {
		return
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		for _, i := range all {
			if i.matches(f) {
				i.used = true
				r.Ignored = append(r.Ignored, Ignored{f, i.reason})
				return true
			}
		}
		return false
	})
	for _, i := range all {
		if !i.used {
			f := Finding{Code: CodeUnusedIgnore, Severity: design.Info, Message: i.code + " is ignored here and not found; take the ignore out"}
			r.Findings = append(r.Findings, f.At(i.at))
		}
	}
}

// ignoreWords say how an ignore is written.
type ignoreWords struct{ code, reason string }

var (
	inComment = ignoreWords{"weir:ignore CODE and the reason", "it behind the code"}
	inList    = ignoreWords{"code: CON001 and reason: with the reason", "reason: and the reason"}
)

func (i *ignore) matches(f Finding) bool {
	if i.code != f.Code && i.code != f.Alias || f.Code == CodeBadIgnore {
		return false
	}
	if !i.inFile {
		return f.File == i.at.File && f.Line >= i.first && f.Line <= i.last
	}
	if i.path == "" {
		return true
	}
	want, have := design.Split(i.path), design.Split(f.Path)
	if len(want) > len(have) {
		return false
	}
	for n, w := range want {
		if w != "*" && w != have[n] {
			return false
		}
	}
	return true
}

// newIgnore checks the code and the reason; nil, and a finding, when one of them
// is missing. how says where each belongs: in a comment or in .weir.yaml.
func (r *Report) newIgnore(code, reason string, at design.Position, how ignoreWords) *ignore {
	fault := ""
	selector, err := ParseSelector(code)
	switch {
	case code == "":
		fault = "the ignore names no code; write " + how.code
	case strings.ContainsRune(code, ','):
		fault = fmt.Sprintf("%q is more than one code; write an ignore for each", code)
	case err != nil:
		fault = err.Error()
	case !slices.ContainsFunc(Codes(), func(c CodeInfo) bool { return c.Code == selector }):
		fault = fmt.Sprintf("%q is more than one code; ignores name one, such as CON001", code)
	case reason == "" && how == inComment:
		fault = "ignoring " + selector + " needs a reason; write " + how.reason + ", and each code in a comment of its own"
	case reason == "":
		fault = "ignoring " + selector + " needs a reason; write " + how.reason
	}
	if fault != "" {
		r.Findings = append(r.Findings, Finding{Code: CodeBadIgnore, Severity: design.Warning, Message: fault}.At(at))
		return nil
	}
	return &ignore{code: selector, reason: reason, at: at}
}

// readIgnoreComments finds the comments of a text. One behind a value holds for
// its line, one on a line of its own for the next line and all that is indented
// below it.
func (r *Report) readIgnoreComments(src *design.Source) []*ignore {
	if !strings.Contains(string(src.Text), "ignore") {
		return nil
	}
	lines := strings.Split(string(src.Text), "\n")
	var out []*ignore
	for n, line := range lines {
		off, text, ok := cutIgnore(line)
		if !ok {
			continue
		}
		code, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
		if second, _, _ := strings.Cut(strings.TrimSpace(reason), " "); isCode(second) {
			reason = "" // which of the two codes is meant, and why, is not said
		}
		col := 1 + len([]rune(line[:off]))
		at := design.Position{File: src.Name, Line: n + 1, Col: col, EndLine: n + 1, EndCol: 1 + len([]rune(strings.TrimRight(line, "\r")))}
		i := r.newIgnore(code, strings.TrimSpace(reason), at, inComment)
		if i == nil {
			continue
		}
		i.first, i.last = n+1, n+1
		if strings.TrimSpace(line[:off]) == "" {
			i.first, i.last = blockBelow(lines, n+1)
		}
		out = append(out, i)
	}
	return out
}

// spacedIgnore is the word with blanks beside its colon.
var spacedIgnore = regexp.MustCompile(`^weir\s*:\s*ignore\b`)

// isCode reports whether a word is the code of a finding.
func isCode(word string) bool {
	return slices.ContainsFunc(Codes(), func(c CodeInfo) bool { return c.Code == strings.TrimRight(word, ",:") })
}

// cutIgnore finds a comment that ignores in a line: where it begins, and what
// follows the word.
func cutIgnore(line string) (off int, text string, ok bool) {
	for _, mark := range []string{"#", "//"} {
		for from := 0; ; {
			i := strings.Index(line[from:], mark)
			if i < 0 {
				break
			}
			off = from + i
			rest := strings.TrimLeft(line[off+len(mark):], " \t")
			rest = spacedIgnore.ReplaceAllString(rest, ignoreWord)
			if after, found := strings.CutPrefix(rest, ignoreWord); found && (off == 0 || line[off-1] == ' ' || line[off-1] == '\t') {
				return off, strings.TrimRight(after, "\r"), true
			}
			from = off + len(mark)
		}
	}
	return 0, "", false
}

// blockBelow is the next line with text, and all that is indented below it, as
// lines from 1.
func blockBelow(lines []string, n int) (first, last int) {
	isText := func(s string) bool {
		s = strings.TrimSpace(s)
		return s != "" && !strings.HasPrefix(s, "#") && !strings.HasPrefix(s, "//")
	}
	indent := func(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
	for n < len(lines) && !isText(lines[n]) {
		n++
	}
	if n == len(lines) {
		return 0, 0
	}
	first, last = n+1, n+1
	for k := n + 1; k < len(lines); k++ {
		if !isText(lines[k]) {
			continue
		}
		if indent(lines[k]) <= indent(lines[n]) {
			break
		}
		last = k + 1
	}
	return first, last
}

// readIgnoreFile reads .weir.yaml.
func (r *Report) readIgnoreFile(src *design.Source) []*ignore {
	root, problems := design.ParseYAML(src)
	for _, p := range problems {
		r.Findings = append(r.Findings, FromProblem(p))
	}
	bad := func(n *design.Node, message string) {
		r.Findings = append(r.Findings, Finding{Code: CodeBadIgnore, Severity: design.Warning, Message: message}.At(n.Place()))
	}
	if root == nil {
		return nil
	}
	list := root.Get("ignore")
	if !root.IsMap() || list == nil || !list.IsList() {
		bad(root, "the file has no list \"ignore\"; write ignore: [{code: CON001, path: streams.ORDERS, reason: …}]")
		return nil
	}
	var out []*ignore
	for _, item := range list.Items {
		values := map[string]string{}
		for _, key := range []string{"code", "path", "reason"} {
			if v := item.Get(key); v != nil && v.IsScalar() {
				values[key] = v.Text
			}
		}
		if item.IsMap() {
			for _, key := range item.Keys {
				if !slices.Contains([]string{"code", "path", "reason"}, key.Text) {
					bad(key, fmt.Sprintf("%q is no key of an ignore; there are code, path and reason", clip(key.Text)))
				}
			}
		}
		if i := r.newIgnore(values["code"], strings.TrimSpace(values["reason"]), item.Place(), inList); i != nil {
			i.path, i.inFile = values["path"], true
			out = append(out, i)
		}
	}
	return out
}
