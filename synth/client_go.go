package synth

import (
	"fmt"
	"strings"
	"time"

	"weir/design"
)

var _ = target(Target{
	Name: "go", Title: "Go", Group: ClientCode, Order: 1,
	About: "Idempotent publishers, pull workers and movers of dead letters, on nats.go's jetstream package.",
	Proof: "TestFaultsGo", Proves: "go vet passes, and under every fault of the table each message is in exactly one of stream and fallback",
	Opens: "publisher.go",
	write: writeGo,
})

func writeGo(d *design.Design) ([]File, []Note, error) {
	return clientProject(d, "client_go.txtar", clientSettingsOf(d, "overflow", "pinned_client", "prioritized"), "settings.go", goSettings)
}

// goSettings is settings.go, as gofmt leaves it.
func goSettings(d *design.Design, c *clientSettings) string {
	var b strings.Builder
	b.WriteString("package main\n\n")
	if len(c.publishers)+len(c.consumers) > 0 {
		b.WriteString("import \"time\"\n\n")
	}
	fmt.Fprintf(&b, "// Settings of %s. Written by Weir: change the design, not this.\n", orName(d.Name))
	for _, list := range c.lists() {
		if len(list.items) == 0 {
			fmt.Fprintf(&b, "\nvar %s []%s\n", list.name, list.kind)
			continue
		}
		fmt.Fprintf(&b, "\nvar %s = []%s{\n", list.name, list.kind)
		for _, item := range list.items {
			b.WriteString("\t{\n" + lines("\t\t// %s\n\t\t%s: %s,\n", item, comment, goName, goValue) + "\t},\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func goName(name string) string {
	if name == "ttl" {
		return "TTL"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func goValue(v any) string {
	switch v := v.(type) {
	case string:
		return goQuoted(v)
	case []string:
		return "[]string{" + quotedList(v, goQuoted) + "}"
	case time.Duration:
		for _, unit := range []struct {
			name string
			size time.Duration
		}{{"time.Minute", time.Minute}, {"time.Second", time.Second}, {"time.Millisecond", time.Millisecond}, {"time.Microsecond", time.Microsecond}} {
			if v != 0 && v%unit.size == 0 {
				return fmt.Sprintf("%d * %s", v/unit.size, unit.name)
			}
		}
		return fmt.Sprint(int64(v))
	}
	return fmt.Sprint(v)
}
