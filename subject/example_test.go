package subject_test

import (
	"fmt"

	"weir/subject"
)

func ExampleMatch() {
	for _, pattern := range []string{"orders.*", "orders.>", "orders.*.created", "orders*"} {
		fmt.Println(pattern, subject.Match(pattern, "orders.eu.created"))
	}
	// Output:
	// orders.* false
	// orders.> true
	// orders.*.created true
	// orders* false
}

func ExampleCheck() {
	v := subject.Check("orders.>.processed", subject.Stream)
	fmt.Println(v.Valid, v.Reason)
	fmt.Println("server:", v.Server)
	for _, s := range v.Suggestions {
		fmt.Printf("write %s: %s\n", s.Subject, s.Why)
	}
	// Output:
	// false > at position 2 is not the last token
	// server: 500/10052 invalid subject
	// write orders.*.processed: exactly one token at that place
	// write orders.>: everything below, one or more tokens
}

func ExampleRelate() {
	r := subject.Relate("orders.*.created", "orders.eu.*")
	fmt.Println(r.Relation)
	fmt.Println("both:  ", r.Both)
	fmt.Println("only a:", r.OnlyA)
	fmt.Println("only b:", r.OnlyB)
	// Output:
	// overlaps
	// both:   orders.eu.created
	// only a: orders.a.created
	// only b: orders.eu.a
}

func ExampleNewTransform() {
	tr, err := subject.NewTransform("orders.*.*", "orders.{{partition(3,1)}}.{{wildcard(2)}}.$1", subject.TransformOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := tr.Apply("orders.eu.created", nil)
	fmt.Println(out, err)

	_, err = subject.NewTransform("orders.*", "orders.$2", subject.TransformOptions{})
	fmt.Println(err)
	// Output:
	// orders.2.created.eu <nil>
	// invalid mapping destination: wildcard index out of range in $2: [2]
}

func ExampleDistribute() {
	var keys []string
	for i := range 1000 {
		keys = append(keys, fmt.Sprintf("customer-%d", i))
	}
	d, err := subject.Distribute(keys, 7)
	fmt.Println(d.Counts, d.Min, d.Max, err)

	m, err := subject.Moves(keys, 7, 8)
	fmt.Printf("%d of %d keys move to another partition %v\n", m.Moved, m.Keys, err)
	// Output:
	// [139 139 149 140 149 138 146] 138 149 <nil>
	// 882 of 1000 keys move to another partition <nil>
}

func ExampleFindOverlaps() {
	pairs, total, complete := subject.FindOverlaps([]string{"orders.>", "orders.*.created", "billing.*"}, 100)
	fmt.Println(total, complete)
	for _, p := range pairs {
		fmt.Println(p.A, p.Relation, p.B, "for instance", p.Both)
	}
	// Output:
	// 1 true
	// orders.> covers orders.*.created for instance orders.a.created
}
