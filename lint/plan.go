package lint

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/verdict"
)

// FromProblems makes findings of problems, in their order.
func FromProblems(problems design.Problems) []Finding {
	out := make([]Finding, len(problems))
	for i, p := range problems {
		out[i] = FromProblem(p)
	}
	return out
}

// DesignChange is one difference between two designs, for output.
type DesignChange struct {
	Op   design.Op `json:"op"`
	Path string    `json:"path"`
	// From and To are the values as written, "" where there is none.
	From string `json:"from"`
	To   string `json:"to"`
	// Text is the change as one line.
	Text    string          `json:"text"`
	FromPos design.Position `json:"from_pos"`
	ToPos   design.Position `json:"to_pos"`
}

// Changes lists the differences between two designs in the order of their paths.
func Changes(from, to *design.Design) []DesignChange {
	diff := design.Diff(from, to)
	out := make([]DesignChange, len(diff))
	for i, c := range diff {
		c.From, c.To = oneLine(from, c.Path, c.From), oneLine(to, c.Path, c.To)
		out[i] = DesignChange{c.Op, c.Path, c.From, c.To, c.Text(), c.FromPos, c.ToPos}
	}
	return out
}

// oneLine is a value as written when it stands on one line, else "".
func oneLine(d *design.Design, path, raw string) string {
	v, ok := d.Value(path)
	if !ok || v.Kind == design.Container && strings.HasSuffix(strings.TrimRight(raw, " "), ":") {
		return ""
	}
	if p := v.Node.Place(); p.EndLine > p.Line {
		return ""
	}
	return printable(clip(raw))
}

// PlanStep is one step from a running design to another one, for output.
type PlanStep struct {
	Op   design.Op `json:"op"`
	Kind string    `json:"kind"`
	Name string    `json:"name"`
	Path string    `json:"path"`
	// Accepted says that the server takes the step as it is.
	Accepted bool `json:"accepted"`
	// Refusals are what the server says to the step: for an update each change
	// that stands in its way, the one that it names first in front.
	Refusals []PlanRefusal `json:"refusals"`
	// Recreate says that a refused update can be made by deleting and creating.
	Recreate bool `json:"recreate,omitempty"`
	// Ignored are changes that the server accepts and does not make.
	Ignored []string `json:"ignored,omitempty"`
	// Dropped are fields that the server's version does not have and does not keep.
	Dropped []string `json:"dropped,omitempty"`
	// Unchanged says that the server accepts the update and changes nothing.
	Unchanged bool `json:"unchanged,omitempty"`
	// Effects are sentences about what an update in place does beside what is
	// written: what is deleted, what else the server sets.
	Effects []string `json:"effects,omitempty"`
	// Text is the step as one line.
	Text string `json:"text"`
}

// PlanRefusal is one refusal and the design path that it is about.
type PlanRefusal struct {
	At      string `json:"at"`
	ErrCode int    `json:"err_code"`
	Words   string `json:"words"`
	Text    string `json:"text"` // as one line
}

// Plan says what has to be done on servers that run one design to run another
// one. The zero target stands for the version that the new design names.
func Plan(from, to *design.Design, target natsapi.Version) []PlanStep {
	steps, changes := verdict.PlanOf(from, to, target), design.Diff(from, to)
	out := make([]PlanStep, len(steps))
	for i, s := range steps {
		p := PlanStep{Op: s.Op, Kind: s.Kind, Name: s.Name, Path: s.Path, Accepted: s.InPlace(), Unchanged: s.Unchanged, Refusals: []PlanRefusal{}}
		if !p.Accepted {
			reasons := s.Reasons
			if len(reasons) == 0 {
				reasons = []verdict.Answer{s.Answer}
			}
			for _, a := range reasons {
				p.Refusals = append(p.Refusals, planRefusal(s, a))
			}
			p.Recreate = s.Recreate != nil && s.Recreate.Verdict == verdict.OK
		}
		if p.Accepted && s.Op == design.Changed {
			p.Ignored, p.Dropped = s.Ignored, s.Dropped
			if !s.Unchanged {
				p.Effects = updateEffects(s, changes)
			}
		}
		p.Text = planText(s, p)
		out[i] = p
	}
	return out
}

func planRefusal(s verdict.Step, a verdict.Answer) PlanRefusal {
	r := PlanRefusal{At: s.Request.DesignPath(a.Path), ErrCode: a.ErrCode, Words: clip(a.Description)}
	if a.Verdict != verdict.Refused {
		r.Words = "no server answers"
	}
	r.Text = fmt.Sprintf("%d/%d %s", a.Code, a.ErrCode, r.Words)
	if a.Verdict != verdict.Refused {
		r.Text = r.Words
	}
	if field, below := strings.CutPrefix(r.At, s.Path+"."); below {
		r.Text = field + ": " + r.Text
	}
	return r
}

// planText is a step for people.
func planText(s verdict.Step, p PlanStep) string {
	name := (&refused{Judgement: verdict.Judgement{Request: s.Request}}).whole()
	var refusals []string
	for _, r := range p.Refusals {
		refusals = append(refusals, r.Text)
	}
	why := strings.Join(refusals, ", and ")
	switch {
	case s.Op == design.Deleted:
		return name + ": delete, with " + whatIsLost(s.Kind)
	case s.Op == design.Created && p.Accepted:
		return name + ": create"
	case s.Op == design.Created:
		return name + ": create, which is refused: " + why
	case p.Accepted:
		parts := []string{name + ": update in place"}
		if s.Unchanged {
			parts[0] = name + ": an update is accepted and changes nothing"
		}
		below := func(paths []string) string { return strings.ReplaceAll(strings.Join(paths, ", "), s.Path+".", "") }
		if len(p.Ignored) > 0 {
			parts = append(parts, "the server keeps the old "+below(p.Ignored)+inItsPlace(s, p.Ignored))
		}
		if len(p.Dropped) > 0 {
			parts = append(parts, fmt.Sprintf("nats-server %s does not have and drops %s", s.Site.Setting.Version, below(p.Dropped)))
		}
		return strings.Join(append(parts, p.Effects...), "; ")
	case p.Recreate:
		return fmt.Sprintf("%s: the update is refused: %s; delete and create anew, which loses %s", name, why, whatIsLost(s.Kind))
	}
	return fmt.Sprintf("%s: the update is refused: %s; so is creating it anew: %d/%d %s", name, why, s.Recreate.Code, s.Recreate.ErrCode, clip(s.Recreate.Description))
}

// inItsPlace names what changes a field that an update does not: a consumer is
// paused by a request of its own (server/jetstream_api.go JSApiConsumerPause).
func inItsPlace(s verdict.Step, ignored []string) string {
	if slices.Contains(ignored, s.Path+".pause_until") {
		return " (pause and resume it with nats consumer pause)"
	}
	return ""
}

func whatIsLost(kind string) string {
	switch kind {
	case "consumer":
		return "its position: what was delivered and acked"
	case "kv":
		return "its keys"
	case "object_store":
		return "its objects"
	}
	return "its messages and consumers"
}
