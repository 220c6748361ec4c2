package prove_test

import (
	"context"
	"fmt"

	"weir/prove"
	"weir/subject"
)

func ExampleMatrix() {
	e, err := prove.Matrix(context.Background(), subject.TextbookPatterns(), []string{"orders.eu", "orders", "orders.*"}, prove.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Matrix.Cells, "cells,", e.Matrix.Matching, "match; agrees:", e.Agrees())
	// Output: 12 cells, 4 match; agrees: true
}

func ExampleStreamSubjects() {
	e, err := prove.StreamSubjects(context.Background(), []string{"orders.>", "orders..x", ">"}, prove.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range e.Answers {
		fmt.Printf("%-9s %s\n", a.Subject, a.Measured)
	}
	fmt.Println("agrees:", e.Agrees())
	// Output:
	// orders.>  accepted
	// orders..x 500/10052 invalid subject
	// >         500/10052 capturing all subjects requires no-ack to be true
	// agrees: true
}
