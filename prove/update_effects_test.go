package prove

import "testing"

var updateEffects = []struct{ name, script string }{
	{"filter of an interest stream", `stream S subjects=s.* retention=interest
consumer S/c ack_policy=explicit filter_subject=s.a
publish s.a n=10
expect S.messages == 10
consumer S/c ack_policy=explicit filter_subject=s.b
until S.messages == 0 within 3s
publish s.b n=5
fetch S/c batch=20 expires=500ms by=r
ack by=r
expect r.received == 5
until S.messages == 0 within 3s`},
	{"filter of a workqueue", `stream S subjects=s.* retention=workqueue
consumer S/c ack_policy=explicit filter_subject=s.a
publish s.a n=10
consumer S/c ack_policy=explicit filter_subject=s.b
wait 500ms
expect S.messages == 10`},
	{"first_seq", `stream S subjects=s.*
publish s.a n=3
update S subjects=s.* first_seq=100
publish s.a
expect S.last_seq == 4`},
	{"first_seq of an empty stream", `stream S subjects=s.*
update S subjects=s.* first_seq=100
publish s.a
expect S.last_seq == 1`},
	{"max_msgs", `stream S subjects=s.*
publish s.a n=10
update S subjects=s.* max_msgs=3
expect S.messages == 3`},
	{"max_msgs with discard new", `stream S subjects=s.*
publish s.a n=10
update S subjects=s.* max_msgs=3 discard=new
expect S.messages == 10`},
	{"max_bytes", `stream S subjects=s.*
publish s.a n=10 size=1KiB
update S subjects=s.* max_bytes=4KiB
expect S.messages < 5`},
	{"max_msgs_per_subject", `stream S subjects=s.*
publish s.a n=10
update S subjects=s.* max_msgs_per_subject=2
expect S.messages == 2`},
	{"max_msgs_per_subject with discard new", `stream S subjects=s.*
publish s.a n=10
update S subjects=s.* max_msgs_per_subject=2 discard=new
expect S.messages == 2`},
	{"max_age", `stream S subjects=s.*
publish s.a n=10
wait 500ms
update S subjects=s.* max_age=200ms duplicate_window=100ms
until S.messages == 0 within 5s`},
	{"max_deliver", `stream S subjects=s.* retention=workqueue
consumer S/c ack_policy=explicit ack_wait=200ms
publish s.a
fetch S/c expires=300ms by=r
consumer S/c ack_policy=explicit ack_wait=200ms max_deliver=1
wait 500ms
fetch S/c expires=500ms by=again
expect again.received == 0
expect S.messages == 1`},
	{"retention without consumers", `stream S subjects=s.*
publish s.a n=10
update S subjects=s.* retention=interest
until S.messages == 0 within 5s`},
	{"filter of an interest stream that another consumer reads", `stream S subjects=s.* retention=interest
consumer S/c ack_policy=explicit filter_subject=s.a
consumer S/other ack_policy=explicit
publish s.a n=10
consumer S/c ack_policy=explicit filter_subject=s.b
wait 500ms
expect S.messages == 10`},
	{"sealed", `stream S subjects=s.* max_age=1s
update S subjects=s.* max_age=1s sealed=true
? publish s.a err_code=10109
? purge S
? update S subjects=s.* sealed=false`},
}

// TestUpdateEffects holds what weir diff says that an update does beside what it
// writes (lint, updateEffects) to the real server.
func TestUpdateEffects(t *testing.T) {
	for _, tt := range updateEffects {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := ParseScript("p", 1, "claim \"it does\"\n"+tt.script)
			if err != nil {
				t.Fatal(err)
			}
			e, err := RunScript(t.Context(), s, ScriptOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if !e.Held() {
				explain(t, e)
			}
		})
	}
}
