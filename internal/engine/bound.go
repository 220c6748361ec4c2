package engine

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"weir/size"
	"weir/subject"
)

// The most of one text that a reply about subjects holds, in bytes. What a server
// carries on a line is always whole; of longer ones the page needs the two ends.
const (
	mostText = subject.MaxControlLine
	keptHead = 400
	keptTail = 100
)

// bounded cuts the texts of a reply, so that a subject of a megabyte is not
// returned, and drawn, once for each place that names it.
func bounded[T any](reply T) T {
	v := reflect.ValueOf(&reply).Elem()
	boundTexts(v)
	return reply
}

// boundTexts changes v, which belongs to the reply alone.
func boundTexts(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() && v.Len() > mostText {
			v.SetString(cutMiddle(v.String()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			boundTexts(v.Field(i))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Int {
			return // a million counts hold no text
		}
		for i := range v.Len() {
			boundTexts(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			boundTexts(v.Elem())
		}
	}
}

// cutMiddle keeps the two ends of a text and says how long it is.
func cutMiddle(s string) string {
	from, to := keptHead, len(s)-keptTail
	for from > keptHead-utf8.UTFMax && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < len(s)-1 && !utf8.RuneStart(s[to]) {
		to++
	}
	// A copy: a part of s would keep all of it.
	return strings.Clone(s[:from]) + "… " + size.FormatCount(float64(to-from)) + " bytes left out …" + s[to:]
}
