package sim

import (
	"reflect"
	"testing"
)

// TestClear: clear knows every field of a message but its links.
func TestClear(t *testing.T) {
	m := &message{}
	v := reflect.ValueOf(m).Elem()
	links := 0
	for i := range v.NumField() {
		f := reflect.NewAt(v.Field(i).Type(), v.Field(i).Addr().UnsafePointer()).Elem()
		switch f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Pointer:
			links++
		case reflect.Uint32, reflect.Uint64:
			f.SetUint(5)
		default:
			f.SetInt(5)
		}
	}
	m.refs = 1
	var pool messages
	pool.release(m)
	if want := (message{heapAt: -1, wait: -1}); *m != want || links != 4 {
		t.Errorf("cleared: %+v, %d links", *m, links)
	}
}
