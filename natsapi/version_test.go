package natsapi

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseVersion(t *testing.T) {
	tests := []struct {
		name, in, want, err string
	}{
		{"bare minor is the newest patch", "2.10", "2.10.29", ""},
		{"bare minor", "2.12", "2.12.15", ""},
		{"newest minor", "2.15", "2.15.2", ""},
		{"full", "2.12.0", "2.12.0", ""},
		{"v prefix", "v2.14.3", "2.14.3", ""},
		{"blanks", " 2.11.17\n", "2.11.17", ""},
		{"release candidate", "2.12.0-RC.1", "2.12.0", ""},
		{"preview with build", "2.14.0-preview.2+abc.def", "2.14.0", ""},
		{"binary suffix", "2.10.27-binary", "2.10.27", ""},
		{"patch after the measured one", "2.15.3", "2.15.3", ""},
		{"2.13", "2.13", "", "2.13 does not exist"},
		{"2.13 patch", "v2.13.4", "", "2.13 does not exist"},
		{"old", "2.9.25", "", "older than 2.10"},
		{"old major", "1.4", "", "older than 2.10"},
		{"new", "2.16", "", "newer than 2.15"},
		{"new major", "3.0.0", "", "newer than 2.15"},
		{"major only", "2", "", "not a server version"},
		{"empty", "", "", "not a server version"},
		{"word", "latest", "", "not a server version"},
		{"four parts", "2.12.1.1", "", "not a server version"},
		{"sign", "2.+12", "", "not a server version"},
		{"negative", "2.12.-1", "", "not a server version"},
		{"suffix on a bare minor", "2.12-RC.1", "", "not a server version"},
		{"huge", "2.12.99999999999999999999", "", "not a server version"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := ParseVersion(tt.in)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("ParseVersion(%q) = %v, %v; want an error with %q", tt.in, v, err, tt.err)
				}
				return
			}
			if err != nil || v.String() != tt.want {
				t.Fatalf("ParseVersion(%q) = %v, %v; want %s", tt.in, v, err, tt.want)
			}
		})
	}
}

func FuzzParseVersion(f *testing.F) {
	for _, s := range []string{"2.12", "v2.15.2", "2.14.0-RC.1", "2.13", "", "2..", "-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseVersion(s)
		if err != nil {
			return
		}
		if again, err := ParseVersion(v.String()); err != nil || again != v {
			t.Fatalf("ParseVersion(%q) = %v, which reads back as %v, %v", s, v, again, err)
		}
		if _, known := findMinor(v); !known {
			t.Fatalf("ParseVersion(%q) = %v, which is not known", s, v)
		}
	})
}

func TestAPILevel(t *testing.T) {
	tests := []struct {
		name string
		want int
	}{
		{"2.10.29", 0}, {"2.11.0", 1}, {"2.11.17", 1}, {"2.12.4", 2}, {"2.12.7", 3},
		{"2.12.15", 3}, {"2.14.10", 4}, {"2.15.2", 5}, {"2.15.3", 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := ParseVersion(tt.name)
			if err != nil || v.APILevel() != tt.want {
				t.Fatalf("API level of %v = %d (%v), want %d", v, v.APILevel(), err, tt.want)
			}
		})
	}
	if got := (Version{}).APILevel(); got != 0 {
		t.Errorf("API level of the zero version = %d", got)
	}
}

func TestMeasured(t *testing.T) {
	for _, v := range Known() {
		if m, exact := v.Measured(); m != v || !exact {
			t.Errorf("%v.Measured() = %v, %v", v, m, exact)
		}
	}
	if m, exact := (Version{2, 15, 3}).Measured(); m != (Version{2, 15, 2}) || exact {
		t.Errorf("2.15.3 is measured as %v, %v", m, exact)
	}
	if m, exact := (Version{2, 13, 0}).Measured(); m != (Version{}) || exact {
		t.Errorf("2.13.0 is measured as %v, %v", m, exact)
	}
}

func TestReleasesHas(t *testing.T) {
	tests := []struct {
		name, releases, version string
		want                    bool
	}{
		{"always", "2.9", "2.10.0", true},
		{"from a minor", "2.12.0", "2.11.17", false},
		{"from a minor on", "2.12.0", "2.15.2", true},
		{"patch before", "2.12.7 2.14.0", "2.12.4", false},
		{"patch after", "2.12.7 2.14.0", "2.12.8", true},
		{"fix missing in the first of the next minor", "2.14.10 2.15.3", "2.15.2", false},
		{"fix in the next minor", "2.14.10 2.15.3", "2.15.3", true},
		{"fix in the older minor", "2.14.10 2.15.3", "2.14.10", true},
		{"backport", "2.11.15 2.12.3 2.14.0", "2.11.4", false},
		{"before all", "2.11.15 2.12.3 2.14.0", "2.10.29", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := parseReleases(tt.releases)
			if err != nil {
				t.Fatal(err)
			}
			v, err := ParseVersion(tt.version)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Has(v); got != tt.want {
				t.Fatalf("(%v).Has(%v) = %v", r, v, got)
			}
			if r.String() != tt.releases {
				t.Fatalf("String() = %q, want %q", r, tt.releases)
			}
		})
	}
	for _, bad := range []string{"", "2.12", "2.13.0", "2.12.0 2.11.0", "2.12.0 2.12.3", "x"} {
		if r, err := parseReleases(bad); err == nil {
			t.Errorf("parseReleases(%q) = %v, want an error", bad, r)
		}
	}
}

func ExampleParseVersion() {
	v, _ := ParseVersion("2.12")
	fmt.Println(v, v.APILevel())
	_, err := ParseVersion("2.13")
	fmt.Println(err)
	// Output:
	// 2.12.15 3
	// "2.13" is not a server version: NATS server 2.13 does not exist (2.14 followed 2.12)
}
