// Package verdict says what a nats-server of a given version answers to
// requests that create or update streams and consumers: accepted or refused,
// with which err_code and words, and what it stores otherwise than it was sent.
//
// It is not a schema: the checks are made in the server's order, because that
// order decides which of several faults is answered, and in the setting of the
// other streams, consumers, limits and servers. The servers' sources of 2.10.29,
// 2.11.17, 2.12.15, 2.14.10 and 2.15.2 were read and 12,922 measured requests
// compared; what is left of differences is in KnownDifferences.
//
//	s := verdict.NewSetting(natsapi.Embedded)
//	a := s.Apply(verdict.Request{Subject: "STREAM.CREATE.ORDERS", Body: []byte(`{"name":"ORDERS"}`)})
//	fmt.Println(a.Verdict, a.ErrCode, a.Description)
package verdict

import (
	"strings"

	"weir/natsapi"
)

// Request is one request to the JetStream API.
type Request struct {
	// Subject is the API subject without "$JS.API.": "STREAM.CREATE.ORDERS",
	// "STREAM.UPDATE.ORDERS", "CONSUMER.CREATE.ORDERS", "CONSUMER.CREATE.ORDERS.C",
	// "CONSUMER.CREATE.ORDERS.C.orders.new", "CONSUMER.DURABLE.CREATE.ORDERS.C".
	Subject string
	// Body is the payload as sent; the order of its members counts.
	Body []byte
	// Header are the message headers; only Nats-Required-Api-Level is read.
	Header map[string]string
}

// Verdict is what becomes of a request.
type Verdict string

// The verdicts.
const (
	OK      Verdict = "ok"      // accepted
	Refused Verdict = "error"   // refused, see ErrCode
	NoReply Verdict = "noreply" // nobody answers, the client times out
	Crash   Verdict = "crash"   // the server process ends
)

// GeneratedName stands in an Answer for a name that the server makes up.
const GeneratedName = "<random>"

// JSON is a JSON text. It is written as it is into other JSON.
type JSON []byte

// String returns the text.
func (j JSON) String() string { return string(j) }

// MarshalJSON returns the text; nil becomes null.
func (j JSON) MarshalJSON() ([]byte, error) {
	if len(j) == 0 {
		return []byte("null"), nil
	}
	return j, nil
}

// Answer is what the server does with a Request.
type Answer struct {
	Verdict Verdict `json:"verdict"`
	// Code is the status like HTTP's, ErrCode the number that tells errors
	// apart, Description the server's words. All are zero unless Refused.
	// Where the server lists things in the order of a Go map, they are sorted.
	Code        int    `json:"code,omitempty"`
	ErrCode     int    `json:"err_code,omitempty"`
	Description string `json:"description,omitempty"`
	// Path is where in the body the cause is: "max_age",
	// "sources[1].filter_subject", "config.ack_wait". It is empty when no one
	// member is the cause.
	Path string `json:"path,omitempty"`
	// Config is the stored configuration as the reply shows it; nil unless OK.
	Config JSON `json:"config,omitempty"`
	// Changes is how Config differs from what was sent.
	Changes []Change `json:"changes,omitempty"`
	// Alternatives are other answers that the same request gets depending on
	// timing or on which servers were picked before. Why they differ is in
	// their Because.
	Alternatives []Answer `json:"alternatives,omitempty"`
	// Because says, in an alternative, what makes the server give it, and for a
	// payload that is too large that it is.
	Because string `json:"because,omitempty"`

	apply func(*Setting) // records an accepted request
}

// Judge answers a request in a setting, which it leaves unchanged. Requests
// other than the four kinds in Request.Subject get NoReply.
func Judge(s *Setting, r Request) Answer {
	tokens := strings.Split(r.Subject, ".")
	for _, t := range tokens {
		if t == "" || strings.ContainsAny(t, " \t\r\n") {
			return Answer{Verdict: NoReply}
		}
	}
	if len(r.Body) > s.maxPayload() {
		return Answer{Verdict: NoReply, Because: "the payload is larger than the server's max_payload"}
	}
	n := len(tokens)
	j := &judge{Setting: s, v: s.Version, req: r}
	switch {
	case n == 3 && tokens[0] == "STREAM" && tokens[1] == "CREATE":
		return j.createStream(tokens[2])
	case n == 3 && tokens[0] == "STREAM" && tokens[1] == "UPDATE":
		return j.updateStream(tokens[2])
	case n >= 3 && tokens[0] == "CONSUMER" && tokens[1] == "CREATE":
		return j.createConsumer(consumerSubject{
			stream: tokens[2], name: tokenAt(tokens, 3), legacy: n == 3,
			filter: strings.Join(tokens[min(4, n):], "."),
		})
	case n == 5 && tokens[0] == "CONSUMER" && tokens[1] == "DURABLE" && tokens[2] == "CREATE":
		return j.createConsumer(consumerSubject{stream: tokens[3], name: tokens[4], durable: true})
	}
	return Answer{Verdict: NoReply}
}

func tokenAt(tokens []string, i int) string {
	if i < len(tokens) {
		return tokens[i]
	}
	return ""
}

// judge is one request being judged.
type judge struct {
	*Setting
	v        natsapi.Version
	req      Request
	pedantic bool
	crashed  bool
	compared int // pairs of subjects so far
}

func (j *judge) atLeast(v natsapi.Version) bool { return j.v.AtLeast(v) }

func (j *judge) has(change natsapi.Releases) bool { return change.Has(j.v) }

// refusal is an error answer on its way; nil means that a check passed.
type refusal struct {
	errCode int
	text    string
	path    string
}

// refuse makes the refusal with the server's words for errCode; args take the
// place of what is in braces there. path is the offending member.
func (j *judge) refuse(errCode int, path string, args ...string) *refusal {
	text := ""
	if e, ok := natsapi.ErrorByCode(errCode); ok {
		text = e.DescriptionIn(j.v)
	}
	return &refusal{errCode, fill(text, args), path}
}

// fill replaces the placeholders of text, "{err}", by args in their order.
func fill(text string, args []string) string {
	if len(args) == 0 {
		return text
	}
	var b strings.Builder
	for len(args) > 0 {
		before, rest, found := strings.Cut(text, "{")
		if !found {
			break
		}
		_, after, found := strings.Cut(rest, "}")
		if !found {
			break
		}
		b.WriteString(before)
		b.WriteString(args[0])
		args, text = args[1:], after
	}
	b.WriteString(text)
	return b.String()
}

// invalidConfig is the most common refusal, err_code 10052 with the reason.
func (j *judge) invalidConfig(path, reason string) *refusal {
	return j.refuse(10052, path, reason)
}

// pedanticErr is the refusal of what the server would otherwise change silently.
func (j *judge) pedanticErr(path, reason string) *refusal {
	return j.refuse(10157, path, reason)
}

// answer turns a refusal into the Answer.
func (r *refusal) answer() Answer {
	code := 0
	if e, ok := natsapi.ErrorByCode(r.errCode); ok {
		code = e.Code
	}
	return Answer{Verdict: Refused, Code: code, ErrCode: r.errCode, Description: r.text, Path: r.path}
}

// first returns the first refusal of checks made in order.
func first(checks ...func() *refusal) *refusal {
	for _, check := range checks {
		if r := check(); r != nil {
			return r
		}
	}
	return nil
}
