package shell_test

import (
	"os/exec"
	"testing"

	"weir/internal/shell"
)

// TestQuote holds the words to a real shell: each comes out as it went in.
func TestQuote(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here:", err)
	}
	for _, s := range []string{"", "plain", "a.b:c@d=e+f-g%h/i_j", "-rf", "it's; rm", "$(id) `id` ${HOME}", "a\nb", `"\"`, "*", "~", "größe"} {
		out, err := exec.Command(sh, "-c", "printf %s "+shell.Quote(s)).Output()
		if err != nil || string(out) != s {
			t.Errorf("%q comes out as %q: %v", s, out, err)
		}
	}
	for _, s := range []string{"streams/ORDERS.json", "800/s", "30%"} {
		if got := shell.Quote(s); got != s {
			t.Errorf("%s needs no quotes: %s", s, got)
		}
	}
}
