package verdict_test

import (
	"fmt"

	"weir/natsapi"
	"weir/verdict"
)

// A whole design is judged in the order in which it would be applied.
func Example() {
	s := verdict.NewSetting(natsapi.Embedded)
	for _, r := range []verdict.Request{
		{Subject: "STREAM.CREATE.ORDERS", Body: []byte(`{"name":"ORDERS","subjects":["orders.>"],"retention":"workqueue"}`)},
		{Subject: "CONSUMER.CREATE.ORDERS.billing", Body: []byte(`{"stream_name":"ORDERS","config":{"durable_name":"billing","ack_policy":"explicit"}}`)},
		{Subject: "CONSUMER.CREATE.ORDERS.audit", Body: []byte(`{"stream_name":"ORDERS","config":{"durable_name":"audit","ack_policy":"explicit"}}`)},
	} {
		a := s.Apply(r)
		fmt.Printf("%s: %s\n", r.Subject, a.Verdict)
		if a.Verdict == verdict.Refused {
			fmt.Println(a.ErrCode, a.Description)
		}
	}
	// Output:
	// STREAM.CREATE.ORDERS: ok
	// CONSUMER.CREATE.ORDERS.billing: ok
	// CONSUMER.CREATE.ORDERS.audit: error
	// 10099 multiple non-filtered consumers not allowed on workqueue stream
}

// What a server changes without saying so.
func ExampleJudge() {
	a := verdict.Judge(verdict.NewSetting(natsapi.Embedded), verdict.Request{
		Subject: "STREAM.CREATE.LOG",
		Body:    []byte(`{"name":"LOG","max_msgs":0,"deny_purge":true,"subject_delete_marker_ttl":60000000000}`),
	})
	for _, c := range a.Changes {
		if c.Kind == verdict.Altered {
			fmt.Println(c.Path, c.Sent, "->", c.Stored)
		}
	}
	// Output:
	// max_msgs 0 -> -1
	// deny_purge true -> false
}

// A change that the server refuses in place.
func ExamplePlanStream() {
	s := verdict.NewSetting(natsapi.Embedded)
	s.Apply(verdict.Request{Subject: "STREAM.CREATE.LOG", Body: []byte(`{"name":"LOG"}`)})
	p := verdict.PlanStream(s, []byte(`{"name":"LOG","storage":"memory"}`))
	fmt.Println(p.Kind)
	for _, reason := range p.Reasons {
		fmt.Println(reason.Path, reason.ErrCode, reason.Description)
	}
	// Output:
	// re-create
	// storage 10052 stream configuration update can not change storage type
}
