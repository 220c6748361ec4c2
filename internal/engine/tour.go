package engine

import (
	"context"
	"slices"
	"strings"

	"weir/design"
	"weir/lint"
)

var tourMethods = []method{
	on("tour.traps", "The steps of the tour through the preset of the five traps: what is wrong, its proof, and the edit that ends it.", tourTraps),
}

// TourIn asks for the tour of the design that files hold.
type TourIn struct {
	Files []File `json:"files"`
}

// TourReply is the tour; On is false for a design that is not the preset's.
type TourReply struct {
	On    bool       `json:"on"`
	Steps []TourStep `json:"steps"`
}

// TourStep is one trap. Fix is nil once it is Done.
type TourStep struct {
	Code  string `json:"code"`
	Title string `json:"title"`
	Why   string `json:"why"`
	// Path is that of its finding, Proof the proof that shows the harm.
	Path  string      `json:"path"`
	Proof string      `json:"proof"`
	Done  bool        `json:"done"`
	Fix   *design.Fix `json:"fix,omitempty"`
}

// traps are the steps: the rule that finds each, where, and what ends it.
var traps = []struct {
	code, path string
	set        [][2]string
}{
	{"SUB001", "streams.ORDERS.consumers.fraud.filter_subject", [][2]string{{"streams.ORDERS.consumers.fraud.filter_subject", "orders.*.paid"}}},
	{"STR001", "streams.ORDERS.duplicate_window", [][2]string{{"streams.ORDERS.duplicate_window", "31m"}}},
	{"CON002", "streams.ORDERS.consumers.analytics.deliver_subject", [][2]string{{"streams.ORDERS.consumers.analytics.idle_heartbeat", "5s"}, {"streams.ORDERS.consumers.analytics.flow_control", "true"}}},
	{"CON001", "streams.INVOICES.consumers.render.ack_wait", [][2]string{{"streams.INVOICES.consumers.render.workers.in_progress", "10s"}}},
	{"PUB001", "publishers.invoices.mode", [][2]string{{"publishers.invoices.mode", "async"}, {"publishers.invoices.on_reject", "{retry: 5, backoff: 500ms, then: dlq}"}, {"publishers.invoices.msg_id", "uuid"}}},
}

func tourTraps(_ context.Context, in TourIn, _ Progress) (TourReply, error) {
	designs, problems, err := read(in.Files, "files")
	if err != nil || problems.Failed() || len(designs) != 1 || designs[0].Name != "five-traps" {
		return TourReply{}, err
	}
	d := designs[0]
	sources, err := sourcesOf(in.Files, "files")
	if err != nil {
		return TourReply{}, err
	}
	report := lint.CheckSources(sources, lint.Options{})
	out := TourReply{On: true}
	for _, t := range traps {
		r, err := lint.FindRule(t.code)
		if err != nil {
			return TourReply{}, err
		}
		step := TourStep{Code: t.code, Title: r.Title, Why: r.Why, Path: t.path, Proof: r.Proof}
		at := slices.IndexFunc(report.Findings, func(f lint.Finding) bool {
			return f.Code == t.code && strings.HasPrefix(f.Path, design.Parent(t.path))
		})
		step.Done = at < 0
		if !step.Done {
			step.Path, step.Fix = report.Findings[at].Path, repair(d, t.set)
		}
		out.Steps = append(out.Steps, step)
	}
	return out, nil
}

// repair is the fix that sets some values, nil where the text has no place for
// one.
func repair(d *design.Design, set [][2]string) *design.Fix {
	var out *design.Fix
	for _, s := range set {
		name := s[0][strings.LastIndexByte(s[0], '.')+1:]
		fix := d.SetFix("Write "+name+": "+s[1], s[0], s[1])
		switch {
		case fix == nil:
			return nil
		case out == nil:
			out = fix
		default:
			out.Title += ", " + name
			out.Edits = append(out.Edits, fix.Edits...)
		}
	}
	return out
}
