package engine

import (
	"encoding/json"
	"fmt"

	"weir/internal/report"
)

// evidence is what a report shows of the evidence of a run, see prove.Evidence.
type evidence struct {
	Schema int    `json:"schema"`
	Host   string `json:"host"`
	Server struct {
		Version string `json:"version"`
		Nodes   int    `json:"nodes"`
	} `json:"server"`
	Target string `json:"target"`
	Claims []struct {
		Text string `json:"text"`
		Held bool   `json:"held"`
		// Unfinished claims and steps have no verdict: the run was broken off there.
		Unfinished bool `json:"unfinished"`
	} `json:"claims"`
	Scaling *struct {
		Law string `json:"law"`
	} `json:"scaling"`
	Steps []struct {
		Do     string `json:"do"`
		Expect string `json:"expect"`
		OK     bool   `json:"ok"`

		Unfinished bool `json:"unfinished"`
	} `json:"steps"`
	Predicted []struct {
		Name     string `json:"name"`
		Value    int64  `json:"value"`
		Unit     string `json:"unit"`
		Low      int64  `json:"low"`
		High     int64  `json:"high"`
		Measured int64  `json:"measured"`
	} `json:"predicted"`
	Goals []struct {
		Path     string `json:"path"`
		Goal     string `json:"goal"`
		Verdict  string `json:"verdict"`
		Measured string `json:"measured"`
		Why      string `json:"why"`
	} `json:"goals"`
	NotExercised []struct {
		What string `json:"what"`
		Why  string `json:"why"`
	} `json:"not_exercised"`
	Partial bool `json:"partial"`
}

// evidenceSchema is the schema of evidence that is read.
const evidenceSchema = 1

// evidenceSection shows what ran on the real server. Only here a report says that
// something ran or was measured.
func evidenceSection(text string) (report.Section, error) {
	var e evidence
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		return report.Section{}, &Error{Code: CodeBadRequest, Path: "evidence", Message: fmt.Sprintf("the evidence cannot be read: %v; give what weir prove -o wrote", err)}
	}
	if e.Schema != evidenceSchema || e.Server.Version == "" {
		return report.Section{}, &Error{Code: CodeBadRequest, Path: "evidence", Message: fmt.Sprintf("this is no evidence of schema %d; give what weir prove -o wrote", evidenceSchema)}
	}
	failed, open := 0, 0
	for _, s := range e.Steps {
		switch {
		case s.Unfinished:
			open++
		case !s.OK:
			failed++
		}
	}
	s := report.Section{ID: "evidence", Title: "Evidence", Level: report.OK, Says: fmt.Sprintf("Ran on nats-server %s: %d of %d steps as expected.", e.Server.Version, len(e.Steps)-failed-open, len(e.Steps))}
	if failed > 0 {
		s.Level = report.Warning
	}
	if e.Target != "" && e.Target != e.Server.Version {
		s.Notes = append(s.Notes, "The target is "+e.Target+": another version than the one that ran.")
	}
	if e.Partial {
		s.Level, s.Notes = report.Warning, append(s.Notes, "The run ended before all was compared.")
	}
	if e.Scaling != nil {
		s.Notes = append(s.Notes, e.Scaling.Law)
	}
	s.Blocks = e.blocks()
	return s, nil
}

func (e *evidence) blocks() []report.Block {
	var out []report.Block
	add := func(title string, t report.Table) {
		if len(t.Rows) > 0 {
			out = append(out, report.Block{Title: title, Table: &t})
		}
	}
	row := func(ok bool, texts ...string) report.Row {
		r := report.Row{}
		if !ok {
			r.Level = report.Warning
		}
		for _, t := range texts {
			r.Cells = append(r.Cells, report.Cell{Text: t})
		}
		return r
	}
	claims := report.Table{Columns: []report.Column{{Title: "Claim"}, {Title: "Held"}}}
	for _, c := range e.Claims {
		held := yesNo(c.Held)
		if c.Unfinished {
			held = "not finished"
		}
		claims.Rows = append(claims.Rows, row(c.Held, c.Text, held))
	}
	goals := report.Table{Columns: []report.Column{{Title: "Goal"}, {Title: "Of"}, {Title: "Verdict"}, {Title: "Measured"}, {Title: "Why"}}}
	for _, g := range e.Goals {
		goals.Rows = append(goals.Rows, row(g.Verdict != "missed", g.Goal, g.Path, g.Verdict, g.Measured, g.Why))
	}
	predicted := report.Table{Columns: []report.Column{{Title: "Figure"}, {Title: "Predicted", Num: true}, {Title: "Measured", Num: true}, {Title: "Unit"}, {Title: "Agrees"}}}
	for _, p := range e.Predicted {
		low, high := p.Low, p.High
		said := fmt.Sprintf("%d to %d", low, high)
		if low == 0 && high == 0 {
			low, high, said = p.Value, p.Value, fmt.Sprint(p.Value)
		}
		agrees := low <= p.Measured && p.Measured <= high
		predicted.Rows = append(predicted.Rows, row(agrees, p.Name, said, fmt.Sprint(p.Measured), p.Unit, yesNo(agrees)))
	}
	failed := report.Table{Columns: []report.Column{{Title: "Step"}, {Title: "Expected"}}}
	for _, s := range e.Steps {
		if !s.OK && !s.Unfinished {
			failed.Rows = append(failed.Rows, row(false, s.Do, s.Expect))
		}
	}
	left := report.Table{Columns: []report.Column{{Title: "Not exercised"}, {Title: "Why"}}}
	for _, n := range e.NotExercised {
		left.Rows = append(left.Rows, row(true, n.What, n.Why))
	}
	add("What was shown", claims)
	add("Goals", goals)
	add("Predicted beside measured", predicted)
	add("Steps that came out otherwise", failed)
	add("What was left out", left)
	return out
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
