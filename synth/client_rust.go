package synth

import (
	"fmt"
	"strings"
	"time"

	"weir/design"
)

var _ = target(Target{
	Name: "rust", Title: "Rust", Group: ClientCode, Order: 4,
	About: "Idempotent publishers and pull workers, on async-nats and Tokio.",
	Proof: "TestFaultsRust", Proves: "rustfmt and clippy find nothing, and under every fault of the table each message is in exactly one of stream and fallback",
	Opens: "src/publisher.rs",
	write: writeRust,
})

func writeRust(d *design.Design) ([]File, []Note, error) {
	c := clientSettingsOf(d, "overflow", "prioritized")
	c.withoutMovers()
	return clientProject(d, "client_rust.txtar", c, "src/settings.rs", rustSettings)
}

// rustSettings is src/settings.rs, as rustfmt leaves it.
func rustSettings(d *design.Design, c *clientSettings) string {
	var b strings.Builder
	fmt.Fprintf(&b, "//! Settings of %s. Written by Weir: change the design, not this.\n\n", orName(d.Name))
	b.WriteString("use std::time::Duration;\n\nuse crate::shapes::{Consumer, Publisher};\n")
	for _, list := range c.lists()[:2] {
		fmt.Fprintf(&b, "\npub const %s: &[%s] = &[", strings.ToUpper(list.name), list.kind)
		indent := "    "
		switch len(list.items) {
		case 0:
		case 1: // rustfmt keeps the only element on the line of the bracket
			indent = ""
		default:
			b.WriteString("\n    ")
		}
		for i, item := range list.items {
			if i > 0 {
				b.WriteString(",\n    ")
			}
			format := indent + "    // %s\n" + indent + "    %s: %s,\n"
			b.WriteString(list.kind + " {\n" + lines(format, item, comment, snake, rustValue) + indent + "}")
		}
		if len(list.items) > 1 {
			b.WriteString(",\n")
		}
		b.WriteString("];\n")
	}
	return b.String()
}

func rustValue(v any) string {
	switch v := v.(type) {
	case string:
		return rustQuoted(v)
	case time.Duration:
		switch {
		case v%time.Second == 0:
			return fmt.Sprintf("Duration::from_secs(%d)", v/time.Second)
		case v%time.Millisecond == 0:
			return fmt.Sprintf("Duration::from_millis(%d)", v/time.Millisecond)
		}
		return fmt.Sprintf("Duration::from_nanos(%d)", int64(v))
	}
	return fmt.Sprint(v)
}
