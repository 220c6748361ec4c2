package sim

import (
	"context"
	"slices"
	"testing"
	"time"
)

// TestPartial: what a run gives on its way are the beginnings of its result, longer
// each time, and it gives them without changing the result.
func TestPartial(t *testing.T) {
	w, o := hour(), Options{Seed: 3, Until: 2 * time.Minute}
	alone, err := Run(context.Background(), w, o)
	if err != nil {
		t.Fatal(err)
	}
	var parts []*Result
	o.Partial = func(result func() *Result) { parts = append(parts, result()) }
	whole, err := Run(context.Background(), w, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) < 10 {
		t.Fatalf("%d partial results", len(parts))
	}
	points := 0
	for i, p := range parts {
		for k, c := range p.Consumers {
			have, all := c.Series, whole.Consumers[k].Series
			if len(have) < points || !slices.Equal(have, all[:len(have)]) {
				t.Fatalf("partial result %d of %s is not the beginning of the result", i, c.Name)
			}
		}
		points = len(p.Consumers[0].Series)
	}
	if last := parts[len(parts)-1]; points == 0 || last.Consumers[0].Sojourn.Count() > whole.Consumers[0].Sojourn.Count() {
		t.Errorf("%d points at the end", points)
	}
	for k, c := range whole.Consumers {
		if !slices.Equal(c.Series, alone.Consumers[k].Series) || c.Acked != alone.Consumers[k].Acked || c.Sojourn.Percentile(99) != alone.Consumers[k].Sojourn.Percentile(99) {
			t.Errorf("%s is another with somebody looking on", c.Name)
		}
	}
}
