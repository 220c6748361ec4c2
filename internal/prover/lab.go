package prover

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/internal/methods"
	"weir/prove"
)

// Lab is a trap with values to set: a script is made of them, which says what
// the server must do with exactly these, and is run like any proof.
type Lab struct {
	Name   string             `json:"name"`
	Title  string             `json:"title"`
	About  string             `json:"about"`
	Values []prove.ProofValue `json:"values"`

	script func(v labValues) string
}

// labValues are those of a run, each one of its Stops.
type labValues map[string]string

func (v labValues) number(name string) int {
	n, err := strconv.Atoi(v[name])
	if err != nil {
		panic("prover: a stop of " + name + " is no number")
	}
	return n
}

func (v labValues) duration(name string) time.Duration {
	d, err := time.ParseDuration(v[name])
	if err != nil {
		panic("prover: a stop of " + name + " is no duration")
	}
	return d
}

// labs are in the order of the page. Stops keep away from values at which the
// server's timers, which are a few ms late, decide.
var labs = []Lab{
	{
		Name: "ack-wait", Title: "A job longer than ack_wait runs twice",
		About: "Each ack_wait that passes before the first ack gives the message to one more worker that waits. A signal of progress starts it anew.",
		Values: []prove.ProofValue{
			{Name: "ack_wait", Doc: "how long the server waits for the ack", Stops: []string{"200ms", "300ms", "500ms", "800ms", "1200ms"}, Default: "300ms"},
			{Name: "service", Doc: "how long the work takes", Stops: []string{"100ms", "450ms", "700ms", "1100ms", "1700ms"}, Default: "450ms"},
			{Name: "workers", Doc: "workers that ask for messages", Stops: []string{"1", "2", "4"}, Default: "2"},
			{Name: "retention", Doc: "of the stream", Stops: []string{"workqueue", "limits"}, Default: "workqueue"},
		},
		script: ackWaitScript,
	},
	{
		Name: "dedup", Title: "A repeat after duplicate_window is stored again",
		About: "The server remembers a message id from the moment it stored the message. A repeat does not make it remember longer; a restart makes it forget the ids of messages that are gone.",
		Values: []prove.ProofValue{
			{Name: "duplicate_window", Doc: "how long an id is remembered", Stops: []string{"500ms", "1s", "2s", "10s"}, Default: "1s"},
			{Name: "gap", Doc: "time between two publishes with the same id", Stops: []string{"100ms", "350ms", "800ms", "1500ms"}, Default: "350ms"},
			{Name: "repeats", Doc: "publishes after the first", Stops: []string{"1", "2", "4", "6"}, Default: "4"},
			{Name: "then", Doc: "what happens before one more publish", Stops: []string{"nothing", "purge", "restart", "purge+restart"}, Default: "purge+restart"},
		},
		script: dedupScript,
	},
	{
		Name: "full", Title: "A full stream refuses, or forgets",
		About: "With discard new a full stream refuses, and only a publisher that waits for the PubAck hears of it. With discard old it takes every message and removes the oldest.",
		Values: []prove.ProofValue{
			{Name: "discard", Doc: "what a full stream does", Stops: []string{"new", "old"}, Default: "new"},
			{Name: "max_msgs", Doc: "messages that fit", Stops: []string{"1", "3", "5", "10"}, Default: "3"},
			{Name: "published", Doc: "messages published", Stops: []string{"1", "3", "5", "8", "12"}, Default: "5"},
			{Name: "mode", Doc: "core asks for no answer", Stops: []string{"sync", "core"}, Default: "sync"},
		},
		script: fullScript,
	},
	{
		Name: "max-deliver", Title: "A message that fails too often stays, unread",
		About: "After max_deliver deliveries the server gives up on a message: it is delivered no more, an advisory says so once, and the message stays in the stream.",
		Values: []prove.ProofValue{
			{Name: "max_deliver", Doc: "deliveries of a message at most", Stops: []string{"1", "2", "3", "5"}, Default: "3"},
			{Name: "ack_wait", Doc: "how long the server waits for the ack", Stops: []string{"200ms", "500ms", "1s"}, Default: "200ms"},
			{Name: "retention", Doc: "of the stream", Stops: []string{"workqueue", "limits"}, Default: "workqueue"},
		},
		script: maxDeliverScript,
	},
	wildcardLab, pushLab, idsLab, tooLargeLab, interestLab,
}

// lines joins steps.
func lines(steps ...string) string { return strings.Join(steps, "\n") + "\n" }

// ackWaitScript: each ack_wait that passes before the first ack gives the
// message to one more worker that waits. When it passes once more and nobody
// waits, the worker that acks first and asks again may get it or not: the server
// takes acks and requests from different queues (seen with 2.15.2).
func ackWaitScript(v labValues) string {
	wait, service, workers := v.duration("ack_wait"), v.duration("service"), v.number("workers")
	passes := int((service+wait-1)/wait) - 1
	runs, compare := min(workers, passes+1), "=="
	if passes >= workers {
		compare = ">="
	}
	head, said := "claim", "the work ends within ack_wait, or nobody else asks: one run"
	switch {
	case workers == 1 && compare == ">=":
		said = "nobody else asks: one run at a time, perhaps one more by the same worker"
	case compare == ">=":
		head, said = "harm", fmt.Sprintf("%d workers run the same message at once, and one that ends may get it again", runs)
	case runs > 1:
		head, said = "harm", fmt.Sprintf("%d workers run the same message, and every ack is accepted", runs)
	}
	work := fmt.Sprintf("work JOBS/render workers=%d service=%s", workers, service)
	observed := func(runs int, compare string) []string {
		return []string{
			fmt.Sprintf("until work.handled >= %d within 20s", runs), "wait " + (wait + 100*time.Millisecond).String(),
			fmt.Sprintf("expect work.handled %s %d", compare, runs), fmt.Sprintf("expect work.together == %d", runs), "stop",
		}
	}
	harm := append([]string{
		fmt.Sprintf("%s %q", head, said),
		"stream JOBS subjects=jobs.* retention=" + v["retention"],
		"consumer JOBS/render ack_policy=explicit ack_wait=" + v["ack_wait"],
		work, "publish jobs.a",
	}, observed(runs, compare)...)
	every := wait / 3
	cure := append([]string{
		fmt.Sprintf("cure %q", "with a signal of progress every "+every.Round(time.Millisecond).String()+" it runs once"),
		"delete JOBS/render",
		"consumer JOBS/render ack_policy=explicit deliver_policy=new ack_wait=" + v["ack_wait"],
		work + " in_progress=" + every.Round(time.Millisecond).String(), "publish jobs.b",
	}, observed(1, "==")...)
	if v["retention"] == "workqueue" { // which takes deliver_policy all only
		cure[2] = "consumer JOBS/render ack_policy=explicit ack_wait=" + v["ack_wait"]
	}
	return lines(append(harm, cure...)...)
}

// unsure is how near to the end of duplicate_window nothing is claimed: the
// server forgets ids by a timer.
const unsure = 160 * time.Millisecond

// dedupScript: an id is forgotten duplicate_window after its message was stored.
func dedupScript(v labValues) string {
	window, gap := v.duration("duplicate_window"), v.duration("gap")
	steps := []string{
		`claim "the id is remembered from the first message on, and repeats do not prolong it"`,
		"stream S subjects=s.* duplicate_window=" + v["duplicate_window"],
		"publish s.a id=A", "expect duplicate == 0",
	}
	age, sure := time.Duration(0), true
	for range v.number("repeats") {
		steps = append(steps, "wait "+gap.String(), "publish s.a id=A")
		age += gap
		switch {
		case age > window-unsure && age < window+unsure:
			sure = false // which of the two is not known, nor when the next was stored
		case age <= window-unsure && sure:
			steps = append(steps, "expect duplicate == 1")
		case sure:
			steps = append(steps, "expect duplicate == 0")
			age = 0
		}
	}
	// A restart takes a while, in a tab a good part of a second.
	const restarts = 2 * time.Second
	left := window - age
	switch v["then"] {
	case "purge":
		steps = append(steps, `claim "a purge removes the message, and not its id"`, "purge S", "publish s.a id=A")
		if sure && left > unsure {
			steps = append(steps, "expect duplicate == 1")
		}
	case "restart":
		steps = append(steps, `claim "after a restart the ids of messages that are still stored are known"`, "restart all", "publish s.a id=A")
		if sure && left > restarts {
			steps = append(steps, "expect duplicate == 1")
		}
	case "purge+restart":
		steps = append(steps, `harm "the message is gone, and after a restart its id is forgotten: the repeat is stored"`,
			"purge S", "restart all", "publish s.a id=A", "expect duplicate == 0")
	}
	return lines(steps...)
}

func fullScript(v labValues) string {
	most, n := v.number("max_msgs"), v.number("published")
	refused := max(0, n-most)
	kept := min(most, n)
	head := "harm"
	var said string
	switch {
	case refused == 0:
		head, said = "claim", "all of them fit"
	case v["discard"] == "old":
		said = fmt.Sprintf("all %d are taken, and the first %d are gone", n, refused)
	case v["mode"] == "core":
		said = fmt.Sprintf("%d are lost, and their publisher hears nothing", refused)
	default:
		said = fmt.Sprintf("the last %d are refused with 10077", refused)
	}
	steps := []string{fmt.Sprintf("%s %q", head, said), fmt.Sprintf("stream S subjects=s.* max_msgs=%d discard=%s", most, v["discard"])}
	for i := range n {
		switch {
		case v["mode"] == "core":
			steps = append(steps, fmt.Sprintf("publish s.a data=%d mode=core", i+1))
		case v["discard"] == "new" && i >= most:
			steps = append(steps, fmt.Sprintf("? publish s.a data=%d err_code=10077", i+1))
		default:
			steps = append(steps, fmt.Sprintf("publish s.a data=%d", i+1))
		}
	}
	last := kept
	if v["discard"] == "old" {
		last = n
	}
	steps = append(steps, fmt.Sprintf("until S.last_seq == %d within 5s", last), fmt.Sprintf("expect S.messages == %d", kept))
	if refused > 0 && v["discard"] == "new" && v["mode"] == "core" {
		steps = append(steps, `cure "whoever waits for the PubAck is told"`, "? publish s.a err_code=10077")
	}
	return lines(steps...)
}

func maxDeliverScript(v labValues) string {
	most := v.number("max_deliver")
	return lines(
		fmt.Sprintf("harm %q", fmt.Sprintf("after %d deliveries nobody gets it any more, and it stays", most)),
		"stream JOBS subjects=jobs.* retention="+v["retention"],
		fmt.Sprintf("consumer JOBS/render ack_policy=explicit max_deliver=%d ack_wait=%s", most, v["ack_wait"]),
		"work JOBS/render workers=1 service=20ms answer=nothing",
		"publish jobs.a",
		"until advisories.max_deliver == 1 within 20s",
		fmt.Sprintf("expect work.handled == %d", most),
		"wait "+(v.duration("ack_wait")+200*time.Millisecond).String(),
		fmt.Sprintf("expect work.handled == %d", most),
		"expect JOBS.messages == 1",
		"stop",
		`cure "whoever hears the advisory reads it by its sequence; here a reader with a consumer of its own finds it"`,
		"delete JOBS/render",
		"consumer JOBS/again ack_policy=explicit",
		"fetch JOBS/again",
		"expect received == 1",
		"ack",
	)
}

// LabsReply are the labs.
type LabsReply struct {
	Labs []Lab `json:"labs"`
}

func (p *Prover) labs(context.Context, Nothing, methods.Progress) (LabsReply, error) {
	return LabsReply{Labs: labs}, nil
}

// LabRequest names a lab and its values; one that is left out has its default.
type LabRequest struct {
	Name   string            `json:"name"`
	Values map[string]string `json:"values"`
}

// labOf checks a request, and makes its script.
func labOf(in LabRequest) (Lab, string, error) {
	at := slices.IndexFunc(labs, func(l Lab) bool { return l.Name == in.Name })
	if at < 0 {
		return Lab{}, "", &methods.Error{Code: methods.CodeBadRequest, Path: "name", Message: fmt.Sprintf("%q is not a lab", in.Name)}
	}
	lab := labs[at]
	values, err := prove.ChooseValues(lab.Values, in.Values)
	if err != nil {
		return lab, "", inputFault(err)
	}
	return lab, lab.script(values), nil
}

func (p *Prover) runLab(ctx context.Context, in LabRequest, progress methods.Progress) (RunReply, error) {
	lab, text, err := labOf(in)
	if err != nil {
		return RunReply{}, err
	}
	script, err := prove.ParseScript(lab.Name, 1, text)
	if err != nil {
		return RunReply{}, fmt.Errorf("make the script of the lab %s: %w", lab.Name, err)
	}
	end, err := p.begin(ctx, "the lab "+lab.Name)
	if err != nil {
		return RunReply{}, err
	}
	defer end()
	started := time.Now()
	e, err := prove.RunScript(ctx, script, prove.ScriptOptions{Options: p.options(progress, "steps")})
	out, err := reply(lab.Name, lab.Title, e, err, time.Since(started))
	out.Script = text
	return out, err
}
