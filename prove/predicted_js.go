package prove

import "context"

// predict hands over what was measured to whoever has the simulator: in a tab that
// is the engine, whose program this one would not fit into.
func (w *workload) predict(ctx context.Context) error {
	run, err := w.measured(ctx)
	if err != nil {
		return err
	}
	w.r.e.leaveOut(noPrediction, "the engine of the page was not asked for them")
	if w.r.opt.Measured != nil {
		w.r.opt.Measured(run)
	}
	return nil
}
