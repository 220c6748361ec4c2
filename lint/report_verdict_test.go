package lint

import (
	"testing"

	"weir/design"
)

func TestVerdict(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"accepted", "weir: 1\nstreams:\n  A: {subjects: [a], consumers: {c: {ack_policy: explicit}}}\nkv: {K: {}}\n", "nats-server 2.15.2 accepts 1 stream, 1 bucket and 1 consumer"},
		{"refused", "weir: 1\nstreams:\n  A: {subjects: [a..b]}\n  B: {subjects: [b]}\n", "nats-server 2.15.2 refuses 1 of 2 streams"},
		{"of two kinds", "weir: 1\nstreams:\n  A: {subjects: [a..b]}\n  B: {subjects: [b], consumers: {c: {ack_policy: explicit, filter_subject: 'b.>.c'}}}\n", "nats-server 2.15.2 refuses 1 of 2 streams and 1 of 1 consumer"},
		{"unread in part", "weir: 1\nstreams:\n  A: {subjects: [a], max_age: 20}\n  B: {subjects: [b]}\n", "1 place has to be mended; nats-server 2.15.2 accepts the rest"},
		{"unknown keys", "weir: 1\nstreams:\n  A: {subjects: [a], max_agee: 20s}\n  B: {subjects: [b], max_bytess: 1MiB}\n", "2 places have to be mended; nats-server 2.15.2 accepts the rest"},
		{"nothing", "weir: 1\n", "No stream, bucket or consumer to judge"},
		{"no text", "weir: [", "1 place cannot be read, and nothing is left to judge"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := CheckSources([]*design.Source{design.NewSource("weir.yaml", []byte(tt.text))}, Options{}).Verdict(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
