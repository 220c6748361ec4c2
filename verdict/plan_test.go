package verdict

import (
	"strings"
	"testing"

	"weir/design"
	"weir/natsapi"
)

const planFrom = `weir: 1
server: {version: "2.15"}
streams:
  KEEP: {subjects: [keep], consumers: {c: {ack_policy: explicit}}}
  GROW: {subjects: [grow], max_age: 1h}
  STORE: {subjects: [store], storage: file, consumers: {c: {ack_policy: explicit}}}
  WORK: {subjects: [work], retention: limits}
  TTL: {subjects: [ttl], allow_msg_ttl: true}
  GONE: {subjects: [gone], consumers: {c: {}}}
  DENY: {subjects: [deny], deny_purge: true}
  CONS:
    subjects: [cons.>]
    consumers:
      policy: {ack_policy: explicit, deliver_policy: all}
      wait: {ack_policy: explicit, ack_wait: 30s}
      waiting: {ack_policy: explicit, max_waiting: 5}
      gone: {}
      same: {ack_policy: explicit, ack_wait: 30s}
      unpaused: {ack_policy: explicit}
kv: {K: {ttl: 1h}, OLD: {}}
`

const planTo = `weir: 1
server: {version: "2.15"}
streams:
  KEEP: {subjects: [keep], consumers: {c: {ack_policy: explicit}}}
  GROW: {subjects: [grow, gone], max_age: 2h}
  STORE: {subjects: [store], storage: memory, consumers: {c: {ack_policy: explicit}}}
  WORK: {subjects: [work], retention: workqueue}
  TTL: {subjects: [ttl], allow_msg_ttl: false}
  DENY: {subjects: [deny, "deny..x"], deny_purge: false}
  NEW: {subjects: [keep.>, new], consumers: {c: {}}}
  CONS:
    subjects: [cons.>]
    consumers:
      policy: {ack_policy: explicit, deliver_policy: new}
      wait: {ack_policy: explicit, ack_wait: 1m}
      waiting: {ack_policy: explicit, max_waiting: 6}
      same: {ack_policy: explicit, ack_wait: 30s}
      added: {ack_policy: all}
      unpaused: {ack_policy: explicit, pause_until: "2099-01-01T00:00:00Z"}
kv: {K: {ttl: 2h}}
`

func planDesigns(t *testing.T) (from, to *design.Design) {
	t.Helper()
	parse := func(text string) *design.Design {
		d, problems := design.Parse("d.yaml", []byte(text))
		if problems != nil {
			t.Fatal(problems)
		}
		return d
	}
	return parse(planFrom), parse(planTo)
}

func TestPlanOf(t *testing.T) {
	from, to := planDesigns(t)
	var got []string
	for _, s := range PlanOf(from, to, natsapi.Version{}) {
		line := string(s.Op) + " " + s.Name
		switch {
		case s.Recreate != nil:
			line += " refused " + s.Request.DesignPath(s.Answer.Path) + ", anew " + string(s.Recreate.Verdict)
		case s.Op != design.Deleted:
			line += " " + string(s.Answer.Verdict)
		}
		got = append(got, line)
	}
	want := []string{
		"deleted CONS/gone", "deleted OLD", "deleted GONE",
		"changed GROW ok",
		"changed STORE refused streams.STORE.storage, anew ok",
		"changed WORK refused streams.WORK.retention, anew ok",
		"changed TTL refused streams.TTL.allow_msg_ttl, anew ok",
		"changed DENY refused streams.DENY.subjects[1], anew error",
		"created NEW ok",
		"changed K ok",
		"created CONS/added ok",
		"changed CONS/policy refused streams.CONS.consumers.policy.deliver_policy, anew ok",
		"changed CONS/unpaused ok",
		"changed CONS/wait ok",
		"changed CONS/waiting refused streams.CONS.consumers.waiting.max_waiting, anew ok",
		"created NEW/c ok",
		"created STORE/c ok",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
	if steps := PlanOf(from, from, natsapi.Version{}); len(steps) > 0 {
		t.Errorf("%d steps from a design to itself", len(steps))
	}
}

// TestPlanOnTheServer does what the plan says on the real server: each update
// and creation is answered as the plan has it.
func TestPlanOnTheServer(t *testing.T) {
	from, to := planDesigns(t)
	s := startRealServer(t, func(*Setting) {})
	ask := func(subject string, body []byte) int { return s.ask(Request{Subject: subject, Body: body}).ErrCode }
	for _, r := range from.Requests() {
		if code := ask(r.Subject, r.Body); code != 0 {
			t.Fatalf("%s: %d", r.Name, code)
		}
	}
	deleteOf := func(r *design.Request) string {
		if r.Kind == "consumer" {
			return "CONSUMER.DELETE." + ownerStream(r) + "." + consumerName(r)
		}
		return "STREAM.DELETE." + streamName(r)
	}
	for _, step := range PlanOf(from, to, natsapi.Version{}) {
		subject := step.Request.Subject
		if step.Op == design.Deleted {
			if code := ask(deleteOf(step.Request), nil); code != 0 {
				t.Errorf("delete %s: %d", step.Name, code)
			}
			continue
		}
		if step.Op == design.Changed && step.Kind != "consumer" {
			subject = "STREAM.UPDATE." + streamName(step.Request)
		}
		if code := ask(subject, step.Request.Body); code != step.Answer.ErrCode {
			t.Errorf("%s %s: %d, planned %d %s", step.Op, step.Name, code, step.Answer.ErrCode, step.Answer.Description)
		}
		if step.Recreate == nil {
			continue
		}
		ask(deleteOf(step.Request), nil)
		if code := ask(step.Request.Subject, step.Request.Body); code != step.Recreate.ErrCode {
			t.Errorf("anew %s: %d, planned %d", step.Name, code, step.Recreate.ErrCode)
		}
	}
}
