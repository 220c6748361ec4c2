package verdict

import (
	"fmt"
	"slices"
	"testing"

	"weir/natsapi"
)

func TestPlanStream(t *testing.T) {
	tests := []struct {
		name, version, config string
		kind                  PlanKind
		reasons               []string // err_code and path of each
		consumers             int
	}{
		{"not there yet", "2.15", `{"name":"NEW"}`, PlanCreate, nil, 0},
		{"the same", "2.15", `{"name":"S","subjects":["s.>"],"max_msgs":10}`, PlanNothing, nil, 0},
		{"the same, spelled out", "2.15", `{"name":"S","subjects":["s.>"],"max_msgs":10,"storage":"file","max_age":0}`, PlanNothing, nil, 0},
		{"another limit", "2.15", `{"name":"S","subjects":["s.>"],"max_msgs":20}`, PlanInPlace, nil, 0},
		{"metadata", "2.15", `{"name":"S","subjects":["s.>"],"max_msgs":10,"metadata":{"a":"b"}}`, PlanInPlace, nil, 0},
		{"another storage", "2.15", `{"name":"S","subjects":["s.>"],"storage":"memory"}`, PlanRecreate, []string{"10052 storage"}, 1},
		{"two reasons", "2.15", `{"name":"S","subjects":["s.>"],"storage":"memory","retention":"workqueue"}`,
			PlanRecreate, []string{"10052 storage", "10052 retention"}, 1},
		{"max_consumers before 2.12", "2.11", `{"name":"S","subjects":["s.>"],"max_consumers":5}`, PlanRecreate, []string{"10052 max_consumers"}, 1},
		{"max_consumers since 2.12", "2.12", `{"name":"S","subjects":["s.>"],"max_consumers":5}`, PlanInPlace, nil, 0},
		{"invalid either way", "2.15", `{"name":"S","subjects":["s..x"]}`, PlanRefused, []string{"10052 subjects[0]"}, 0},
		{"not JSON", "2.15", `{"name":"S",`, PlanRefused, []string{"10025 "}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := natsapi.ParseVersion(tt.version)
			if err != nil {
				t.Fatal(err)
			}
			s := NewSetting(v)
			mustApply(t, s, "STREAM.CREATE.S", `{"name":"S","subjects":["s.>"],"max_msgs":10}`)
			mustApply(t, s, "CONSUMER.CREATE.S.C", `{"stream_name":"S","config":{"durable_name":"C"}}`)
			p := PlanStream(s, []byte(tt.config))
			if p.Kind != tt.kind || !slices.Equal(codes(p.Reasons), tt.reasons) || len(p.Consumers) != tt.consumers {
				t.Errorf("got %s %q %v, want %s %q and %d consumers", p.Kind, codes(p.Reasons), p.Consumers, tt.kind, tt.reasons, tt.consumers)
			}
		})
	}
}

func TestPlanConsumer(t *testing.T) {
	tests := []struct {
		name, config string
		kind         PlanKind
		reasons      []string
	}{
		{"not there yet", `{"durable_name":"N"}`, PlanCreate, nil},
		{"the same", `{"durable_name":"C","ack_policy":"explicit","filter_subject":"s.a"}`, PlanNothing, nil},
		{"another filter", `{"durable_name":"C","ack_policy":"explicit","filter_subject":"s.b"}`, PlanInPlace, nil},
		{"another ack policy and start", `{"durable_name":"C","ack_policy":"all","filter_subject":"s.a","deliver_policy":"new"}`,
			PlanRecreate, []string{"10012 config.deliver_policy", "10012 config.ack_policy"}},
		{"pull to push", `{"durable_name":"C","ack_policy":"explicit","filter_subject":"s.a","deliver_subject":"d"}`,
			PlanRecreate, []string{"10012 config.deliver_subject"}},
		{"invalid either way", `{"durable_name":"C","ack_policy":"explicit","ack_wait":-1}`, PlanRefused, []string{"10183 config.ack_wait"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSetting(natsapi.Embedded)
			mustApply(t, s, "STREAM.CREATE.S", `{"name":"S","subjects":["s.>"]}`)
			mustApply(t, s, "CONSUMER.CREATE.S.C", `{"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit","filter_subject":"s.a"}}`)
			p := PlanConsumer(s, "S", []byte(tt.config))
			if p.Kind != tt.kind || !slices.Equal(codes(p.Reasons), tt.reasons) {
				t.Errorf("got %s %q, want %s %q", p.Kind, codes(p.Reasons), tt.kind, tt.reasons)
			}
		})
	}
}

func mustApply(t testing.TB, s *Setting, subject, body string) {
	t.Helper()
	if a := s.Apply(Request{Subject: subject, Body: []byte(body)}); a.Verdict != OK {
		t.Fatalf("%s %s: %d %s", subject, body, a.ErrCode, a.Description)
	}
}

func codes(answers []Answer) []string {
	var out []string
	for _, a := range answers {
		out = append(out, fmt.Sprintf("%d %s", a.ErrCode, a.Path))
	}
	return out
}
