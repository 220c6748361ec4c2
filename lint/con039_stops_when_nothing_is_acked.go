package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON039",
	Name:     "stops-when-nothing-is-acked",
	Severity: design.Info,
	Title:    "A failing consumer fills the stream, and then publishers are refused.",
	Why: "With retention interest or workqueue and discard new a message leaves by its ack only; when all places are taken the next publish gets 10077 (server/stream.go, v2.15.2; " +
		"measured). That is back-pressure, and wanted where the publisher handles it.",
	Fix:   "Let the publisher wait, retry or park what is refused, and watch the consumer.",
	Refs:  []string{"server/stream.go", "err_code 10077", "kyma issue 15751"},
	Check: func(f *Facts) { f.Consumers(f.backPressure) },
})

func (f *Facts) backPressure(c *Consumer) {
	s := c.Of
	failing := c.Failing()
	if failing < 0.5 || s.Config.Retention.String() == "Limits" || s.Config.Discard.String() != "New" {
		return
	}
	key := "max_bytes"
	if s.Config.MaxBytes <= 0 {
		key = "max_msgs"
	}
	most, ok := f.MostMessages(s)
	if !ok {
		f.Need("the publishers of a stream, with rate and payload")
		return
	}
	most = float64(int64(most))
	f.Report(design.Join(s.Path, key), Said{
		What:   fmt.Sprintf("is full after %s while consumer %s fails: publishers are refused with 10077 from then on", messages(most), clip(c.Name)),
		Write:  "let them retry and park what is refused",
		Figure: &Figure{"messages until it is full", most, "msgs", Computed}})
}
