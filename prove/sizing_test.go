//go:build !js

package prove

import (
	"os"
	"testing"

	"weir/size"
)

// TestSizing holds package size to the real server. WEIR_SIZING=full writes five
// times as much and looks at idle groups, connections and expired ids as well;
// UPDATE=1 with it rewrites size/measured.tsv, which docs/accuracy.md is made from.
func TestSizing(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("fills real servers for half a minute, and weighs their heap: not with -short, and not under the race detector, which slows it and has a heap of its own")
	}
	full := os.Getenv("WEIR_SIZING") == "full"
	e, err := Sizing(t.Context(), SizingOptions{Folder: t.TempDir(), Full: full})
	if err != nil {
		t.Fatal(err)
	}
	var cells []size.Cell
	for _, c := range e.Cells {
		t.Logf("%-28s %-26s computed %14.0f (%.0f to %.0f) measured %14.0f off %+.3f %%", c.Name, c.Quantity, c.Computed, c.Low, c.High, c.Measured, 100*c.Off)
		if !c.Agrees {
			t.Errorf("%s, %s: computed %.0f (%.0f to %.0f), measured %.0f", c.Name, c.Quantity, c.Computed, c.Low, c.High, c.Measured)
		}
		cells = append(cells, c.Cell)
	}
	if len(cells) < 50 {
		t.Errorf("%d cells were compared", len(cells))
	}
	if e.Held() == t.Failed() {
		t.Errorf("the evidence holds: %t", e.Held())
	}
	if full && os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile("../size/measured.tsv", []byte(size.FormatGrid(cells)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
