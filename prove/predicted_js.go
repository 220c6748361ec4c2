package prove

import "context"

// predictSimulated leaves the simulator to the engine in the tab: its module has
// it, and this one would pass its budget with it.
func (w *workload) predictSimulated(context.Context) error {
	w.r.e.leaveOut("prediction of the simulator", "in the tab the Backpressure panel simulates the design; weir prove lays it beside what it measures")
	return nil
}

// predictSizes leaves sizing to the engine as well.
func (w *workload) predictSizes(context.Context) error {
	w.r.e.leaveOut("prediction of sizes", "in the tab the Sizing panel has them; weir prove lays them beside what it measures")
	return nil
}
