package verdict

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"weir/natsapi"
)

// startRealCluster starts three servers with routes on loopback.
func startRealCluster(t *testing.T) *realServer {
	t.Helper()
	setting := func() *Setting {
		s := NewSetting(natsapi.Embedded)
		s.Server.MaxMemory, s.Server.MaxStore = realMaxMemory, realMaxStore
		s.Cluster = "C1"
		s.Nodes = []Node{
			{Name: "n1", Tags: []string{"az:1", "ssd"}},
			{Name: "n2", Tags: []string{"az:2", "ssd"}},
			{Name: "n3", Tags: []string{"az:3"}},
		}
		return s
	}
	ports := freePorts(t, len(setting().Nodes))
	var routes []*url.URL
	for _, port := range ports {
		routes = append(routes, &url.URL{Scheme: "nats-route", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	var servers []*server.Server
	for i, node := range setting().Nodes {
		s, err := server.NewServer(&server.Options{
			ServerName: node.Name, Tags: node.Tags, Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true,
			JetStream: true, StoreDir: t.TempDir(), JetStreamMaxMemory: realMaxMemory, JetStreamMaxStore: realMaxStore,
			Cluster: server.ClusterOpts{Name: "C1", Host: "127.0.0.1", Port: ports[i]}, Routes: routes,
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		servers = append(servers, s)
	}
	waitFor(t, 30*time.Second, "a meta leader that knows three peers", func() bool {
		for _, s := range servers {
			if s.JetStreamIsLeader() {
				return len(s.JetStreamClusterPeers()) == 3
			}
		}
		return false
	})
	nc, err := nats.Connect("", nats.InProcessServer(servers[0]))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return &realServer{t: t, nc: nc, setting: setting, patience: 2 * time.Second, silent: true}
}

// freePorts picks ports of loopback that nobody listens on.
func freePorts(t *testing.T, n int) []int {
	t.Helper()
	ports := make([]int, n)
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports
}

// waitFor polls until a condition holds.
func waitFor(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(limit); time.Now().Before(end); <-tick.C {
		if ok() {
			return
		}
	}
	t.Fatalf("no %s after %v", what, limit)
}

// TestAgainstCluster is TestAgainstServer on three servers, which takes some
// 30 ms a request; WEIR_DIFF_CLUSTER says how many are sent.
func TestAgainstCluster(t *testing.T) {
	n, seed := envNumber("WEIR_DIFF_CLUSTER", 0), envNumber("WEIR_SEED", 1)
	if n == 0 {
		t.Skip("WEIR_DIFF_CLUSTER is not set: it takes three servers and its time")
	}
	real := startRealCluster(t)
	counts := map[string]int{}
	failed := 0
	for done := 0; done < n; seed++ {
		m := newRequestMaker(uint64(seed))
		m.tag = strconv.Itoa(seed) // of what is deleted something may linger
		setting := real.setting()
		var history []Request
		for range walkLength {
			r := m.request()
			if Judge(setting, r).Verdict == NoReply {
				continue // nobody answers a direct consumer of a missing stream
			}
			goesOn := strings.HasPrefix(r.Subject, "STREAM.UPDATE") &&
				(strings.Contains(string(r.Body), "num_replicas") || strings.Contains(string(r.Body), "placement"))
			history = append(history, r)
			got, want := setting.Apply(r), real.ask(r)
			done++
			counts[string(want.Verdict)]++
			what := differ(got, want)
			if what == "" && !lingers[want.ErrCode] && !(goesOn && want.Verdict == OK) {
				continue
			}
			if what == "" || want.Verdict == NoReply || want.Verdict == OK && want.Config == nil {
				break // of another time, see lingers
			}
			if failed++; failed <= 20 {
				t.Errorf("%s differs (WEIR_SEED=%d WEIR_DIFF_CLUSTER=1):\n%sgot  %s %d %d %s %s\nwant %s %d %d %s %s", what, seed, script(history),
					got.Verdict, got.Code, got.ErrCode, got.Description, got.Config,
					want.Verdict, want.Code, want.ErrCode, want.Description, want.Config)
			}
			break
		}
		real.clear([]string{"S" + m.tag, "O" + m.tag, "T" + m.tag})
	}
	t.Logf("%v, %d differ", counts, failed)
}

// lingers are refusals by the server that should have held the stream or
// consumer. The meta leader takes a moment to forget it, and answers what
// follows as if it were there. Changes of replicas and placement go on after
// their answer likewise.
var lingers = map[int]bool{10049: true, 10051: true, 10100: true, 10102: true, 10103: true, 10012: true, 10013: true}
