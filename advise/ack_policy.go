package advise

import (
	"weir/design"
	"weir/size"
)

// ackPolicy is explicit: the only policy that gives a message back that its
// worker did not handle.
func (p *consumerPlan) ackPolicy() {
	text, api := word("explicit")
	p.add(Setting{Field: "ack_policy", Advised: text, api: api, Source: "consumer.go, 2.15.2: the default of the API is none",
		Reason: "a worker that dies gives back what it had; each message is acked for itself",
		Rejected: []Rejected{{"none", "the default of the API: a message is handed out once, handled or not"},
			{"all", "an ack is one for every message before it, of other workers too"}}}, func(v design.Value) string {
		switch {
		case v.Text == "none" && p.Retention == size.WorkQueue:
			return "a work queue removes what was acked, and refuses a consumer without acks (10084)"
		case v.Text == "none" && p.Outage > 0:
			return "what a worker had when it stopped is lost: none gives each message once"
		case v.Text == "all" && p.Workers*p.Concurrency > 1:
			return "an ack covers every message before it: with several at work it acks those that others have not finished"
		}
		return ""
	})
}

// consumerReplicas lets the consumer be where its stream is.
func (p *consumerPlan) consumerReplicas() {
	p.add(Setting{Field: "num_replicas", State: Default, Advised: "none", Source: "consumer.go, 2.15.2: 0 is the stream's",
		Reason:   "as the stream: a lost server does not take the ack floor with it",
		Rejected: []Rejected{{"1", "less to write, but everything is delivered again when its server is lost"}}}, nil)
}
