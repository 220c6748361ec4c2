//go:build !js

package size

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// threeServers starts a cluster of three on loopback: RAFT needs routes.
func threeServers(t *testing.T) ([]*server.Server, []string) {
	t.Helper()
	var routes []*url.URL
	var ports []int
	for i := 0; i < 3; i++ {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		l.Close()
		ports = append(ports, port)
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	var servers []*server.Server
	var dirs []string
	for i := 0; i < 3; i++ {
		dir := t.TempDir()
		s, err := server.NewServer(&server.Options{ServerName: fmt.Sprintf("n%d", i+1), Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true,
			Routes: routes, Cluster: server.ClusterOpts{Name: "c", Host: "127.0.0.1", Port: ports[i]}})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		servers, dirs = append(servers, s), append(dirs, dir)
	}
	return servers, dirs
}

// measureCluster writes a stream of three replicas, one publish at a time, and
// looks at its log on one server.
func measureCluster(t *testing.T) Cell {
	t.Helper()
	servers, dirs := threeServers(t)
	nc, err := nats.Connect(servers[0].ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := nc.JetStream(nats.MaxWait(2 * time.Second))
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the cluster to elect a meta leader", time.Minute, func() bool {
		_, err := js.AddStream(&nats.StreamConfig{Name: "r00", Subjects: []string{"r00.>"}, Replicas: 3})
		return err == nil
	})
	const messages, payload, subject = 3_000, 200, "r00.abcdefgh"
	logs := func() float64 { return fileSizes(t, filepath.Join(dirs[0], "jetstream", "$SYS", "_js_")) }
	before := logs()
	for i := 0; i < messages; i++ {
		if _, err := js.Publish(subject, make([]byte, payload)); err != nil {
			t.Fatal(err)
		}
	}
	want := float64(messages) * payload
	eventually(t, "the log to be written", 10*time.Second, func() bool { return logs()-before > want })
	return Cell{Name: "three replicas, 200 B", Quantity: RaftLog, Measured: logs() - before, Version: server.VERSION,
		Stream: Stream{Replicas: 3, Messages: messages, Message: Message{Subject: float64(len(subject)), Payload: payload}}}
}
