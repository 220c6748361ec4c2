package engine

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"weir/advise"
	"weir/design"
	"weir/lint"
	"weir/size"
)

var adviseMethods = []method{
	on("advise.design", "What to set in a design: each value with its reason, the rejected alternative, and the edit that sets it.", adviseDesign),
	on("advise.forms", "The questions that advice on a stream or a consumer needs answers to.", adviseForms),
	on("advise.numbers", "Recommends a stream or a consumer from a few numbers, written as in a design file.", adviseNumbers),
}

// AdviceReply is an advice for the user interface.
type AdviceReply struct {
	Says    string        `json:"says"`
	Open    int           `json:"open"`
	Against int           `json:"against"`
	Assets  []AdviceAsset `json:"assets"`
	Relax   []string      `json:"relax"`
	Missing []string      `json:"missing"`
	// Problems are why there is no advice.
	Problems []lint.Finding `json:"problems"`
	// All sets everything that is open; it has no edits where nothing is.
	All design.Fix `json:"all"`
}

// AdviceAsset is the advice on one stream, consumer, publisher or the servers.
type AdviceAsset struct {
	Kind     string          `json:"kind"`
	Name     string          `json:"name"`
	Path     string          `json:"path"`
	Says     string          `json:"says"`
	Settings []AdviceSetting `json:"settings"`
	Config   string          `json:"config"`
	Command  string          `json:"command"`
}

// AdviceSetting is the advice on one setting, with its working and, where it is
// to be set, the edit that sets it.
type AdviceSetting struct {
	Field    string            `json:"field"`
	Path     string            `json:"path"`
	State    advise.State      `json:"state"`
	Advised  string            `json:"advised"`
	Written  string            `json:"written"`
	Reason   string            `json:"reason"`
	Source   string            `json:"source"`
	Rejected []advise.Rejected `json:"rejected"`
	Working  *Figure           `json:"working,omitempty"`
	Fix      *design.Fix       `json:"fix,omitempty"`
}

// adviceReply turns an advice into a reply; d is nil without a design.
func adviceReply(a advise.Advice, d *design.Design) AdviceReply {
	out := AdviceReply{Says: a.Says, Open: a.Open, Against: a.Against, Relax: a.Relax, Missing: a.Missing}
	for _, x := range a.Assets {
		asset := AdviceAsset{Kind: x.Kind, Name: x.Name, Path: x.Path, Says: x.Says, Config: x.Config, Command: x.Command}
		for _, s := range x.Settings {
			set := AdviceSetting{Field: s.Field, Path: s.Path, State: s.State, Advised: s.Advised, Written: s.Written, Reason: s.Reason, Source: s.Source, Rejected: s.Rejected}
			if s.Working != nil {
				f := figureOf(*s.Working, figureDepth)
				set.Working = &f
			}
			if d != nil && (s.State == advise.Open || s.State == advise.Against) {
				set.Fix = d.SetFix("set "+s.Field+" to "+s.Advised, s.Path, s.Advised)
			}
			asset.Settings = append(asset.Settings, set)
		}
		out.Assets = append(out.Assets, asset)
	}
	if d != nil {
		out.All.Title = "set " + size.Counted(a.Open, "open value", "open values")
		out.All.Edits, _ = advise.Edits(d, a)
	}
	return out
}

// figureDepth is how deep the working of an advised figure goes.
const figureDepth = 4

// AdviseDesignIn asks for advice on the design that files hold together.
type AdviseDesignIn struct {
	Files []File `json:"files"`
}

func adviseDesign(_ context.Context, in AdviseDesignIn, _ Progress) (AdviceReply, error) {
	designs, problems, err := read(in.Files, "files")
	if err != nil {
		return AdviceReply{}, err
	}
	if problems.Failed() || len(designs) != 1 {
		return AdviceReply{Problems: lint.FromProblems(problems)}, nil
	}
	a, err := advise.ForDesign(designs[0])
	if err != nil {
		return AdviceReply{}, badRequest(err)
	}
	return adviceReply(a, designs[0]), nil
}

// AdviseForm is what is asked before a stream or consumer is advised on.
type AdviseForm struct {
	// Name is stream or consumer.
	Name   string        `json:"name"`
	Fields []AdviseField `json:"fields"`
}

// AdviseField is one question. Example is what it opens with; Choices are the
// words that it takes, any text when there are none.
type AdviseField struct {
	Name    string   `json:"name"`
	Usage   string   `json:"usage"`
	Example string   `json:"example"`
	Choices []string `json:"choices"`
}

var forms = []AdviseForm{
	{"stream", []AdviseField{
		{"rate", "what is published into it", "800/s", nil},
		{"payload", "mean size of a payload", "1.2KiB", nil},
		{"keep", "how long messages have to stay readable", "72h", nil},
		{"replicas", "num_replicas", "3", []string{"1", "3", "5"}},
		{"name", "name of the stream", "ORDERS", nil},
		{"subjects", "subjects of the stream, with commas between", "orders.>", nil},
		{"retention", "when messages leave", "limits", []string{"limits", "workqueue", "interest"}},
		{"id_bytes", "length of a Nats-Msg-Id; 36 for a UUID, 0 for none", "36", nil},
		{"retry_for", "how long a publisher sends the same id", "", nil},
		{"compresses_to", "what S2 leaves of a payload", "", nil},
		{"disk", "what each of its servers has for it", "", nil},
	}},
	{"consumer", []AdviseField{
		{"service_time", "from receiving a message to acking it: the median", "20ms", nil},
		{"service_p99", "its 99th percentile", "400ms", nil},
		{"rate", "what arrives for it", "400/s", nil},
		{"workers", "processes that work on it", "4", nil},
		{"concurrency", "messages that one handles at a time", "8", nil},
		{"stream", "name of the stream", "ORDERS", nil},
		{"name", "name of the consumer", "billing", nil},
		{"filter", "subjects that it filters, with commas between", "orders.*.created", nil},
		{"fetch", "messages that a worker asks for at a time", "", nil},
		{"in_progress", "how often a worker says that it is busy", "", nil},
		{"errors", "share of the deliveries that fail", "", nil},
	}},
}

// AdviseFormsReply lists the forms.
type AdviseFormsReply struct {
	Forms []AdviseForm `json:"forms"`
}

func adviseForms(context.Context, struct{}, Progress) (AdviseFormsReply, error) {
	return AdviseFormsReply{forms}, nil
}

// AdviseNumbersIn are answers to a form, by field and as they were written.
type AdviseNumbersIn struct {
	Form   string            `json:"form"`
	Values map[string]string `json:"values"`
}

func adviseNumbers(_ context.Context, in AdviseNumbersIn, _ Progress) (AdviceReply, error) {
	v := &answers{values: in.Values}
	var a advise.Advice
	var err error
	switch in.Form {
	case "stream":
		n := v.stream()
		if v.err == nil {
			a, err = advise.ForStream(n)
		}
	case "consumer":
		n := v.consumer()
		if v.err == nil {
			a, err = advise.ForConsumer(n)
		}
	default:
		err = fmt.Errorf("%q is no form; there are stream and consumer", in.Form)
	}
	if v.err != nil { // which names the field
		return AdviceReply{}, v.err
	}
	if err != nil {
		return AdviceReply{}, badRequest(err)
	}
	return adviceReply(a, nil), nil
}

// answers reads the values of a form; the first that cannot be read stays.
type answers struct {
	values map[string]string
	err    error
}

// answer reads one value, zero where nothing is written.
func answer[T any](a *answers, field string, parse func(string) (T, error)) T {
	var zero T
	text := strings.TrimSpace(a.values[field])
	if text == "" || a.err != nil {
		return zero
	}
	v, err := parse(text)
	if err != nil {
		a.err = &Error{Code: CodeBadRequest, Message: fmt.Sprintf("%s: %v", field, err), Path: field}
		return zero
	}
	return v
}

func (a *answers) span(field string) time.Duration {
	return time.Duration(answer(a, field, design.ParseDuration))
}

func (a *answers) count(field string) int {
	return answer(a, field, func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > 1_000_000 {
			return 0, fmt.Errorf("%q is no count; write a whole number up to 1,000,000", s)
		}
		return n, nil
	})
}

func (a *answers) words(field string) []string {
	var out []string
	for _, w := range strings.Split(a.values[field], ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

func (a *answers) stream() advise.StreamNeeds {
	id := a.count("id_bytes")
	n := advise.StreamNeeds{Name: a.values["name"], Subjects: a.words("subjects"), Rate: size.Rate{Mean: answer(a, "rate", design.ParseRate)},
		Message: size.Message{Subject: 17, Payload: float64(answer(a, "payload", design.ParseSize)), ID: float64(id)},
		Keep:    a.span("keep"), Replicas: a.count("replicas"), Retention: size.Retention(a.values["retention"]), RetryFor: a.span("retry_for"),
		Disk: answer(a, "disk", design.ParseSize), CompressesTo: answer(a, "compresses_to", design.ParseShare)}
	if id > 0 {
		_, alone := size.MsgIDHeader(id)
		n.Message.Header = float64(alone)
	}
	if len(n.Subjects) > 0 {
		n.Message.Subject = float64(len(n.Subjects[0]))
	}
	return n
}

func (a *answers) consumer() advise.ConsumerNeeds {
	p50, p99 := a.span("service_time"), a.span("service_p99")
	d := design.Distribution{Kind: design.DistExponential, Mean: float64(p50)}
	switch {
	case p99 > 0 && p99 < p50:
		a.err = &Error{Code: CodeBadRequest, Path: "service_p99", Message: "service_p99: it is less than service_time, which is the median beside it"}
	case p99 > 0:
		d = design.Distribution{Kind: design.DistLognormal, P50: float64(p50), P99: float64(p99)}
	case p50 == 0:
		d = design.Distribution{}
	}
	return advise.ConsumerNeeds{Stream: a.values["stream"], Name: a.values["name"], Filters: a.words("filter"), Rate: answer(a, "rate", design.ParseRate),
		Service: d, Workers: a.count("workers"), Concurrency: a.count("concurrency"), Fetch: a.count("fetch"), InProgress: a.span("in_progress"),
		ErrorRate: answer(a, "errors", design.ParseShare)}
}
