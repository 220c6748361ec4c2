package lint

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"weir/design"
)

// PrintGitHub writes findings as workflow commands of GitHub Actions, which shows
// them at their lines.
func PrintGitHub(w io.Writer, findings []Finding) error {
	level := map[design.Severity]string{design.Error: "error", design.Warning: "warning", design.Info: "notice"}
	for _, f := range findings {
		where := []string{}
		if f.File != "" {
			where = append(where, "file="+property(f.File))
		}
		if f.Line > 0 {
			where = append(where, fmt.Sprintf("line=%d,col=%d", f.Line, max(1, f.Col)))
			if f.EndLine == f.Line && f.EndCol > f.Col {
				where = append(where, fmt.Sprintf("endLine=%d,endColumn=%d", f.EndLine, f.EndCol-1)) // inclusive there
			}
		}
		where = append(where, "title="+property(f.Code))
		if _, err := fmt.Fprintf(w, "::%s %s::%s\n", level[f.Severity], strings.Join(where, ","), commandText.Replace(printable(f.Message))); err != nil {
			return fmt.Errorf("write findings: %w", err)
		}
	}
	return nil
}

var (
	commandText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func property(s string) string { return commandProperty.Replace(printable(s)) }

type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitMessage `xml:"failure"`
		Skipped *junitMessage `xml:"skipped"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// PrintJUnit writes findings as a JUnit report: a suite for each file, a failed
// test for each error and warning, a skipped one for each note, and a passed one
// for a file without any. files are the names of all texts that were checked.
func PrintJUnit(w io.Writer, findings []Finding, files []string) error {
	suites := map[string]*junitSuite{}
	var order []string
	suite := func(file string) *junitSuite {
		if suites[file] == nil {
			suites[file] = &junitSuite{Name: orName(file)}
			order = append(order, file)
		}
		return suites[file]
	}
	for _, file := range files {
		suite(file)
	}
	for _, f := range findings {
		s := suite(f.File)
		c := junitCase{Name: strings.TrimSpace(f.Code + " " + f.Path), Class: s.Name}
		text := &junitMessage{Message: f.Message, Type: f.Code, Text: f.String()}
		if f.Severity == design.Info {
			text.Type = ""
			c.Skipped = text
			s.Skipped++
		} else {
			c.Failure = text
			s.Failures++
		}
		s.Cases = append(s.Cases, c)
	}
	var out junitSuites
	for _, file := range order {
		s := suites[file]
		if len(s.Cases) == 0 {
			s.Cases = []junitCase{{Name: "weir check", Class: s.Name}}
		}
		s.Tests = len(s.Cases)
		out.Tests += s.Tests
		out.Failures += s.Failures
		out.Suites = append(out.Suites, *s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func orName(file string) string {
	if file == "" {
		return "weir check"
	}
	return file
}
