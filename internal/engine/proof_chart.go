package engine

import (
	"fmt"
	"slices"

	"weir/internal/predict"
	"weir/size"
)

// ProofChart is what a consumer had to be acknowledged while a proof's workload
// ran: the looks at the server over what was simulated of that very run.
type ProofChart struct {
	Path  string `json:"path"` // of the consumer
	Name  string `json:"name"`
	Chart Chart  `json:"chart"`
	// Agrees says how many looks lie within what was simulated, Scaled how the run's
	// seconds and messages relate to the design's; "" where there is nothing to say.
	Agrees string `json:"agrees"`
	Scaled string `json:"scaled"`
}

func proofCharts(r predict.Run, courses []predict.Course) (out []ProofChart) {
	for _, c := range r.Consumers {
		if len(c.Pending.AtMS) == 0 {
			continue
		}
		var predicted predict.Course
		if i := slices.IndexFunc(courses, func(p predict.Course) bool { return p.Path == c.Path }); i >= 0 {
			predicted = courses[i]
		}
		out = append(out, ProofChart{Path: c.Path, Name: c.Name, Chart: proofChart(&c.Pending, predicted), Agrees: proofAgrees(&c.Pending, predicted), Scaled: proofScaled(r)})
	}
	return out
}

// proofChart draws looks over a course, which may be empty.
func proofChart(looks *predict.Looks, course predict.Course) Chart {
	measured := Series{Name: "measured", Dots: true}
	line := Series{Name: "predicted", Values: floats(course.Predicted), Low: floats(course.Low), High: floats(course.High)}
	c := Chart{Title: "Proof: num_pending + num_ack_pending", Head: []string{"at", "predicted", "measured"}}
	most, last := 0.0, 1.0
	for i, ms := range looks.AtMS {
		at, open := float64(ms)/1e3, float64(looks.Open(i))
		c.Xs, measured.Values = append(c.Xs, at), append(measured.Values, open)
		most, last = max(most, open), max(last, at)
		said := "not predicted"
		if i < len(course.Predicted) {
			most = max(most, float64(course.High[i]))
			said = fmt.Sprintf("%s (%s to %s)", size.FormatCount(float64(course.Predicted[i])), size.FormatCount(float64(course.Low[i])), size.FormatCount(float64(course.High[i])))
		}
		c.Rows = append(c.Rows, []string{size.FormatSeconds(at), said, size.Counted(int(open), "message", "messages")})
	}
	if len(line.Values) > 0 {
		c.Series = append(c.Series, line)
	}
	c.Series = append(c.Series, measured)
	c.X, c.Y = axisOf(last, size.Seconds), axisOf(most, size.Messages)
	c.X.Max = last
	c.X.Ticks = slices.DeleteFunc(c.X.Ticks, func(t Tick) bool { return t.At > last })
	return c
}

func floats(list []int64) (out []float64) {
	for _, n := range list {
		out = append(out, float64(n))
	}
	return out
}

// proofAgrees counts the looks within the band.
func proofAgrees(looks *predict.Looks, course predict.Course) string {
	if len(course.Predicted) == 0 {
		return "Nothing is predicted of this run; the dots are what its server said."
	}
	within := 0
	for i := range looks.AtMS {
		if open := looks.Open(i); course.Low[i] <= open && open <= course.High[i] {
			within++
		}
	}
	return fmt.Sprintf("%d of %s lie within what the simulated runs had then.", within, size.Counted(len(looks.AtMS), "look at the server", "looks at the server"))
}

// proofScaled says what a second and a message of the run are in the design.
func proofScaled(r predict.Run) string {
	if r.Time <= 1 && r.Rate >= 1 {
		return "Seconds and messages are the design's own."
	}
	says := "In the run's own seconds and messages"
	if r.Time > 1 {
		says += fmt.Sprintf("; a second of it is %s of the design", size.FormatSeconds(r.Time))
	}
	if r.Rate < 1 && r.Rate > 0 {
		says += fmt.Sprintf("; it had %.3g %% of the rates and workers, so that a message stands for some %s", 100*r.Rate, size.FormatCount(1/r.Rate))
	}
	return says + "."
}
