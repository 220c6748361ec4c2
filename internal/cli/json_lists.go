package cli

import (
	"encoding/json"
	"reflect"
)

// jsonMarshaler is what writes its own JSON.
var jsonMarshaler = reflect.TypeFor[json.Marshaler]()

// withLists is a copy of a value to be printed as JSON in which a list without
// elements is [] and not null, so that a reader such as jq can go through it.
func withLists(v any) any {
	if v == nil {
		return nil
	}
	return listed(reflect.ValueOf(v)).Interface()
}

// listed copies a value as far down as it holds lists that JSON shows.
func listed(v reflect.Value) reflect.Value {
	t := v.Type()
	if t.Implements(jsonMarshaler) {
		return v
	}
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return v // a text in base64
		}
		out := reflect.MakeSlice(t, v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(listed(v.Index(i)))
		}
		return out
	case reflect.Struct:
		out := reflect.New(t).Elem()
		out.Set(v)
		listFields(out)
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeMapWithSize(t, v.Len())
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(it.Key(), listed(it.Value()))
		}
		return out
	case reflect.Pointer:
		if v.IsNil() || reflect.PointerTo(t.Elem()).Implements(jsonMarshaler) {
			return v
		}
		out := reflect.New(t.Elem())
		out.Elem().Set(listed(v.Elem()))
		return out
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(t).Elem()
		out.Set(listed(v.Elem()))
		return out
	}
	return v
}

// listFields does so with the fields of a struct that can be set, those of embedded
// structs included, which JSON shows as its own.
func listFields(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Tag.Get("json") == "-":
		case f.IsExported():
			v.Field(i).Set(listed(v.Field(i)))
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			listFields(v.Field(i))
		}
	}
}
