package prove

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/size"
	"weir/verdict"
)

// apply puts every request of the design to the servers and compares the answers
// with package verdict's.
func (r *designRun) apply(ctx context.Context) error {
	settings := r.settings()
	from, refused, changed, asked := len(r.e.Steps)+1, 0, 0, 0
	requests := r.d.Requests()
	for i, req := range requests {
		if req.Scope.Leafnode != "" {
			r.e.leaveOut(req.Path, "a run has no leaf nodes")
			continue
		}
		accepted, err := r.applyOne(ctx, settings[req.Scope], req)
		if err != nil {
			return fmt.Errorf("create %s: %w", req.Name, err)
		}
		asked++
		changed += len(r.e.Steps[len(r.e.Steps)-1].Changes)
		if accepted {
			r.applied = append(r.applied, req)
		} else {
			refused++
		}
		r.progress.report(i+1, len(requests))
	}
	r.differ = r.differences(requests)
	r.claimApplied(from, asked, refused, changed)
	return nil
}

// claimApplied says what came out: whether all is accepted is a claim of its
// own, apart from whether it was answered as predicted.
func (r *designRun) claimApplied(from, asked, refused, changed int) {
	if asked == 0 {
		return
	}
	server := "nats-server " + r.e.Server.Version
	text := fmt.Sprintf("%s accepts all %d assets of the design", server, asked)
	if refused > 0 {
		text += fmt.Sprintf(" (%d refused)", refused)
	}
	r.e.Claims = append(r.e.Claims, Claim{Kind: "claim", Text: text, Held: refused == 0, From: from, To: len(r.e.Steps)})
	r.e.claim("claim", fmt.Sprintf("it answers all %d requests as predicted, values that it fills in or changes included (%d)", asked, changed), from)
}

// applyOne sends one request; accepted says whether the server took it.
func (r *designRun) applyOne(ctx context.Context, setting *verdict.Setting, req *design.Request) (accepted bool, err error) {
	s, err := r.links.as(ctx, r.user(req.Scope))
	if err != nil {
		return false, err
	}
	want := setting.Apply(verdict.Request{Subject: req.Subject, Body: req.Body})
	step := r.e.step(fmt.Sprintf("create %s %s", kindName(req.Kind), req.Name), predictedAnswer(want))
	step.Request = apiPrefix + req.Subject + " " + string(req.Body)
	within := answerWithin
	if want.Verdict == verdict.NoReply {
		within = answerWithin / 5
	}
	got, err := s.api(ctx, within, req.Subject, req.Body)
	if err != nil {
		step.brokenOff()
		return false, err
	}
	step.Reply = got.reply()
	stored := configOf(got.body)
	step.OK = slices.ContainsFunc(append([]verdict.Answer{want}, want.Alternatives...), func(a verdict.Answer) bool { return sameAnswer(a, got, stored) })
	accepted = got.silent == "" && got.Error == nil
	if accepted {
		step.Changes = changesOf(req, stored)
	}
	return accepted, nil
}

func kindName(kind string) string { return strings.ReplaceAll(kind, "_", " ") }

// predictedAnswer is a predicted answer as text.
func predictedAnswer(a verdict.Answer) string {
	text := ""
	switch a.Verdict {
	case verdict.OK:
		text = Accepted + ", " + size.Counted(len(a.Changes), "value", "values") + " filled in or changed"
	case verdict.Refused:
		text = Reply{Code: a.Code, ErrCode: a.ErrCode, Text: a.Description}.String()
	case verdict.NoReply:
		text = "no answer"
	case verdict.Crash:
		text = "the server process ends"
	}
	for _, other := range a.Alternatives {
		text += ", or " + predictedAnswer(other) + " (" + other.Because + ")"
	}
	return text
}

// configOf is the configuration in a reply of the API.
func configOf(body []byte) []byte {
	var reply struct {
		Config json.RawMessage `json:"config"`
	}
	if json.Unmarshal(body, &reply) != nil {
		return nil
	}
	return reply.Config
}

// sameAnswer compares an answer with a predicted one, the stored configuration
// included. The words of refused JSON depend on the Go release that built the
// server.
func sameAnswer(want verdict.Answer, got apiAnswer, stored []byte) bool {
	const invalidJSON = 10025
	switch want.Verdict {
	case verdict.OK:
		if got.silent != "" || got.Error != nil {
			return false
		}
		return !slices.ContainsFunc(verdict.Changes(want.Config, stored), func(c verdict.Change) bool {
			return !(c.Path == "name" && strings.Contains(c.Sent, verdict.GeneratedName))
		})
	case verdict.Refused:
		return got.Error != nil && got.Error.ErrCode == want.ErrCode && got.Error.Code == want.Code &&
			(got.Error.Description == want.Description || want.ErrCode == invalidJSON)
	case verdict.NoReply:
		return got.silent != ""
	}
	return false
}

// changesOf lists what the server stores otherwise than the request says.
func changesOf(req *design.Request, stored []byte) []Change {
	sent, inside := req.Body, ""
	if req.Kind == "consumer" {
		sent, inside = configOf(req.Body), "config."
	}
	var out []Change
	for _, c := range verdict.Changes(sent, stored) {
		if c.Path == "name" || c.Path == "durable_name" || c.Path == "metadata" {
			continue // names the asset, or is the server's own note
		}
		path := c.Path
		if c.Kind != verdict.Filled {
			path = req.DesignPath(inside + c.Path)
		}
		out = append(out, Change{path, c.Kind, c.Sent, c.Stored})
	}
	return out
}

// differences lists what the target and the version that runs do differently
// with fields that the requests use.
func (r *designRun) differences(requests []*design.Request) []string {
	used := map[string][]string{} // values of "stream.max_age" and the like
	for _, req := range requests {
		asset, config := "stream", req.Body
		if req.Kind == "consumer" {
			asset, config = "consumer", configOf(req.Body)
		}
		var fields map[string]json.RawMessage
		if json.Unmarshal(config, &fields) != nil {
			continue
		}
		for name, value := range fields {
			used[asset+"."+name] = append(used[asset+"."+name], strings.Trim(string(value), `"`))
		}
	}
	var out []string
	for _, d := range natsapi.Differences(r.d.Version, r.version) {
		if len(d.Fields) > 0 && !slices.ContainsFunc(d.Fields, func(f natsapi.FieldName) bool { return !r.concerns(f, used[f.String()]) }) {
			out = append(out, strings.TrimSuffix(d.What, "."))
		}
	}
	return append(out, r.answersDiffer()...)
}

// answersDiffer lists the requests that the target answers otherwise than the
// version that runs.
func (r *designRun) answersDiffer() (out []string) {
	there, here := verdict.JudgeDesign(r.d, r.d.Version), verdict.JudgeDesign(r.d, r.version)
	for i := range min(len(there), len(here)) {
		a, b := there[i].Answer, here[i].Answer
		same := a.Verdict == b.Verdict && a.ErrCode == b.ErrCode && !slices.ContainsFunc(verdict.Changes(a.Config, b.Config), func(c verdict.Change) bool {
			return c.Kind == verdict.Altered && c.Path != "metadata" // which holds the version itself
		})
		if !same {
			out = append(out, "it answers otherwise than "+r.d.Version.String()+" when "+there[i].Request.Name+" is created")
		}
	}
	return out
}

// concerns reports whether a difference in a field is about the values that the
// design gives it: in a field that takes one of some words, about a word that
// only one of the versions knows.
func (r *designRun) concerns(f natsapi.FieldName, values []string) bool {
	field, known := natsapi.Lookup(f.Asset, f.Name)
	if !known || field.Type != natsapi.Enum || !field.In(r.d.Version) || !field.In(r.version) {
		return len(values) > 0
	}
	a, b := field.EnumIn(r.d.Version), field.EnumIn(r.version)
	return slices.ContainsFunc(values, func(v string) bool { return slices.Contains(a, v) != slices.Contains(b, v) })
}

// applyAgain creates on fresh servers what was accepted before, with the
// workload's time scale.
func (r *designRun) applyAgain(ctx context.Context, w *workload) error {
	for _, req := range r.applied {
		s, err := r.links.as(ctx, r.user(req.Scope))
		if err != nil {
			return err
		}
		body := w.scaled(req)
		a, err := s.api(ctx, answerWithin, req.Subject, body)
		if err == nil && a.silent != "" {
			err = errors.New(a.silent)
		}
		if err == nil {
			err = a.asError()
		}
		if err != nil {
			return fmt.Errorf("create %s again: %w", req.Name, err)
		}
	}
	return nil
}
