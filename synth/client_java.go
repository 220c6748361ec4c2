package synth

import (
	"fmt"
	"strings"
	"time"

	"weir/design"
)

var _ = target(Target{
	Name: "java", Title: "Java", Group: ClientCode, Order: 5,
	About: "Idempotent publishers and pull workers, on jnats and Java 17, built with Maven.",
	Proof: "TestFaultsJava", Proves: "javac finds nothing with every lint on, and under every fault of the table each message is in exactly one of stream and fallback",
	Opens: "src/main/java/clients/Publisher.java",
	write: writeJava,
})

func writeJava(d *design.Design) ([]File, []Note, error) {
	c := clientSettingsOf(d, "overflow", "prioritized")
	c.withoutMovers()
	return clientProject(d, "client_java.txtar", c, "src/main/java/clients/Settings.java", javaSettings)
}

// javaSettings is Settings.java: a method for each publisher and consumer, since a
// method of Java has at most 64 KiB.
func javaSettings(d *design.Design, c *clientSettings) string {
	var b strings.Builder
	b.WriteString("package clients;\n\nimport java.time.Duration;\nimport java.util.List;\n\n")
	fmt.Fprintf(&b, "// Settings of %s. Written by Weir: change the design, not this.\n", javaComment(orName(d.Name)))
	b.WriteString("final class Settings {\n")
	methods := ""
	for _, list := range c.lists()[:2] {
		var calls []string
		for i, item := range list.items {
			call := fmt.Sprintf("%s%d()", strings.ToLower(list.kind), i+1)
			calls = append(calls, call)
			methods += fmt.Sprintf("\n  private static %[1]sSettings %[2]s {\n    %[1]sSettings s = new %[1]sSettings();\n", list.kind, call) +
				lines("    // %s\n    s.%s = %s;\n", item, javaComment, sameName, javaValue) + "    return s;\n  }\n"
		}
		fmt.Fprintf(&b, "  static final List<%sSettings> %s = List.of(%s);\n", list.kind, strings.ToUpper(list.name), strings.Join(calls, ", "))
	}
	return b.String() + "\n  private Settings() {}\n" + methods + "}\n"
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
