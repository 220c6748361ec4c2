package design

import (
	"testing"
)

func TestPresetsAreCleanAndFormatted(t *testing.T) {
	for _, p := range Presets() {
		t.Run(p.Name, func(t *testing.T) {
			d, ps := Parse(p.Name+".yaml", []byte(p.Text))
			if ps != nil {
				t.Error(ps)
			}
			if d.Name != p.Name {
				t.Errorf("name is %q", d.Name)
			}
			out, ps := Format(p.Name+".yaml", []byte(p.Text))
			if ps != nil {
				t.Fatal(ps)
			}
			if string(out) != p.Text {
				t.Errorf("not formatted; weir fmt makes it\n%s", out)
			}
		})
	}
}
