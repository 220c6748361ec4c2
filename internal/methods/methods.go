// Package methods is the mechanism of a table of methods from JSON to JSON:
// name, request and reply types, decoding that refuses unknown fields, errors in
// one form. Package internal/engine is such a table, internal/prover another. It
// knows nothing of what the methods do.
package methods

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sort"
)

// MaxRequest is the largest request in bytes that Call reads.
const MaxRequest = 64 << 20

// Progress reports how far long work is, in real things counted (cells, cases,
// minutes simulated). total is 0 while it is unknown.
type Progress func(done, total int64, what string)

// Error is what a reply carries when a method cannot answer. Line and Col are
// 1-based, 0 when there is no place; Path names a value of the request or of a
// design.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Col     int    `json:"col,omitempty"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Codes of Error.
const (
	CodeUnknownMethod = "unknown_method"
	CodeBadRequest    = "bad_request" // not JSON, unknown field, wrong type, beyond a limit
	CodeCancelled     = "cancelled"
	CodeInternal      = "internal" // a fault of Weir
)

// BadRequest wraps an error that the caller's values cause.
func BadRequest(err error) error {
	return &Error{Code: CodeBadRequest, Message: err.Error()}
}

// Info describes a method for documentation and generated types.
type Info struct {
	Name string
	Doc  string
	In   reflect.Type
	Out  reflect.Type
}

// Method is a row of a Table; On makes one.
type Method struct {
	info Info
	call func(ctx context.Context, req []byte, progress Progress) (any, error)
}

// On makes a method of a function. Unknown fields of the request are refused.
func On[In, Out any](name, doc string, f func(ctx context.Context, in In, progress Progress) (Out, error)) Method {
	return Method{
		info: Info{Name: name, Doc: doc, In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out]()},
		call: func(ctx context.Context, req []byte, progress Progress) (any, error) {
			var in In
			if err := decode(req, &in); err != nil {
				return nil, BadRequest(err)
			}
			out, err := f(ctx, in, progress)
			FillSlices(reflect.ValueOf(&out).Elem())
			return out, err
		},
	}
}

// FillSlices makes the nil slices below v, a pointer's value, empty, so that a reply
// holds [] and never null and the caller need not tell the two apart.
func FillSlices(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			FillSlices(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				FillSlices(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		if k := v.Type().Elem().Kind(); k != reflect.Struct && k != reflect.Pointer {
			return
		}
		for i := range v.Len() {
			FillSlices(v.Index(i))
		}
	}
}

func decode(req []byte, in any) error {
	if len(req) > MaxRequest {
		return fmt.Errorf("request of %d bytes is larger than %d", len(req), MaxRequest)
	}
	d := json.NewDecoder(bytes.NewReader(req))
	d.DisallowUnknownFields()
	if err := d.Decode(in); err != nil {
		return fmt.Errorf("decode request: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("decode request: more than one JSON value")
	}
	return nil
}

// Table are methods by name.
type Table map[string]Method

// TableOf joins families of methods. Two methods of one name are a panic.
func TableOf(families ...[]Method) Table {
	table := Table{}
	for _, family := range families {
		for _, m := range family {
			if _, twice := table[m.info.Name]; twice {
				panic("methods: two methods are named " + m.info.Name)
			}
			table[m.info.Name] = m
		}
	}
	return table
}

// Infos lists the methods by name.
func (t Table) Infos() []Info {
	out := make([]Info, 0, len(t))
	for _, m := range t {
		out = append(out, m.info)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Call runs a method and returns {"ok": …} or {"error": {…}}. It never panics
// and always returns JSON. progress may be nil. A method that takes long ends
// early when ctx does, with CodeCancelled.
func (t Table) Call(ctx context.Context, name string, req []byte, progress Progress) (reply []byte) {
	defer func() {
		if r := recover(); r != nil {
			reply = failure(&Error{Code: CodeInternal, Message: fmt.Sprintf("%s: %v", name, r)})
		}
	}()
	m, ok := t[name]
	if !ok {
		return failure(&Error{Code: CodeUnknownMethod, Message: fmt.Sprintf("no method %q", name)})
	}
	if progress == nil {
		progress = func(int64, int64, string) {}
	}
	out, err := m.call(ctx, req, progress)
	if err != nil {
		return failure(err)
	}
	body, err := json.Marshal(map[string]any{"ok": out})
	if err != nil {
		return failure(fmt.Errorf("encode reply of %s: %w", name, err))
	}
	return body
}

func failure(err error) []byte {
	var e *Error
	switch {
	case errors.As(err, &e):
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e = &Error{Code: CodeCancelled, Message: err.Error()}
	default:
		e = &Error{Code: CodeInternal, Message: err.Error()}
	}
	body, err := json.Marshal(map[string]*Error{"error": e})
	if err != nil {
		return []byte(`{"error":{"code":"internal","message":"encode error"}}`)
	}
	return body
}
