//go:build !js

package prove

import (
	"context"

	"weir/internal/predict"
)

// predict lays what the simulator and sizing say beside what was measured.
func (w *workload) predict(ctx context.Context) error {
	run, err := w.measured(ctx)
	if err != nil {
		return err
	}
	all, err := predict.Workload(ctx, w.r.d, run)
	w.r.e.AddPredicted(all)
	return err
}
