package docs

import (
	"iter"
	"reflect"
	"strings"
)

// jsonField is a field of a record as encoding/json writes it: under key, left out
// when empty if it is optional.
type jsonField struct {
	reflect.StructField
	in       reflect.Type // the struct that declares it
	key      string
	optional bool
}

// jsonFields are the fields of a record in order, those of embedded ones in their
// place.
func jsonFields(t reflect.Type) iter.Seq[jsonField] {
	return func(yield func(jsonField) bool) {
		for _, f := range reflect.VisibleFields(t) {
			tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if tag == "-" || !f.IsExported() || f.Anonymous && tag == "" {
				continue
			}
			if tag == "" {
				tag = f.Name
			}
			owner := t
			if len(f.Index) > 1 {
				owner = t.FieldByIndex(f.Index[:len(f.Index)-1]).Type
			}
			if !yield(jsonField{f, owner, tag, strings.Contains(options, "omitempty")}) {
				return
			}
		}
	}
}
