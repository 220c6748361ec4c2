package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON082",
	Name:     "backoff-below-ack-wait",
	Severity: design.Warning,
	Title:    "The first step of backoff takes the place of ack_wait, and it is shorter.",
	Why: "Where backoff is written, delivery n waits backoff[n-1], and ack_wait is not looked at (server/consumer.go, v2.15.2: ack_wait becomes backoff[0]; " +
		"measured). A first step that is shorter than the ack_wait beside it makes that ack_wait a fiction.",
	Fix:  "Begin backoff with the wait that the work needs, or leave backoff out and nak with a delay.",
	Refs: []string{"server/consumer.go"}, Proof: "backoff-replaces-ack-wait",
	Check: func(f *Facts) { f.WrittenConsumers(f.backoffShortens) },
})

func (f *Facts) backoffShortens(c *Consumer) {
	path := design.Join(c.Path, "ack_wait")
	v, ok := f.Value(path)
	if !ok || len(c.Config.BackOff) == 0 || v.Int <= 0 || v.Int == int64(c.Config.BackOff[0]) {
		return
	}
	first := c.Config.BackOff[0]
	said := Said{
		What:  fmt.Sprintf("never applies: backoff begins with %s, and that is what a first delivery waits and the server stores", size.FormatDuration(first)),
		Write: fmt.Sprintf("begin backoff with %s, or leave it out", v.Raw()), Figure: &Figure{"effective ack_wait", first.Seconds(), "s", Computed}}
	if v.Int < int64(first) {
		said.Severity = design.Info
		said.Write = fmt.Sprintf("write ack_wait: %s as well, or leave it out", design.FormatDuration(int64(first)))
	}
	f.Report(path, said)
}
