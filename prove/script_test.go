package prove

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestParseScriptRefuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"unknown verb", "stream S\npublsh s", `p:8:1: "publsh" is not a verb; did you mean publish?`},
		{"unknown key", "publish s sice=3", `p:7:11: "sice" is not a key of publish; did you mean size?`},
		{"unknown field", "stream S max_agee=1s", `p:7:10: `},
		{"no unit", "stream S max_age=1", `p:7:10: `},
		{"value of an enum", "stream S retention=work", `p:7:10: `},
		{"a consumer without its stream", "consumer C ack_policy=explicit", `p:7:1: "C": consumer STREAM/NAME`},
		{"a stream that is a consumer", "stream S/C", `p:7:1: "S/C": stream NAME`},
		{"missing argument", "publish", "p:7:1: publish takes one argument: publish SUBJECT"},
		{"two arguments", "publish a b", "p:7:1: publish takes one argument"},
		{"a key twice", "publish a n=1 n=2", "p:7:15: n is given twice"},
		{"count", "publish a n=0", `p:7:13: "0" is not a count from 1 to 100000`},
		{"size", "publish a size=5", "p:7:16: "},
		{"duration", "wait 5", `p:7:6: "5" is not a duration`},
		{"too long", "wait 5m", `p:7:6: "5m" is not between 0 and 1m0s`},
		{"quote", `harm "no end`, "p:7:6: a quoted part does not end on the line"},
		{"server not first", "stream S\nserver nodes=3", "p:8:1: server must be the first step"},
		{"servers", "server nodes=9", `p:7:14: "9" is not a number of servers from 1 to 5`},
		{"setting", "server max_pending=1MiB write_deadline=soon", `p:7:40: error parsing write_deadline: time: invalid duration "soon"`},
		{"setting of JetStream", "server sync_interval=never", `p:7:22: error parsing sync_interval: time: invalid duration "never"`},
		{"limit", "server max_ack_pending=many", `p:7:24: `},
		{"? before what cannot be refused", "? wait 1s", "p:7:1: ? stands before what a server can refuse, not before wait"},
		{"? alone", "?", "p:7:1: a verb is missing"},
		{"repeat", "repeat 0 publish a", `p:7:8: "0" is not a count`},
		{"no operator", "expect seq 3", "p:7:1: expect compares two things by one of"},
		{"no side", "expect seq ==", "p:7:12: one side of == is missing"},
		{"no limit", "until seq == 3", "p:7:1: until needs a limit"},
		{"value", "expect S.mesages == 3", `p:7:8: "S.mesages" is not a value; did you mean messages?`},
		{"value of a consumer", "expect S/c.messages == 3", `p:7:8: "S/c.messages" is not a value`},
		{"value alone", "expect seqq == 3", `p:7:8: "seqq" is not a value`},
		{"parenthesis", "expect ( seq + 1 == 3", "p:7:8: the parenthesis is not closed"},
		{"two operands", "expect seq seq == 3", `p:7:12: "seq" is not expected here`},
		{"let", "let = 3", "p:7:1: let takes a name"},
		{"version", "since 2.13", "p:7:7: "},
		{"host", "needs cloud", `p:7:7: "cloud" is not embedded or child`},
		{"nothing", "# only a comment\n", "p:7:1: no steps"},
		{"long line", "publish " + strings.Repeat("a", maxScriptLine), "p:7:2001: the line is longer"},
		{"many steps", strings.Repeat("clock\n", maxScriptSteps+1), "more than 500 steps"},
		{"load without rate", "load a n=3", "p:7:1: load needs n= and rate="},
		{"mode", "publish a mode=fast", "p:7:1: mode=fast: there is only mode=core"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseScript("p", 7, tt.text)
			var at *ScriptError
			if !errors.As(err, &at) || !strings.HasPrefix(err.Error(), tt.want) && !strings.Contains(at.Message, tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// TestScriptsThatFail: a script that is wrong about the server must not hold.
func TestScriptsThatFail(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		steps      int // that were run
		says       string
	}{
		{"a wrong number", "stream S subjects=s\npublish s n=2\nexpect S.messages == 3\npublish s", 3, "2 == 3"},
		{"refused in spite", "stream S subjects=s discard=new max_msgs=1\npublish s\npublish s", 3, "503/10077 maximum messages exceeded"},
		{"not refused", "stream S subjects=s\n? publish s", 2, "accepted"},
		{"refused otherwise", "? stream S subjects=a..b err_code=10065", 1, "500/10052 invalid subject"},
		{"never so", "stream S subjects=s\nuntil S.messages == 1 within 50ms", 2, "0 == 1"},
		{"a repeated step", "stream S subjects=s max_msgs=3 discard=new\nrepeat 9 publish s", 2, "maximum messages exceeded"},
		{"text with a number", "let n = 3\nexpect n ~ \"3\"", 2, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := ParseScript("p", 1, "claim \"wrong\"\n"+tt.text)
			if err != nil {
				t.Fatal(err)
			}
			e, err := RunScript(t.Context(), s, ScriptOptions{})
			if tt.says == "" {
				if err == nil || !strings.Contains(err.Error(), "compares a text with a number") {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			last := e.Steps[len(e.Steps)-1]
			if e.Held() || e.Claims[0].Held || len(e.Steps) != tt.steps || last.OK || !strings.Contains(last.Reply.String(), tt.says) {
				t.Errorf("held %v, %d steps, last %+v %+v", e.Held(), len(e.Steps), last, last.Reply)
			}
		})
	}
}

func TestScriptRunsWithoutTrace(t *testing.T) {
	leavesNothing(t)
	s, err := ParseScript("p", 1, `server nodes=3
stream S subjects=s.* num_replicas=3
consumer S/c ack_policy=explicit
consumer S/p deliver_subject=push.p ack_policy=none
subscribe push.p by=stuck stuck=yes
work S/c workers=3 service=50ms
load s.a n=1000 rate=200/s
until load.acked > 20 within 10s
stepdown S
stepdown S/c
stepdown meta
fetch S/c expires=1s by=w
expect 1 == 2`)
	if err != nil {
		t.Fatal(err)
	}
	e, err := RunScript(t.Context(), s, ScriptOptions{})
	if err != nil || len(e.Steps) != 13 || e.Held() {
		t.Errorf("%v, %d steps, %+v", err, len(e.Steps), e.Steps[len(e.Steps)-1])
	}
}

// TestStuckFromTheBeginning: a reader that is stuck subscribes also where messages
// wait for it already, which it gets once it reads.
func TestStuckFromTheBeginning(t *testing.T) {
	leavesNothing(t)
	s, err := ParseScript("p", 1, `stream S subjects=s.* storage=memory
publish s.a n=3000 size=1KiB
consumer S/c deliver_subject=push.c ack_policy=none
subscribe push.c by=reader stuck=yes
wait 100ms
expect reader.received == 0
read reader
until reader.received == 3000 within 20s
stall reader
publish s.a n=100
wait 100ms
expect reader.received <= 3001
read reader
until reader.received == 3100 within 20s`)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		e, err := RunScript(t.Context(), s, ScriptOptions{})
		if err != nil || !e.Held() {
			t.Fatalf("%v, last step %+v", err, e.Steps[len(e.Steps)-1])
		}
	}
}

func TestTwoProofsAtOnce(t *testing.T) {
	leavesNothing(t)
	p, err := FindProof("discard-new")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan Evidence)
	for range 2 {
		go func() {
			e, err := p.Run(t.Context(), ScriptOptions{})
			if err != nil {
				t.Error(err)
			}
			done <- e
		}()
	}
	for range 2 {
		if e := <-done; !e.Held() {
			explain(t, e)
		}
	}
}

// TestFullStore: what a full file store answers is evidence, not an end.
func TestFullStore(t *testing.T) {
	t.Parallel()
	s, err := ParseScript("p", 1, `server max_file_store=1MiB
stream S subjects=s
? publish s n=300 size=10KiB err_code=10023
expect S.messages > 50`)
	if err != nil {
		t.Fatal(err)
	}
	e, err := RunScript(t.Context(), s, ScriptOptions{})
	if err != nil {
		t.Fatal(err)
	}
	explain(t, e)
}

func TestVerbsAndValuesAreDocumented(t *testing.T) {
	for _, v := range Verbs() {
		if v.Usage == "" || v.Doc == "" || !strings.HasPrefix(v.Usage, v.Name) || v.run == nil {
			t.Errorf("%s: usage %q, doc %q", v.Name, v.Usage, v.Doc)
		}
		for _, k := range v.Keys {
			if k.Doc == "" {
				t.Errorf("%s %s has no doc", v.Name, k.Name)
			}
		}
	}
	for _, v := range Values() {
		if v.Doc == "" {
			t.Errorf("%s.%s has no doc", v.Of, v.Name)
		}
	}
}

func FuzzParseScript(f *testing.F) {
	for _, p := range Proofs() {
		f.Add(p.Text)
	}
	f.Add("repeat 3 stream S{i} subjects=\"a b\" metadata={x: y}\nlet a = ( 1 + 2 ) * 3\nexpect a == 9")
	f.Fuzz(func(t *testing.T, text string) {
		started := time.Now()
		s, err := ParseScript("fuzz", 1, text)
		var at *ScriptError
		if err != nil && (!errors.As(err, &at) || at.Line < 1 || at.Col < 1 || at.Message == "") {
			t.Errorf("error without a place: %v", err)
		}
		if err == nil && (s == nil || len(s.steps) == 0) {
			t.Error("no error and no steps")
		}
		if d := time.Since(started); d > 5*time.Second {
			t.Errorf("took %s", d)
		}
	})
}
