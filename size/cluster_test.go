package size

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// orders is a cluster of three servers in three zones with a stream of three
// replicas, as a designer would write it first.
func orders() Cluster {
	c := Cluster{UniqueTag: "az:", Connections: 60}
	for _, z := range []string{"a", "b", "c"} {
		c.Servers = append(c.Servers, Server{Name: "n-" + z, Zone: z, Tags: []string{"az:" + z}, Memory: 8 * GiB, Disk: 200 * GiB, MaxFileStore: 180 * GiB, Network: 125e6})
	}
	c.Streams = []Stream{{
		Name: "ORDERS", Replicas: 3, MaxAge: 72 * time.Hour, MaxBytes: 150 * GiB, DuplicateWindow: 12 * time.Hour,
		Message: Message{Subject: 17, Header: 80, Payload: 800, ID: 36}, Subjects: SubjectSet{Count: 36},
		Rate:      Rate{Mean: 766, Bursts: []Burst{{Rate: 2366, For: 10 * time.Minute, Every: 24 * time.Hour}}},
		Consumers: []Consumer{{Name: "billing", AckPending: 232, Share: 0.8, Rate: 634}, {Name: "analytics", AckNone: true}},
	}, {
		Name: "AUDIT", Replicas: 3, MaxAge: 720 * time.Hour, Compression: S2, S2Ratio: 0.32, Source: true,
		Message: Message{Subject: 18, Payload: 450}, Rate: Rate{Mean: 6},
	}}
	return c
}

// TestOfCluster: what the nodes of a cluster need, and what binds.
func TestOfCluster(t *testing.T) {
	c := orders()
	all := must[ClusterSize](t)(OfCluster(c))
	for i, p := range all.Placement {
		if p.Refused != "" || len(p.Servers) != 3 {
			t.Fatalf("stream %d is placed on %v: %s", i, p.Servers, p.Refused)
		}
	}
	if all.Placement[0].Servers[0] == all.Placement[1].Servers[0] {
		t.Error("two streams have their leaders on one of three servers")
	}
	leader := all.Placement[0].Servers[0]
	for i, n := range all.Nodes {
		if got := all.Nodes[0].Disk.Value; n.Disk.Value != got {
			t.Errorf("%s takes %g of disk, %s %g: every server has a replica of everything", n.Server, n.Disk.Value, all.Nodes[0].Server, got)
		}
		near(t, "HA assets", n.HAAssets.Value, 4, 0)
		if i == leader && n.Out.Value <= n.In.Value {
			t.Errorf("the leader sends %s and receives %s", n.Out, n.In)
		}
		if n.Garbage.Value != n.Heap.Value || !strings.Contains(n.Garbage.Note, "not need") {
			t.Errorf("garbage %s beside live heap %s: %q", n.Garbage, n.Heap, n.Garbage.Note)
		}
	}
	ids := all.Streams[0].Dedup.Entries
	near(t, "ids", ids.Value, (766+1600*600.0/86400)*43200, 1e-9)
	near(t, "ids at most", ids.High, 766*43200+1600*600, 1e-9)
	if b := all.Streams[0].Retained; b.Binds != "max_bytes" || b.Kept.Value > 72*3600 {
		t.Errorf("%q binds after %s", b.Binds, b.Kept)
	}
	first := all.Bindings[0]
	if first.Where != "ORDERS" && first.Where != "AUDIT" || first.Share.Value != 1 {
		t.Errorf("%s of %s binds first with %s", first.What, first.Where, first.Share)
	}
	sum := 0.0
	for _, n := range all.Nodes {
		sum += n.Heap.Value
	}
	near(t, "heap of the cluster", all.Heap.Value, sum, 1e-12)
	if cross := all.Nodes[leader].CrossZone; cross.Value <= 0 || cross.Value > all.Nodes[leader].Out.Value {
		t.Errorf("to other zones: %s of %s out", cross, all.Nodes[leader].Out)
	}
}

// TestPlacement mirrors selectPeerGroup: tags, room, zones, HA assets.
func TestPlacement(t *testing.T) {
	servers := []Server{
		{Name: "a1", Tags: []string{"az:a", "ssd"}, MaxFileStore: 100}, {Name: "a2", Tags: []string{"az:a", "ssd"}, MaxFileStore: 300},
		{Name: "b1", Tags: []string{"az:b"}, MaxFileStore: 200}, {Name: "c1", Tags: []string{"az:c", "ssd"}, MaxFileStore: 200},
	}
	names := func(p Placement) string {
		var out []string
		for _, i := range p.Servers {
			out = append(out, servers[i].Name)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		name    string
		unique  string
		s       Stream
		want    string
		refused string
	}{
		{"most room", "", Stream{}, "a2", ""},
		{"three with most room", "", Stream{Replicas: 3}, "a2 b1 c1", ""},
		{"too large", "", Stream{MaxBytes: 301}, "", "max_bytes 301 B is more than"},
		{"fits one", "", Stream{MaxBytes: 250}, "a2", ""},
		{"tag", "", Stream{Tags: []string{"SSD"}, Replicas: 3}, "a2 c1 a1", ""},
		{"tag excluded", "", Stream{Tags: []string{"!ssd"}}, "b1", ""},
		{"tag that nobody has", "", Stream{Tags: []string{"gpu"}}, "", "tags"},
		{"one a zone", "az:", Stream{Replicas: 3}, "b1 c1 a1", ""},
		{"four of three zones", "az:", Stream{Replicas: 4}, "", "unique_tag"},
		{"zone named by the stream", "az:", Stream{Tags: []string{"az:a"}, Replicas: 2}, "a2 a1", ""},
		{"more replicas than servers", "", Stream{Replicas: 5}, "", "5 servers"},
	} {
		p := newPlacer(Cluster{Servers: servers, UniqueTag: c.unique}).place(c.s, 0)
		if got := names(p); got != c.want || (c.refused == "") != (p.Refused == "") || !strings.Contains(p.Refused, c.refused) {
			t.Errorf("%s: %q, refused %q; want %q, %q", c.name, got, p.Refused, c.want, c.refused)
		}
	}
	p := newPlacer(Cluster{Servers: []Server{{Name: "x", MaxHAAssets: 2}, {Name: "y", MaxHAAssets: 2}}})
	p.place(Stream{Replicas: 2, Consumers: make([]Consumer, 1)}, 0)
	if got := p.place(Stream{Replicas: 2}, 1); !strings.Contains(got.Refused, "max_ha_assets") {
		t.Errorf("beyond max_ha_assets: %v, %q", got.Servers, got.Refused)
	}
}

// TestLedger: servers count one replica, flat accounts all, tiers one.
func TestLedger(t *testing.T) {
	c := orders()
	c.Accounts = []Account{{Name: "flat", MaxFile: 400 * GiB}, {Name: "tiered", Tiers: map[int]Tier{3: {MaxFile: 160 * GiB}}}}
	c.Streams[0].Account, c.Streams[1].Account = "flat", "flat"
	all := must[ClusterSize](t)(OfCluster(c))
	e := all.Ledger[len(all.Ledger)-2]
	near(t, "flat account", e.Reserved.Value, 450*GiB, 0)
	if !e.Over || !strings.Contains(e.Says, "50 GiB too much") || len(e.Unbounded) != 1 {
		t.Errorf("flat account: over %v, %q, unbounded %v", e.Over, e.Says, e.Unbounded)
	}
	near(t, "server", all.Ledger[0].Reserved.Value, 150*GiB, 0)
	if all.Ledger[0].Over || len(all.Ledger[0].Unbounded) != 1 {
		t.Errorf("server: %q", all.Ledger[0].Says)
	}
	c.Streams[0].Account = "tiered"
	all = must[ClusterSize](t)(OfCluster(c))
	e = all.Ledger[len(all.Ledger)-1]
	near(t, "tier", e.Reserved.Value, 150*GiB, 0)
	if e.Over || e.What != "max_file of tier R3" {
		t.Errorf("tier: over %v, %q", e.Over, e.What)
	}
}

// TestDefaults: limits that a server chooses.
func TestDefaults(t *testing.T) {
	near(t, "75 % of free disk", fileLimit(Server{Disk: 100, DiskUsed: 20}).Value, 60, 0)
	near(t, "75 % of memory", memoryLimit(Server{Memory: 100}).Value, 75, 0)
	near(t, "75 % of GOMEMLIMIT", memoryLimit(Server{Memory: 100, GoMemLimit: 40}).Value, 30, 0)
	near(t, "GOMEMLIMIT above memory", memoryLimit(Server{Memory: 100, GoMemLimit: 400}).Value, 75, 0)
	near(t, "unknown", memoryLimit(Server{}).Value, 256*MiB, 0)
	near(t, "unknown disk", fileLimit(Server{}).Value, TiB, 0)
}

// TestExposure: power loss costs what was not synced, process ends cost nothing on
// file.
func TestExposure(t *testing.T) {
	c := orders()
	in := ExposureInput{Stream: c.Streams[0], Zones: []string{"a", "b", "c"}, Mode: SyncPublish, Restart: time.Minute}
	memory := c.Streams[0]
	memory.Storage, memory.Messages = Memory, 1000
	for _, k := range []struct {
		name      string
		change    func(*ExposureInput)
		f         Failure
		mean, top float64
	}{
		{"kill, R3", func(*ExposureInput) {}, ProcessKill, 0, 0},
		{"one machine, R3", func(*ExposureInput) {}, OneMachine, 0, 0},
		{"one zone of three", func(*ExposureInput) {}, OneZone, 0, 0},
		{"all power, R3", func(*ExposureInput) {}, AllPower, (766 + 1600*600.0/86400) * 120, 2366 * 120},
		{"all power, always", func(in *ExposureInput) { in.SyncAlways = true }, AllPower, 0, 0},
		{"all power, 10 s", func(in *ExposureInput) { in.SyncInterval = 10 * time.Second }, AllPower, (766 + 1600*600.0/86400) * 10, 23660},
		{"one zone holds all", func(in *ExposureInput) { in.Zones = nil }, OneZone, (766 + 1600*600.0/86400) * 120, 2366 * 120},
		{"one zone holds two", func(in *ExposureInput) { in.Zones = []string{"a", "a", "b"} }, OneZone, (766 + 1600*600.0/86400) * 120, 2366 * 120},
		{"one machine, R1", func(in *ExposureInput) { in.Stream.Replicas = 1 }, OneMachine, (766 + 1600*600.0/86400) * 120, 2366 * 120},
		{"kill, R1", func(in *ExposureInput) { in.Stream.Replicas = 1 }, ProcessKill, 0, 0},
		{"kill, R1, persist_mode async", func(in *ExposureInput) { in.Stream.Replicas = 1; in.PersistAsync = true }, ProcessKill, (766 + 1600*600.0/86400) * 0.008, 2366 * 0.008},
		{"kill, memory R1", func(in *ExposureInput) { in.Stream = memory; in.Stream.Replicas = 1 }, ProcessKill, 1000, 1000},
		{"kill, memory R3", func(in *ExposureInput) { in.Stream = memory }, ProcessKill, 0, 0},
		{"all power, memory R3", func(in *ExposureInput) { in.Stream = memory }, AllPower, 1000, 1000},
		{"majority down", func(*ExposureInput) {}, MajorityDown, 0, 0},
	} {
		in := in
		k.change(&in)
		found := false
		for _, e := range must[[]Exposure](t)(OfExposure(in)) {
			if e.Failure != k.f {
				continue
			}
			found = true
			if math.Abs(e.AtRisk.Value-k.mean) > 1e-6*max(k.mean, 1) || math.Abs(e.AtRisk.High-k.top) > 1e-6*max(k.top, 1) {
				t.Errorf("%s: %s at risk, at most %g; want %g and %g", k.name, e.AtRisk, e.AtRisk.High, k.mean, k.top)
			}
			if e.Says == "" || e.Publisher == "" {
				t.Errorf("%s: nothing is said", k.name)
			}
		}
		if !found {
			t.Errorf("%s: no such failure", k.name)
		}
	}
	in.Mode = CorePublish
	if e := must[[]Exposure](t)(OfExposure(in))[3]; e.Unanswered.Value < 766*60 || !strings.Contains(e.Publisher, "no answer") {
		t.Errorf("core publishes during %s: %s lost", e.Outage, e.Unanswered)
	}
}

// TestReverse: each answer fits, and a little more does not.
func TestReverse(t *testing.T) {
	// A window of twelve hours does not fit by itself.
	if r := must[Reverse](t)(OfReverse(orders(), "ORDERS")); r.Retention.Most.Value != 0 || r.Retention.Ends != "memory" {
		t.Errorf("twelve hours of ids: %s", r.Retention)
	}
	roomy := func() Cluster { c := orders(); c.Streams[0].DuplicateWindow = 0; return c }
	c := roomy()
	r := must[Reverse](t)(OfReverse(c, "ORDERS"))
	for _, a := range []Answer{r.Rate, r.Retention, r.Subjects, r.Consumers} {
		t.Log(a)
		if a.Most.Value <= 0 || a.Ends == "" {
			t.Errorf("%s, ends %q", a.Most, a.Ends)
		}
	}
	fits := func(change func(*Stream)) bool {
		d := roomy()
		change(&d.Streams[0])
		_, _, ok := shortage(d, must[ClusterSize](t)(OfCluster(d)))
		return ok
	}
	scale := r.Rate.Most.Value / c.Streams[0].Rate.Average()
	if !fits(func(s *Stream) { s.Rate = s.Rate.scaled(scale * 0.999) }) || fits(func(s *Stream) { s.Rate = s.Rate.scaled(scale * 1.01) }) {
		t.Errorf("rate: %s is not the border", r.Rate)
	}
	kept := func(x float64) func(*Stream) { return func(s *Stream) { s.lift(); s.MaxAge = age(x) } }
	if !fits(kept(r.Retention.Most.Value*0.999)) || fits(kept(r.Retention.Most.Value*1.01)) {
		t.Errorf("retention: %s is not the border", r.Retention)
	}
	var bad *InputError
	if _, err := OfReverse(c, "NOPE"); !errors.As(err, &bad) {
		t.Errorf("unknown stream: %v", err)
	}
	small := roomy()
	small.Servers[1].Memory = MiB
	if r := must[Reverse](t)(OfReverse(small, "ORDERS")); r.Rate.Most.Value != 0 || r.Rate.Ends != "memory" {
		t.Errorf("a server with 1 MiB carries %s", r.Rate)
	}
}

// TestReverseOfWhatFits: a rate that fits is never beyond the most, whatever bounds
// the stream.
func TestReverseOfWhatFits(t *testing.T) {
	servers := []Server{{Name: "n1", Memory: 4 * GiB, Disk: 20 * GiB}}
	for _, s := range []Stream{
		{MaxBytes: 10 * GiB}, {MaxMsgs: 1e6}, {MaxMsgsPerSubject: 1}, {Retention: WorkQueue, MaxBytes: GiB, Behind: 10, Backlog: 1e9},
	} {
		s.Name, s.Message, s.Rate = "S", Message{Subject: 10, Payload: 1024}, Rate{Mean: 1000}
		c := Cluster{Servers: servers, Streams: []Stream{s}}
		if _, ends, ok := shortage(c, must[ClusterSize](t)(OfCluster(c))); !ok {
			t.Fatalf("%+v does not fit: %s", s, ends)
		}
		if r := must[Reverse](t)(OfReverse(c, "S")); r.Rate.Most.Value < 1000 {
			t.Errorf("1,000/s fits, and the most is %s", r.Rate)
		}
	}
}

// TestStoreIsFullBeforeTheVolume: max_file_store refuses before the disk is full.
func TestStoreIsFullBeforeTheVolume(t *testing.T) {
	c := Cluster{Servers: []Server{{Name: "n1", Disk: 20 * GiB}}, Streams: []Stream{{Name: "S", Message: Message{Subject: 10, Payload: 1000}, Rate: Rate{Mean: 500}}}}
	n := must[ClusterSize](t)(OfCluster(c)).Nodes[0]
	if want := 15 * GiB / recordBytes(c.Streams[0].Message) / 500; math.Abs(n.Refuses.Value/want-1) > 1e-3 || n.Refuses.Value >= n.Full.Value {
		t.Errorf("refuses after %s, want %s; full after %s", n.Refuses, FormatSeconds(want), n.Full)
	}
}

// TestWorkQueueFillsByWhatIsLeft: 20/s arrive and 10/s are taken away.
func TestWorkQueueFillsByWhatIsLeft(t *testing.T) {
	s := Stream{Retention: WorkQueue, MaxBytes: GiB, Message: Message{Subject: 3, Payload: 1024}, Rate: Rate{Mean: 20}, Backlog: 1e9, Behind: 10}
	b := must[Retained](t)(OfRetention(s, 0)).Bounds[0]
	if want := b.Messages.Value / 10; b.Limit != "max_bytes" || math.Abs(b.Full.Value/want-1) > 1e-9 {
		t.Errorf("%s binds after %s, want %s", b.Limit, b.Full, FormatSeconds(want))
	}
}

// TestHAAssetsOfConsumers: the server places a stream where there is room for one
// RAFT group, and refuses the consumers beyond.
func TestHAAssetsOfConsumers(t *testing.T) {
	c := Cluster{Streams: []Stream{{Name: "S", Replicas: 3, Message: Message{Subject: 3, Payload: 10}, MaxMsgs: 10, Rate: Rate{Mean: 1}, Consumers: make([]Consumer, 4)}}}
	for _, name := range []string{"a", "b", "c"} {
		c.Servers = append(c.Servers, Server{Name: name, MaxHAAssets: 3})
	}
	all := must[ClusterSize](t)(OfCluster(c))
	if all.Placement[0].Refused != "" || all.Nodes[0].HAAssets.Value != 5 {
		t.Errorf("%+v, %s", all.Placement[0], all.Nodes[0].HAAssets)
	}
	if _, ends, ok := shortage(c, all); ok || ends != "max_ha_assets" {
		t.Errorf("ok %v, ends %q", ok, ends)
	}
}

// TestLostWithItsProcess: whatever ends the only process of a memory stream takes
// everything, and no failure takes more than is stored.
func TestLostWithItsProcess(t *testing.T) {
	in := ExposureInput{Stream: Stream{Storage: Memory, MaxMsgs: 500, Message: Message{Subject: 3, Payload: 100}, Rate: Rate{Mean: 40}}}
	for _, e := range must[[]Exposure](t)(OfExposure(in)) {
		if e.AtRisk.Value != 500 {
			t.Errorf("%s: %s", e.Failure, e.AtRisk)
		}
	}
	in.Stream = Stream{Retention: Interest, Message: Message{Subject: 3, Payload: 100}, Rate: Rate{Mean: 40}, Backlog: 2}
	for _, e := range must[[]Exposure](t)(OfExposure(in)) {
		if e.AtRisk.High > 2 {
			t.Errorf("%s: %s of 2 stored", e.Failure, e.AtRisk)
		}
	}
}

// TestRestartOfAFullStore: no more is stored at a restart than the first limit let
// in.
func TestRestartOfAFullStore(t *testing.T) {
	r := must[Restart](t)(OfRestart(Server{Disk: 20 * GiB}, 476*GiB, true))
	if r.Again.Value > 15*GiB {
		t.Error(r.Says)
	}
}

// TestPod: request and limit, GOMEMLIMIT, volume and limits fit each other.
func TestPod(t *testing.T) {
	c := orders()
	c.Streams = append(c.Streams, Stream{Name: "CACHE", Storage: Memory, MaxBytes: GiB, Message: Message{Subject: 10, Payload: 1000}, Rate: Rate{Mean: 10}, Replicas: 3})
	all := must[ClusterSize](t)(OfCluster(c))
	p := must[Pod](t)(OfPod(c, all, 1))
	n := all.Nodes[1]
	if p.GoMemLimit.Value < n.Heap.High*1.2499 || p.Memory.Value*0.8 != p.GoMemLimit.Value {
		t.Errorf("memory %s, GOMEMLIMIT %s for %s", p.Memory, p.GoMemLimit, n.Heap)
	}
	if p.MaxFileStore.Value < 150*GiB || p.Volume.Value < p.MaxFileStore.Value/0.9 || p.Volume.Value < n.Disk.High {
		t.Errorf("volume %s, max_file_store %s for %s", p.Volume, p.MaxFileStore, n.Disk)
	}
	if p.MaxMemoryStore.Value < n.MemoryStore.High {
		t.Errorf("max_memory_store %s for %s", p.MaxMemoryStore, n.MemoryStore)
	}
	var bad *InputError
	if _, err := OfPod(c, all, 3); !errors.As(err, &bad) {
		t.Errorf("a fourth server: %v", err)
	}
}

// TestRecoveryAndDrain: restart, catch-up, and working off a backlog.
func TestRecoveryAndDrain(t *testing.T) {
	s := Stream{Messages: 1e6, Message: Message{Subject: 20, Payload: 950, Header: 63, ID: 36}, Rate: Rate{Mean: 5000}}
	r := must[Recovery](t)(OfRecovery(s, 100e6, 0, 0))
	near(t, "catch-up", r.CatchUp.Value, 1e6*1067/100e6, 1e-9)
	near(t, "restart", r.Restart.Value, 0.6, 1e-9)
	slow := must[Recovery](t)(OfRecovery(s, 100e6, 2*time.Second, 0))
	near(t, "catch-up far away", slow.CatchUp.Value, 1e6*1067/(32*MiB), 1e-9)
	d := must[Figure](t)(OfDrain(120_000, 100, 500))
	near(t, "drain", d.Value, 300, 0)
	if never := must[Figure](t)(OfDrain(1, 100, 100)); !strings.Contains(never.Note, "never") {
		t.Errorf("a consumer that is no faster drains after %s", never)
	}
}

// TestNetwork: followers, consumers and mirrors multiply what comes in.
func TestNetwork(t *testing.T) {
	s := orders().Streams[0]
	n := must[Network](t)(OfNetwork(s))
	rate, body := s.Rate.Average(), 17+80+800.0
	near(t, "in", n.In.Value, rate*(body+publishLine), 1e-9)
	near(t, "replication of the stream", n.Replication.Terms[0].Value, 2*rate*(body+walBatched+appendLine), 1e-9)
	near(t, "out", n.Out.Value, rate*1.8*(body+deliveryLine), 1e-9)
	near(t, "acks of one of two consumers", n.WorkerAcks.Value, rate*0.8*ackLine, 1e-9)
	s.Replicas, s.Mirrors = 1, 2
	n = must[Network](t)(OfNetwork(s))
	if n.Replication.Value != 0 {
		t.Errorf("one replica is replicated with %s", n.Replication)
	}
	near(t, "mirrors", n.Mirrors.Value, 2*rate*(body+deliveryLine), 1e-9)
}

// TestOfConsumer: an idle durable as it was measured, 324 B in 16 KiB and 29 KB
// of heap.
func TestOfConsumer(t *testing.T) {
	s := Stream{Consumers: []Consumer{{Name: "idle"}, {Name: "busy", AckPending: 1101}, {Name: "ephemeral", Memory: true}}}
	idle := must[ConsumerSize](t)(OfConsumer(s, 0))
	near(t, "files", idle.Disk.Value, 324, 0.005)
	near(t, "allocated", idle.Allocated.Value, 16*KiB, 0.001)
	near(t, "heap", idle.Heap.Value, 29_200, 0)
	near(t, "files with 1,101 pending", must[ConsumerSize](t)(OfConsumer(s, 1)).Disk.Value, 317+5267, 0.06)
	if e := must[ConsumerSize](t)(OfConsumer(s, 2)); e.Disk.Value != 0 || e.Allocated.Value != 0 {
		t.Errorf("state in memory takes %s of disk", e.Disk)
	}
	s.Replicas = 3
	if r := must[ConsumerSize](t)(OfConsumer(s, 0)); !r.Replicated || r.Heap.Value < 55_000 {
		t.Errorf("replicated %v, heap %s; 59,500 B were measured", r.Replicated, r.Heap)
	}
	var bad *InputError
	if _, err := OfConsumer(s, 3); !errors.As(err, &bad) {
		t.Errorf("a fourth consumer: %v", err)
	}
}

// TestPrune keeps a view small.
func TestPrune(t *testing.T) {
	all := must[ClusterSize](t)(OfCluster(orders()))
	f := all.Heap.Prune(1)
	if len(f.Terms) != 3 || f.Terms[0].Terms != nil || all.Heap.Terms[0].Terms == nil || f.Value != all.Heap.Value {
		t.Errorf("pruned to %d terms", len(f.Terms))
	}
	raw, err := json.Marshal(all.Prune(0))
	if err != nil || strings.Contains(string(raw), `"terms"`) {
		t.Errorf("a figure keeps its terms, %d bytes: %v", len(raw), err)
	}
	if full, _ := json.Marshal(all); len(raw) > len(full)/5 || !strings.Contains(string(full), `"terms"`) {
		t.Errorf("%d bytes of %d are left", len(raw), len(full))
	}
}

// TestWrites: amplification as it was measured, 2.1 at 1 KiB and 3.2 at 64 B.
func TestWrites(t *testing.T) {
	for _, c := range []struct{ payload, low, high float64 }{{1024, 2.0, 2.3}, {64, 2.1, 3.3}} {
		z := must[StreamSize](t)(OfStream(Stream{Replicas: 3, Rate: Rate{Mean: 100}, Message: Message{Subject: 5, Payload: c.payload}}, 0, 0))
		if a := z.Writes.Amplification.Value; a < c.low || a > c.high {
			t.Errorf("payload %g: amplification %g, want %g to %g", c.payload, a, c.low, c.high)
		}
	}
	z := must[StreamSize](t)(OfStream(Stream{Rate: Rate{Mean: 100}, Message: Message{Subject: 5, Payload: 100}}, 0, 0))
	near(t, "one replica", z.Writes.Amplification.Value, 1, 0)
}

// TestDiskCurve: it rises to the limits and stays.
func TestDiskCurve(t *testing.T) {
	c := orders()
	all := must[ClusterSize](t)(OfCluster(c))
	curve, err := DiskCurve(c, all, 0, 200*time.Hour, 50)
	if err != nil || len(curve) != 51 {
		t.Fatalf("%d points: %v", len(curve), err)
	}
	for i := 1; i < len(curve); i++ {
		if curve[i].Value < curve[i-1].Value {
			t.Errorf("the curve falls at %s", FormatSeconds(curve[i].Seconds))
		}
	}
	if end := curve[50].Value; end > all.Nodes[0].Disk.Value*1.001 || end < 150*GiB {
		t.Errorf("it ends at %s, the node takes %s", FormatBytes(end), all.Nodes[0].Disk)
	}
	if _, err := DiskCurve(c, all, 7, time.Hour, 5); err == nil {
		t.Error("a server that does not exist has a curve")
	}
}

// TestBadInput: what has no size is an error with its place, and what is too
// large saturates.
func TestBadInput(t *testing.T) {
	ok := Stream{Name: "S", Message: Message{Subject: 5, Payload: 10}}
	with := func(f func(*Stream)) Stream { s := ok; f(&s); return s }
	for _, c := range []struct {
		path string
		s    Stream
	}{
		{"stream.message.payload", with(func(s *Stream) { s.Message.Payload = -1 })},
		{"stream.message.payload", with(func(s *Stream) { s.Message.Payload = math.NaN() })},
		{"stream.rate", with(func(s *Stream) { s.Rate.Mean = 1e30 })},
		{"stream.rate", with(func(s *Stream) { s.Rate.Mean = math.Inf(1) })},
		{"stream.rate.bursts[0].every", with(func(s *Stream) { s.Rate.Bursts = []Burst{{Rate: 1, For: time.Hour, Every: time.Minute}} })},
		{"stream.rate.hours", with(func(s *Stream) { s.Rate.Hours = []float64{1, 2} })},
		{"stream.rate.hours", with(func(s *Stream) { s.Rate.Hours = make([]float64, 24) })},
		{"stream.max_bytes", with(func(s *Stream) { s.MaxBytes = -2 })},
		{"stream.num_replicas", with(func(s *Stream) { s.Replicas = 6 })},
		{"stream.max_age", with(func(s *Stream) { s.MaxAge = -1 })},
		{"stream.storage", with(func(s *Stream) { s.Storage = "tape" })},
		{"stream.consumers[0].share", with(func(s *Stream) { s.Consumers = []Consumer{{Share: 2}} })},
	} {
		_, err := OfStream(c.s, 0, 0)
		var bad *InputError
		if !errors.As(err, &bad) || bad.Path != c.path {
			t.Errorf("want an error at %s, got %v", c.path, err)
		}
	}
	huge := must[StreamSize](t)(OfStream(with(func(s *Stream) { s.Messages, s.Message.Payload = 1e18, 1e15 }), 0, 0))
	if !huge.Reported.Saturated || huge.Reported.Value != Limit {
		t.Errorf("1e33 bytes are %s", huge.Reported)
	}
	zero := must[StreamSize](t)(OfStream(Stream{}, 0, 0))
	if zero.Reported.Value != 0 || zero.Disk.Blocks.Value != 0 {
		t.Errorf("nothing takes %s in %s blocks", zero.Reported, zero.Disk.Blocks)
	}
	if _, err := OfCluster(Cluster{}); err == nil {
		t.Error("a cluster without servers has a size")
	}
	if _, err := OfDedup(DedupInput{Rate: -1}); err == nil {
		t.Error("a negative rate has a dedup table")
	}
}

// BenchmarkOfCluster sizes 200 streams with 1,000 consumers: what-if sliders wait
// for it.
func BenchmarkOfCluster(b *testing.B) {
	c := orders()
	for i := 0; len(c.Streams) < 200; i++ {
		s := c.Streams[0]
		s.Name, s.MaxBytes, s.Consumers = fmt.Sprintf("S%d", i), MiB, make([]Consumer, 5)
		c.Streams = append(c.Streams, s)
	}
	for b.Loop() {
		if _, err := OfCluster(c); err != nil {
			b.Fatal(err)
		}
	}
}
