package synth_test

import (
	"fmt"

	"weir/design"
	"weir/synth"
)

// A design becomes what the NATS CLI takes.
func ExampleGenerate() {
	d, _ := design.Parse("jobs.yaml", []byte("weir: 1\nstreams: {JOBS: {subjects: [jobs.*], retention: workqueue, max_age: 168h}}\n"))
	out, err := synth.Generate("nats-json", d)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range out.Files {
		fmt.Printf("%s\n%s", f.Path, f.Text)
	}
	// Output:
	// streams/JOBS.json
	// {
	//   "name": "JOBS",
	//   "subjects": [
	//     "jobs.*"
	//   ],
	//   "retention": "workqueue",
	//   "max_age": 604800000000000
	// }
}

// Client code was run under faults before it is written for anybody.
func ExampleFaults() {
	fmt.Println(synth.FaultsSay("go"))
	for _, f := range synth.Faults("go") {
		if f.Fault == "server restart" {
			fmt.Printf("%s: %s of %s stored, %s lost\n", f.Fault, f.Stored, f.Messages, f.Lost)
		}
	}
	// Output:
	// Run on a real server under 12 faults with 5,671 messages: none was lost, and none was in both stream and fallback
	// server restart: 1000 of 1000 stored, 0 lost
}
