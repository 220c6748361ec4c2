package synth

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"weir/design"
)

var _ = target(Target{
	Name: "typescript", Title: "TypeScript", Group: ClientCode, Order: 2,
	About: "Idempotent publishers, pull workers and movers of dead letters, on @nats-io/jetstream and Node.",
	Proof: "TestFaultsTypeScript", Proves: "tsc passes in strict mode, and under every fault of the table each message is in exactly one of stream and fallback",
	Opens: "src/publisher.ts",
	write: writeTypeScript,
})

func writeTypeScript(d *design.Design) ([]File, []Note, error) {
	c := clientSettingsOf(d, "overflow", "prioritized")
	for _, item := range c.consumers {
		for _, s := range item {
			if wait, ok := s.value.(time.Duration); ok && s.name == "expires" && wait < time.Second {
				c.note("streams", "%v: max_expires is less than a second, and the library asks for a second at least: its requests are refused", item[0].value)
			}
		}
	}
	return clientProject(d, "client_typescript.txtar", c, "src/settings.ts", typeScriptSettings)
}

// typeScriptSettings is src/settings.ts. Durations are milliseconds.
func typeScriptSettings(d *design.Design, c *clientSettings) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Settings of %s. Written by Weir: change the design, not this. Durations are milliseconds.\n\n", orName(d.Name))
	b.WriteString("import type { Consumer, Mover, Publisher } from \"./shapes.js\";\n")
	for _, list := range c.lists() {
		fmt.Fprintf(&b, "\nexport const %s: %s[] = [\n", list.name, list.kind)
		for _, item := range list.items {
			b.WriteString("  {\n" + lines("    // %s\n    %s: %s,\n", item, comment, sameName, typeScriptValue) + "  },\n")
		}
		b.WriteString("];\n")
	}
	return b.String()
}

func typeScriptValue(v any) string {
	switch v := v.(type) {
	case string:
		return jsonQuoted(v)
	case []string:
		return "[" + quotedList(v, jsonQuoted) + "]"
	case time.Duration:
		return strconv.FormatFloat(float64(v)/float64(time.Millisecond), 'f', -1, 64)
	}
	return fmt.Sprint(v)
}
