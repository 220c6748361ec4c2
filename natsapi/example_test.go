package natsapi_test

import (
	"fmt"
	"strings"

	"weir/natsapi"
)

func ExampleLookup() {
	old, _ := natsapi.ParseVersion("2.11")
	f, _ := natsapi.Lookup(natsapi.Stream, "allow_atomic")
	fmt.Println(f.In(old), f.In(natsapi.Embedded), f.Since, f.Level)
	f, _ = natsapi.Lookup(natsapi.Stream, "storage")
	fmt.Println(f.Default, f.EnumIn(old), f.UpdateIn(old), f.UpdateErr, f.UpdateText)
	// Output:
	// false true 2.12.0 2
	// file [file memory] no 10052 can not change storage type
}

func ExampleWalk() {
	f, _ := natsapi.Walk(natsapi.Conf, "accounts", "ORDERS", "jetstream", "max_mem")
	fmt.Println(f.Asset, f.Name, f.Type, f.MinusOne)
	// Output: conf.accounts.jetstream max_memory size unlimited
}

func ExampleDifferences() {
	from, _ := natsapi.ParseVersion("2.14")
	for _, d := range natsapi.Differences(from, natsapi.Embedded) {
		if strings.Contains(d.What, "deliver_subject") {
			fmt.Println(d.Fields, d.What)
		}
	}
	// Output:
	// [consumer.deliver_subject] A deliver_subject in the server's own subjects ($JS.API, $JS.ACK ...) is refused with 10112. Missing in 2.15.0 to 2.15.2. In 2.14.10, not in 2.15.2.
}
