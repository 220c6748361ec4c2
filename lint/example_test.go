package lint_test

import (
	"fmt"
	"os"

	"weir/design"
	"weir/lint"
)

func ExampleCheckSources() {
	sources := []*design.Source{design.NewSource("orders.yaml", []byte(`weir: 1
server: {version: "2.12"}
streams:
  ORDERS:
    subjects: [orders.>]
    consumers:
      paid: {filter_subject: orders.>.paid, ack_policy: explicit}
`))}
	report := lint.CheckSources(sources, lint.Options{})
	if err := lint.PrintText(os.Stdout, report.Findings, sources); err != nil {
		fmt.Println(err)
	}
	fmt.Println(report.Sentence())
	fmt.Println("fix:", report.Findings[0].Fix.Title)
	// Output:
	// orders.yaml:7:30: error: filter_subject: "orders.>.paid" is not a valid consumer filter: > at position 2 is not the last token; write orders.*.paid (exactly one token at that place) or orders.> (everything below, one or more tokens); nats-server 2.12.15 answers 500/10052 invalid subject [SUB001]
	//    7 |       paid: {filter_subject: orders.>.paid, ack_policy: explicit}
	//      |                              ^~~~~~~~~~~~~
	// 1 error in 1 stream and 1 consumer, judged as nats-server 2.12.15
	// fix: Write orders.*.paid
}
