package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON058",
	Name:     "durable-of-one-process",
	Severity: design.Warning,
	Title:    "The durable is named after a process, and stays when that is gone.",
	Why: "A durable without inactive_threshold lives until somebody deletes it. One that carries a random id or the name of a pod is left behind at each restart, takes about 29 KB of " +
		"memory and 16 KiB of disk (measured on v2.15.2), and keeps messages in a stream of retention interest.",
	Fix:   "Give processes that share work one durable, and those that do not an inactive_threshold.",
	Refs:  []string{"server/consumer.go", "nats-server issue 5609"},
	Check: func(f *Facts) { f.Consumers(f.generatedName) },
})

// yearOfDeployments is how often a process is replaced in a year that is deployed
// once a day.
const yearOfDeployments = 365

func (f *Facts) generatedName(c *Consumer) {
	if c.Ephemeral() || c.Config.InactiveThreshold > 0 || !looksGenerated(c.Config.Durable) {
		return
	}
	f.Report(c.Path, Said{
		What: fmt.Sprintf("is a durable that is named after one process and has no inactive_threshold: with a deployment a day at most %d are left behind in a year, with %s of memory",
			yearOfDeployments, size.FormatBytes(yearOfDeployments*consumerHeap)),
		Write:  "write inactive_threshold, or one durable for all",
		Figure: &Figure{"consumers left behind in a year", yearOfDeployments, "consumers", Bound}})
}

// looksGenerated reports whether a name ends like a UUID, a Kubernetes pod
// (-5d4f8c7b9d-x2k4q) or another random id of twelve hexadecimal digits or more.
func looksGenerated(name string) bool {
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 {
		return false
	}
	last := parts[len(parts)-1]
	if len(last) >= 12 && isHex(last) {
		return true
	}
	return len(parts) >= 3 && len(last) == 5 && strings.ContainsAny(last, "0123456789") && len(parts[len(parts)-2]) >= 8 && isHex(parts[len(parts)-2])
}

// isHex reports whether a text has hexadecimal digits only, some of each kind.
func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdefABCDEF") == "" && strings.ContainsAny(s, "0123456789") && strings.ContainsAny(s, "abcdefABCDEF")
}
