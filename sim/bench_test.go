package sim

import (
	"container/heap"
	"context"
	"testing"
	"time"
)

// hour is one stream at 10,000 messages a second, read by two consumers with ten
// workers each.
func hour() Workload {
	perSecond := int64(time.Second / 10_000)
	w := Workload{
		Streams:    []Stream{{Name: "ORDERS", MaxAge: 72 * time.Hour}},
		Publishers: []Publisher{{Name: "checkout", Stream: "ORDERS", Subjects: []string{"orders.created"}, Mode: PublishAsync, Payload: Lognormal(1000, 8000), Phases: []Phase{{Interval: Exponential(perSecond)}}}},
		Overhead:   MeasuredOverhead,
	}
	for _, name := range []string{"billing", "shipping"} {
		w.Consumers = append(w.Consumers, Consumer{Stream: "ORDERS", Name: name})
		w.Workers = append(w.Workers, WorkerGroup{
			Name: name, Stream: "ORDERS", Consumer: name, Count: 10, Concurrency: 4, Batch: 50, Expires: 5 * time.Second,
			Service: Exponential(int64(2 * time.Millisecond)),
		})
	}
	return w
}

func runHour(b *testing.B, length time.Duration) {
	var events uint64
	for b.Loop() {
		res, err := Run(context.Background(), hour(), Options{Seed: 1, Until: length})
		if err != nil {
			b.Fatal(err)
		}
		events = res.Events
		b.ReportMetric(float64(res.Streams[0].Stored), "messages")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
}

// BenchmarkHour is the budget: an hour in 12 s on one core.
func BenchmarkHour(b *testing.B) { runHour(b, time.Hour) }

// BenchmarkMinute is the same in a size for every day.
func BenchmarkMinute(b *testing.B) { runHour(b, time.Minute) }

// The references run the bare queueing model of hour, without anything of
// JetStream: two queues fed by the same arrivals, 40 servers each. They say what
// a kernel costs, and what the mechanisms add.
const referenceServers = 40

type bareItem struct {
	at     int64
	server int // -1 is an arrival
}

type bareHeap []bareItem

func (h bareHeap) Len() int           { return len(h) }
func (h bareHeap) Less(i, j int) bool { return h[i].at < h[j].at }
func (h bareHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *bareHeap) Push(x any)        { *h = append(*h, x.(bareItem)) }
func (h *bareHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// bareModel is the model; schedule and next are its kernel's.
func bareModel(until int64, schedule func(bareItem), next func() bareItem) int {
	gap, work := Exponential(100_000), Exponential(2_000_000)
	waiting := [2]int{}
	idle := [2][]int{}
	for q := range idle {
		for i := range referenceServers {
			idle[q] = append(idle[q], q*referenceServers+i)
		}
	}
	n, served := uint64(0), 0
	schedule(bareItem{0, -1})
	for {
		e := next()
		if e.at > until {
			return served
		}
		if e.server >= 0 {
			q := e.server / referenceServers
			served++
			idle[q] = append(idle[q], e.server)
		} else {
			n++
			schedule(bareItem{e.at + gap(number(1, n), n, 1), -1})
			waiting[0]++
			waiting[1]++
		}
		for q := range idle {
			for waiting[q] > 0 && len(idle[q]) > 0 {
				i := idle[q][len(idle[q])-1]
				idle[q] = idle[q][:len(idle[q])-1]
				waiting[q]--
				schedule(bareItem{e.at + work(number(uint64(2+q), n), n, 1), i})
			}
		}
	}
}

// BenchmarkBareKernel is a minute of the bare model on this package's kernel.
func BenchmarkBareKernel(b *testing.B) {
	for b.Loop() {
		k := kernel{main: newCalendar()}
		bareModel(int64(time.Minute), func(i bareItem) {
			if i.server < 0 {
				k.publish(i.at, 0)
			} else {
				k.handled(i.at, int32(i.server))
			}
		}, func() bareItem {
			what, whose := k.next()
			if what == evPublish {
				return bareItem{k.now, -1}
			}
			return bareItem{k.now, int(whose)}
		})
	}
}

// BenchmarkBareContainerHeap is the same on container/heap.
func BenchmarkBareContainerHeap(b *testing.B) {
	for b.Loop() {
		h := &bareHeap{}
		bareModel(int64(time.Minute), func(i bareItem) { heap.Push(h, i) }, func() bareItem { return heap.Pop(h).(bareItem) })
	}
}

// BenchmarkBareGoroutines is the same with a goroutine for each server, which
// the kernel wakes for every event and waits for, as process-style simulators
// do.
func BenchmarkBareGoroutines(b *testing.B) {
	for b.Loop() {
		h := &bareHeap{}
		wake := make([]chan struct{}, 2*referenceServers)
		done := make(chan struct{})
		for i := range wake {
			wake[i] = make(chan struct{})
			go func() {
				for range wake[i] {
					done <- struct{}{}
				}
			}()
		}
		bareModel(int64(time.Minute), func(i bareItem) { heap.Push(h, i) }, func() bareItem {
			i := heap.Pop(h).(bareItem)
			if i.server >= 0 {
				wake[i.server] <- struct{}{}
				<-done
			}
			return i
		})
		for _, c := range wake {
			close(c)
		}
	}
}
