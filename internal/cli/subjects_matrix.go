package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"weir/prove"
	"weir/subject"
)

type matrixOptions struct {
	patterns, subjects         []string
	patternsFile, subjectsFile string
	escaped                    bool
	format                     choice
	prove                      bool
	ascii                      bool
}

// matrixReport is what weir subjects matrix prints as JSON.
type matrixReport struct {
	Patterns []matrixPattern `json:"patterns"`
	Subjects []matrixSubject `json:"subjects"`
	Cells    int             `json:"cells"`
	Matching int             `json:"matching"`
	// Proof is the evidence of --prove.
	Proof *prove.MatrixEvidence `json:"proof,omitempty"`
}

type matrixPattern struct {
	Pattern string `json:"pattern"`
	Valid   bool   `json:"valid"`
	Reason  string `json:"reason,omitempty"`
	Matches int    `json:"matches"` // subjects that it matches
}

type matrixSubject struct {
	Subject string `json:"subject"`
	Valid   bool   `json:"valid"` // somebody can publish to it
	Reason  string `json:"reason,omitempty"`
	Matches int    `json:"matches"` // patterns that match it
	// Patterns holds their indices, only in JSON.
	Patterns []int `json:"patterns"`
}

// maxMatchesJSON bounds the indices that JSON lists.
const maxMatchesJSON = 20_000_000

func (c *Command) subjectsMatrix() *cobra.Command {
	var o matrixOptions
	cmd := &cobra.Command{
		Use:   "matrix [-p PATTERN]... [-s SUBJECT]... [--patterns FILE] [--subjects FILE] [--prove]",
		Short: "Match many patterns against many subjects, and prove it on the real server",
		Long: `Matches patterns against subjects and prints the matrix, with counts; what is not valid is
marked and explained. Without any it shows the four textbook patterns beside subjects that
just miss them. Text shows up to 200,000 cells, and the counts beyond that.

--prove subscribes every pattern and publishes every subject on a real nats-server inside
this process (no port) and compares cell by cell; differences are printed, and the exit code
is 1. It takes up to 20,000,000 cells.

Files hold one pattern or subject a row, - is standard input. A row ends with LF and may hold
any byte; in a file all of whose rows end with CR LF the CR does not belong to them.`,
		Example: `  weir subjects matrix --prove
  weir subjects matrix -p 'orders.*' -p 'orders.>' -s orders -s orders.eu
  weir subjects matrix --patterns patterns.txt --subjects subjects.txt --prove
  weir subjects matrix --patterns patterns.txt --subjects - --format tsv < subjects.txt`,
		Args: cobra.NoArgs,
	}
	cmd.RunE = c.run(func([]string) (int, error) { return c.matrix(o) })
	f := cmd.Flags()
	f.StringArrayVarP(&o.patterns, "pattern", "p", nil, "a pattern; may be given again")
	f.StringArrayVarP(&o.subjects, "subject", "s", nil, "a subject; may be given again")
	f.StringVar(&o.patternsFile, "patterns", "", "read the patterns of this file, - for standard input")
	f.StringVar(&o.subjectsFile, "subjects", "", "read the subjects of this file, - for standard input")
	f.BoolVar(&o.escaped, "escaped", false, `read \t \n \r \0 \f \xNN \\ in rows`)
	f.BoolVar(&o.prove, "prove", false, "compare every cell with a real nats-server")
	f.BoolVar(&o.ascii, "ascii", false, "draw with ASCII characters (the default where the locale is not UTF-8)")
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json", "tsv", "markdown")
	return cmd
}

func (c *Command) matrix(o matrixOptions) (int, error) {
	patterns, subjects, err := c.matrixInput(o)
	if err != nil {
		return ExitUsage, err
	}
	m, err := subject.NewMatrix(patterns, subjects)
	if err != nil {
		return ExitUsage, inputError{err}
	}
	r := reportMatrix(m)
	code := ExitUsage
	if slices.ContainsFunc(r.Patterns, func(p matrixPattern) bool { return p.Valid }) &&
		slices.ContainsFunc(r.Subjects, func(s matrixSubject) bool { return s.Valid }) {
		code = ExitYes
	}
	if o.prove {
		if r.Proof, err = c.proveMatrix(m); r.Proof == nil {
			return ExitUsage, err
		}
		if !r.Proof.Agrees() {
			code = ExitNo
		}
	}
	return code, errors.Join(c.printMatrix(o, m, r), err)
}

// matrixInput reads the patterns and subjects, or gives the textbook's.
func (c *Command) matrixInput(o matrixOptions) (patterns, subjects []string, err error) {
	p, s := matrixSources(o.patterns, o.patternsFile), matrixSources(o.subjects, o.subjectsFile)
	switch {
	case len(p) == 0 && len(s) == 0:
		return subject.TextbookPatterns(), subject.TextbookSubjects(), nil
	case o.patternsFile == "-" && o.subjectsFile == "-":
		return nil, nil, badInput("standard input can hold the patterns or the subjects, not both")
	case len(p) == 0:
		return nil, nil, badInput("no patterns given; use -p PATTERN or --patterns FILE")
	case len(s) == 0:
		return nil, nil, badInput("no subjects given; use -s SUBJECT or --subjects FILE")
	}
	if patterns, err = c.list(p, o.escaped, "patterns"); err != nil {
		return nil, nil, err
	}
	subjects, err = c.list(s, o.escaped, "subjects")
	return patterns, subjects, err
}

// matrixSources takes flag values as they are: they need no mark for files.
func matrixSources(items []string, file string) []source {
	var out []source
	if file != "" {
		out = append(out, source{file: file})
	}
	for _, i := range items {
		out = append(out, source{item: i})
	}
	return out
}

func reportMatrix(m *subject.Matrix) *matrixReport {
	r := &matrixReport{Patterns: []matrixPattern{}, Subjects: []matrixSubject{}, Cells: len(m.Patterns) * len(m.Subjects), Matching: m.Count()}
	byPattern, bySubject := m.CountByPattern(), m.CountBySubject()
	for i, p := range m.Patterns {
		v := subject.Check(p, subject.Subscribe)
		r.Patterns = append(r.Patterns, matrixPattern{p, v.Valid, v.Reason, byPattern[i]})
	}
	for i, s := range m.Subjects {
		row := matrixSubject{Subject: s, Valid: subject.Publishable(s), Matches: bySubject[i]}
		if !row.Valid {
			row.Reason = subject.Check(s, subject.Publish).Reason
		}
		r.Subjects = append(r.Subjects, row)
	}
	return r
}

// listMatches fills in which patterns match each subject.
func (r *matrixReport) listMatches(m *subject.Matrix) error {
	if r.Matching > maxMatchesJSON {
		return badInput("%s matching cells are more than the %s that JSON lists; use --format tsv", thousands(r.Matching), thousands(maxMatchesJSON))
	}
	for i := range r.Subjects {
		row := &r.Subjects[i]
		row.Patterns = make([]int, 0, row.Matches)
		for j := range m.Patterns {
			if m.At(i, j) {
				row.Patterns = append(row.Patterns, j)
			}
		}
	}
	return nil
}

// proveMatrix returns the evidence, also when the run ended early; nil when it
// never began.
func (c *Command) proveMatrix(m *subject.Matrix) (*prove.MatrixEvidence, error) {
	if cells := len(m.Patterns) * len(m.Subjects); cells > prove.MaxCells {
		return nil, badInput("%s cells are more than the %s that --prove takes; prove a part of them", thousands(cells), thousands(prove.MaxCells))
	}
	p := c.startProof("publishes")
	defer p.end()
	e, err := prove.Matrix(p.ctx, m.Patterns, m.Subjects, p.options)
	return &e, p.explain(err)
}
