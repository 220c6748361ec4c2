package sim_test

import (
	"context"
	"fmt"
	"time"

	"weir/design"
	"weir/sim"
)

// Two workers cannot do what arrives: a run says what becomes of it.
func ExampleRun() {
	d, _ := design.Parse("jobs.yaml", []byte(`weir: 1
streams:
  JOBS:
    subjects: [jobs.*]
    retention: workqueue
    consumers:
      work: {ack_policy: explicit, ack_wait: 30s, workers: {count: 2, service_time: 250ms}}
publishers: {shop: {subject: jobs.render, rate: 10/s, payload: 1KiB}}
`))
	m, err := sim.FromDesign(d, sim.DesignOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := sim.Run(context.Background(), m.Workload, sim.Options{Seed: 1, Until: 10 * time.Minute})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := res.Consumers[0]
	fmt.Printf("%s/%s: %d acked, %d pending, %d redelivered\n", c.Stream, c.Name, c.Acked, c.NumPending, c.Redeliveries)
	// Output:
	// JOBS/work: 4788 acked, 1375 pending, 0 redelivered
}

// When a message that no handler can handle comes again.
func ExampleRetryTimeline() {
	course, err := sim.RetryTimeline(sim.Retries{AckWait: 30 * time.Second, BackOff: []time.Duration{time.Second, 5 * time.Second, time.Minute}, MaxDeliver: 4, Service: 20 * time.Millisecond, Act: sim.Action{Do: sim.DoNothing}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range course.Attempts {
		fmt.Println(a.Number, a.Start)
	}
	fmt.Println(course.Describe())
	// Output:
	// 1 0s
	// 2 1.001s
	// 3 6.002s
	// 4 1m6.002s
	// Delivered 4 times within 1 min 6 s, and given up after 2 min 6 s: max_deliver is reached, it stays in the stream and is delivered no more.
}
