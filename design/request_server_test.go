package design

import (
	"encoding/json"
	"regexp"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// startServer runs the real server in the process, with JetStream.
func startServer(t *testing.T) *nats.Conn {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 1 << 42, JetStreamMaxMemory: 1 << 36, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server did not start")
	}
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

var replicas = regexp.MustCompile(`"num_replicas":\d+`)

// TestPresetsAreAcceptedByTheServer sends what Requests makes of each preset to
// the real server, one node, so with one replica. All of it is accepted, but for
// the filter that five-traps is there to show.
func TestPresetsAreAcceptedByTheServer(t *testing.T) {
	refused := map[string]int{"five-traps ORDERS/fraud": 10052}
	for _, p := range Presets() {
		t.Run(p.Name, func(t *testing.T) {
			nc := startServer(t)
			d, ps := Parse(p.Name, []byte(p.Text))
			if ps != nil {
				t.Fatal(ps)
			}
			for _, r := range d.Requests() {
				if r.Scope.Leafnode != "" {
					continue // another JetStream domain
				}
				body := replicas.ReplaceAll(r.Body, []byte(`"num_replicas":1`))
				m, err := nc.Request("$JS.API."+r.Subject, body, 5*time.Second)
				if err != nil {
					t.Fatalf("%s: %v", r.Subject, err)
				}
				var reply struct {
					Error struct {
						ErrCode     int `json:"err_code"`
						Description string
					}
				}
				if err := json.Unmarshal(m.Data, &reply); err != nil {
					t.Fatal(err)
				}
				if want := refused[p.Name+" "+r.Name]; reply.Error.ErrCode != want {
					t.Errorf("%s %s: err_code %d %s, want %d", r.Subject, r.Body, reply.Error.ErrCode, reply.Error.Description, want)
				}
			}
		})
	}
}
