package design

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says how much a Problem matters. Its text is "error", "warning" or
// "info".
type Severity string

// The severities: an Error makes the value unusable, a Warning does not.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Code names a kind of Problem. Codes are stable: they may be selected and
// ignored by name.
type Code string

// The codes of the reader. CodeTitle has a sentence for each.
const (
	CodeSyntax    Code = "FILE001"
	CodeLimit     Code = "FILE002"
	CodeEncoding  Code = "FILE003"
	CodeDuplicate Code = "FILE004"
	CodeUnknown   Code = "FILE005"
	CodeType      Code = "FILE006"
	CodeUnit      Code = "FILE007"
	CodeMissing   Code = "FILE008"
	CodeConflict  Code = "FILE009"
	CodeNotation  Code = "FILE010"
	CodeName      Code = "FILE011"
	CodeVersion   Code = "FILE012"
	CodeFeature   Code = "FILE013"
	CodeUnsaid    Code = "FILE014"
	CodeConf      Code = "FILE015"
	CodeDefault   Code = "FILE016"
)

var codeTitles = []struct {
	code  Code
	title string
}{
	{CodeSyntax, "The text is not well-formed YAML or JSON."},
	{CodeLimit, "The file is larger, deeper or more repetitive than Weir reads."},
	{CodeEncoding, "The text is not clean UTF-8: invalid bytes, control characters or tabs as indentation."},
	{CodeDuplicate, "A key is written twice in one place."},
	{CodeUnknown, "A key that the design file and the JetStream API do not have."},
	{CodeType, "A value of another type than the key takes."},
	{CodeUnit, "A value without the unit it needs, or with one that it cannot have."},
	{CodeMissing, "A key that has to be there is absent."},
	{CodeConflict, "Two files of one design define the same name with different values."},
	{CodeNotation, "The file is in no notation that Weir reads."},
	{CodeName, "A name that contradicts the key it stands under."},
	{CodeVersion, "A server version that does not exist or is not known."},
	{CodeFeature, "A YAML feature that a design file does not use: tags, merge keys, several documents."},
	{CodeUnsaid, "A value that the target notation cannot express."},
	{CodeConf, "A nats-server.conf with which the server does not start."},
	{CodeDefault, "A setting that is not written, and to which the notation gives another default than the server."},
}

// Codes lists the codes of the reader in order.
func Codes() []Code {
	out := make([]Code, len(codeTitles))
	for i, c := range codeTitles {
		out[i] = c.code
	}
	return out
}

// CodeTitle is one sentence on what the code stands for, "" for a code that is
// not the reader's.
func CodeTitle(c Code) string {
	for _, t := range codeTitles {
		if t.code == c {
			return t.title
		}
	}
	return ""
}

// Position is a place in a file. Lines and columns count from 1; a column counts
// characters (Unicode code points), not bytes. EndLine and EndCol are exclusive
// and 0 when the end is not known. The zero Position is "nowhere".
type Position struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	EndLine int    `json:"end_line,omitempty"`
	EndCol  int    `json:"end_col,omitempty"`
}

// String is file:line:col, without what is not known.
func (p Position) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.File == "":
		return fmt.Sprintf("%d:%d", p.Line, p.Col)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Edit replaces the text between two places of a file. Col and EndCol count
// characters from 1, the end is exclusive; equal places insert.
type Edit struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	EndLine int    `json:"end_line"`
	EndCol  int    `json:"end_col"`
	Text    string `json:"text"`
}

// Fix is a repair that a tool may apply: all its edits or none.
type Fix struct {
	Title string `json:"title"`
	Edits []Edit `json:"edits"`
	// Guess is true where something else may be meant just as well: tools show
	// the repair and leave it to people to take it.
	Guess bool `json:"guess,omitempty"`
}

// Problem is one thing that the reader has to say about a file, with its place.
type Problem struct {
	Code     Code
	Severity Severity
	Message  string
	// Path is the design path of the value, "" when the text has none.
	Path string
	Position
	// Fix is nil when the reader cannot say what to write.
	Fix *Fix
}

// Error is the problem as one line, file:line:col: severity: message [CODE].
func (p Problem) Error() string {
	if s := p.Position.String(); s != "" {
		return fmt.Sprintf("%s: %s: %s [%s]", s, p.Severity, p.Message, p.Code)
	}
	return fmt.Sprintf("%s: %s [%s]", p.Severity, p.Message, p.Code)
}

// Problems is a list of problems; as an error it reads one a line.
type Problems []Problem

// Error joins the problems, one a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Failed reports whether one of the problems is of severity Error.
func (ps Problems) Failed() bool {
	for _, p := range ps {
		if p.Severity == Error {
			return true
		}
	}
	return false
}

// Compare is the order of places in texts: by file, line and column; negative when
// p comes before q.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// Sort orders the problems by file, place and code.
func (ps Problems) Sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(a.Position.Compare(b.Position), cmp.Compare(a.Code, b.Code))
	})
}
