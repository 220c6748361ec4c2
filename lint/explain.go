package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/design"
	"weir/natsapi"
)

// explainer is how one kind of refusal is explained: those with an err_code
// whose words hold a text.
type explainer struct {
	errCode int
	words   string // "" for all of the err_code
	say     func(*refused) advice
}

// explainers hold the refusals about which more is known than the tables say.
// The first that fits is taken. No check of the server is made again: each only
// looks for the reason of a refusal that is certain.
var explainers = slices.Concat(subjectExplainers, streamExplainers, storageExplainers, consumerExplainers, jsonExplainers)

// explain says why the server refuses and what to write instead. Where nobody
// wrote more, the tables do: range, versions, and what triggers the err_code.
func explain(r *refused) advice {
	for _, e := range explainers {
		if e.errCode != r.Answer.ErrCode || e.words != "" && !strings.Contains(r.Answer.Description, e.words) {
			continue
		}
		if a := e.say(r); a.why != "" {
			return a
		}
	}
	if a := r.outOfRange(); a.why != "" {
		return a
	}
	a := advice{why: "is refused"}
	if e, ok := natsapi.ErrorByCode(r.Answer.ErrCode); ok && !isWrapper(r.Answer.ErrCode) && e.Trigger != "" {
		a.why += ": " + e.Trigger
	}
	if r.field != nil && r.value.Node != nil && !r.field.Required {
		a.write = "leave " + r.field.Name + " out, or change it"
	}
	return a
}

// isWrapper is true for codes whose description is somebody else's text: what
// triggers them is not one thing.
func isWrapper(errCode int) bool {
	e, _ := natsapi.ErrorByCode(errCode)
	return strings.Contains(e.Description, "{err}")
}

// outOfRange explains a number, size or duration beyond the bounds of the tables.
func (r *refused) outOfRange() advice {
	f := r.field
	if f == nil || r.value.Node == nil {
		return advice{}
	}
	if r.value.Kind == design.Text {
		return r.tooLong()
	}
	n := r.value.Int
	if lo, err := natsapi.Number(f.Min); err == nil && n < lo && !(n == 0 && f.Zero != "") && !(n == -1 && f.MinusOne != "") {
		a := advice{why: "is less than " + f.Min + ", the least that a server takes", write: "write " + f.Min + " or more"}
		if f.Zero != "" {
			a.write += ", or 0 for " + f.Zero
		}
		if f.Type == natsapi.Duration && n > 0 && n < int64(time.Millisecond) && strings.Trim(r.value.Node.Text, "0123456789") == "" {
			// A bare number of the API, which counts nanoseconds, meant as seconds.
			seconds := design.FormatDuration(n * int64(time.Second))
			a.write += fmt.Sprintf("; the API counts nanoseconds, and %s is %d000000000", seconds, n)
			if a.fix = r.d.SetFix("Write "+seconds, r.path, seconds); a.fix != nil {
				a.fix.Guess = true
			}
		} else if n > 0 {
			a.fix = r.d.SetFix("Write "+f.Min, r.path, f.Min)
		}
		return a
	}
	if hi, err := natsapi.Number(f.Max); err == nil && n > hi {
		return advice{why: "is more than " + f.Max + ", the most that a server takes", write: "write " + f.Max + " or less"}
	}
	return advice{}
}

// tooLong explains a text that is longer than the tables allow.
func (r *refused) tooLong() advice {
	hi, err := strconv.Atoi(r.field.Max)
	if err != nil || len(r.value.Text) <= hi {
		return advice{}
	}
	return advice{why: fmt.Sprintf("has %d bytes, and a server takes %d", len(r.value.Text), hi), write: "shorten it"}
}

// fixed makes an explainer of sentences that are always the same.
func fixed(why, write string) func(*refused) advice {
	return func(*refused) advice { return advice{why: why, write: write} }
}

// setting makes an explainer whose remedy is to give a field of the same request
// a value.
func setting(why, field, value string) func(*refused) advice {
	return func(r *refused) advice {
		return advice{why: why, write: "write " + field + ": " + value, fix: r.set(field, value)}
	}
}

// jsonExplainers are about bodies that the server cannot read.
var jsonExplainers = []explainer{
	{10025, "can not unmarshal", unknownWord},
	{10025, "CreateConsumerRequest.stream_name", fixed("has a stream_name that is not a text in quotes", "write the name of its stream")},
	{10025, "cannot unmarshal", wrongType},
	{10025, "unknown consumer action", fixed("has an action that is none", "write create or update in lower case, or leave action out")},
	{10025, "unknown", unknownWord},
	{10025, "UnmarshalJSON", fixed("is not a time", "write it as 2026-01-31T08:00:00Z (RFC 3339)")},
	{10025, "parsing time", fixed("is not a time", "write it as 2026-01-31T08:00:00Z (RFC 3339)")},
	{10025, "", func(r *refused) advice { // 2.10 gives no reason
		if a := unknownWord(r); r.v.AtLeast(natsapi.Version{Major: 2, Minor: 11}) || a.why != "" {
			return a
		}
		return wrongType(r)
	}},
}

// unknownWord explains a value that is not one of an enumeration, for this
// version or for any.
func unknownWord(r *refused) advice {
	if r.field == nil || len(r.field.Enum) == 0 {
		return advice{}
	}
	known := r.field.EnumIn(r.v)
	word := r.value.Text
	if r.value.Kind != design.Text && r.value.Node.IsScalar() {
		word = r.value.Node.Text
	}
	for _, e := range r.field.Enum {
		if e.Name == word && !e.Since.Has(r.v) {
			return advice{why: "needs nats-server " + sinceText(e.Since), write: "write " + oneOf(known)}
		}
	}
	a := advice{why: "is not one of the values that a server takes", write: "write " + oneOf(known)}
	if near, sure := natsapi.SuggestSure(word, known); near != "" {
		a.write = "write " + near
		if a.fix = r.d.SetFix("Write "+near, r.path, near); a.fix != nil {
			a.fix.Guess = !sure
		}
	}
	return a
}

// wrongType explains a value of another type than the API's; most often a
// duration or size with a unit, which only design files have.
func wrongType(r *refused) advice {
	if r.field == nil || r.value.Node == nil {
		return advice{}
	}
	kind := r.field.Type
	if steps := design.Split(r.path); (kind == natsapi.List || kind == natsapi.Map) && steps[len(steps)-1] != r.field.Name {
		kind = r.field.Elem // one of its entries
	}
	what := kind.OnWire()
	if what == "" {
		return advice{}
	}
	a := advice{why: "is not " + what + ", which the JetStream API takes"}
	if text := design.OnWire(r.value.Node, kind); text != "" {
		a.write, a.fix = "write "+text, r.d.SetFix("Write "+text, r.path, r.value.Node.Text)
		if a.fix != nil && kind == natsapi.String {
			a.fix.Guess = true // a list of numbers may belong elsewhere
		}
	}
	return a
}

// oneOf lists words: "a, b or c".
func oneOf(words []string) string {
	var kept []string
	for _, w := range words {
		if w != "" {
			kept = append(kept, w)
		}
	}
	if len(kept) < 2 {
		return strings.Join(kept, "")
	}
	return strings.Join(kept[:len(kept)-1], ", ") + " or " + kept[len(kept)-1]
}

// counted writes "1 server" or "3 servers".
func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
