package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "KV007",
	Name:     "value-too-large",
	Severity: design.Warning,
	Title:    "Some values are larger than the bucket or the server takes.",
	Why: "A put above max_value_size is refused with 10054, one above max_payload, 1 MiB by default, by the client library or with the end of the connection (server/stream.go, " +
		"server/client.go, v2.15.2; measured).",
	Fix:   "Raise max_value_size and max_payload above the largest value, or keep large values in an object store.",
	Refs:  []string{"server/stream.go", "server/client.go", "err_code 10054"},
	Check: func(f *Facts) { f.AcceptedStreams(f.valueTooLarge) },
})

func (f *Facts) valueTooLarge(s *Stream) {
	if s.Kind != "kv" || !s.Bucket.Value.Known() {
		return
	}
	limit, name := float64(f.maxPayload(s)), "max_payload"
	if m := s.Config.MaxMsgSize; m > 0 && float64(m) < limit {
		limit, name = float64(m), "max_value_size"
	}
	over := s.Bucket.Value.Exceeds(limit)
	if over < worthSaying {
		return
	}
	tail := AssumedTail(s.Bucket.Value, limit)
	f.Report(design.Join(s.Path, "value"), Said{Severity: severityOf(tail),
		What:   fmt.Sprintf("is over %s, %s, for %s of the values%s: these puts fail", name, size.FormatBytes(limit), percent(over), ifTail(tail)),
		Write:  fmt.Sprintf("raise it to %s or more, or use an object store", size.FormatBytes(math.Exp2(math.Ceil(math.Log2(1.25*max(s.Bucket.Value.P99Value(), limit)))))),
		Figure: &Figure{"values refused", over, "share", Computed}})
}
