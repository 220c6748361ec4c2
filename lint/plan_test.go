package lint

import (
	"strings"
	"testing"

	"weir/design"
	"weir/natsapi"
)

// TestPlanTexts holds what weir diff says of an update to its words. What they
// claim of the server is held to it by TestUpdateEffects of package prove.
func TestPlanTexts(t *testing.T) {
	tests := []struct{ name, target, from, to, want string }{
		{"mirror removed", "2.11", "{M: {mirror: {name: A}}}", "{M: {subjects: [m]}}",
			"stream M: the update is refused: mirror: 400/10055 stream mirror configuration can not be updated; delete and create anew, which loses its messages and consumers"},
		{"two that do not clash", "2.11", "{M: {mirror: {name: A}, storage: file}}", "{M: {subjects: [m], storage: memory}}",
			"stream M: the update is refused: storage: 500/10052 stream configuration update can not change storage type, and mirror: 400/10055 stream mirror configuration can not be updated; delete and create anew, which loses its messages and consumers"},
		{"origin renamed", "", "{A: {subjects: [a]}, M: {mirror: {name: A}}}", "{A2: {subjects: [a]}, M: {mirror: {name: A}}}",
			"stream A: delete, with its messages and consumers\nstream A2: create"},
		{"sealed", "", "{A: {subjects: [a], max_age: 72h}}", "{A: {subjects: [a], max_age: 72h, sealed: true}}",
			"stream A: update in place; the server sets with it max_age: 0, discard: new, deny_delete: true, deny_purge: true; nothing can be published, deleted or purged any more, and no update takes that back"},
		{"first_seq", "", "{A: {subjects: [a]}}", "{A: {subjects: [a], first_seq: 5}}", "stream A: update in place; first_seq has no effect on a stream that exists"},
		{"limits", "", "{A: {subjects: [a], max_msgs: 5}}", "{A: {subjects: [a], max_msgs: 3, max_bytes: 1MiB}}",
			"stream A: update in place; max_msgs is lower than before: the oldest messages beyond it are deleted at once; max_bytes is lower than before: the oldest messages beyond it are deleted at once"},
		{"limits with discard new", "", "{A: {subjects: [a], max_msgs: 5, discard: new}}", "{A: {subjects: [a], max_msgs: 3, discard: new}}", "stream A: update in place"},
		{"limits raised", "", "{A: {subjects: [a], max_msgs: 5}}", "{A: {subjects: [a], max_msgs: 6}}", "stream A: update in place"},
		{"window follows max_age", "", "{A: {subjects: [a], max_age: 1h}}", "{A: {subjects: [a], max_age: 1m}}",
			"stream A: update in place; the server sets with it duplicate_window: 1m; max_age is lower than before: messages that are older are deleted at once"},
		{"interest without consumers", "", "{A: {subjects: [a]}}", "{A: {subjects: [a], retention: interest}}",
			"stream A: update in place; with retention interest and no consumer all messages are deleted at once"},
		{"filter of an interest stream", "", "{A: {subjects: [a.>], retention: interest, consumers: {c: {ack_policy: explicit, filter_subject: a.1}}}}",
			"{A: {subjects: [a.>], retention: interest, consumers: {c: {ack_policy: explicit, filter_subject: a.2}}}}",
			"consumer A/c: update in place; the stream has retention interest: messages of the old filter that no other consumer wants are deleted at once, handled or not"},
		{"filter of another stream", "", "{A: {subjects: [a.>], consumers: {c: {ack_policy: explicit, filter_subject: a.1}}}}",
			"{A: {subjects: [a.>], consumers: {c: {ack_policy: explicit, filter_subject: a.2}}}}", "consumer A/c: update in place"},
		{"wider filter of an interest stream", "", "{A: {subjects: [a.>], retention: interest, consumers: {c: {ack_policy: explicit, filter_subject: a.1}}}}",
			"{A: {subjects: [a.>], retention: interest, consumers: {c: {ack_policy: explicit, filter_subject: a.*}}}}", "consumer A/c: update in place"},
		{"filter of a workqueue", "", "{A: {subjects: [a.>], retention: workqueue, consumers: {c: {ack_policy: explicit, filter_subjects: [a.1, a.2]}}}}",
			"{A: {subjects: [a.>], retention: workqueue, consumers: {c: {ack_policy: explicit, filter_subject: a.1}}}}",
			"consumer A/c: update in place; what is stored of a.2 stays, and this consumer does not get it any more: purge it, or give it to another consumer"},
		{"paused by an update", "", "{A: {subjects: [a], consumers: {c: {ack_policy: explicit}}}}", `{A: {subjects: [a], consumers: {c: {ack_policy: explicit, pause_until: "2099-01-01T00:00:00Z"}}}}`,
			"consumer A/c: an update is accepted and changes nothing; the server keeps the old pause_until (pause and resume it with nats consumer pause)"},
		{"paused by an update of more", "", "{A: {subjects: [a], consumers: {c: {ack_policy: explicit}}}}", `{A: {subjects: [a], consumers: {c: {ack_policy: explicit, max_deliver: 5, pause_until: "2099-01-01T00:00:00Z"}}}}`,
			"consumer A/c: update in place; the server keeps the old pause_until (pause and resume it with nats consumer pause); max_deliver is lower than before: messages that were delivered 5 times or more and are not acked are not delivered again"},
		{"fields the target drops", "2.10", "{A: {subjects: [a], consumers: {c: {ack_policy: explicit}}}}", `{A: {subjects: [a], allow_msg_ttl: true, persist_mode: async, consumers: {c: {ack_policy: explicit, priority_policy: overflow}}}}`,
			"stream A: an update is accepted and changes nothing; nats-server 2.10.29 does not have and drops allow_msg_ttl, persist_mode\nconsumer A/c: an update is accepted and changes nothing; nats-server 2.10.29 does not have and drops priority_policy"},
		{"one the target drops", "2.10", "{A: {subjects: [a]}}", `{A: {subjects: [a], allow_msg_ttl: true, max_age: 1h}}`,
			"stream A: update in place; nats-server 2.10.29 does not have and drops allow_msg_ttl; max_age is lower than before: messages that are older are deleted at once"},
		{"a nested one it drops", "2.10", "{A: {subjects: [a], placement: {cluster: c}}}", `{A: {subjects: [a], placement: {cluster: c, preferred: x}}}`,
			"stream A: an update is accepted and changes nothing; nats-server 2.10.29 does not have and drops placement.preferred"},
		{"not dropped but written as before", "", "{A: {subjects: [a]}}", "{A: {subjects: [a], max_age: 0}}", ""},
		{"max_deliver", "", "{A: {subjects: [a.>], consumers: {c: {ack_policy: explicit, max_deliver: -1}}}}", "{A: {subjects: [a.>], consumers: {c: {ack_policy: explicit, max_deliver: 1}}}}",
			"consumer A/c: update in place; max_deliver is lower than before: messages that were delivered once or more and are not acked are not delivered again"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			parse := func(streams string) *design.Design {
				d, problems := design.Parse("d.yaml", []byte("weir: 1\nstreams: "+streams))
				if problems != nil {
					t.Fatal(problems)
				}
				return d
			}
			var target natsapi.Version
			if tt.target != "" {
				target, _ = natsapi.ParseVersion(tt.target)
			}
			var got []string
			for _, step := range Plan(parse(tt.from), parse(tt.to), target) {
				got = append(got, step.Text)
			}
			if text := strings.Join(got, "\n"); text != tt.want {
				t.Errorf("got\n%s\nwant\n%s", text, tt.want)
			}
		})
	}
}
