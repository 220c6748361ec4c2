package prove

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/design"
)

// expr is an expression of a script: a literal, a value of the run, or two
// joined by an operator.
type expr struct {
	literal     *value
	ref         *reference
	op          byte // + - * /
	left, right *expr
}

// value is a number (durations in nanoseconds, sizes in bytes) or a text.
type value struct {
	number float64
	text   string
	isText bool
}

// String writes whole numbers without a fraction.
func (v value) String() string {
	if v.isText {
		return strconv.Quote(v.text)
	}
	return strconv.FormatFloat(v.number, 'f', -1, 64)
}

// reference names a value of the run: "ORDERS.messages", "work.handled", "seq".
type reference struct {
	object, field string
	word          word
}

// ValueDoc is something that expect and until can compare.
type ValueDoc struct {
	// Of is what it belongs to: "STREAM", "STREAM/CONSUMER", "NAME" (of a fetch or
	// subscriber), "work", "load", "advisories", "server" or "" for a value that
	// stands alone.
	Of, Name, Doc string
}

// valueDocs is the table of values; evaluation looks names up here first.
var valueDocs = []ValueDoc{
	{"STREAM", "messages", "messages that the stream holds"},
	{"STREAM", "bytes", "bytes that it reports"},
	{"STREAM", "first_seq", "sequence of its first message"},
	{"STREAM", "last_seq", "sequence of the last message that it took"},
	{"STREAM", "num_deleted", "messages deleted between first and last"},
	{"STREAM", "subjects", "different subjects that it holds"},
	{"STREAM", "consumers", "its consumers"},
	{"STREAM", "leader", "node that leads it, n1, n2 …"},
	{"STREAM", "current", "replicas up to date, the leader included"},
	{"STREAM/CONSUMER", "num_pending", "messages not yet delivered"},
	{"STREAM/CONSUMER", "num_ack_pending", "messages delivered and not acked"},
	{"STREAM/CONSUMER", "num_redelivered", "messages delivered more than once and not acked"},
	{"STREAM/CONSUMER", "num_waiting", "open pull requests"},
	{"STREAM/CONSUMER", "delivered", "deliveries, redeliveries included"},
	{"STREAM/CONSUMER", "ack_floor", "stream sequence up to which all is acked"},
	{"", "acked", "PubAcks without an error that the last publish got"},
	{"", "seq", "sequence in the last PubAck"},
	{"", "duplicate", "1 where the last PubAck says duplicate, else 0"},
	{"", "answers", "answers of any kind that the last publish got"},
	{"", "received", "messages that the last fetch brought"},
	{"", "status", "status that ended the last fetch, such as 404 or 408, else 0"},
	{"", "heap", "bytes of live heap of this process, after a collection; embedded servers only"},
	{"", "elapsed", "time since the last clock, harm, cure or claim"},
	{"", "log", "warnings and errors of the servers, as text"},
	{"NAME", "received", "messages that came to a subscriber, or with the last fetch of that name"},
	{"NAME", "attempt", "delivery count of the last message, 1 for the first"},
	{"NAME", "seqs", "stream sequences of the messages, as text: 1 2 3"},
	{"NAME", "closed", "1 when the server has closed the connection, else 0"},
	{"work", "handled", "runs of handlers that ended"},
	{"work", "twice", "messages that more than one run acked"},
	{"work", "together", "most runs of one message at the same time"},
	{"load", "sent", "messages of load that were sent, repeats not counted"},
	{"load", "acked", "those acknowledged"},
	{"load", "repeated", "attempts after the first"},
	{"load", "done", "1 when load is over, else 0"},
	{"advisories", "KIND", "advisories of a kind so far: max_deliver, terminated, nak …"},
	{"server", "slow_consumers", "slow consumers that the servers counted"},
	{"server", "meta_leader", "1 while the node that answers knows a leader of the meta group, else 0"},
	{"server", "connections", "client connections of the first node that runs"},
}

// Values lists what expect and until can compare.
func Values() []ValueDoc { return append([]ValueDoc(nil), valueDocs...) }

// expression reads words into a tree; * and / bind closer than + and -.
func (p *scriptParser) expression(words []word) (expr, error) {
	var tokens []word
	for _, w := range words {
		if w.quoted {
			tokens = append(tokens, w)
			continue
		}
		text, col := w.text, w.col
		for strings.HasPrefix(text, "(") {
			tokens = append(tokens, word{"(", col, false})
			text, col = text[1:], col+1
		}
		closing := len(text) - len(strings.TrimRight(text, ")"))
		if body := text[:len(text)-closing]; body != "" {
			tokens = append(tokens, word{body, col, false})
		}
		for i := range closing {
			tokens = append(tokens, word{")", col + len(text) - closing + i, false})
		}
	}
	e := expressionParser{p, tokens}
	out, err := e.sum()
	if err == nil && len(e.rest) > 0 {
		err = p.fail(e.rest[0].col, "%q is not expected here; + - * / join two things", e.rest[0].text)
	}
	return out, err
}

type expressionParser struct {
	p    *scriptParser
	rest []word
}

func (e *expressionParser) next(ops string) (byte, bool) {
	if len(e.rest) == 0 || e.rest[0].quoted || len(e.rest[0].text) != 1 || !strings.Contains(ops, e.rest[0].text) {
		return 0, false
	}
	op := e.rest[0].text[0]
	e.rest = e.rest[1:]
	return op, true
}

func (e *expressionParser) sum() (expr, error) { return e.chain("+-", e.product) }

func (e *expressionParser) product() (expr, error) { return e.chain("*/", e.operand) }

func (e *expressionParser) chain(ops string, part func() (expr, error)) (expr, error) {
	left, err := part()
	for err == nil {
		op, ok := e.next(ops)
		if !ok {
			return left, nil
		}
		l := left
		var r expr
		r, err = part()
		left = expr{op: op, left: &l, right: &r}
	}
	return left, err
}

func (e *expressionParser) operand() (expr, error) {
	if len(e.rest) == 0 {
		return expr{}, e.p.fail(1, "the expression ends too soon")
	}
	w := e.rest[0]
	e.rest = e.rest[1:]
	if w.text == "(" && !w.quoted {
		in, err := e.sum()
		if err != nil {
			return in, err
		}
		if _, ok := e.next(")"); !ok {
			return in, e.p.fail(w.col, "the parenthesis is not closed")
		}
		return in, nil
	}
	if v, ok := literalOf(w); ok {
		return expr{literal: &v}, nil
	}
	object, field := "", w.text
	if i := strings.LastIndexByte(w.text, '.'); i >= 0 {
		object, field = w.text[:i], w.text[i+1:]
	}
	ref := &reference{object, field, w}
	if ref.doc() == nil && !(object == "" && (slices.Contains(e.p.lets, field) || isLastField(field))) {
		return expr{}, e.p.fail(w.col, "%q is not a value%s", w.text, didYouMean(field, append(fieldNames(object), e.p.lets...)))
	}
	return expr{ref: ref}, nil
}

// literalOf reads quoted text, numbers, durations and sizes.
func literalOf(w word) (value, bool) {
	if w.quoted {
		return value{text: w.text, isText: true}, true
	}
	if n, err := strconv.ParseFloat(w.text, 64); err == nil {
		return value{number: n}, true
	}
	if w.text == "" || w.text[0] < '0' || w.text[0] > '9' {
		return value{}, false
	}
	if d, err := time.ParseDuration(w.text); err == nil {
		return value{number: float64(d)}, true
	}
	if n, err := design.ParseSize(w.text); err == nil {
		return value{number: float64(n)}, true
	}
	return value{}, false
}

// kind is what an object's name says that it is.
func kindOfObject(object string) string {
	switch {
	case object == "work" || object == "load" || object == "advisories" || object == "server" || object == "":
		return object
	case strings.Contains(object, "/"):
		return "STREAM/CONSUMER"
	}
	return "STREAM or NAME"
}

func fieldNames(object string) []string {
	var out []string
	for _, d := range valueDocs {
		if fits(d.Of, object) {
			out = append(out, d.Name)
		}
	}
	return out
}

// fits reports whether a row of the table can be a value of an object; streams
// are written in capitals, names of readers in small letters.
func fits(of, object string) bool {
	switch kind := kindOfObject(object); kind {
	case "STREAM or NAME":
		return of == "STREAM" && object == strings.ToUpper(object) || of == "NAME" && object != strings.ToUpper(object)
	default:
		return of == kind
	}
}

// isLastField reports whether a name that stands alone is a value of the consumer
// or stream that the script named last.
func isLastField(field string) bool {
	return slices.ContainsFunc(valueDocs, func(d ValueDoc) bool { return strings.HasPrefix(d.Of, "STREAM") && d.Name == field })
}

// doc is the row of the table that a reference means, nil for none.
func (r *reference) doc() *ValueDoc {
	for i, d := range valueDocs {
		if fits(d.Of, r.object) && (d.Name == r.field || d.Of == "advisories") {
			return &valueDocs[i]
		}
	}
	return nil
}

// eval computes an expression.
func (r *scriptRun) eval(ctx context.Context, e expr) (value, error) {
	switch {
	case e.literal != nil:
		return *e.literal, nil
	case e.ref != nil:
		return r.lookUp(ctx, e.ref)
	}
	left, err := r.eval(ctx, *e.left)
	if err != nil {
		return left, err
	}
	right, err := r.eval(ctx, *e.right)
	if err != nil {
		return right, err
	}
	if left.isText || right.isText {
		return left, fmt.Errorf("%s %c %s: texts are only compared", left, e.op, right)
	}
	switch e.op {
	case '+':
		left.number += right.number
	case '-':
		left.number -= right.number
	case '*':
		left.number *= right.number
	case '/':
		if right.number == 0 {
			return left, fmt.Errorf("%s / 0", left)
		}
		left.number /= right.number
	}
	return left, nil
}

// compare applies an operator; ~ is true when the left text contains the right
// one.
func compare(left value, op string, right value) (bool, error) {
	if left.isText != right.isText {
		return false, fmt.Errorf("%s %s %s compares a text with a number", left, op, right)
	}
	cmp := 0
	switch {
	case left.isText:
		cmp = strings.Compare(left.text, right.text)
	case left.number < right.number:
		cmp = -1
	case left.number > right.number:
		cmp = 1
	}
	switch op {
	case "==":
		return cmp == 0, nil
	case "!=":
		return cmp != 0, nil
	case "<":
		return cmp < 0, nil
	case "<=":
		return cmp <= 0, nil
	case ">":
		return cmp > 0, nil
	case ">=":
		return cmp >= 0, nil
	}
	return left.isText && strings.Contains(left.text, right.text), nil
}
