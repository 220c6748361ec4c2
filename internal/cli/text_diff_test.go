package cli

import (
	"strings"
	"testing"
)

// TestTextDiff: a line that both texts have is context, however often it is there.
func TestTextDiff(t *testing.T) {
	group := func(name, wait, work string) string {
		return "  " + name + ":\n    ack_policy: explicit\n    ack_wait: " + wait + "\n    max_deliver: 5\n    workers: {service_time: " + work + "}\n"
	}
	before := group("a", "30s", "1s") + group("b", "30s", "1s")
	after := group("a", "60s", "2s") + group("b", "60s", "2s")
	for _, tt := range []struct{ name, before, after, want string }{
		{"the same", before, before, ""},
		{"lines between two changes", before, after, `diff a b
--- a
+++ b
@@ -1,10 +1,10 @@
   a:
     ack_policy: explicit
-    ack_wait: 30s
+    ack_wait: 60s
     max_deliver: 5
-    workers: {service_time: 1s}
+    workers: {service_time: 2s}
   b:
     ack_policy: explicit
-    ack_wait: 30s
+    ack_wait: 60s
     max_deliver: 5
-    workers: {service_time: 1s}
+    workers: {service_time: 2s}
`},
		{"lines like marks", "-a\n+b\nx\n-a\n+b\n", "-a\n+c\nx\n-a\n+c\n", `diff a b
--- a
+++ b
@@ -1,5 +1,5 @@
 -a
-+b
++c
 x
 -a
-+b
++c
`},
		{"no line end", "a\nb", "a\nc", "diff a b\n--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"},
	} {
		if got := string(textDiff("a", []byte(tt.before), "b", []byte(tt.after))); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	long := strings.Repeat("x\n", 3000)
	if got := textDiff("a", []byte("a\n"+long), "b", []byte(long+"b\n")); len(got) == 0 {
		t.Error("a long change is lost")
	}
}
