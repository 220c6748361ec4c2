package size

import (
	"math"
	"strings"
	"testing"
	"time"
)

const (
	kB = 1e3
	mB = 1e6
	gB = 1e9
)

// TestCases answers troubles from the field, by their ids in the case list, with
// the figure that a perfect tool would have given.
func TestCases(t *testing.T) {
	for name, f := range map[string]func(*testing.T){
		"map-01": caseMap01, "disk-01": caseDisk01, "disk-03": caseDisk03, "disk-04": caseDisk04, "resv-01": caseResv01,
		"rep-01": caseRep01, "mem-02": caseMem02, "ord-02": caseOrd02, "ttl-05": caseTTL05, "ha-01": caseHA01, "ha-02": caseHA02,
		"ha-04": caseHA04, "kv-01": caseKV01, "kv-03": caseKV03, "mem-03": caseMem03, "mem-06": caseMem06, "gr-02": caseGR02,
		"cfg-04": caseCfg04, "acct-02": caseAcct02, "kaf-04": caseKaf04, "obj-01": caseObj01, "obj-02": caseObj02,
		"int-05": caseInt05, "del-01": caseDel01, "del-02": caseDel02,
	} {
		t.Run(name, f)
	}
}

// near fails unless got is within a share of want.
func near(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want) {
		t.Errorf("%s = %g, want %g", what, got, want)
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// A sink that acknowledges every five seconds stops at 1,000 pending.
func caseMap01(t *testing.T) {
	c := must[AckCap](t)(OfMaxAckPending(0, 5*time.Second, 1000))
	near(t, "rate", c.Rate.Value, 200, 0)
	near(t, "needed", c.Needed.Value, 5000, 0)
}

// Nothing bounds the stream, so the volume does.
func caseDisk01(t *testing.T) {
	c := Cluster{Servers: []Server{{Name: "n1", Disk: 1 * GiB}}, Streams: []Stream{{Name: "events", MaxBytes: -1, Message: Message{Subject: 20, Payload: 950}, Rate: Rate{Mean: 100}}}}
	all := must[ClusterSize](t)(OfCluster(c))
	if b := all.Streams[0].Retained.Binds; b != "" {
		t.Errorf("binds %q, want nothing", b)
	}
	if !strings.Contains(all.Streams[0].Retained.Messages.Note, "nothing bounds") {
		t.Errorf("note %q does not say that nothing bounds it", all.Streams[0].Retained.Messages.Note)
	}
	near(t, "time to full", all.Nodes[0].Full.Value, GiB/(100*1000.0), 0.01)
}

// max_file_store must leave room on the volume.
func caseDisk03(t *testing.T) {
	v := must[Volume](t)(OfVolume(Server{Disk: 10 * GiB, MaxFileStore: 10 * GiB}))
	near(t, "advised", v.Advised.Value, 9*GiB, 0)
	near(t, "usable", v.Usable.Value, 9.7*GiB, 0)
	if !v.Tight {
		t.Error("10 GiB of 10 GiB is not called tight")
	}
	if v = must[Volume](t)(OfVolume(Server{Disk: 10 * GiB, MaxFileStore: 9 * GiB})); v.Tight {
		t.Error("9 GiB of 10 GiB is called tight")
	}
}

// The default limit shrinks as streams grow, on servers before 2.14.
func caseDisk04(t *testing.T) {
	s := Server{Disk: 8 * gB}
	old := must[Restart](t)(OfRestart(s, 4*gB, false))
	near(t, "at the first start", old.First.Value, 6*gB, 0)
	near(t, "at the restart", old.Again.Value, 3*gB, 0)
	if !old.Shrinks || !strings.Contains(old.Says, "set max_file_store") {
		t.Errorf("says %q", old.Says)
	}
	now := must[Restart](t)(OfRestart(s, 4*gB, true))
	near(t, "at the restart, 2.15", now.Again.Value, 6*gB, 0)
	if now.Shrinks {
		t.Error("the limit does not shrink where recovered bytes are added back")
	}
	if unknown := must[Restart](t)(OfRestart(Server{}, 4*gB, false)); unknown.Shrinks {
		t.Error("a limit of a volume that is not known is said to shrink")
	}
	set := must[Restart](t)(OfRestart(Server{Disk: 8 * gB, MaxFileStore: 5 * gB}, 4*gB, false))
	near(t, "set", set.Again.Value, 5*gB, 0)
}

// Reservations are made at creation, whatever a stream holds.
func caseResv01(t *testing.T) {
	c := Cluster{Servers: []Server{{Name: "n1", MaxMemoryStore: 512 * MiB, MaxFileStore: GiB}}}
	for _, n := range []string{"a", "b", "c"} {
		c.Streams = append(c.Streams, Stream{Name: n, Storage: Memory, MaxBytes: 200 * MiB, Message: Message{Subject: 5, Payload: 10}})
	}
	all := must[ClusterSize](t)(OfCluster(c))
	if all.Placement[2].Refused == "" || !strings.Contains(all.Placement[2].Refused, "112 MiB") {
		t.Errorf("the third stream is refused with %q", all.Placement[2].Refused)
	}
	near(t, "reserved", all.Ledger[0].Reserved.Value, 400*MiB, 0)
}

func caseRep01(t *testing.T) {
	if Quorum(2) != 2 || Quorum(3) != 2 || Quorum(5) != 3 || Quorum(1) != 1 {
		t.Error("a quorum is more than half")
	}
	out := must[[]Exposure](t)(OfExposure(ExposureInput{Stream: Stream{Replicas: 2, Rate: Rate{Mean: 10}}, Restart: time.Hour}))
	for _, e := range out {
		if e.Failure == OneMachine && e.Outage.Value < 3600 {
			t.Errorf("two replicas, one machine down: %s without service, want until it is back", e.Outage)
		}
	}
	out = must[[]Exposure](t)(OfExposure(ExposureInput{Stream: Stream{Replicas: 3, Rate: Rate{Mean: 10}}, Zones: []string{"a", "b", "c"}, Restart: time.Hour}))
	for _, e := range out {
		if (e.Failure == OneMachine || e.Failure == OneZone) && e.Outage.High > 9 {
			t.Errorf("three replicas, %s: %s without service", e.Failure, e.Outage)
		}
	}
}

// Memory grows with the number of keys.
func caseMem02(t *testing.T) {
	b := Bucket{Name: "b", Keys: 10e6, Key: 8, Value: 100, Writes: 1000}
	s := b.Stream()
	s.LoadedBlocks = 1e9
	z := must[StreamSize](t)(OfStream(s, 0, 0))
	f, ok := z.Heap.Live.Term("subjects")
	if !ok {
		t.Fatal("no term for subjects")
	}
	near(t, "subjects", f.Value, 1.27*gB, 0.03)
	long := b
	long.Key, long.Shape = 60, Random
	zl := must[StreamSize](t)(OfStream(long.Stream(), 0, 0))
	if fl, _ := zl.Heap.Live.Term("subject index"); fl.Value < f.Value/2 {
		t.Errorf("long keys take %s, short ones %s", fl, f)
	}
}

func caseOrd02(t *testing.T) {
	h := must[HeadOfLine](t)(OfHeadOfLine(8*time.Millisecond, 2*time.Millisecond, nil, 16))
	near(t, "rate of a partition", h.Rate.Value, 100, 1e-9)
}

func caseTTL05(t *testing.T) {
	f := must[Figure](t)(Bucket{Name: "sessions", Key: 36, Deleted: 4e6}.Markers())
	near(t, "markers", f.Value, 4e6*(30+13+36+4+float64(deleteMarker)), 0)
	if !strings.Contains(f.Note, "purge") {
		t.Errorf("note %q names no remedy", f.Note)
	}
}

func ha(streams, consumers, replicas int) Cluster {
	c := Cluster{Servers: []Server{{Name: "n1"}, {Name: "n2"}, {Name: "n3"}}}
	for i := 0; i < streams; i++ {
		c.Streams = append(c.Streams, Stream{Name: "s", Replicas: replicas, Consumers: make([]Consumer, consumers)})
	}
	return c
}

func caseHA01(t *testing.T) {
	all := must[ClusterSize](t)(OfCluster(ha(5000, 1, 3)))
	for _, n := range all.Nodes {
		near(t, "HA assets of "+n.Server, n.HAAssets.Value, 10_000, 0)
	}
	near(t, "share of what is advised", all.Bindings[0].Share.Value, 5, 0)
	if all.Bindings[0].What != "HA assets" {
		t.Errorf("%s binds first", all.Bindings[0].What)
	}
}

func caseHA02(t *testing.T) {
	all := must[ClusterSize](t)(OfCluster(ha(1, 55_000, 3)))
	near(t, "HA assets", all.Nodes[0].HAAssets.Value, 55_001, 0)
	if h := all.Nodes[0].Heap.Value; h < 55_000*50_000 {
		t.Errorf("heap %s, want at least 50 kB for each consumer", FormatBytes(h))
	}
}

func caseHA04(t *testing.T) {
	f := must[Figure](t)(OfWatchers(10, 5, 1))
	near(t, "consumers", f.Value, 50, 0)
}

func caseKV01(t *testing.T) {
	f := must[Figure](t)(OfWatchAll(3e6))
	near(t, "keys by pending limit", f.Value, 6, 0)
}

func caseKV03(t *testing.T) {
	f := must[Figure](t)(OfScans(20, 2, 50_000))
	near(t, "messages delivered", f.Value, 2e6, 0)
}

// max_memory_store does not bound the process.
func caseMem03(t *testing.T) {
	c := Cluster{Servers: []Server{{Name: "n1", Memory: GiB, MaxMemoryStore: 768 * MiB, Disk: 10 * GiB}},
		Streams: []Stream{{Name: "jobs", Retention: WorkQueue, Message: Message{Subject: 10, Payload: 5 * MiB}, Backlog: 50, Rate: Rate{Mean: 5}}}}
	all := must[ClusterSize](t)(OfCluster(c))
	p := must[Pod](t)(OfPod(c, all, 0))
	text := strings.Join(p.Warnings, "\n")
	for _, want := range []string{"GOMEMLIMIT is not set", "819 MiB", "not the process"} {
		if !strings.Contains(text, want) {
			t.Errorf("warnings do not say %q:\n%s", want, text)
		}
	}
}

// Many small streams: each keeps the block that it writes in memory.
func caseMem06(t *testing.T) {
	c := Cluster{Servers: []Server{{Name: "n1"}}}
	for i := 0; i < 100; i++ {
		c.Streams = append(c.Streams, Stream{Name: "s", MaxBytes: mB, Message: Message{Subject: 10, Payload: 500}, Rate: Rate{Mean: 10}})
	}
	all := must[ClusterSize](t)(OfCluster(c))
	if b := BlockSize(c.Streams[0], 0); b != mediumBlock {
		t.Errorf("block size %d", b)
	}
	near(t, "worst heap", all.Nodes[0].Heap.High, 1*gB, 0.1)
	if all.Nodes[0].FileStore.Value > 100*mB {
		t.Error("reported bytes exceed the limits")
	}
}

// A burst against a limit of messages.
func caseGR02(t *testing.T) {
	o := must[Overflow](t)(OfBurst(Burst{Rate: 500, For: 300 * time.Second}, 100, 50_000))
	near(t, "backlog", o.Backlog.Value, 120_000, 0)
	near(t, "lost", o.Lost.Value, 70_000, 0)
}

func caseCfg04(t *testing.T) {
	f := must[Figure](t)(OfSlowConsumer(0, 3*MiB, MiB))
	near(t, "time to disconnect", f.Value, 32, 0)
	f = must[Figure](t)(OfSlowConsumer(0, MiB, MiB))
	if !strings.Contains(f.Note, "never") {
		t.Errorf("a client that keeps up is disconnected after %s", f)
	}
}

// Accounts without limits share the server's.
func caseAcct02(t *testing.T) {
	c := Cluster{Servers: []Server{{Name: "n1", MaxFileStore: 10 * gB}}, Accounts: []Account{{Name: "A"}, {Name: "B"}}}
	c.Streams = []Stream{{Name: "a", Account: "A", MaxBytes: 6 * gB}, {Name: "tiny", Account: "B", MaxBytes: 1}, {Name: "b", Account: "B", MaxBytes: 6 * gB}}
	all := must[ClusterSize](t)(OfCluster(c))
	if all.Placement[1].Refused != "" {
		t.Errorf("max_bytes 1 is refused: %s", all.Placement[1].Refused)
	}
	if all.Placement[2].Refused == "" {
		t.Error("12 GB fit into 10 GB")
	}
	if len(all.Ledger) != 1 {
		t.Errorf("%d ledger lines, want one: accounts without limits have none", len(all.Ledger))
	}
}

func caseKaf04(t *testing.T) {
	retries := []time.Duration{time.Second, 5 * time.Second, 30 * time.Second}
	h := must[HeadOfLine](t)(OfHeadOfLine(time.Millisecond, 0, retries, 64))
	near(t, "blocked", h.Blocked.Value, 36, 0)
	near(t, "keys behind it", h.Affected.Value, 1.0/64, 0)
}

// Deleted names leave their metadata.
func caseObj01(t *testing.T) {
	s := ObjectStore{Name: "pass", NameLength: 24, Deleted: 10_000}.Stream()
	z := must[StreamSize](t)(OfStream(s, 0, 0))
	if s.Messages != 10_000 || z.Reported.Value < 10_000*300 {
		t.Errorf("%.0f messages, %s left of deleted objects", s.Messages, z.Reported)
	}
}

// A client that does not remove old chunks keeps every version.
func caseObj02(t *testing.T) {
	one := must[StreamSize](t)(OfStream(ObjectStore{Name: "o", Objects: 1, Size: gB, NameLength: 8}.Stream(), 0, 0))
	two := must[StreamSize](t)(OfStream(ObjectStore{Name: "o", Objects: 1, Size: gB, NameLength: 8, Versions: 2}.Stream(), 0, 0))
	near(t, "two versions", two.Reported.Value/one.Reported.Value, 2, 0.001)
}

// A full stream stops after as many records as fit.
func caseInt05(t *testing.T) {
	s := Stream{Retention: Interest, DiscardNew: true, MaxBytes: 5000, Message: Message{Subject: 20, Payload: 200}, Rate: Rate{Mean: 1}}
	r := must[Retained](t)(OfRetention(s, 0))
	near(t, "messages", r.Messages.Value, 20, 0)
	if r.Binds != "max_bytes" {
		t.Errorf("%q binds", r.Binds)
	}
}

func caseDel01(t *testing.T) {
	r := must[Recovery](t)(OfRecovery(Stream{Messages: 40e6, InteriorDeletes: 90e6, Message: Message{Subject: 20, Payload: 100}}, 1e8, 0, 0))
	near(t, "interior deletes by messages", r.DeleteRatio.Value, 2.25, 0)
	if !strings.Contains(r.Crash.Note, "1,000,000") {
		t.Errorf("nothing is said about index.db: %q", r.Crash.Note)
	}
}

// Every acknowledgement is one more entry in the log.
func caseDel02(t *testing.T) {
	s := Stream{Retention: WorkQueue, Replicas: 3, Rate: Rate{Mean: 8000}, Message: Message{Subject: 6, Payload: 200}, Backlog: 100}
	z := must[StreamSize](t)(OfStream(s, 0, 0))
	near(t, "log entries a second", z.Writes.Log.Value, 16_000, 0)
}
