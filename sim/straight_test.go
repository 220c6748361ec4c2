package sim

import (
	"testing"
	"time"
)

// TestStraight: the straight way of a message is the other way in one, event by
// event and in every figure.
func TestStraight(t *testing.T) {
	held := busy()
	for i := range held.Workers {
		held.Workers[i].InProgress, held.Workers[i].InProgressHeld = 40*time.Millisecond, true
	}
	all := hour()
	for i := range all.Consumers {
		all.Consumers[i].Ack, all.Consumers[i].MaxAckPending = AckAll, 30
		all.Workers[i].AckEvery = 7
	}
	queue := hour()
	queue.Streams[0].Retention = WorkQueue
	queue.Consumers, queue.Workers = queue.Consumers[:1], queue.Workers[:1]
	queue.Faults = []Fault{{At: time.Second, For: 300 * time.Millisecond, Kind: FaultFreeze, Workers: "billing", Worker: 3},
		{At: 2 * time.Second, For: 300 * time.Millisecond, Kind: FaultPause, Consumer: "billing"}}
	for _, x := range []struct {
		name  string
		w     Workload
		until time.Duration
	}{{"busy", busy(), 30 * time.Second}, {"faults", withFaults(), 30 * time.Second}, {"hour", hour(), 4 * time.Second}, {"held", held, 20 * time.Second},
		{"ack all", all, 4 * time.Second}, {"queue", queue, 4 * time.Second}} {
		t.Run(x.name, func(t *testing.T) {
			a, ra := hashRun(t, x.w, Options{Seed: 5, Until: x.until})
			b, rb := hashRun(t, x.w, Options{Seed: 5, Until: x.until, detour: true})
			if a != b || ra.Events != rb.Events {
				t.Errorf("trace %x, %d events; without the straight way %x, %d", a, ra.Events, b, rb.Events)
			}
			for i, c := range ra.Consumers {
				d := rb.Consumers[i]
				if c.Sent != d.Sent || c.Delivered != d.Delivered || c.AckFloor != d.AckFloor || c.MaxAckPending != d.MaxAckPending ||
					c.NumAckPending != d.NumAckPending || c.NumPending != d.NumPending || c.NumWaiting != d.NumWaiting || c.StalledAtMaxAckPending != d.StalledAtMaxAckPending {
					t.Errorf("consumer %d: %+v, without the straight way %+v", i, c, d)
				}
			}
		})
	}
}

// TestStraightIsTaken: consumers that keep up take the next message the straight
// way.
func TestStraightIsTaken(t *testing.T) {
	w := hour()
	r, err := newRun(&w, Options{Seed: 1, Until: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.loop(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range r.consumers {
		if sent := c.res.Sent; sent < 9000 || !c.straight(r.streams[0].store.last+1, 0, 100) || c.res.Sent != sent+1 {
			t.Errorf("%s: %d sent, the next message goes another way", c.cfg.Name, sent)
		}
	}
}
