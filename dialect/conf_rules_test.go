package dialect

import (
	"testing"

	"weir/design"
)

// TestConfWithoutRules: what server.wasm reads of a configuration has no faults
// where the rules find none, although types alone would.
func TestConfWithoutRules(t *testing.T) {
	const text = "listen: 127.0.0.1:4222\njetstream: {store_dir: /data, domain: a}\naccounts: {A: {jetstream: enabled, users: [{user: a, password: b}]}}\nmappings: {a: b}\n"
	_, problems := Read([]*design.Source{design.NewSource("n1.conf", []byte(text))})
	if problems.Failed() {
		t.Error(problems)
	}
}
