package lint

import "weir/design"

var _ = rule(Rule{
	Code:     "CON040",
	Name:     "fewer-tries-than-backoff",
	Severity: design.Error,
	Title:    "backoff has more steps than there are tries.",
	Why: "Each delivery waits one step of backoff, so max_deliver has to be at least as many (400/10116; server/consumer.go checkConsumerCfg, v2.15.2; measured: as many is enough, " +
		"though the text says more). Releases before 2.10.23 ask for more, those before 2.10.14 for a max_deliver that is written as well.",
	Fix:      "Raise max_deliver, or leave the last steps out; the last step repeats.",
	Refs:     []string{"server/consumer.go", "err_code 10116", "nats-server PR 6154"},
	Explains: []Refusal{{ErrCode: 10116}},
})
