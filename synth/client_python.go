package synth

import (
	_ "embed"
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
	About: "A program on nats-py and asyncio: idempotent publishers, pull workers and movers of dead letters for everything in the design.",
	Proof: "TestFaultsPython", Proves: "py_compile and ruff pass, and under every fault of the table each message is in exactly one of stream and fallback",
	Opens: "publisher.py",
	write: writePython,
})

//go:embed client_python.txtar
var pythonProject []byte

func writePython(d *design.Design) ([]File, []Note, error) {
	return clientProject(d, pythonProject, clientSettingsOf(d, "overflow", "pinned_client", "prioritized"), "settings.py", pythonSettings)
}

// pythonSettings is settings.py. Durations are seconds.
func pythonSettings(d *design.Design, c *clientSettings) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Settings of %s. Written by Weir: change the design, not this. Durations are seconds.\n\n", orName(d.Name))
	for _, list := range []struct {
		name  string
		items [][]setting
	}{{"PUBLISHERS", c.publishers}, {"CONSUMERS", c.consumers}, {"MOVERS", c.movers}} {
		if len(list.items) == 0 {
			fmt.Fprintf(&b, "%s = []\n", list.name)
			continue
		}
		fmt.Fprintf(&b, "%s = [\n", list.name)
		for _, item := range list.items {
			b.WriteString("    {\n")
			for _, s := range item {
				fmt.Fprintf(&b, "        # %s\n%s", comment(s.why), pythonItem(snake(s.name), s.value))
			}
			b.WriteString("    },\n")
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

// pythonWidth is the length of a line in pyproject.toml; what is longer, ruff format
// breaks where it can: in a list.
const pythonWidth = 120

// pythonItem is a line of a settings file, or a list on several.
func pythonItem(name string, value any) string {
	line := fmt.Sprintf("        %q: %s,\n", name, pythonValue(value))
	words, list := value.([]string)
	if !list || len(words) == 0 || utf8.RuneCountInString(line) <= pythonWidth+1 {
		return line
	}
	var b strings.Builder
	fmt.Fprintf(&b, "        %q: [\n", name)
	for _, s := range words {
		fmt.Fprintf(&b, "            %s,\n", pythonQuoted(s))
	}
	b.WriteString("        ],\n")
	return b.String()
}

func pythonValue(v any) string {
	switch v := v.(type) {
	case string:
		return pythonQuoted(v)
	case []string:
		var words []string
		for _, s := range v {
			words = append(words, pythonQuoted(s))
		}
		return "[" + strings.Join(words, ", ") + "]"
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
