package dialect_test

import (
	"fmt"

	"weir/design"
	"weir/dialect"
)

func ExampleRead() {
	info := `{"config": {"name": "ORDERS", "subjects": ["orders.>"], "max_age": 259200000000000, "metadata": {"_nats.ver": "2.12.3"}}, "state": {}}`
	designs, problems := dialect.Read([]*design.Source{design.NewSource("info.json", []byte(info))})
	fmt.Println(len(problems), designs[0].Version)
	fmt.Print(string(design.Render(designs[0])))
	// Output:
	// 0 2.12.3
	// weir: 1
	// server:
	//   version: "2.12.3"
	// streams:
	//   ORDERS:
	//     name: ORDERS
	//     subjects: [orders.>]
	//     max_age: 72h
}
