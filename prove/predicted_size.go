//go:build !js

package prove

import (
	"context"
	"math"

	"weir/design"
	"weir/size"
)

// predictSizes lays the bytes that package size computes for what a stream holds
// beside those that the server reports. The band is for the payloads that were
// drawn: five standard deviations of their mean, and 3 % for subjects, of which
// a run uses examples.
func (w *workload) predictSizes(ctx context.Context) error {
	sized, err := size.FromDesign(w.r.d, size.DesignOptions{})
	if err != nil {
		w.r.e.leaveOut("prediction of sizes", err.Error())
		return nil
	}
	for _, s := range w.streams {
		in := sized.Stream(design.Join(design.Join(s.scope.Path, "streams"), s.Name))
		if in == nil || len(s.published) == 0 {
			continue
		}
		var info streamInfo
		if err := w.ask(ctx, w.r.user(s.scope), "STREAM.INFO."+s.Name, &info); err != nil {
			return err
		}
		record, err := size.OfRecord(in.Input.Message, in.Input.Storage)
		if err != nil || info.State.Messages == 0 {
			continue // a workqueue that is empty has nothing to compare
		}
		const subjects, deviations = 0.03, 5
		n := float64(info.State.Messages)
		value := n * record.Reported.Value
		spread := 0.0
		for _, p := range w.publishers {
			if p.stream == s {
				spread = max(spread, p.Payload.Deviation())
			}
		}
		off := subjects*value + deviations*spread*math.Sqrt(n)
		w.r.e.Predicted = append(w.r.e.Predicted, Prediction{Figure: Figure{"workload: bytes of " + s.Name, int64(math.Round(value)), "B"}, From: FromSizing,
			Low: max(1, int64(value-off)), High: int64(math.Ceil(value + off)), Measured: int64(info.State.Bytes)})
	}
	return nil
}
