package verdict

import (
	"bytes"
	"encoding/json"
	"testing"

	"weir/natsapi"
)

// FuzzRequest: no body and no subject makes Judge panic, an accepted one is
// echoed as JSON, an accepted stream is accepted once more, and every refusal
// names an error that exists.
func FuzzRequest(f *testing.F) {
	for seed := range uint64(100) {
		r := newRequestMaker(seed).request()
		f.Add(r.Subject, r.Body, uint8(seed), seed%3 == 0)
	}
	f.Fuzz(func(t *testing.T, subject string, body []byte, version uint8, clustered bool) {
		known := natsapi.Known()
		s := NewSetting(known[int(version)%len(known)])
		if clustered {
			s.Cluster, s.Nodes = "C", []Node{{Name: "a", Tags: []string{"x"}}, {Name: "b"}, {Name: "c"}}
		}
		for _, setup := range []string{`STREAM.CREATE.S {"name":"S","subjects":["a.>"]}`, `STREAM.CREATE.O {"name":"O","subjects":["o.>"],"retention":"workqueue"}`,
			`CONSUMER.CREATE.S.C {"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit"}}`} {
			if a := s.Apply(parseAsk(setup)); a.Verdict != OK {
				t.Fatal(a)
			}
		}
		r := Request{Subject: subject, Body: body}
		DifferencesOf(s, r)
		a := s.Apply(r)
		switch a.Verdict {
		case OK:
			checkAccepted(t, s, r, a)
		case Refused:
			if e, ok := natsapi.ErrorByCode(a.ErrCode); !ok || e.Code != a.Code || a.Description == "" {
				t.Errorf("refused with %d %d %q", a.Code, a.ErrCode, a.Description)
			}
		}
		PlanStream(s, body)
		PlanConsumer(s, "S", body)
	})
}

func checkAccepted(t *testing.T, s *Setting, r Request, a Answer) {
	if !json.Valid(a.Config) {
		t.Errorf("echo is not JSON: %s", a.Config)
	}
	for _, c := range a.Changes {
		for _, raw := range []string{c.Sent, c.Stored} {
			if raw != "" && !json.Valid([]byte(raw)) {
				t.Errorf("change %v is not JSON", c)
			}
		}
	}
	if bytes.HasPrefix([]byte(r.Subject), []byte("STREAM.UPDATE.")) {
		if again := Judge(s, r); again.Verdict != OK && again.ErrCode != 10052 {
			t.Errorf("the same update again: %d %s", again.ErrCode, again.Description)
		}
	}
}
