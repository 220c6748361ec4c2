package prove

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestLatency(t *testing.T) {
	leavesNothing(t)
	e, err := Latency(t.Context(), LatencyOptions{Each: 10 * time.Millisecond, Payload: 100})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Rows) != 18 || !e.Held() || e.Machine.Disk == "" || e.Machine.CPUs == 0 {
		t.Errorf("%d rows, held %v, %+v", len(e.Rows), e.Held(), e.Machine)
	}
	for _, r := range e.Rows {
		if r.Messages == 0 || r.PerSecond == 0 || r.P50 == 0 || r.P50 > r.P90 || r.P90 > r.P99 || r.P99 > r.Max {
			t.Errorf("%+v", r)
		}
	}
}

func TestLatencyEndsWithContext(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithCancel(t.Context())
	e, err := Latency(ctx, LatencyOptions{Each: 30 * time.Millisecond, Options: Options{Progress: func(done, _ int) { cancel() }}})
	if !errors.Is(err, context.Canceled) || !e.Partial || len(e.Rows) == 0 || len(e.Rows) == 18 {
		t.Errorf("got %v, partial %v, %d rows", err, e.Partial, len(e.Rows))
	}
}
