package methods

import (
	"context"
	"encoding/json"
	"reflect"
)

type partialKey struct{}

// WithPartial has long calls under ctx tell what they have so far: tell is called
// with JSON of the form of the method's reply, which is not complete.
func WithPartial(ctx context.Context, tell func(reply []byte)) context.Context {
	return context.WithValue(ctx, partialKey{}, tell)
}

// Partial gives what a method of reply Out calls to tell what it has so far, nil
// when nobody listens.
func Partial[Out any](ctx context.Context) func(Out) {
	tell, _ := ctx.Value(partialKey{}).(func([]byte))
	if tell == nil {
		return nil
	}
	return func(reply Out) {
		FillSlices(reflect.ValueOf(&reply).Elem())
		if text, err := json.Marshal(reply); err == nil {
			tell(text)
		}
	}
}
