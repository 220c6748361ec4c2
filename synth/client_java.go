package synth

import (
	_ "embed"
	"fmt"
	"strings"
	"time"

	"weir/design"
)

var _ = target(Target{
	Name: "java", Title: "Java", Group: ClientCode, Order: 5,
	About: "A program on jnats and Java 17, built with Maven: idempotent publishers and pull workers for everything in the design.",
	Proof: "TestFaultsJava", Proves: "javac finds nothing with every lint on, and under every fault of the table each message is in exactly one of stream and fallback",
	Opens: "src/main/java/clients/Publisher.java",
	write: writeJava,
})

//go:embed client_java.txtar
var javaProject []byte

func writeJava(d *design.Design) ([]File, []Note, error) {
	c := clientSettingsOf(d, "overflow", "prioritized")
	c.withoutMovers()
	return clientProject(d, javaProject, c, "src/main/java/clients/Settings.java", javaSettings)
}

// javaSettings is Settings.java: a method for each publisher and consumer, since a
// method of Java has at most 64 KiB.
func javaSettings(d *design.Design, c *clientSettings) string {
	var b strings.Builder
	b.WriteString("package clients;\n\nimport java.time.Duration;\nimport java.util.List;\n\n")
	fmt.Fprintf(&b, "// Settings of %s. Written by Weir: change the design, not this.\n", javaComment(orName(d.Name)))
	b.WriteString("final class Settings {\n")
	lists := []struct {
		name, kind, method string
		items              [][]setting
	}{{"PUBLISHERS", "PublisherSettings", "publisher", c.publishers}, {"CONSUMERS", "ConsumerSettings", "consumer", c.consumers}}
	for _, list := range lists {
		var calls []string
		for i := range list.items {
			calls = append(calls, fmt.Sprintf("%s%d()", list.method, i+1))
		}
		fmt.Fprintf(&b, "  static final List<%s> %s = List.of(%s);\n", list.kind, list.name, strings.Join(calls, ", "))
	}
	b.WriteString("\n  private Settings() {}\n")
	for _, list := range lists {
		for i, item := range list.items {
			fmt.Fprintf(&b, "\n  private static %[1]s %[2]s%[3]d() {\n    %[1]s s = new %[1]s();\n", list.kind, list.method, i+1)
			for _, s := range item {
				fmt.Fprintf(&b, "    // %s\n    s.%s = %s;\n", javaComment(s.why), s.name, javaValue(s.value))
			}
			b.WriteString("    return s;\n  }\n")
		}
	}
	return b.String() + "}\n"
}

func javaValue(v any) string {
	switch v := v.(type) {
	case string:
		return javaQuoted(v)
	case time.Duration:
		switch {
		case v%time.Second == 0:
			return fmt.Sprintf("Duration.ofSeconds(%d)", v/time.Second)
		case v%time.Millisecond == 0:
			return fmt.Sprintf("Duration.ofMillis(%d)", v/time.Millisecond)
		}
		return fmt.Sprintf("Duration.ofNanos(%dL)", int64(v))
	case int64:
		if v > 1<<31-1 {
			return fmt.Sprintf("%dL", v)
		}
	}
	return fmt.Sprint(v)
}
