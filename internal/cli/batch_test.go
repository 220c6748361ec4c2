package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// BenchmarkBatch answers 10,000 rows an operation.
func BenchmarkBatch(b *testing.B) {
	rows := map[string]string{
		"match":     "orders.*.created\torders.eu.created\n",
		"valid":     "orders.*.created\n",
		"transform": "orders.*\tp.{{partition(8,1)}}.$1\torders.42\n",
	}
	for _, name := range []string{"match", "valid", "transform"} {
		in := []byte(strings.Repeat(rows[name], 10_000))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				c := &Command{Stdin: bytes.NewReader(in), Stdout: io.Discard, Stderr: io.Discard}
				if code := c.Main([]string{"subjects", name, "-"}); code != ExitYes {
					b.Fatal(code)
				}
			}
		})
	}
}
