//go:build !js

package advise_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"weir/advise"
	"weir/design"
	"weir/size"
)

// start runs a real server in this process.
func start(t *testing.T) *nats.Conn {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
		JetStreamMaxStore: 1 << 50, JetStreamMaxMemory: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server is not ready")
	}
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// accepted asks the server, and fails when it refuses.
func accepted(t *testing.T, nc *nats.Conn, subject string, body []byte) {
	t.Helper()
	m, err := nc.Request("$JS.API."+subject, body, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var reply struct {
		Error *struct {
			ErrCode     int    `json:"err_code"`
			Description string `json:"description"`
		} `json:"error"`
	}
	if err := json.Unmarshal(m.Data, &reply); err != nil {
		t.Fatal(err)
	}
	if reply.Error != nil {
		t.Errorf("%s: %d %s\n%s", subject, reply.Error.ErrCode, reply.Error.Description, body)
	}
}

// TestAcceptedByTheServer creates what four numbers lead to on a real server. The
// streams stay: to delete the last one of an account and create another is a race
// in the server.
func TestAcceptedByTheServer(t *testing.T) {
	nc := start(t)
	streams := []advise.StreamNeeds{
		{Name: "ORDERS", Subjects: []string{"orders.>"}, Rate: size.Rate{Mean: 800}, Message: size.Message{Subject: 17, Payload: 1229, ID: 36}, Keep: 72 * time.Hour, Replicas: 1},
		{Name: "JOBS", Subjects: []string{"jobs.*"}, Rate: size.Rate{Mean: 5}, Message: size.Message{Subject: 9, Payload: 300}, Retention: size.WorkQueue},
		{Name: "EVENTS", Subjects: []string{"events.>"}, Rate: size.Rate{Mean: 50}, Message: size.Message{Subject: 9, Payload: 300}, Retention: size.Interest, CompressesTo: 0.3},
		{Name: "SHORT", Subjects: []string{"short"}, Rate: size.Rate{Mean: 50}, Message: size.Message{Subject: 9, Payload: 900_000, ID: 16}, Keep: 30 * time.Second, RetryFor: time.Hour},
		{Name: "UNKNOWN", Subjects: []string{"unknown"}},
	}
	for _, n := range streams {
		a, err := advise.ForStream(n)
		if err != nil {
			t.Fatal(err)
		}
		accepted(t, nc, "STREAM.CREATE."+n.Name, []byte(a.Assets[0].Config))
		c, err := advise.ForConsumer(advise.ConsumerNeeds{Stream: n.Name, Name: "worker", Rate: 50, Workers: 4, Concurrency: 8, Retention: n.Retention,
			Service: design.Distribution{Kind: design.DistLognormal, P50: 20e6, P99: 400e6}})
		if err != nil {
			t.Fatal(err)
		}
		body, _ := json.Marshal(map[string]any{"stream_name": n.Name, "config": json.RawMessage(c.Assets[0].Config)})
		accepted(t, nc, "CONSUMER.DURABLE.CREATE."+n.Name+".worker", body)
	}
}
