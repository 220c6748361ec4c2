package design_test

import (
	"fmt"

	"weir/design"
)

func ExampleParse() {
	text := `weir: 1
streams:
  ORDERS:
    subjects: [orders.>]
    max_age: 72h
    max_bytes: 10GB
`
	d, problems := design.Parse("orders.yaml", []byte(text))
	for _, p := range problems {
		fmt.Println(p)
	}
	fmt.Println(d.Has("streams.ORDERS.max_age"), d.Has("streams.ORDERS.max_msgs"))
	fmt.Println(d.Where("streams.ORDERS.max_age"))
	// Output:
	// orders.yaml:6:16: error: max_bytes: "10GB" has the unit GB, which is read as 1000 by some and as 1024 by others; write 10GiB or 9.31GiB [FILE007]
	// true false
	// orders.yaml:5:14
}

func ExampleDesign_Requests() {
	d, _ := design.Parse("d.yaml", []byte("weir: 1\nstreams: {JOBS: {retention: workqueue, max_age: 1h, consumers: {work: {ack_policy: explicit, ack_wait: 30s}}}}\n"))
	for _, r := range d.Requests() {
		fmt.Println(r.Subject, string(r.Body))
	}
	r := d.Requests()[1]
	fmt.Println(r.DesignPath("config.ack_wait"), "at", d.Where(r.DesignPath("config.ack_wait")))
	// Output:
	// STREAM.CREATE.JOBS {"name":"JOBS","retention":"workqueue","max_age":3600000000000}
	// CONSUMER.CREATE.JOBS.work {"stream_name":"JOBS","config":{"durable_name":"work","name":"work","ack_policy":"explicit","ack_wait":30000000000}}
	// streams.JOBS.consumers.work.ack_wait at d.yaml:2:104
}

func ExampleDiff() {
	from, _ := design.Parse("a.yaml", []byte("weir: 1\nstreams: {A: {max_age: 24h, num_replicas: 1}}\n"))
	to, _ := design.Parse("b.yaml", []byte("weir: 1\nstreams: {A: {max_age: 1d, num_replicas: 3}, B: {}}\n"))
	for _, c := range design.Diff(from, to) {
		fmt.Println(c.Text())
	}
	// Output:
	// ~ streams.A.num_replicas: 1 -> 3
	// + streams.B: {}
}

func ExampleFormat() {
	out, _ := design.Format("d.yaml", []byte("weir:   1\nstreams:\n    A: { max_age: 5s,no_ack: true }   # short\n"))
	fmt.Print(string(out))
	// Output:
	// weir: 1
	// streams:
	//   A: {max_age: 5s, no_ack: true}   # short
}
