package lint

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// TestSitesCaptureAlike: what CLU013 says of several sites is what servers do: the hub
// passes the interest of one leaf node on to another, unless it is told not to.
func TestSitesCaptureAlike(t *testing.T) {
	for _, isolate := range []bool{false, true} {
		t.Run(fmt.Sprint("isolate ", isolate), func(t *testing.T) {
			o, hub := leafServer(t, func(o *server.Options) {
				o.LeafNode.Host, o.LeafNode.Port, o.LeafNode.IsolateLeafnodeInterest = "127.0.0.1", -1, isolate
			})
			if _, err := hub.Subscribe("echo", func(m *nats.Msg) { m.Respond(nil) }); err != nil {
				t.Fatal(err)
			}
			a, b := siteOf(t, o, "a"), siteOf(t, o, "b")
			stored := func(site *nats.Conn, subj string) bool {
				js, _ := site.JetStream(nats.MaxWait(5 * time.Second))
				_, err := js.GetLastMsg("EV", subj)
				return err == nil
			}
			until := func(what string, done func() bool) {
				t.Helper()
				for deadline := time.Now().Add(20 * time.Second); !done(); {
					if time.Now().After(deadline) {
						t.Fatal(what)
					}
				}
			}
			publish := func(c *nats.Conn, subj string) {
				t.Helper()
				if err := c.Publish(subj, nil); err != nil {
					t.Fatal(err)
				}
			}
			until("the hub does not reach b", func() bool { publish(hub, "ev.hub"); return stored(b, "ev.hub") })
			if !isolate {
				until("what is published at a is not stored at b", func() bool { publish(a, "ev.site"); return stored(b, "ev.site") })
				return
			}
			// An answer from the hub comes after the hub has seen the message, and what the
			// hub then publishes reaches b after what it would have passed on.
			until("a does not reach the hub", func() bool { _, err := a.Request("echo", nil, time.Second); return err == nil })
			publish(a, "ev.site")
			if _, err := a.Request("echo", nil, 10*time.Second); err != nil {
				t.Fatal(err)
			}
			until("b stores nothing more", func() bool { publish(hub, "ev.last"); return stored(b, "ev.last") })
			if stored(b, "ev.site") || !stored(a, "ev.site") {
				t.Error("a message of a is stored at b, or not at a")
			}
		})
	}
}

// siteOf is a client of a leaf node of a hub, with JetStream of its own and stream EV.
func siteOf(t *testing.T, hub *server.Options, domain string) *nats.Conn {
	t.Helper()
	_, nc := leafServer(t, func(o *server.Options) {
		o.ServerName, o.JetStream, o.JetStreamDomain, o.StoreDir = domain, true, domain, t.TempDir()
		o.LeafNode.Remotes = []*server.RemoteLeafOpts{{URLs: []*url.URL{{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", hub.LeafNode.Port)}}}}
	})
	js, err := nc.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.AddStream(&nats.StreamConfig{Name: "EV", Subjects: []string{"ev.>"}}); err != nil {
		t.Fatal(err)
	}
	return nc
}

func leafServer(t *testing.T, set func(*server.Options)) (*server.Options, *nats.Conn) {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", Port: -1, NoSigs: true, NoLog: true}
	set(o)
	srv := runServer(t, o)
	nc, err := nats.Connect("", nats.InProcessServer(srv))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return o, nc
}
