// Package report writes a document of sections, tables and charts as one HTML
// file that opens offline: no script, no request, light and dark, printable. It
// knows nothing of NATS; package engine fills it.
//
//	html := report.HTML(report.Document{Title: "orders", Sections: sections})
//
// The same document gives the same bytes. Every text is escaped, wherever it
// came from.
package report

// Document is a whole report.
type Document struct {
	Title string
	// Lead are the lines below the title: what was judged, by what.
	Lead     []string
	Sections []Section
	// Foot is the last line.
	Foot string
}

// Level colours a verdict or a row; its word is part of the text.
type Level string

// The levels. Plain says nothing.
const (
	Plain   Level = ""
	OK      Level = "ok"
	Info    Level = "info"
	Warning Level = "warning"
	Error   Level = "error"
)

// Section is one part with its verdict.
type Section struct {
	// ID is its place in the document, for links.
	ID    string
	Title string
	// Says is the verdict in a sentence, "" for none.
	Says  string
	Level Level
	// Notes stand below it, a paragraph each.
	Notes  []string
	Blocks []Block
}

// Block is one thing in a section: exactly one of its parts is set. Title stands
// above it.
type Block struct {
	Title string
	Text  string
	Table *Table
	Code  *Code
	Chart *Chart
}

// Table is a table. Columns that are Num stand to the right.
type Table struct {
	Columns []Column
	Rows    []Row
	// Left counts rows that were left out.
	Left int
}

// Column is the head of a column.
type Column struct {
	Title string
	Num   bool
}

// Row is a row of cells.
type Row struct {
	Level Level
	Cells []Cell
}

// Cell is a text. Mono is set as code is; Working, where there is one, is linked.
type Cell struct {
	Text    string
	Mono    bool
	Working *Working
}

// Working is how a number came about.
type Working struct {
	Name, Text, Range, Formula, Rests, Source, Note string
	Terms                                           []Working
}

// Code is a file with its name. Numbered shows the numbers of its lines.
type Code struct {
	Name, Text string
	Numbered   bool
}

// Chart is lines over one axis from zero.
type Chart struct {
	Title  string
	X, Y   Axis
	Xs     []float64
	Series []Series
	// Marks are stretches or moments along the x axis with their names.
	Marks []Mark
}

// Axis is an axis from zero to Max with its ticks.
type Axis struct {
	Max   float64
	Ticks []Tick
}

// Tick is a place on an axis.
type Tick struct {
	At   float64
	Text string
}

// Series is one line: a value for each of Chart.Xs.
type Series struct {
	Name   string
	Values []float64
}

// Mark is something that happened From one place To another.
type Mark struct {
	From, To float64
	Text     string
}
