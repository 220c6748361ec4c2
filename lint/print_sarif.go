package lint

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"weir/design"
)

// SARIF 2.1.0 (OASIS), as far as findings need it.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"semanticVersion,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifRule struct {
		ID            string      `json:"id"`
		Name          string      `json:"name,omitempty"`
		Short         sarifText   `json:"shortDescription"`
		Full          *sarifText  `json:"fullDescription,omitempty"`
		Help          *sarifText  `json:"help,omitempty"`
		Configuration sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations,omitempty"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		Properties   map[string]any     `json:"properties,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI  string `json:"uri"`
			Base string `json:"uriBaseId,omitempty"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

var sarifLevels = map[design.Severity]string{design.Error: "error", design.Warning: "warning", design.Info: "note"}

// PrintSARIF writes a report as SARIF 2.1.0. What is ignored is there as well,
// marked as suppressed with its reason. weir is Weir's own version.
func PrintSARIF(w io.Writer, r Report, weir string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "weir", Version: weir, Rules: []sarifRule{}}
	index := map[string]int{}
	add := func(f Finding, suppressed []sarifSuppression) {
		at, known := index[f.Code]
		if !known {
			at = len(run.Tool.Driver.Rules)
			index[f.Code] = at
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(f))
		}
		result := sarifResult{RuleID: f.Code, RuleIndex: at, Level: sarifLevels[f.Severity], Message: sarifText{Text: f.Message}, Suppressions: suppressed,
			Fingerprints: map[string]string{"weir/v1": f.Code + " " + f.Path}}
		if f.File != "" {
			result.Locations = []sarifLocation{sarifPlace(f)}
		}
		if f.Figure != nil {
			result.Properties = map[string]any{"figure": f.Figure}
		}
		run.Results = append(run.Results, result)
	}
	for _, f := range r.Findings {
		add(f, nil)
	}
	for _, i := range r.Ignored {
		add(i.Finding, []sarifSuppression{{Kind: "inSource", Justification: i.Reason}})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}}); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	return nil
}

func sarifRuleOf(f Finding) sarifRule {
	if r, err := FindRule(f.Code); err == nil {
		d := r.Doc()
		name := strings.ReplaceAll(d.Name, "-", " ")
		return sarifRule{ID: d.Code, Name: name, Short: sarifText{Text: d.Title}, Full: &sarifText{Text: d.Why},
			Help: &sarifText{Text: d.Fix, Markdown: d.Markdown()}, Configuration: sarifConfig{sarifLevels[d.Severity]}}
	}
	codes := Codes()
	i := slices.IndexFunc(codes, func(c CodeInfo) bool { return c.Code == f.Code })
	title := f.Code
	if i >= 0 {
		title = codes[i].Title
	}
	return sarifRule{ID: f.Code, Short: sarifText{Text: title}, Configuration: sarifConfig{sarifLevels[f.Severity]}}
}

func sarifPlace(f Finding) sarifLocation {
	var l sarifLocation
	l.Physical.Artifact.URI = uriOf(f.File)
	if !strings.HasPrefix(f.File, "/") && !strings.HasPrefix(f.File, "../") && f.File != "-" {
		l.Physical.Artifact.Base = sourceRoot // which who reads it knows
	}
	if f.Line > 0 {
		region := &sarifRegion{StartLine: f.Line, StartColumn: max(1, f.Col)}
		if f.EndLine > f.Line || f.EndLine == f.Line && f.EndCol > f.Col {
			region.EndLine, region.EndColumn = f.EndLine, max(1, f.EndCol)
		}
		l.Physical.Region = region
	}
	if f.Path != "" {
		l.Logical = []sarifLogical{{f.Path}}
	}
	return l
}

// sourceRoot is the name that code scanning gives the folder of a repository.
const sourceRoot = "%SRCROOT%"

// uriOf is a file's name as a relative reference: bytes that have a meaning there
// or none at all are escaped.
func uriOf(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}
