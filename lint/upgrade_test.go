package lint

import (
	"strings"
	"testing"

	"weir/design"
	"weir/natsapi"
)

// TestUpgrade: what changes between two releases for a design, both ways.
func TestUpgrade(t *testing.T) {
	const text = `weir: 1
server: {conf: {trace_headers: true}}
streams:
  TTL: {subjects: [ttl.>], max_bytes: 1GiB, allow_msg_ttl: true}
  CROSS:
    subjects: [f.>]
    max_bytes: 1GiB
    consumers:
      crossing: {filter_subjects: [f.*.x, f.b.*], ack_policy: explicit, max_deliver: 5}
`
	d, problems := design.Parse("design.yaml", []byte(text))
	if problems.Failed() {
		t.Fatal(problems)
	}
	for _, c := range []struct {
		name, from, to string
		want           []string // code, path, words
	}{
		{"up", "2.10", "2.15", []string{
			"UPG004 streams.TTL.allow_msg_ttl drops it without a word, so going back loses it",
			"UPG002 streams.CROSS.consumers.crossing.filter_subjects[0] refused by nats-server 2.10.29",
		}},
		{"down", "2.15", "2.10", []string{
			"UPG001 server.conf.trace_headers once it is 2.10.29 it does not start: the key is unknown; it came with 2.11.2",
			"UPG004 streams.TTL.allow_msg_ttl is kept by nats-server 2.15.2; 2.10.29 drops it without a word",
			"UPG001 streams.CROSS.consumers.crossing.filter_subjects[0] 10138",
		}},
		{"the same", "2.15", "2.15", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			from, _ := natsapi.ParseVersion(c.from)
			to, _ := natsapi.ParseVersion(c.to)
			found := Upgrade([]*design.Design{d}, from, to)
			for _, w := range c.want {
				parts := strings.SplitN(w, " ", 3)
				ok := false
				for _, f := range found {
					ok = ok || f.Code == parts[0] && f.Path == parts[1] && strings.Contains(f.Message, parts[2])
				}
				if !ok {
					t.Errorf("nobody says %q", w)
				}
			}
			for _, f := range found {
				t.Log(f)
				if c.want == nil {
					t.Errorf("%s", f)
				}
			}
		})
	}
}

// TestUpgradePresets: an upgrade of the presets is quiet but for what is worth
// knowing.
func TestUpgradePresets(t *testing.T) {
	to := natsapi.Embedded
	for _, p := range design.Presets() {
		d, _ := design.Parse(p.Name+".yaml", []byte(p.Text))
		for _, f := range Upgrade([]*design.Design{d}, d.Version, to) {
			if f.Severity != design.Info {
				t.Errorf("%s: %s", p.Name, f)
			}
		}
	}
}

// TestUpgradeSaysOnce: a key of a bucket that makes several fields of its stream is one
// change.
func TestUpgradeSaysOnce(t *testing.T) {
	d, problems := design.Parse("d.yaml", []byte("weir: 1\nkv: {K: {limit_marker_ttl: 1m, max_bytes: 1GiB}}\n"))
	if problems.Failed() {
		t.Fatal(problems)
	}
	from, _ := natsapi.ParseVersion("2.10")
	to, _ := natsapi.ParseVersion("2.15")
	said := map[string]bool{}
	for _, f := range Upgrade([]*design.Design{d}, from, to) {
		if said[f.String()] {
			t.Errorf("twice: %s", f)
		}
		said[f.String()] = true
	}
	if len(said) == 0 {
		t.Error("nobody speaks of limit_marker_ttl")
	}
}

// TestWordsForCodes: what people write in place of one code is told apart.
func TestWordsForCodes(t *testing.T) {
	for word, want := range map[string]string{
		"ack-wait-shorter-than-work": "the name of a rule, and its code is asked for: CON001",
		"STR091,CON082":              "write an ignore for each",
	} {
		text := "weir: 1\nstreams: {A: {subjects: [a.>], max_bytes: 1GiB}} # weir:ignore " + word + " a reason\n"
		r := CheckSources([]*design.Source{design.NewSource("d.yaml", []byte(text))}, Options{})
		if len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Message, want) {
			t.Errorf("%s: %v", word, r.Findings)
		}
	}
}
