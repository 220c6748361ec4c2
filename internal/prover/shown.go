package prover

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/internal/methods"
	"weir/prove"
)

// Shown is what a run comes to, in sentences and texts for a reader.
type Shown struct {
	// Sentence is the verdict: "2 claims, 2 held …".
	Sentence string `json:"sentence"`
	// Level is ok when the run held, error when it did not, and info when it was
	// broken off before anything was seen not to hold.
	Level string `json:"level"`
	// Ran says what ran, where and for how long.
	Ran string `json:"ran"`
	// Seal says which version the mechanism ran on; Other is set when the design is
	// for another.
	Seal  string `json:"seal"`
	Other bool   `json:"other"`
	// Claims and Predicted have a row for each of the evidence's.
	Claims    []ShownClaim     `json:"claims"`
	Predicted []ShownPredicted `json:"predicted"`
	Steps     []ShownStep      `json:"steps"`
	// Timelines has one for each claim that was reached.
	Timelines []Timeline `json:"timelines"`
	// Cluster is what the servers did during a workload, nil without one.
	Cluster *ShownCluster `json:"cluster,omitempty"`
	// Changed are the values that the server stored otherwise than they were sent,
	// without saying so; Filled counts those that were not sent and that it filled
	// in, as a sentence.
	Changed []ShownChange `json:"changed"`
	Filled  string        `json:"filled"`
	// Goals counts the goals in one sentence, "" without any.
	Goals string `json:"goals"`
	// Refused are the assets of a design that the server refused.
	Refused []ShownRefusal `json:"refused"`
	// Compared is empty where the run did not show a harm and its cure.
	Compared []Compared `json:"compared"`
}

// ShownChange is a value that the server stored otherwise than it was sent.
type ShownChange struct {
	Path   string `json:"path"`
	Sent   string `json:"sent"`
	Stored string `json:"stored"` // "not stored" where the server dropped it
}

// ShownRefusal is an asset that was refused, with the server's answer.
type ShownRefusal struct {
	Asset  string `json:"asset"`  // "stream ORDERS"
	Answer string `json:"answer"` // "500/10052 invalid subject"
	// Expected is set where the verdict was known before.
	Expected bool `json:"expected"`
}

// ShownClaim is a claim with what stands under it.
type ShownClaim struct {
	Label string `json:"label"` // "harm", "cure", "" for a claim
	Text  string `json:"text"`
	Held  bool   `json:"held"`
	// Level is as Shown.Level; Says is held, not held or not finished.
	Level string `json:"level"`
	Says  string `json:"says"`
	// Steps says how many steps are under it: "7 steps".
	Steps string `json:"steps"`
	From  int    `json:"from"` // numbers of steps, 0 for none
	To    int    `json:"to"`
}

// ShownStep is a step's line: when, what was done, what came back.
type ShownStep struct {
	N       int      `json:"n"`
	At      string   `json:"at"` // "312 ms"
	Do      string   `json:"do"`
	Answer  string   `json:"answer"`  // what the server said, "" for nothing of its own
	Body    string   `json:"body"`    // its words as they came, "" where Answer has them
	Figures []string `json:"figures"` // "redelivered 2 messages"
	Changes []string `json:"changes"` // "max_age: 0 became 1h"
	Expect  string   `json:"expect"`
	OK      bool     `json:"ok"`
	// Unfinished is set when the run was broken off in it.
	Unfinished bool `json:"unfinished"`
}

// ShownPredicted lays a predicted figure beside the measured one.
type ShownPredicted struct {
	Name      string `json:"name"`
	Predicted string `json:"predicted"`
	Measured  string `json:"measured"`
	Agrees    bool   `json:"agrees"`
	// Says is agrees or differs, and by what it was predicted where that is not the
	// design alone; Level is "", warning for a figure of a simulation, error for
	// one that decides.
	Says  string `json:"says"`
	Level string `json:"level,omitempty"`
}

// reply makes the reply of a run. An error that leaves evidence is told beside
// it; one without any is the reply.
func reply(name, claim string, e prove.Evidence, err error, took time.Duration) (RunReply, error) {
	if err != nil && len(e.Steps) == 0 {
		return RunReply{}, fault(err)
	}
	out := RunReply{Name: name, Claim: claim, Held: e.Held(), Evidence: e, Shown: shown(&e, took)}
	switch {
	case errors.Is(err, context.Canceled):
		out.Ended = "it was cancelled"
	case errors.Is(err, prove.ErrDiskFull) && e.Host == "tab":
		out.Ended = "this tab has no more room for the files of the servers; prove with less at once"
	case err != nil:
		out.Ended = err.Error()
	}
	if out.Ended != "" {
		out.Shown.Sentence = fmt.Sprintf("Not finished, ended early after %s: %s.", counted(len(e.Steps), "step", "steps"), out.Ended)
		if !failed(&e) {
			out.Shown.Level = "info"
		}
	}
	return out, nil
}

// failed reports whether a run that was broken off had seen a step that was not as
// expected by then.
func failed(e *prove.Evidence) bool {
	return slices.ContainsFunc(e.Steps, func(s prove.Step) bool { return !s.OK && !s.Unfinished })
}

// judged is the level of a verdict and its words, as ShownClaim has them.
func judged(held, unfinished bool) (level, says string) {
	switch {
	case unfinished:
		return "info", "not finished"
	case held:
		return "ok", "held"
	}
	return "error", "not held"
}

// fault is the error of a run that could not be made.
func fault(err error) error {
	var input *prove.InputError
	if errors.As(err, &input) {
		return methods.BadRequest(err)
	}
	return err
}

func shown(e *prove.Evidence, took time.Duration) Shown {
	out := Shown{
		Sentence: sentence(e),
		Ran:      fmt.Sprintf("%s of nats-server %s %s, %.1f s.", counted(e.Server.Nodes, "node", "nodes"), e.Server.Version, where(e.Host), took.Seconds()),
		Seal:     "mechanism ran on " + e.Server.Version,
		Other:    e.Target != e.Server.Version,
	}
	if out.Other {
		out.Seal = fmt.Sprintf("ran on %s, target %s", e.Server.Version, e.Target)
	}
	out.Level, _ = judged(e.Held(), false)
	out.Timelines, out.Compared = timelines(e), compared(e)
	for _, c := range e.Claims {
		s := ShownClaim{Text: c.Text, Held: c.Held, From: c.From, To: c.To, Steps: "not reached"}
		if c.Kind != "claim" {
			s.Label = c.Kind
		}
		s.Level, s.Says = judged(c.Held, c.Unfinished || e.Partial && c.From == 0)
		if c.From > 0 {
			s.Steps = counted(c.To-c.From+1, "step", "steps")
		}
		out.Claims = append(out.Claims, s)
	}
	for _, p := range e.Predicted {
		predicted := prove.Amount(p.Value, p.Unit)
		if p.Low != 0 || p.High != 0 {
			predicted = strconv.FormatInt(p.Low, 10) + " to " + prove.Amount(p.High, p.Unit)
		}
		out.Predicted = append(out.Predicted, shownPredicted(p, predicted))
	}
	filled := 0
	for _, s := range e.Steps {
		out.Steps = append(out.Steps, shownStep(s))
		filled += out.notice(s)
	}
	out.Goals = e.GoalsSay()
	if filled > 0 {
		out.Filled = counted(filled, "value that was not sent was", "values that were not sent were") + " filled in by the server; each is under its step."
	}
	if e.Cluster != nil {
		cluster := shownCluster(*e.Cluster, e.Steps, e.Cluster.To)
		out.Cluster = &cluster
	}
	return out
}

// notice lists what of a step a reader may not have expected: values that the
// server changed, and assets that it refused. It returns how many it filled in.
func (s *Shown) notice(step prove.Step) (filled int) {
	for _, c := range step.Changes {
		switch c.Kind {
		case "filled":
			filled++
		case "dropped":
			s.Changed = append(s.Changed, ShownChange{c.Path, c.Sent, "not stored"})
		default:
			s.Changed = append(s.Changed, ShownChange{c.Path, c.Sent, c.Stored})
		}
	}
	if asset, created := strings.CutPrefix(step.Do, "create "); created && step.Reply != nil && step.Reply.ErrCode > 0 {
		s.Refused = append(s.Refused, ShownRefusal{asset, step.Reply.String(), step.OK})
	}
	return filled
}

func shownPredicted(p prove.Prediction, predicted string) ShownPredicted {
	out := ShownPredicted{p.Name, predicted, prove.Amount(p.Measured, p.Unit), p.Agrees(), "agrees", ""}
	if p.From != "" {
		out.Predicted = strconv.FormatInt(p.Value, 10) + " (" + predicted + ")"
	}
	switch {
	case p.Agrees():
	case p.Decides():
		out.Says, out.Level = "differs", "error"
	default:
		out.Says, out.Level = "differs; this machine has its own pace", "warning"
	}
	if p.From != "" {
		out.Says += ", " + p.From
	}
	return out
}

func shownStep(s prove.Step) ShownStep {
	out := ShownStep{N: s.N, At: prove.Amount(s.AtMS, "ms"), Do: s.Do, Expect: s.Expect, OK: s.OK, Unfinished: s.Unfinished}
	if s.Reply != nil {
		out.Answer, out.Body = s.Reply.String(), string(s.Reply.Body)
	}
	for _, f := range s.Figures {
		out.Figures = append(out.Figures, f.Name+" "+prove.Amount(f.Value, f.Unit))
	}
	for _, c := range s.Changes {
		switch c.Kind {
		case "filled":
			out.Changes = append(out.Changes, fmt.Sprintf("%s filled in: %s", c.Path, c.Stored))
		case "dropped":
			out.Changes = append(out.Changes, fmt.Sprintf("%s %s dropped", c.Path, c.Sent))
		default:
			out.Changes = append(out.Changes, fmt.Sprintf("%s: %s became %s", c.Path, c.Sent, c.Stored))
		}
	}
	return out
}

// sentence is the verdict of a run that went to its end.
func sentence(e *prove.Evidence) string {
	held := 0
	for _, c := range e.Claims {
		if c.Held {
			held++
		}
	}
	claims := fmt.Sprintf("%s, %d held", counted(len(e.Claims), "claim", "claims"), held)
	if len(e.Claims) == 0 {
		claims = counted(len(e.Steps), "step", "steps")
	}
	if len(e.Steps) == 0 && len(e.NotExercised) > 0 {
		return "Nothing was run: " + e.NotExercised[0].Why + "."
	}
	if e.Held() && e.Shortfall() != "" {
		return claims + " with less load: " + e.Shortfall() + differing(e) + "."
	}
	if e.Held() && differing(e) != "" {
		return claims + differing(e) + "."
	}
	if e.Held() {
		return claims + ": the server does what Weir predicts, refusals and losses included."
	}
	wrong, differ, missed := 0, 0, 0
	for _, s := range e.Steps {
		if !s.OK {
			wrong++
		}
	}
	for _, p := range e.Predicted {
		if p.Decides() && !p.Agrees() {
			differ++
		}
	}
	for _, g := range e.Goals {
		if g.Verdict == prove.Missed {
			missed++
		}
	}
	switch {
	case wrong > 0:
		return fmt.Sprintf("%s: the server did something else in %s.", claims, counted(wrong, "step", "steps"))
	case differ > 0:
		return fmt.Sprintf("%s: %s not as predicted.", claims, counted(differ, "figure is", "figures are"))
	case missed > 0:
		return fmt.Sprintf("%s: %s missed.", claims, counted(missed, "goal is", "goals are"))
	}
	return claims + "."
}

// differing says how many of the predicted figures were measured otherwise, as the
// end of a sentence; "" for none.
func differing(e *prove.Evidence) string {
	n := 0
	for _, p := range e.Predicted {
		if !p.Agrees() {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	verb := "differ"
	if n == 1 {
		verb = "differs"
	}
	return fmt.Sprintf("; %d of %s %s from the prediction", n, counted(len(e.Predicted), "figure", "figures"), verb)
}

// where says in which kind of place the servers of a host ran.
func where(host string) string {
	switch host {
	case "tab":
		return "in this tab"
	case "child":
		return "as child processes"
	}
	return "inside this process"
}

func matrixSentence(e prove.MatrixEvidence) string {
	m := e.Matrix
	if m.Different == 0 {
		return fmt.Sprintf("nats-server %s delivered as the matrix says in all of %s%s.", e.Server.Version, counted(m.Cells, "cell", "cells"), comparedCells(e))
	}
	return fmt.Sprintf("nats-server %s does not do what the matrix says in %d of %s.", e.Server.Version, m.Different, counted(m.Cells, "cell", "cells"))
}

// comparedCells says which cells of a whole matrix were run: a wildcard is published
// too, and taken literally, so that these are not those of the valid subjects.
func comparedCells(e prove.MatrixEvidence) string {
	m, sent := e.Matrix, 0
	for _, step := range e.Steps {
		for _, f := range step.Figures {
			if f.Name == "published" {
				sent = int(f.Value)
			}
		}
	}
	if e.Partial || sent == 0 || m.Cells == m.Patterns*m.Subjects {
		return ""
	}
	return fmt.Sprintf(": the %d of %s that it subscribes to, each with the %d of %s that can be published, where a wildcard is an ordinary token",
		m.Cells/sent, counted(m.Patterns, "pattern", "patterns"), sent, counted(m.Subjects, "subject", "subjects"))
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// inputFault keeps the place of an error in a script, and the name of a value that
// cannot be set so.
func inputFault(err error) error {
	var at *prove.ScriptError
	var value *prove.ValueError
	switch {
	case errors.As(err, &at):
		return &methods.Error{Code: methods.CodeBadRequest, Path: "text", Line: at.Line, Col: at.Col, Message: at.Message}
	case errors.As(err, &value):
		return &methods.Error{Code: methods.CodeBadRequest, Path: value.Name, Message: value.Message}
	}
	return methods.BadRequest(err)
}
