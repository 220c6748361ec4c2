package lint

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"weir/design"
	"weir/natsapi"
)

// caseOf is a trouble that people had, told as a design of ours, and the
// judgement that a row of the collected cases asks for. The facts are the row's;
// the design is not.
type caseOf struct {
	id string
	// design is the text after "weir: 1", info what servers say of it, in JSON.
	design, info string
	target       string
	// code and severity are the judgement, at the path when one is given.
	code     string
	severity design.Severity
	path     string
	// number is the row's figure, 0 without one; words must be in the message.
	number float64
	words  string
}

// ruleCases are the rows that the rules about subjects and the five traps speak to.
var ruleCases = []caseOf{
	{id: "flt-01", code: "SUB014", severity: design.Warning, path: "streams.E.consumers.all.filter_subject", number: 1_000_000, design: `
streams:
  E:
    subjects: [event-stream.*.*.*.*]
    max_msgs_per_subject: 3
    consumers: {all: {filter_subject: event-stream.*.*.*.*, ack_policy: explicit}}
publishers: {p: {subject: "event-stream.{a}.{b}.{c}.{d}", tokens: {a: 1000, b: 10, c: 10, d: 10}, rate: 100/s, payload: 100B, mode: async}}
`},
	{id: "flt-02", code: "SUB003", severity: design.Warning, path: "streams.D.consumers.created.filter_subject", words: "3 tokens, and the stream's subject has 2", design: `
streams: {D: {subjects: [domainEvents.*], consumers: {created: {filter_subject: domainEvents.User.UserCreatedEvent, ack_policy: explicit}}}}
`},
	{id: "flt-03", code: "SUB004", severity: design.Warning, path: "streams.T.consumers.c.filter_subject", words: "test.bar", design: `
streams: {T: {subjects: [test.user], consumers: {c: {filter_subject: test.>, ack_policy: explicit}}}}
publishers: {p: {subject: test.bar, rate: 1/s, payload: 100B, mode: core}}
`},
	{id: "rr-01", code: "SUB013", severity: design.Warning, path: "subscribers.service.subject", number: 2, design: `
streams: {networking: {subjects: [requests]}}
subscribers: {service: {subject: requests, service_time: 1ms, reply: 100B}}
`},
	{id: "loop-01", code: "SUB018", severity: design.Warning, path: "publishers.edited.subject", number: 1, design: `
streams: {stream1: {subjects: [channel1], max_bytes: 1GiB, consumers: {editor: {ack_policy: explicit}}}}
publishers: {edited: {subject: channel1, after: stream1/editor, rate: 1/s, payload: 1KiB}}
`},
	{id: "loop-01", code: "SUB018", severity: design.Info, design: `
streams: {stream1: {subjects: [channel1], max_bytes: 1GiB, consumers: {editor: {ack_policy: explicit}}}}
publishers: {editor: {subject: channel1, rate: 1/s, payload: 1KiB}}
`},
	{id: "wq-04", code: "STR002", severity: design.Warning, path: "streams.M.sources[0].name", design: `
streams:
  W: {subjects: [job.>], retention: workqueue, consumers: {local: {ack_policy: explicit}}}
  M: {sources: [{name: W}]}
`},
	{id: "leros-01", code: "SUB007", severity: design.Error, words: "10065", design: `
streams:
  ALL: {subjects: [svc.>]}
  ONE: {subjects: [svc.orders.created]}
`},
	{id: "self-01", code: "SUB008", severity: design.Error, words: "both match x.schedule", design: `
streams: {S: {subjects: [x.>, x.schedule.*]}}
`},
	{id: "all-01", target: "2.15", code: "SUB011", severity: design.Error, words: "no_ack", design: `
streams: {AUDIT: {subjects: [">"]}}
`},
	{id: "all-01", target: "2.15", code: "SUB012", severity: design.Warning, words: "no publisher learns", number: 2, design: `
streams: {AUDIT: {subjects: [">"], no_ack: true}}
`},
	{id: "ver-02", target: "2.10.29", code: "SUB011", severity: design.Error, words: "jetstream api require no-ack", design: `
streams: {A: {subjects: ["*.*.foo.>"]}}
`},
	{id: "ver-02", target: "2.11", code: "SUB011", severity: design.Error, words: "jetstream api require no-ack", design: `
streams: {A: {subjects: ["*.eu.new"]}}
`},
	{id: "ver-02", target: "2.10.20", code: "SUB012", severity: design.Warning, words: "2.10.28, 2.11.2 and newer refuse", design: `
streams: {A: {subjects: ["*.eu.new"], max_bytes: 1GiB}}
`},
	{id: "all-01", target: "2.10.7", code: "SUB012", severity: design.Warning, words: "2.10.7 accepts it", design: `
streams: {AUDIT: {subjects: [">"], max_bytes: 1GiB}}
`},
	{id: "ver-03", target: "2.11", code: "SUB011", severity: design.Error, words: "$JS.", design: `
streams: {A: {subjects: ["*.*.*.*.something.else"]}}
`},
	{id: "nack-02", code: "SUB010", severity: design.Error, words: "10138", design: `
streams: {S: {subjects: [a.>], consumers: {c: {filter_subjects: [a.*, a.b], ack_policy: explicit}}}}
`},
	// A batch of 100 at 0.4 s each against 30 s: at most a quarter is late.
	{id: "ack-bound", code: "CON001", severity: design.Warning, number: 0.25, words: "At most 25 %", design: `
streams: {S: {subjects: [a.>], consumers: {c: {ack_policy: explicit, ack_wait: 30s, workers: {count: 3, fetch: 100, service_time: 400ms}}}}}
`},
}

// ruleNotSpokenTo are rows about subjects that no rule can speak to, with the
// reason.
var ruleNotSpokenTo = map[string]string{
	"flt-04": "only 2.9 refuses it, and designs are for 2.10 and newer: nothing is found, which TestQuietRows holds",
	"flt-05": "which subject a client asks of an existing durable is no part of a design",
	"kaf-03": "a mapping of server.conf; weir subjects partition shows it",
}

// TestCases holds the rules to the collected cases: same judgement, and its number
// within 5 %.
func TestCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range slices.Concat(ruleCases, streamCases, consumerCases, fieldCases) {
		name := c.id
		for n := 2; seen[name]; n++ {
			name = fmt.Sprintf("%s-%d", c.id, n)
		}
		seen[name] = true
		t.Run(name, func(t *testing.T) {
			var o Options
			if c.target != "" {
				var err error
				if o.Target, err = natsapi.ParseVersion(c.target); err != nil {
					t.Fatal(err)
				}
			}
			sources := []*design.Source{design.NewSource("design.yaml", []byte("weir: 1\n"+c.design))}
			if c.info != "" {
				sources = append(sources, design.NewSource("info.json", []byte(c.info)))
			}
			r := CheckSources(sources, o)
			var said []string
			for _, f := range r.Findings {
				said = append(said, f.String())
				if strings.HasPrefix(f.Code, "FILE") {
					t.Errorf("the case itself: %s", f)
				}
				if f.Code == c.code && f.Severity == c.severity && (c.path == "" || f.Path == c.path) && strings.Contains(f.Message, c.words) &&
					(c.number == 0 || f.Figure != nil && math.Abs(f.Figure.Value-c.number) <= 0.05*math.Abs(c.number)) {
					return
				}
			}
			t.Errorf("no %s %s with %g %q; there is\n%s", c.severity, c.code, c.number, c.words, strings.Join(said, "\n"))
		})
	}
	t.Logf("%d rows", len(seen))
}

// TestQuietRows: rows whose judgement is that all is well get no warning.
func TestQuietRows(t *testing.T) {
	for _, c := range []caseOf{
		{id: "flt-04", design: `
streams: {Z: {subjects: [born.*.*, bought.*.*, died.*.*, sold.*.*], max_bytes: 1GiB, consumers: {c: {filter_subject: "*.orangutang.bert", ack_policy: explicit, max_deliver: 5}}}}
`},
	} {
		r := CheckSources([]*design.Source{design.NewSource("design.yaml", []byte("weir: 1\n"+c.design))}, Options{})
		for _, f := range r.Findings {
			if f.Severity != design.Info {
				t.Errorf("%s: %s", c.id, f)
			}
		}
	}
	for _, list := range []map[string]string{ruleNotSpokenTo, consumerNotSpokenTo} {
		for id, why := range list {
			if len(why) < 20 {
				t.Errorf("%s has no reason", id)
			}
		}
	}
}
