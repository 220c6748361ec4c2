// Package engine is the only door that the studio's user interface has to
// Weir: a table of methods from JSON to JSON, the same natively and in the
// browser. It holds no rules of its own; a method decodes, asks a package and
// encodes.
//
//	reply := engine.Call(ctx, "subject.match", []byte(`{"pattern":"a.*","subject":"a.b"}`), nil)
package engine

import (
	"context"
	"strconv"

	"weir/internal/methods"
)

// MaxRequest is the largest request in bytes that Call reads.
const MaxRequest = methods.MaxRequest

// Progress reports how far long work is, see methods.Progress.
type Progress = methods.Progress

// WithPartial has long calls under ctx tell what they have so far: tell is called
// with the method's reply, incomplete, as JSON.
func WithPartial(ctx context.Context, tell func(reply []byte)) context.Context {
	return methods.WithPartial(ctx, tell)
}

// Error is what a reply carries when a method cannot answer.
type Error = methods.Error

// Codes of Error.
const (
	CodeUnknownMethod = methods.CodeUnknownMethod
	CodeBadRequest    = methods.CodeBadRequest
	CodeCancelled     = methods.CodeCancelled
	CodeInternal      = methods.CodeInternal
)

// badRequest wraps an error that the caller's values cause.
func badRequest(err error) error { return methods.BadRequest(err) }

// MethodInfo describes a method for documentation and generated types.
type MethodInfo = methods.Info

type method = methods.Method

// on makes a method of a function. Unknown fields of the request are refused.
func on[In, Out any](name, doc string, f func(ctx context.Context, in In, progress Progress) (Out, error)) method {
	return methods.On(name, doc, f)
}

// table is the table. A new family of methods adds its slice here.
var table = methods.TableOf(
	aboutMethods,
	subjectMethods,
	designMethods,
	formMethods,
	adviseMethods,
	interviewMethods,
	reportMethods,
	tourMethods,
	ruleMethods,
	claimMethods,
	calculatorMethods,
	sizeMethods,
	simulateMethods,
	backpressureMethods,
	proofMethods,
	outputMethods,
)

// Methods lists the methods by name.
func Methods() []MethodInfo { return table.Infos() }

// Call runs a method and returns {"ok": …} or {"error": {…}}, see
// methods.Table.Call.
func Call(ctx context.Context, name string, req []byte, progress Progress) (reply []byte) {
	return table.Call(ctx, name, req, progress)
}

// Int64 is an integer that may pass 2^53, beyond which JavaScript numbers are
// not exact: it is then written as a string.
type Int64 int64

// MarshalJSON writes a number, or a string beyond ±2^53.
func (n Int64) MarshalJSON() ([]byte, error) {
	if n > 1<<53 || n < -(1<<53) {
		return []byte(strconv.Quote(strconv.FormatInt(int64(n), 10))), nil
	}
	return strconv.AppendInt(nil, int64(n), 10), nil
}
