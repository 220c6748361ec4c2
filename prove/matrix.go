package prove

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"weir/size"
	"weir/subject"
)

// MaxCells bounds a proof of a matrix: patterns times subjects. The limit is one
// of time, not of memory.
const MaxCells = 20_000_000

// MatrixEvidence is the evidence of Matrix.
type MatrixEvidence struct {
	Evidence
	Matrix MatrixFigures `json:"matrix"`
}

// MatrixFigures says what of a matrix was measured and where it differs.
type MatrixFigures struct {
	Patterns int `json:"patterns"` // as given
	Subjects int `json:"subjects"`
	Cells    int `json:"cells"`    // compared with the server
	Matching int `json:"matching"` // compared cells in which the server delivered
	// Different counts the cells that differ; Differences holds the first 1,000.
	Different   int          `json:"different"`
	Differences []Difference `json:"differences,omitempty"`
	// Refused are the invalid patterns that the server refused as predicted, the
	// first 1,000 of RefusedCount.
	RefusedCount int       `json:"refused_count"`
	Refused      []Refusal `json:"refused,omitempty"`
}

// Difference is a cell, or a whole pattern, in which the server does not do what
// package subject says.
type Difference struct {
	Pattern   string `json:"pattern"`
	Subject   string `json:"subject,omitempty"` // empty when the subscription itself differs
	Predicted string `json:"predicted"`
	Measured  string `json:"measured"`
	Server    string `json:"server,omitempty"` // the server's words, if it said any
}

// Refusal is a pattern that the server did not subscribe to.
type Refusal struct {
	Pattern string `json:"pattern"`
	Reason  string `json:"reason"` // of package subject
	Server  string `json:"server"` // the server's words
}

// Agrees reports whether the run went to its end and nothing differed.
func (e *MatrixEvidence) Agrees() bool {
	for _, s := range e.Steps {
		if !s.OK {
			return false
		}
	}
	return !e.Partial && e.Matrix.Different == 0
}

// Matrix subscribes every pattern and publishes every subject on a real
// nats-server and compares cell by cell with subject.NewMatrix.
//
// Invalid patterns are tried as well: the server must refuse them. Subjects with
// an empty token are published too: they must reach nobody. What the protocol
// cannot carry (whitespace, nothing at all, lines over max_control_line) is
// listed as not exercised.
//
// It refuses more than MaxCells cells (InputError). When ctx ends, the evidence so far comes
// back, marked partial, together with the context's error.
func Matrix(ctx context.Context, patterns, subjects []string, opt Options) (MatrixEvidence, error) {
	e := MatrixEvidence{Evidence: newEvidence(opt)}
	e.Matrix.Patterns, e.Matrix.Subjects, e.Partial = len(patterns), len(subjects), true
	if cells := len(patterns) * len(subjects); cells > MaxCells {
		return e, &InputError{fmt.Errorf("%s x %s are %d cells, more than the %d that a proof run takes; prove a part of them",
			size.Counted(len(patterns), "pattern", "patterns"), size.Counted(len(subjects), "subject", "subjects"), cells, MaxCells)}
	}
	m, err := subject.NewMatrix(patterns, subjects)
	if err != nil {
		return e, err
	}
	server, err := startEmbedded(ctx, false)
	if err != nil {
		return e, err
	}
	r := &matrixRun{e: &e, m: m, progress: progress{call: opt.Progress}}
	err = r.run(ctx, server)
	return e, errors.Join(err, server.Stop())
}

// patternsAtOnce is how many subscriptions are open at a time: with a subject of
// 4 KiB that all of them match, 16 MiB wait for the client at most, a quarter of
// what the server allows (max_pending). It is a multiple of 64, so that a group
// begins at a word of a matrix row.
const patternsAtOnce = 4096

// bytesAtOnce bounds the deliveries of one batch of publishes.
const bytesAtOnce = 8 << 20

// matrixRun is the state of one call of Matrix.
type matrixRun struct {
	e        *MatrixEvidence
	m        *subject.Matrix
	c        *client
	progress progress

	publish []int // indices of the subjects that can be sent
	done    int   // publishes so far, over all groups of patterns
	groups  int

	first      int      // index of the group's first pattern
	subscribed []uint64 // patterns of the group that the server took, one bit each

	accepted, deliveries, outside int
	serverSaid                    string // -ERR outside of a subscription, "" when none
}

func (r *matrixRun) run(ctx context.Context, s Host) error {
	c, err := connect(ctx, s)
	if err != nil {
		return err
	}
	defer c.close()
	r.c = c
	r.choosePublishes()
	n := len(r.m.Patterns)
	r.groups = (n + patternsAtOnce - 1) / patternsAtOnce
	at := len(r.e.Steps)
	r.e.step("SUB every pattern, each with its own sid", "-ERR 'Invalid Subject' for the invalid ones, nothing for the others")
	r.e.step("PUB every subject, with its index as payload", "a delivery to the sid of each matching pattern, once, under the published subject, and no other")
	for r.first = 0; r.first < n && err == nil; r.first += patternsAtOnce {
		err = r.group(min(patternsAtOnce, n-r.first))
	}
	f := &r.e.Matrix
	subscribe, publish := &r.e.Steps[at], &r.e.Steps[at+1]
	subscribe.Figures = []Figure{{"accepted", int64(r.accepted), "patterns"}, {"refused", int64(f.RefusedCount), "patterns"}}
	subscribe.OK = r.outside == 0
	publish.Figures = []Figure{{"published", int64(len(r.publish)), "subjects"}, {"delivered", int64(r.deliveries), "messages"}}
	publish.OK = f.Different == r.outside && r.serverSaid == ""
	if r.serverSaid != "" {
		publish.Reply = &Reply{Text: r.serverSaid}
	}
	r.e.Partial = err != nil
	r.e.Predicted = []Prediction{{Figure: Figure{"matching cells", int64(r.m.Count()), "cells"}, Measured: int64(f.Matching)}}
	return err
}

// choosePublishes leaves out the subjects that a PUB line cannot carry.
func (r *matrixRun) choosePublishes() {
	for i, s := range r.m.Subjects {
		switch why := unsendable(s); {
		case why != "":
			r.e.leaveOut("subject "+clip(s), why)
		case len(s)+len(" ")+len(strconv.Itoa(i)) > subject.MaxControlLine:
			r.e.leaveOut("subject "+clip(s), fmt.Sprintf("%d bytes do not fit into a protocol line of %d bytes; the server closes the connection", len(s), subject.MaxControlLine))
		default:
			r.publish = append(r.publish, i)
		}
	}
}

// unsendable says why a protocol line cannot carry s as one subject, "" when it
// can.
func unsendable(s string) string {
	if s == "" {
		return "it is empty: the line would lack an argument, and the server closes the connection"
	}
	if at := strings.IndexAny(s, " \t\r\n"); at >= 0 {
		return fmt.Sprintf("byte %d is %q, at which SUB or PUB splits or ends its line", at+1, s[at])
	}
	return ""
}

func clip(s string) string {
	const most = 120
	if len(s) > most {
		return fmt.Sprintf("%q… (%d bytes)", s[:most], len(s))
	}
	return strconv.Quote(s)
}

// group subscribes the next n patterns, publishes every subject and unsubscribes.
func (r *matrixRun) group(n int) error {
	r.subscribed = make([]uint64, (n+63)/64)
	if err := r.subscribe(n); err != nil {
		return err
	}
	for from := 0; from < len(r.publish); {
		to, size := from, 0
		for to < len(r.publish) && (to == from || size < bytesAtOnce) {
			size += n * (len(r.m.Subjects[r.publish[to]]) + 32)
			to++
		}
		if err := r.batch(r.publish[from:to]); err != nil {
			return err
		}
		r.done += to - from
		r.progress.report(r.done, r.groups*len(r.publish))
		from = to
	}
	for i := range n {
		if r.isSubscribed(i) {
			r.c.unsub(r.first + i + 1)
		}
	}
	return r.c.flush()
}

func (r *matrixRun) isSubscribed(i int) bool { return r.subscribed[i>>6]&(1<<(i&63)) != 0 }

// subscribe puts the patterns of a group to the server, each followed by a PING,
// so that an -ERR belongs to the pattern before the next PONG.
func (r *matrixRun) subscribe(n int) error {
	const atOnce = 256
	var asked []int
	for i := range n {
		p, sid := r.m.Patterns[r.first+i], r.first+i+1
		switch why := unsendable(p); {
		case why != "":
			r.e.leaveOut("pattern "+clip(p), why)
		case len(p)+len(" ")+len(strconv.Itoa(sid)) > subject.MaxControlLine:
			r.e.leaveOut("pattern "+clip(p), fmt.Sprintf("%d bytes do not fit into a protocol line of %d bytes; the server closes the connection", len(p), subject.MaxControlLine))
		default:
			r.c.sub(p, sid)
			r.c.ping()
			asked = append(asked, i)
		}
		if len(asked) < atOnce && i < n-1 {
			continue
		}
		for _, a := range asked {
			if err := r.answer(a); err != nil {
				return err
			}
		}
		asked = asked[:0]
	}
	return nil
}

// answer reads what the server says to the subscription of the group's pattern i.
func (r *matrixRun) answer(i int) error {
	said := ""
	for {
		o, err := r.c.next()
		if err != nil {
			return err
		}
		switch o.kind {
		case opErr:
			said = "-ERR '" + o.text + "'"
			continue
		case opPong:
			r.judge(i, said)
			return nil
		}
	}
}

// judge compares the answer to a subscription with the prediction.
func (r *matrixRun) judge(i int, said string) {
	p := r.m.Patterns[r.first+i]
	v := subject.Check(p, subject.Subscribe)
	switch {
	case v.Valid && said == "":
		r.subscribed[i>>6] |= 1 << (i & 63)
		r.accepted++
	case v.Valid:
		r.outside++
		r.differ(Difference{Pattern: p, Predicted: "subscribed", Measured: "refused", Server: said})
	case said == "" && subject.Valid(strings.ReplaceAll(p, "\f", "_")):
		// IsValidSubject refuses a form feed, the subscription itself does not
		// (server/client.go:processSub only inserts into the sublist).
		r.accepted++
		r.c.unsub(r.first + i + 1)
		r.e.leaveOut("pattern "+clip(p), "the server subscribes to a form feed, every JetStream configuration refuses it; its cells are not compared")
	case said == v.Server:
		r.e.Matrix.RefusedCount++
		if len(r.e.Matrix.Refused) < maxListed {
			r.e.Matrix.Refused = append(r.e.Matrix.Refused, Refusal{Pattern: p, Reason: v.Reason, Server: said})
		}
	default:
		r.outside++
		measured := "refused"
		if said == "" {
			measured = "subscribed"
			r.c.unsub(r.first + i + 1)
		}
		r.differ(Difference{Pattern: p, Predicted: "refused with " + v.Server, Measured: measured, Server: said})
	}
}

func (r *matrixRun) differ(d Difference) {
	f := &r.e.Matrix
	f.Different++
	if len(f.Differences) < maxListed {
		f.Differences = append(f.Differences, d)
	}
}

// batch publishes some subjects and compares what arrives until the PONG: on one
// connection the server answers in the order of the commands.
func (r *matrixRun) batch(publish []int) error {
	words := len(r.subscribed)
	got := make([]uint64, words*len(publish))
	for i, s := range publish {
		r.c.pub(r.m.Subjects[s], "", strconv.AppendInt(nil, int64(i), 10))
	}
	r.c.ping()
	for {
		o, err := r.c.next()
		if err != nil {
			return err
		}
		switch o.kind {
		case opErr:
			r.serverSaid = "-ERR '" + o.text + "'"
		case opMsg:
			r.deliver(o, publish, got)
		case opPong:
			for i, s := range publish {
				r.compare(s, got[i*words:(i+1)*words])
			}
			return nil
		}
	}
}

// deliver notes one message in the batch's cells.
func (r *matrixRun) deliver(o op, publish []int, got []uint64) {
	r.deliveries++
	i, err := strconv.Atoi(string(o.payload))
	pattern := o.sid - 1 - r.first
	if err != nil || i < 0 || i >= len(publish) || pattern < 0 || pattern >= 64*len(r.subscribed) || !r.isSubscribed(pattern) {
		r.serverSaid = fmt.Sprintf("a message that nobody published: sid %d, subject %s", o.sid, clip(string(o.subject)))
		return
	}
	p, s := r.m.Patterns[r.first+pattern], r.m.Subjects[publish[i]]
	word, bit := &got[i*len(r.subscribed)+pattern>>6], uint64(1)<<(pattern&63)
	switch {
	case string(o.subject) != s:
		r.differ(Difference{Pattern: p, Subject: s, Predicted: "delivered under its own subject", Measured: "delivered as " + clip(string(o.subject))})
	case *word&bit != 0:
		r.differ(Difference{Pattern: p, Subject: s, Predicted: "delivered once", Measured: "delivered again"})
	}
	*word |= bit
}

// compare lays the measured cells of a subject over the predicted ones.
func (r *matrixRun) compare(s int, got []uint64) {
	f := &r.e.Matrix
	row := r.m.Row(s)[r.first/64:]
	for w, measured := range got {
		f.Cells += bits.OnesCount64(r.subscribed[w])
		f.Matching += bits.OnesCount64(measured)
		for d := (row[w] ^ measured) & r.subscribed[w]; d != 0; d &= d - 1 {
			i := bits.TrailingZeros64(d)
			diff := Difference{Pattern: r.m.Patterns[r.first+w*64+i], Subject: r.m.Subjects[s], Predicted: "delivered", Measured: "not delivered"}
			if measured&(1<<i) != 0 {
				diff.Predicted, diff.Measured = diff.Measured, diff.Predicted
			}
			r.differ(diff)
		}
	}
}
