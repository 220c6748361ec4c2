package methods

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"
)

// TestRelease: the changes and the front end name the release that the source does.
func TestRelease(t *testing.T) {
	changes, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`(?m)^## (\S+), \d{4}-\d\d-\d\d$`).FindSubmatch(changes); m == nil || string(m[1]) != Release {
		t.Errorf("CHANGELOG.md begins with %q, want %s and a date", m, Release)
	}
	text, err := os.ReadFile("../../web/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var web struct{ Version string }
	if err := json.Unmarshal(text, &web); err != nil || web.Version != Release {
		t.Errorf("web/package.json is of version %q, %v, want %s", web.Version, err, Release)
	}
	if Version != Release && Version != Release+"-dev" {
		t.Errorf("version %q", Version)
	}
}
