package prove

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"weir/subject"
)

// MaxConfigurations bounds StreamSubjects and FilterSubjects: each subject is a
// stream or consumer that is created and deleted again.
const MaxConfigurations = 10_000

// ConfigurationEvidence is the evidence of StreamSubjects and FilterSubjects.
type ConfigurationEvidence struct {
	Evidence
	Different int      `json:"different"` // answers that differ
	Answers   []Answer `json:"answers"`   // in the order of the subjects, those not exercised left out
}

// Answer lays what package subject says over what the server answered.
type Answer struct {
	Subject   string `json:"subject"`
	Predicted string `json:"predicted"` // "accepted", or the refusal as in subject.Verdict
	Measured  string `json:"measured"`  // "accepted", or "code/err_code description"
	Agree     bool   `json:"agree"`
}

// Accepted is Answer's word for a configuration that the server takes.
const Accepted = "accepted"

// Agrees reports whether the run went to its end and nothing differed.
func (e *ConfigurationEvidence) Agrees() bool { return !e.Partial && e.Different == 0 }

// StreamSubjects creates a stream on each subject on a real nats-server, one
// after the other, and compares the answer with subject.Check in the context
// subject.Stream: the verdict, and where the server refuses its code, err_code
// and words.
//
// A subject that is not UTF-8 cannot be put to it (JSON replaces the bytes), and
// neither can one that does not fit into a request; they are listed as not
// exercised. When ctx ends, the evidence so far comes back,
// marked partial, together with the context's error.
func StreamSubjects(ctx context.Context, subjects []string, opt Options) (ConfigurationEvidence, error) {
	return configurations(ctx, subjects, opt, asset{
		context: subject.Stream,
		do:      "create a stream on each subject, then delete it",
		create:  "$JS.API.STREAM.CREATE.WEIR", remove: "$JS.API.STREAM.DELETE.WEIR",
		request: func(s string) any { return streamRequest{"WEIR", []string{s}, "memory"} },
	})
}

// FilterSubjects is StreamSubjects for the filter_subject of a consumer and the
// context subject.Filter. An empty filter_subject means no filter, so it is not
// exercised.
func FilterSubjects(ctx context.Context, subjects []string, opt Options) (ConfigurationEvidence, error) {
	return configurations(ctx, subjects, opt, asset{
		context: subject.Filter,
		do:      "create a consumer with each filter_subject, then delete it",
		create:  "$JS.API.CONSUMER.CREATE.WEIR.C", remove: "$JS.API.CONSUMER.DELETE.WEIR.C",
		before: func(c *api) error {
			r, err := c.request("$JS.API.STREAM.CREATE.WEIR", streamRequest{"WEIR", []string{"weir"}, "memory"})
			return errors.Join(err, r.asError())
		},
		request: func(s string) any {
			return consumerRequest{"WEIR", consumerConfig{"C", "C", "explicit", s}}
		},
	})
}

// asset is how one kind of configuration is put to the server.
type asset struct {
	context        subject.Context
	do             string
	create, remove string // API subjects
	before         func(*api) error
	request        func(subject string) any
}

type streamRequest struct {
	Name     string   `json:"name"`
	Subjects []string `json:"subjects"`
	Storage  string   `json:"storage"`
}

type consumerRequest struct {
	Stream string         `json:"stream_name"`
	Config consumerConfig `json:"config"`
}

type consumerConfig struct {
	Name    string `json:"name"`
	Durable string `json:"durable_name"`
	Ack     string `json:"ack_policy"`
	Filter  string `json:"filter_subject"`
}

func configurations(ctx context.Context, subjects []string, opt Options, a asset) (ConfigurationEvidence, error) {
	e := ConfigurationEvidence{Evidence: newEvidence(opt)}
	e.Partial = true
	if len(subjects) > MaxConfigurations {
		return e, fmt.Errorf("%d subjects are more than the %d that a proof run creates one by one; prove a part of them", len(subjects), MaxConfigurations)
	}
	server, err := startEmbedded(ctx, true)
	if err != nil {
		return e, err
	}
	c, err := connect(ctx, server)
	if err == nil {
		err = e.run(&api{c: c}, subjects, a, progress{call: opt.Progress})
		c.close()
	}
	return e, errors.Join(err, server.Stop())
}

func (e *ConfigurationEvidence) run(c *api, subjects []string, a asset, p progress) error {
	if err := c.open(); err != nil {
		return err
	}
	if a.before != nil {
		if err := a.before(c); err != nil {
			return fmt.Errorf("prepare: %w", err)
		}
	}
	step := e.step(a.do, "accepted or refused, and the refusal's err_code and text, as predicted")
	accepted := 0
	err := func() error {
		for i, s := range subjects {
			if err := e.ask(c, s, a); err != nil {
				return fmt.Errorf("create %s: %w", clip(s), err)
			}
			p.report(i+1, len(subjects))
		}
		return nil
	}()
	for _, answer := range e.Answers {
		if answer.Measured == Accepted {
			accepted++
		}
	}
	step.Figures = []Figure{{"accepted", int64(accepted), "subjects"}, {"refused", int64(len(e.Answers) - accepted), "subjects"}}
	step.OK = e.Different == 0
	e.Partial = err != nil
	e.Predicted = []Prediction{{Figure: Figure{"agreeing answers", int64(len(e.Answers)), "answers"}, Measured: int64(len(e.Answers) - e.Different)}}
	return err
}

// ask puts one subject to the server and removes what it made.
func (e *ConfigurationEvidence) ask(c *api, s string, a asset) error {
	switch {
	case s == "" && a.context == subject.Filter:
		e.leaveOut(`subject ""`, "an empty filter_subject means no filter")
		return nil
	case !utf8.ValidString(s):
		e.leaveOut("subject "+clip(s), "JSON cannot carry it: bytes that are not UTF-8 become U+FFFD")
		return nil
	case 6*len(s) > maxPayload/2:
		e.leaveOut("subject "+clip(s[:60]), fmt.Sprintf("%d bytes may not fit into a request of %d bytes (max_payload)", len(s), maxPayload))
		return nil
	}
	r, err := c.request(a.create, a.request(s))
	if err != nil {
		return err
	}
	answer := Answer{Subject: s, Predicted: predicted(s, a.context), Measured: r.verdict()}
	// A prediction may say more than the server, never something else.
	answer.Agree = answer.Predicted == answer.Measured || answer.Measured != Accepted && strings.HasPrefix(answer.Predicted, answer.Measured)
	if !answer.Agree {
		e.Different++
	}
	e.Answers = append(e.Answers, answer)
	if r.Error != nil {
		return nil
	}
	r, err = c.request(a.remove, nil)
	return errors.Join(err, r.asError())
}

func predicted(s string, c subject.Context) string {
	switch v := subject.Check(s, c); {
	case !v.Valid:
		return v.Server
	case v.Refused != "":
		return v.Refused
	}
	return Accepted
}

// api makes JetStream API requests one after the other.
type api struct {
	c *client
	n int
}

// apiReply is the part of a reply that says whether a request was accepted.
type apiReply struct {
	Error *struct {
		Code        int    `json:"code"`
		ErrCode     int    `json:"err_code"`
		Description string `json:"description"`
	} `json:"error"`
}

func (r apiReply) verdict() string {
	if r.Error == nil {
		return Accepted
	}
	return Reply{Code: r.Error.Code, ErrCode: r.Error.ErrCode, Text: r.Error.Description}.String()
}

func (r apiReply) asError() error {
	if r.Error == nil {
		return nil
	}
	return errors.New(r.verdict())
}

// replySubject is where the server answers; the last token numbers the request.
const replySubject = "_weir.reply."

// answerWithin is how long one request may take.
const answerWithin = 10 * time.Second

func (a *api) open() error {
	a.c.sub(replySubject+"*", 1)
	return a.c.flush()
}

func (a *api) request(to string, body any) (apiReply, error) {
	var payload []byte
	if body != nil {
		var err error
		if payload, err = json.Marshal(body); err != nil {
			return apiReply{}, fmt.Errorf("write request: %w", err)
		}
	}
	a.n++
	reply := replySubject + strconv.Itoa(a.n)
	a.c.pub(to, reply, payload)
	if err := a.c.waitAtMost(answerWithin); err != nil {
		return apiReply{}, err
	}
	for {
		o, err := a.c.next()
		if err != nil {
			return apiReply{}, err
		}
		switch {
		case o.kind == opErr:
			return apiReply{}, fmt.Errorf("the server said -ERR '%s'", o.text)
		case o.kind == opMsg && string(o.subject) == reply:
			var r apiReply
			if err := json.Unmarshal(o.payload, &r); err != nil {
				return apiReply{}, fmt.Errorf("read reply: %w", err)
			}
			return r, nil
		}
	}
}
