package size

import (
	"math"
	"strings"
	"testing"
	"time"

	"weir/design"
)

func parsed(t testing.TB, text string) *design.Design {
	t.Helper()
	d, ps := design.Parse("design.yaml", []byte(text))
	for _, p := range ps {
		t.Fatalf("%+v", p)
	}
	return d
}

func fromDesign(t testing.TB, text string, o DesignOptions) DesignSize {
	t.Helper()
	z, err := FromDesign(parsed(t, text), o)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

const ordersDesign = `
weir: 1
name: orders
server: {version: "2.15", nodes: 3, memory: 8GiB, disk: 200GiB, zones: [a, b, c], conf: {max_payload: 2MiB, sync_interval: 1m, max_file_store: 100GiB}}
streams:
  ORDERS:
    subjects: [orders.>]
    max_age: 1h
    num_replicas: 3
    max_bytes: 10GiB
    consumers:
      created: {filter_subject: orders.*.created, ack_policy: explicit, workers: {count: 2, concurrency: 5, service_time: 20ms}}
      eu: {filter_subject: orders.eu.*, ack_policy: explicit}
  COPY:
    sources: [{name: ORDERS, filter_subject: orders.eu.>}]
    max_age: 1h
publishers:
  shop:
    subject: orders.{region}.created
    tokens: {region: [eu, us, asia, af]}
    rate: 100/s
    bursts: [{rate: 1000/s, for: 1m, every: 1h}]
    payload: 100B
    msg_id: uuid
  pay: {subject: orders.eu.paid, rate: 50/s, payload: 200B, mode: async, in_flight: 64}
  other: {subject: elsewhere, rate: 5/s, payload: 1B}
`

func TestFromDesignArrivals(t *testing.T) {
	z := fromDesign(t, ordersDesign, DesignOptions{})
	s := z.Stream("streams.ORDERS")
	if s == nil || len(s.Arrivals) != 2 {
		t.Fatalf("arrivals of ORDERS: %+v", s)
	}
	near(t, "rate", s.Input.Rate.Average(), 100+50+900*60.0/3600, 1e-9)
	near(t, "subjects", s.Input.Subjects.Count, 5, 0)
	near(t, "subject length", s.Arrivals[0].Message.Subject, float64(len("orders.."))+(2+2+4+2)/4.0+7, 1e-9)
	_, alone := MsgIDHeader(36)
	near(t, "header", s.Arrivals[0].Message.Header, float64(alone), 0)
	eu, of := z.Consumer("streams.ORDERS.consumers.eu")
	if eu == nil || of.Path != "streams.ORDERS" {
		t.Fatal("no consumer eu")
	}
	near(t, "share of eu", eu.Share.Value, (115.0/4+50)/165, 1e-9)
	created, _ := z.Consumer("streams.ORDERS.consumers.created")
	near(t, "capacity", created.Capacity.Value, 500, 1e-9)
	near(t, "in flight", created.InFlight.Value, 115*0.02, 1e-9)
	near(t, "backlog after a burst", created.BurstBacklog.Value, (115+900-500)*60, 1e-9)
	c := z.Stream("streams.COPY")
	if c == nil || len(c.Arrivals) != 2 || c.Arrivals[0].Via != "streams.ORDERS" {
		t.Fatalf("arrivals of COPY: %+v", c)
	}
	near(t, "rate of the copy", c.Input.Rate.Average(), 115.0/4+50, 1e-9)
	near(t, "messages of the copy", c.Size.Retained.Messages.Value, (115.0/4+50)*3600, 1e-9)
}

func TestFromDesignSites(t *testing.T) {
	z := fromDesign(t, ordersDesign, DesignOptions{})
	hub := z.Sites[0]
	if len(z.Sites) != 1 || len(hub.Nodes) != 3 || hub.Cluster.MaxPayload != 2*MiB || hub.Cluster.SyncInterval != time.Minute {
		t.Fatalf("hub: %d nodes, max_payload %d, sync_interval %s", len(hub.Nodes), hub.Cluster.MaxPayload, hub.Cluster.SyncInterval)
	}
	near(t, "max_file_store", hub.Ledger[0].Limit.Value, 100*GiB, 0)
	near(t, "reserved", hub.Ledger[0].Reserved.Value, 10*GiB, 0)
	if n := hub.Nodes[1]; n.Zone != "b" || len(n.Parts) == 0 {
		t.Errorf("second server: %+v", n)
	}
	s := z.Stream("streams.ORDERS")
	for _, e := range s.Exposure {
		if e.Failure == AllPower {
			near(t, "at risk when all machines lose power", e.AtRisk.Value, s.Input.Rate.Average()*60, 1e-9)
		}
		if e.Failure == OneZone && e.AtRisk.Value != 0 {
			t.Errorf("one zone of three puts %s at risk", e.AtRisk)
		}
	}
	for _, g := range hub.Growth {
		if len(g.Points) != growthSteps+1 || g.Points[0].Value > g.Points[growthSteps].Value {
			t.Errorf("growth of %s has %d points", g.Server, len(g.Points))
		}
	}
}

func TestFromDesignBuckets(t *testing.T) {
	z := fromDesign(t, `
weir: 1
kv: {SESSIONS: {history: 2, keys: 1000, value: 300B, writes: 50/s, watchers: 3}}
objects: {FILES: {count: 10, size: 1MiB, chunk: 128KiB}}
`, DesignOptions{})
	kv, files := z.Stream("kv.SESSIONS"), z.Stream("objects.FILES")
	if kv == nil || files == nil {
		t.Fatal("buckets are missing")
	}
	near(t, "messages", kv.Size.Retained.Messages.Value, 2000, 0)
	near(t, "subjects", kv.Input.Subjects.Count, 1000, 0)
	if len(kv.Input.Consumers) != 3 {
		t.Errorf("%d watchers", len(kv.Input.Consumers))
	}
	near(t, "chunks and metadata", files.Size.Retained.Messages.Value, 10*8+10, 0)
}

// Every preset is sized, and nothing in it is beyond what can be said.
func TestFromDesignPresets(t *testing.T) {
	for _, p := range design.Presets() {
		t.Run(p.Name, func(t *testing.T) {
			z := fromDesign(t, p.Text, DesignOptions{})
			if len(z.Streams) == 0 {
				t.Fatal("no streams")
			}
			for _, s := range z.Streams {
				if math.IsNaN(s.Size.Reported.Value) || s.Size.Reported.Saturated {
					t.Errorf("%s: %s reported", s.Path, s.Size.Reported)
				}
			}
			for _, site := range z.Sites {
				for _, p := range site.Placement {
					if p.Refused != "" {
						t.Errorf("%s: %s", p.Stream, p.Refused)
					}
				}
			}
		})
	}
}

// Numbers that cannot be counted with stand at the largest that can, and say so.
func TestFromDesignAbsurd(t *testing.T) {
	text := strings.ReplaceAll(ordersDesign, "rate: 50/s, payload: 200B", "rate: 1000000000000/s, payload: 1TiB")
	z := fromDesign(t, strings.ReplaceAll(text, "max_age: 1h", "max_age: 100000h"), DesignOptions{})
	s := z.Stream("streams.COPY")
	if !s.Size.Reported.Saturated || s.Size.Reported.Value != Limit {
		t.Errorf("reported %s", s.Size.Reported)
	}
}
