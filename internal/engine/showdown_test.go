package engine

import (
	"bytes"
	"encoding/json"
	"testing"
)

// A comparison changes the design that it is given: what the other methods read of
// the same files must stay as it was.
func TestCompareLeavesTheDesign(t *testing.T) {
	text := "weir: 1\nname: own\nstreams:\n  A: {subjects: [a.>], max_age: 1h, consumers: {c: {ack_policy: explicit, workers: {count: 2, service_time: 1ms}}}}\npublishers: {p: {subject: a.x, rate: 10/s, payload: 100B}}\n"
	files := []File{{Name: "weir.yaml", Text: text}}
	ask := func(name string, req any) []byte {
		t.Helper()
		body, err := json.Marshal(req)
		if err != nil {
			t.Fatal(err)
		}
		return Call(t.Context(), name, body, nil)
	}
	before := ask("size.design", SizeRequest{Files: files})
	for _, name := range []string{"core-jetstream", "retention", "pull-push", "nats-kafka"} {
		body, _ := json.Marshal(CompareRequest{Showdown: name, Files: files})
		reply := Call(t.Context(), "showdown.compare", body, nil)
		var got struct {
			OK CompareReply `json:"ok"`
		}
		if err := json.Unmarshal(reply, &got); err != nil || got.OK.Compared == nil || got.OK.Design != "own" || len(got.OK.Compared.Rows.Rows) == 0 {
			t.Errorf("%s: %.300s", name, reply)
		}
		if after := ask("size.design", SizeRequest{Files: files}); !bytes.Equal(before, after) {
			t.Errorf("%s changed what size.design says of the same files", name)
		}
	}
}
