package engine

import "weir/size"

// Figure is a number with its working as a page shows it: every text is made
// here.
type Figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Unit  string  `json:"unit"`
	// Text is the value in its unit, Range its band, Exact the bytes behind a rounded
	// size; the two are empty where there is nothing to say.
	Text  string `json:"text"`
	Range string `json:"range,omitempty"`
	Exact string `json:"exact,omitempty"`
	// Formula is the working in the names of Terms.
	Formula string `json:"formula,omitempty"`
	// Rests says in a word or two what it rests on, Source where that stands.
	Rests  string   `json:"rests,omitempty"`
	Source string   `json:"source,omitempty"`
	Note   string   `json:"note,omitempty"`
	Terms  []Figure `json:"terms,omitempty"`
}

// figureOf is a figure with at most depth levels of terms.
func figureOf(f size.Figure, depth int) Figure {
	out := Figure{
		Name: f.Name, Value: f.Value, Low: f.Low, High: f.High, Unit: string(f.Unit),
		Text: f.Amount(), Range: f.Band(), Exact: f.ExactBytes(), Formula: f.Formula, Rests: f.Rests(), Source: f.Source, Note: f.Note,
	}
	if f.Saturated && out.Note == "" {
		out.Note = "beyond 64 bits: shown at the largest value that a server can write"
	}
	if depth <= 0 {
		return out
	}
	for _, t := range f.Terms {
		out.Terms = append(out.Terms, figureOf(t, depth-1))
	}
	return out
}

// FigureOf is a figure with at most depth levels of terms, for pages that are made
// ahead and carry their figures.
func FigureOf(f size.Figure, depth int) Figure { return figureOf(f, depth) }
