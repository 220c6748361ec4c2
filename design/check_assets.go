package design

import (
	"fmt"
	"strings"

	"weir/natsapi"
)

// CheckAssets says what is wrong with a path of a setting whose stream, consumer,
// publisher or other named thing the design does not have: to set it would make a
// new one that nothing uses. nil for a path whose names are all there, and for one
// without any.
func (d *Design) CheckAssets(path string) error {
	steps := Split(path)
	at := ""
	for i, step := range steps {
		parent := at
		at = Join(at, step)
		if i == 0 || !assetMaps[steps[i-1]] || d.Has(at) {
			continue
		}
		var names []string
		if v, ok := d.Value(parent); ok && v.Node.IsMap() {
			for _, k := range v.Node.Keys {
				names = append(names, k.Text)
			}
		}
		if len(names) == 0 {
			return fmt.Errorf("%s: the design has no %s", path, parent)
		}
		if near := natsapi.Suggest(step, names); near != "" {
			return fmt.Errorf("%s: %q is not in %s; did you mean %s?", path, step, parent, near)
		}
		return fmt.Errorf("%s: %q is not in %s, which has %s", path, step, parent, strings.Join(names, ", "))
	}
	return nil
}

// assetMaps are the keys of a design whose members have names of the designer's.
var assetMaps = map[string]bool{"streams": true, "consumers": true, "publishers": true, "kv": true, "objects": true, "accounts": true, "leafnodes": true, "subscribers": true, "clusters": true}
