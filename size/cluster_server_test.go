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

// idle waits until groups and streams that were busy have let go of the blocks
// that they keep in memory for ten seconds.
func idle(t *testing.T) {
	t.Helper()
	start := time.Now()
	eventually(t, "blocks to leave memory", time.Minute, func() bool { return time.Since(start) > 12*time.Second })
}

// measureGroups looks at the heap of idle streams and consumers of three replicas,
// and of connections.
func measureGroups(t *testing.T, servers []*server.Server, js nats.JetStreamContext) []Cell {
	t.Helper()
	const streams, consumers, connections = 30, 2, 300
	idle(t)
	before := liveHeap()
	for i := 0; i < streams; i++ {
		name := fmt.Sprintf("g%02d", i)
		if _, err := js.AddStream(&nats.StreamConfig{Name: name, Replicas: 3}); err != nil {
			t.Fatal(err)
		}
		for k := 0; k < consumers; k++ {
			if _, err := js.AddConsumer(name, &nats.ConsumerConfig{Durable: fmt.Sprintf("c%d", k), AckPolicy: nats.AckExplicitPolicy}); err != nil {
				t.Fatal(err)
			}
		}
	}
	idle(t)
	cells := []Cell{{Name: "30 streams, 60 consumers, R3", Quantity: RaftHeap, Version: server.VERSION, Measured: liveHeap() - before,
		Stream: Stream{Replicas: 3, Messages: streams, Consumers: make([]Consumer, consumers)}}}
	before = liveHeap()
	for i := 0; i < connections; i++ {
		c, err := net.Dial("tcp", servers[1].Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := fmt.Fprintf(c, "CONNECT {\"verbose\":false}\r\nSUB g.%d 1\r\nPING\r\n", i); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "connections", 10*time.Second, func() bool { return servers[1].NumClients() >= connections })
	return append(cells, Cell{Name: "300 connections", Quantity: ConnectionHeap, Version: server.VERSION, Measured: liveHeap() - before, Stream: Stream{Messages: connections}})
}

// measureCluster writes a stream of three replicas, one publish at a time, and
// looks at its log on one server; in full, at idle groups as well.
func measureCluster(t *testing.T, full bool) []Cell {
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
	cells := []Cell{{Name: "three replicas, 200 B", Quantity: RaftLog, Measured: logs() - before, Version: server.VERSION,
		Stream: Stream{Replicas: 3, Messages: messages, Message: Message{Subject: float64(len(subject)), Payload: payload}}}}
	if !full {
		return cells
	}
	return append(cells, measureGroups(t, servers, js)...)
}
