package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB015",
	Name:     "publish-to-a-wildcard",
	Severity: design.Warning,
	Title:    "A publisher sends to a subject with a wildcard, which is stored as it is written.",
	Why: "Publish subjects are not checked: a message to orders.* is stored under the literal subject orders.* (measured on v2.15.2). A filter orders.* is a " +
		"wildcard and returns it with all others, so it can never be selected alone, and it never reaches a subscriber of orders.eu.",
	Fix:  "Publish to one subject, with a placeholder for what varies: orders.{region}.",
	Refs: []string{"server/client.go"},
	Check: func(f *Facts) {
		for _, scope := range f.Scopes() {
			for _, p := range scope.Publishers {
				for _, t := range strings.Split(p.Subject, subject.Separator) {
					if t == subject.One || t == subject.Rest {
						f.Report(design.Join(p.Path, "subject"), Said{What: fmt.Sprintf("is published to as it is written: %s is no wildcard there, and the message reaches subscribers of wildcards alone", t),
							Write: "write a placeholder for what varies, such as orders.{region}", Figure: &Figure{"literal subjects that it reaches", 1, "subjects", Computed}})
						break
					}
				}
			}
		}
	},
})
