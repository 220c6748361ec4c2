package design

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
)

// fillAPI sets the fields of a struct of jsm.go/api that are written in a map of
// the tree. Fields are found by their JSON names; what is absent or wrong stays
// zero.
func fillAPI(dst any, n *Node, set *fieldSet) {
	fillStruct(reflect.ValueOf(dst).Elem(), n, set)
}

// jsonFields caches where the JSON names of a struct are.
var jsonFields sync.Map // reflect.Type -> map[string]int

func fieldsByJSON(t reflect.Type) map[string]int {
	if m, ok := jsonFields.Load(t); ok {
		return m.(map[string]int)
	}
	m := make(map[string]int, t.NumField())
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name != "" && name != "-" {
			m[name] = i
		}
	}
	jsonFields.Store(t, m)
	return m
}

func fillStruct(dst reflect.Value, n *Node, set *fieldSet) {
	if !n.IsMap() {
		return
	}
	index := fieldsByJSON(dst.Type())
	for i, key := range n.Keys {
		f := set.byName[key.Text]
		at, ok := index[key.Text]
		if f == nil || f.Own || !ok {
			continue
		}
		fillValue(dst.Field(at), n.Items[i], f.shape, f)
	}
}

func fillValue(dst reflect.Value, n *Node, s *shape, f *Field) {
	switch {
	case n.Null:
	case dst.Type() == reflect.TypeFor[time.Time]() || dst.Type() == reflect.TypeFor[*time.Time]():
		t, err := time.Parse(time.RFC3339Nano, n.Text)
		if err != nil {
			return
		}
		if dst.Kind() == reflect.Pointer {
			dst.Set(reflect.ValueOf(&t))
		} else {
			dst.Set(reflect.ValueOf(t))
		}
	case dst.Kind() == reflect.Pointer && n.Kind == Map:
		p := reflect.New(dst.Type().Elem())
		fillStruct(p.Elem(), n, objectOf(s))
		dst.Set(p)
	case dst.Kind() == reflect.Struct && n.Kind == Map:
		fillStruct(dst, n, objectOf(s))
	case dst.Kind() == reflect.Slice && n.Kind == List && s.kind == kindList:
		items := reflect.MakeSlice(dst.Type(), len(n.Items), len(n.Items))
		for i, item := range n.Items {
			fillValue(items.Index(i), item, s.elem, f)
		}
		dst.Set(items)
	case dst.Kind() == reflect.Map && n.Kind == Map && s.kind == kindMap:
		m := make(map[string]string, len(n.Keys))
		for i, key := range n.Keys {
			m[key.Text] = n.Items[i].Text
		}
		if dst.Type() == reflect.TypeOf(m) {
			dst.Set(reflect.ValueOf(m))
		}
	case n.Kind == Scalar:
		fillScalar(dst, n, s, f)
	}
}

func fillScalar(dst reflect.Value, n *Node, s *shape, f *Field) {
	v, err := s.decode(n, f)
	if err != nil {
		return
	}
	if u, ok := dst.Addr().Interface().(json.Unmarshaler); ok {
		// An error leaves the zero value: the decoder or the server has said why.
		_ = u.UnmarshalJSON([]byte(strconv.Quote(v.Text)))
		return
	}
	switch dst.Kind() {
	case reflect.String:
		dst.SetString(v.Text)
	case reflect.Bool:
		dst.SetBool(v.Bool)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if !dst.OverflowInt(v.Int) {
			dst.SetInt(v.Int)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.Kind == Uint {
			dst.SetUint(v.Uint)
		} else if v.Int >= 0 {
			dst.SetUint(uint64(v.Int))
		}
	}
}
