package sim

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// caseRun simulates a workload with the cost of calls left out, so that the
// arithmetic of a case is plain.
func caseRun(t *testing.T, w Workload, until time.Duration, trace func(Event)) *Result {
	t.Helper()
	r, err := Run(context.Background(), w, Options{Seed: 1, Until: until, Trace: trace})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// within5 holds a figure to a case's number.
func within5(t *testing.T, what string, got, want float64) {
	t.Helper()
	near(t, what, got, want, 0.05)
}

// caseWorkload is one stream S, one consumer c and one publisher that sends count
// messages at a pace.
func caseWorkload(count int64, gap time.Duration) Workload {
	return Workload{
		Streams:    []Stream{{Name: "S"}},
		Consumers:  []Consumer{{Stream: "S", Name: "c"}},
		Publishers: []Publisher{{Name: "p", Stream: "S", Subjects: []string{"s"}, Phases: []Phase{{Count: count, Interval: Constant(int64(gap))}}}},
		Workers:    []WorkerGroup{{Name: "w", Stream: "S", Consumer: "c", Count: 2, Service: Constant(int64(time.Millisecond))}},
	}
}

// TestCases answers the troubles that people reported and that time or load
// decides. Each has the number that the trouble comes down to.
func TestCases(t *testing.T) {
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) { c.run(t) })
	}
}

var cases = []struct {
	id  string
	run func(*testing.T)
}{
	{"ack-03 ack_wait is the time that a crash holds a message up", func(t *testing.T) { crashCase(t, 10*time.Minute) }},
	{"ack-12 a closed connection gives nothing back before ack_wait", func(t *testing.T) { crashCase(t, 5*time.Minute) }},
	{"ack-05 backoff[0] below the service time delivers everything twice", func(t *testing.T) {
		w := caseWorkload(20, 10*time.Second)
		w.Consumers[0].BackOff, w.Consumers[0].MaxDeliver = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second}, 5
		w.Workers[0].Service = Constant(int64(2 * time.Second))
		r := caseRun(t, w, time.Hour, nil).Consumers[0]
		within5(t, "deliveries a message", float64(r.Deliveries)/float64(r.Unique), 2)
	}},
	{"ack-06 backoff spends the attempts while the first one works", func(t *testing.T) {
		course, err := RetryTimeline(Retries{AckWait: 10 * time.Second, BackOff: []time.Duration{2 * time.Second, 10 * time.Second}, MaxDeliver: 3, Service: 13 * time.Second})
		a := course.Attempts
		if err != nil || len(a) != 3 {
			t.Fatalf("%v, %v", a, err)
		}
		within5(t, "second delivery", a[1].Start.Seconds(), 2)
		within5(t, "third delivery", a[2].Start.Seconds(), 12)
	}},
	{"ret-01 acks do not make room under limits retention", func(t *testing.T) {
		w := caseWorkload(4, time.Minute)
		w.Streams[0].MaxMsgs, w.Streams[0].DiscardNew = 3, true
		r := caseRun(t, w, time.Hour, nil)
		within5(t, "stored", float64(r.Streams[0].Msgs), 3)
		within5(t, "refused", float64(r.Publishers[0].Refused), 1)
		within5(t, "acked", float64(r.Consumers[0].Acked), 3)
	}},
	{"push-01 a pushed backlog fills 64 MiB of a connection that does not read", func(t *testing.T) {
		w := caseWorkload(200_000, 0)
		w.Publishers[0].Payload = Constant(1024)
		w.Consumers[0] = Consumer{Stream: "S", Name: "c", Push: true, Ack: AckNone}
		w.Workers[0].Mode, w.Workers[0].Count = ModePush, 1
		w.Publishers[0].Phases[0].At = 2 * time.Second
		w.Faults = []Fault{{At: time.Second, For: time.Minute, Kind: FaultFreeze, Workers: "w", Worker: -1}}
		r := caseRun(t, w, 2*time.Minute, nil).Consumers[0]
		if r.SlowConsumers != 1 {
			t.Errorf("%d slow consumers", r.SlowConsumers)
		}
	}},
	{"inact-01 inactive_threshold below the time of a batch deletes the consumer", func(t *testing.T) {
		w := caseWorkload(7, 0)
		w.Workers[0].Count, w.Workers[0].Batch, w.Workers[0].Service = 1, 3, Constant(int64(3*time.Second))
		w.Consumers[0].InactiveThreshold = 5 * time.Second
		// A message that waits for its ack prolongs it on 2.15.2, so it is without acks
		// that the gap of 9 s shows.
		within5(t, "with acks", float64(caseRun(t, w, 30*time.Second, nil).Consumers[0].Acked), 7)
		w.Consumers[0].Ack = AckNone
		r := caseRun(t, w, 30*time.Second, nil).Consumers[0]
		if !r.Deleted {
			t.Error("not deleted")
		}
		within5(t, "deliveries before", float64(r.Deliveries), 3)
		w.Consumers[0].InactiveThreshold = time.Minute
		within5(t, "with a minute", float64(caseRun(t, w, 30*time.Second, nil).Consumers[0].Deliveries), 7)
	}},
	{"int-01 interest retention without a consumer passes nothing on", func(t *testing.T) {
		m := model(t, `
weir: 1
streams:
  A: {subjects: [a.>]}
  B: {retention: interest, sources: [{name: A}], republish: {src: "a.>", dest: "c.>"}}
  C: {subjects: [c.>], consumers: {r: {ack_policy: explicit, workers: {count: 1, service_time: 1ms}}}}
publishers: {p: {subject: a.x, rate: 10/s}}
`, DesignOptions{For: time.Minute})
		r := runModel(t, m)
		if r.Streams[1].Msgs != 0 || r.Streams[2].Stored != 0 {
			t.Errorf("B keeps %d, C gets %d", r.Streams[1].Msgs, r.Streams[2].Stored)
		}
	}},
	{"int-03 deleting the only consumer of an interest stream deletes what is not acked", func(t *testing.T) {
		w := caseWorkload(11, time.Second)
		w.Streams[0].Retention = Interest
		w.Workers = nil
		w.Faults = []Fault{{At: 30 * time.Second, Kind: FaultDeleteConsumer, Stream: "S", Consumer: "c"}}
		if r := caseRun(t, w, 20*time.Second, nil).Streams[0]; r.Msgs != 11 {
			t.Errorf("before: %d", r.Msgs)
		}
		if r := caseRun(t, w, time.Minute, nil).Streams[0]; r.Msgs != 0 {
			t.Errorf("after: %d", r.Msgs)
		}
	}},
	{"dedup-01 the window counts from the first, so every second copy is stored", func(t *testing.T) {
		w := caseWorkload(60, time.Minute)
		w.Streams[0].DuplicateWindow = 2 * time.Minute
		w.Publishers[0].MsgID = func(uint64) uint64 { return 7 }
		within5(t, "stored an hour", float64(caseRun(t, w, time.Hour, nil).Streams[0].Stored), 30)
	}},
	{"dedup-04 a retry under the same id inside the window is dropped", func(t *testing.T) {
		for _, c := range []struct {
			after  time.Duration
			stored int64
		}{{time.Minute, 1}, {130 * time.Second, 2}} {
			w := caseWorkload(2, c.after)
			w.Publishers[0].MsgID = func(uint64) uint64 { return 7 }
			if got := caseRun(t, w, time.Hour, nil).Streams[0].Stored; got != c.stored {
				t.Errorf("again after %v: %d stored", c.after, got)
			}
		}
	}},
	{"ord-03 order is lost across a redelivery unless one is in flight", func(t *testing.T) {
		for _, c := range []struct {
			limit int
			order bool
		}{{1000, false}, {1, true}} {
			w := caseWorkload(50, 0)
			w.Consumers[0].MaxAckPending = c.limit
			w.Workers[0].Act = func(_, seq uint64, delivery int) Action {
				if seq == 3 && delivery == 1 {
					return Action{Do: DoNak}
				}
				return Action{}
			}
			var done []uint64
			caseRun(t, w, time.Minute, func(e Event) {
				if e.Kind == EventAcked {
					done = append(done, e.Seq)
				}
			})
			if slices.IsSorted(done) != c.order || len(done) != 50 {
				t.Errorf("max_ack_pending %d: handled in order %v", c.limit, !c.order)
			}
		}
	}},
	{"oc-01 a slow callback fills the client's limit in limit / (arrival - service)", func(t *testing.T) {
		const limit = 52_428 // a tenth of the library's, for a tenth of the time
		fill := time.Duration(float64(limit) / (10_000 - 5_000) * float64(time.Second))
		w := caseWorkload(0, 100*time.Microsecond)
		w.Consumers = nil
		w.Workers[0] = WorkerGroup{Name: "w", Stream: "S", Mode: ModeOrderedPush, Count: 1, Service: Constant(int64(200 * time.Microsecond)), PendingMsgs: limit}
		before, after := caseRun(t, w, fill*95/100, nil).Consumers[0], caseRun(t, w, fill*105/100, nil).Consumers[0]
		if before.Dropped > 0 || after.Dropped == 0 {
			t.Errorf("dropped %d before %v, %d behind it", before.Dropped, fill, after.Dropped)
		}
	}},
	{"mm-03 plain naks burn all attempts in milliseconds", func(t *testing.T) {
		course, err := RetryTimeline(Retries{MaxDeliver: 5, Service: time.Millisecond, Act: Action{Do: DoNak}})
		if a := course.Attempts; err != nil || !course.Stranded || len(a) != 5 || a[4].Start > 10*time.Millisecond || course.GivenUp < a[4].End || course.GivenUp > time.Second {
			t.Errorf("%+v, %v", course, err)
		}
		course, err = RetryTimeline(Retries{MaxDeliver: 5, Service: time.Millisecond, Act: Action{DoNakDelay, 30 * time.Second}})
		a := course.Attempts
		if err != nil || len(a) != 5 {
			t.Fatalf("%v, %v", a, err)
		}
		within5(t, "with delays of 30 s", a[4].Start.Seconds(), 120)
	}},
	{"disc-01 discard new does not cover the limit of a subject", func(t *testing.T) {
		w := caseWorkload(10, time.Second)
		w.Streams[0].MaxMsgsPerSubject, w.Streams[0].DiscardNew = 5, true
		r := caseRun(t, w, time.Minute, nil)
		if r.Publishers[0].Refused != 0 {
			t.Errorf("%d refused", r.Publishers[0].Refused)
		}
		within5(t, "left", float64(r.Streams[0].Msgs), 5)
		w.Streams[0].DiscardNewPerSubject = true
		within5(t, "refused per subject", float64(caseRun(t, w, time.Minute, nil).Publishers[0].Refused), 5)
	}},
	{"rp-02 two streams that source each other end", func(t *testing.T) {
		m := model(t, `
weir: 1
streams:
  A: {subjects: [a.>], sources: [{name: B}]}
  B: {subjects: [b.>], sources: [{name: A}]}
publishers: {p: {subject: a.x, rate: 10/s}}
`, DesignOptions{For: time.Minute})
		if len(m.Circles) != 1 {
			t.Error("the circle is not noted")
		}
		runModel(t, m)
	}},
	{"pull-04 a batch above max_ack_pending waits for its expiry", func(t *testing.T) {
		w := caseWorkload(1000, 0)
		w.Consumers[0].MaxAckPending = 10
		w.Workers[0].Count, w.Workers[0].Batch, w.Workers[0].Expires, w.Workers[0].CollectFirst = 1, 100, 5*time.Second, true
		within5(t, "acked in 61 s", float64(caseRun(t, w, 61*time.Second, nil).Consumers[0].Acked), 10*12)
		w.Workers[0].Batch = 10
		within5(t, "with batch 10", float64(caseRun(t, w, time.Minute, nil).Consumers[0].Acked), 1000)
	}},
	{"leaf-01 a message reaches the hub by subject and by source", func(t *testing.T) {
		m := model(t, `
weir: 1
streams:
  ALL: {subjects: [orders.>], sources: [{name: ORDERS, external: {api: $JS.plant.API, deliver: ""}}]}
leafnodes:
  plant:
    domain: plant
    streams: {ORDERS: {subjects: [orders.>]}}
    publishers: {till: {subject: orders.new, rate: 10/s}}
`, DesignOptions{For: 10 * time.Minute})
		var hub, leaf int64
		for _, s := range runModel(t, m).Streams {
			if s.Name == "ALL" {
				hub = s.Stored
			} else {
				leaf = s.Stored
			}
		}
		within5(t, "copies", float64(hub)/float64(leaf), 2)
	}},
	{"intr-02 interest retention drops what no filter takes", func(t *testing.T) {
		w := caseWorkload(3, time.Second)
		w.Streams[0].Retention = Interest
		w.Consumers[0].FilterSubjects = []string{"interest.a", "interest.b"}
		w.Publishers[0].Subjects = []string{"interest.a", "interest.b", "interest.c"}
		w.Workers = nil
		within5(t, "stored", float64(caseRun(t, w, time.Minute, nil).Streams[0].Msgs), 2)
	}},
	{"mm-05 a message is stranded after max_deliver times ack_wait", func(t *testing.T) {
		w := caseWorkload(1, time.Second)
		w.Streams[0].Retention = WorkQueue
		w.Consumers[0].MaxDeliver, w.Consumers[0].AckWait = 3, 4*time.Second
		w.Workers[0].Act = func(uint64, uint64, int) Action { return Action{Do: DoNothing} }
		at := 0.0
		r := caseRun(t, w, time.Minute, func(e Event) {
			if e.Kind == EventMaxDeliver {
				at = time.Duration(e.At).Seconds()
			}
		})
		within5(t, "stranded at", at, 12)
		within5(t, "still stored", float64(r.Streams[0].Msgs), 1)
	}},
	{"gr-02 what a burst leaves beyond max_msgs is lost", func(t *testing.T) {
		w := caseWorkload(150_000, 2*time.Millisecond)
		w.Streams[0].MaxMsgs = 50_000
		w.Workers[0].Count, w.Workers[0].Service = 1, Constant(int64(10*time.Millisecond))
		within5(t, "lost", float64(caseRun(t, w, 5*time.Minute, nil).Consumers[0].LostUnread), 70_000)
	}},
	{"kaf-03 a partition key that never varies uses one partition", func(t *testing.T) {
		for key, want := range map[string]int{"1": 1, "2": 4} {
			consumers := ""
			for i := range 4 {
				consumers += fmt.Sprintf("      p%d: {filter_subject: foo.*.*.%d, ack_policy: explicit}\n", i, i)
			}
			m := model(t, `
weir: 1
streams:
  S:
    subjects: [foo.*.*]
    subject_transform: {src: foo.*.*, dest: "foo.{{wildcard(1)}}.{{wildcard(2)}}.{{partition(4,`+key+`)}}"}
    consumers:
`+consumers+`
publishers: {p: {subject: "foo.x.{id}", tokens: {id: 40}, rate: 100/s}}
`, DesignOptions{For: time.Minute})
			used := 0
			for _, c := range runModel(t, m).Consumers {
				if c.NumPending > 0 {
					used++
				}
			}
			if used != want {
				t.Errorf("partition(4,%s) uses %d", key, used)
			}
		}
	}},
	{"recr-01 a consumer made anew replays everything, or misses the outage", func(t *testing.T) {
		w := caseWorkload(600, time.Second)
		w.Faults = []Fault{{At: 5 * time.Minute, Kind: FaultDeleteConsumer, Stream: "S", Consumer: "c"}}
		for _, name := range []string{"all", "new"} {
			c := Consumer{Stream: "S", Name: name, CreateAt: 6 * time.Minute}
			if name == "new" {
				c.Deliver = DeliverNew
			}
			w.Consumers = append(w.Consumers, c)
			w.Workers = append(w.Workers, WorkerGroup{Name: name, Stream: "S", Consumer: name, Count: 1})
		}
		r := caseRun(t, w, time.Hour, nil)
		within5(t, "replayed", float64(r.Consumers[1].Unique), 600)
		within5(t, "missed", 600-float64(r.Consumers[0].Unique+r.Consumers[2].Unique), 60)
	}},
	{"int-05 discard new pushes back after max_bytes", func(t *testing.T) {
		w := caseWorkload(30, time.Second)
		w.Streams[0].Retention, w.Streams[0].DiscardNew, w.Streams[0].MaxBytes = Interest, true, 5000
		w.Publishers[0].Payload = Constant(250 - fileRecord - 1)
		w.Workers[0].Act = func(uint64, uint64, int) Action { return Action{Do: DoNothing} }
		r := caseRun(t, w, time.Minute, nil)
		within5(t, "stored", float64(r.Streams[0].Msgs), 20)
		within5(t, "refused", float64(r.Publishers[0].Refused), 10)
	}},
}

// crashCase: one of two push workers dies with a message in hand; the message is
// handled again when ack_wait is over.
func crashCase(t *testing.T, wait time.Duration) {
	w := caseWorkload(40, time.Second)
	w.Streams[0].Retention = WorkQueue
	w.Consumers[0] = Consumer{Stream: "S", Name: "c", Push: true, DeliverGroup: true, AckWait: wait}
	w.Workers[0].Mode, w.Workers[0].Service = ModePush, Constant(int64(900*time.Millisecond))
	w.Faults = []Fault{{At: 20500 * time.Millisecond, Kind: FaultCrash, Workers: "w", Worker: 0}, {At: 20500 * time.Millisecond, Kind: FaultCrash, For: time.Second, Workers: "w", Worker: 1}}
	r := caseRun(t, w, time.Hour, nil).Consumers[0]
	within5(t, "seconds until it was handled", r.Sojourn.Max().Seconds(), wait.Seconds())
	if r.Sojourn.Count() != 40 {
		t.Errorf("%d of 40 are handled", r.Sojourn.Count())
	}
}
