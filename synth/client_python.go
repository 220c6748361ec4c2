package synth

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"weir/design"
)

var _ = target(Target{
	Name: "python", Title: "Python", Group: ClientCode, Order: 3,
	About: "Idempotent publishers, pull workers and movers of dead letters, on nats-py and asyncio.",
	Proof: "TestFaultsPython", Proves: "py_compile and ruff pass, and under every fault of the table each message is in exactly one of stream and fallback",
	Opens: "publisher.py",
	write: writePython,
})

func writePython(d *design.Design) ([]File, []Note, error) {
	return clientProject(d, "client_python.txtar", clientSettingsOf(d, "overflow", "pinned_client", "prioritized"), "settings.py", pythonSettings)
}

// pythonSettings is settings.py. Durations are seconds.
func pythonSettings(d *design.Design, c *clientSettings) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Settings of %s. Written by Weir: change the design, not this. Durations are seconds.\n\n", orName(d.Name))
	for _, list := range c.lists() {
		name := strings.ToUpper(list.name)
		if len(list.items) == 0 {
			b.WriteString(name + " = []\n")
			continue
		}
		b.WriteString(name + " = [\n")
		for _, item := range list.items {
			b.WriteString("    {\n" + lines("        # %s\n        \"%s\": %s,\n", item, comment, snake, pythonValue) + "    },\n")
		}
		b.WriteString("]\n")
	}
	return b.String()
}

// snake is inFlight as in_flight.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// pythonList is how much of a line of 120, which pyproject.toml allows, is left for the
// lists in settings, deliveries_of and terminated_of; ruff format breaks a longer one.
const pythonList = 120 - len(`        "deliveries_of": ,`)

func pythonValue(v any) string {
	switch v := v.(type) {
	case string:
		return pythonQuoted(v)
	case []string:
		words := quotedList(v, pythonQuoted)
		if utf8.RuneCountInString(words)+len("[]") <= pythonList {
			return "[" + words + "]"
		}
		each := func(s string) string { return "\n            " + pythonQuoted(s) }
		return "[" + strings.ReplaceAll(quotedList(v, each), ", \n", ",\n") + ",\n        ]"
	case time.Duration:
		text := strconv.FormatFloat(v.Seconds(), 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	case bool:
		if v {
			return "True"
		}
		return "False"
	}
	return fmt.Sprint(v)
}
