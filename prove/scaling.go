package prove

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"weir/design"
)

// Scaling is how a run of a workload relates to the design.
type Scaling struct {
	// Time is what every time constant of the design was divided by: ack_wait,
	// backoff, service times, windows. 1 means that they are the design's own.
	Time float64 `json:"time"`
	// Rate is the share of the design's rates, in scaled time, that was published.
	Rate float64 `json:"rate"`
	// Published is the share of the messages that were due which were published, 0
	// where publishers kept to their rates.
	Published float64 `json:"published,omitempty"`
	// Workers is the share of the design's workers that ran.
	Workers float64 `json:"workers"`
	// Seconds is how long was published.
	Seconds float64 `json:"seconds"`
	// Law says in a sentence what compares with the design and what does not.
	Law string `json:"law"`
}

// Bounds of a workload. The first two keep the servers, the workers and the
// measuring, which share one machine, far from what that can do, so that the
// design is looked at and not the machine.
const (
	mostByteBps = 16 << 20 // bytes a second
	mostWorkers = 2_000    // handlers at a time
)

// mostRate is messages a second at most. A tab has one thread for all of it, and
// answers its page only while that has nothing to do: a message of the preset
// orders, with three replicas and three consumers, takes 0.8 ms of it natively and
// some ten times that in a tab (measured).
func (w *workload) mostRate() float64 {
	switch tab := runtime.GOOS == "js"; {
	case tab && w.r.setup.nodes() > 1:
		return 25
	case tab:
		return 150
	}
	return 2_000
}

// Floors of scaled times: ten times the server's own granularity. Windows are
// kept to 100 ms, timers fire up to 2 ms late (measured on 2.15.2).
const (
	windowFloor = 10 * 100 * time.Millisecond
	timerFloor  = 10 * 2 * time.Millisecond
)

// scale works out how the workload is scaled down.
func (w *workload) scale() {
	most, wanted := math.Inf(1), 1.0
	limit := func(d, floor time.Duration) {
		if d > 0 {
			most = min(most, float64(d)/float64(floor))
		}
	}
	for _, c := range w.consumers {
		limit(c.firstWait(), timerFloor)
		for _, b := range c.conf.BackOff {
			limit(b, timerFloor)
		}
		for _, g := range c.groups {
			limit(typical(g.ServiceTime), timerFloor)
			limit(g.InProgress, timerFloor)
			for _, e := range g.Errors {
				limit(e.Delay, timerFloor)
			}
		}
		// A redelivery should fit into the run.
		wanted = max(wanted, float64(c.firstWait())/float64(w.span/4))
	}
	for _, s := range w.streams {
		limit(s.window, windowFloor)
		limit(s.maxAge, windowFloor)
	}
	w.time = max(1, min(most, wanted))
	rate, bytes := 0.0, 0.0
	for _, p := range w.publishers {
		rate += p.Rate * w.time
		bytes += p.Rate * w.time * p.Payload.MeanValue()
	}
	w.rate = 1
	if most := w.mostRate(); rate > most {
		w.rate = most / rate
	}
	if bytes*w.rate > mostByteBps {
		w.rate = mostByteBps / bytes
	}
	w.workerShare = w.rate
	if slots := w.slots(); slots*w.workerShare > mostWorkers {
		w.workerShare = mostWorkers / slots
	}
}

// slots are the messages that all workers of the design handle at a time.
func (w *workload) slots() float64 {
	n := 0.0
	for _, c := range w.consumers {
		for _, g := range c.groups {
			n += float64(g.Count) * float64(max(1, g.Concurrency))
		}
	}
	return n
}

// asWritten reports whether times, rates and workers are the design's own.
func (w *workload) asWritten() bool { return w.time == 1 && w.rate == 1 && w.workerShare == 1 }

func (w *workload) law() *Scaling {
	s := &Scaling{Time: w.time, Rate: w.rate, Workers: w.workerShare, Seconds: w.span.Seconds()}
	if w.asWritten() {
		s.Law = "rates, sizes, workers and times are the design's own; only the run is shorter"
		return s
	}
	var parts []string
	if w.time > 1 {
		parts = append(parts, fmt.Sprintf("times divided by %.3g, rates multiplied by it", w.time))
	}
	if w.rate < 1 {
		parts = append(parts, fmt.Sprintf("%.3g%% of the rates", 100*w.rate))
	}
	if w.workerShare < 1 {
		parts = append(parts, fmt.Sprintf("%.3g%% of the workers", 100*w.workerShare))
	}
	s.Law = strings.Join(parts, ", ") + ", sizes kept; counts and shares compare with the design, latencies and percentiles do not"
	return s
}

// scaled is a request with its time constants divided, the request itself where
// nothing is scaled.
func (w *workload) scaled(req *design.Request) []byte {
	if w.time == 1 {
		return req.Body
	}
	var body map[string]any
	if json.Unmarshal(req.Body, &body) != nil {
		return req.Body
	}
	config := body
	if req.Kind == "consumer" {
		config, _ = body["config"].(map[string]any)
	}
	shorten := func(v any) any {
		if n, ok := v.(float64); ok && n > 0 {
			return int64(n / w.time)
		}
		return v
	}
	if req.Kind == "consumer" && config["ack_wait"] == nil && config["backoff"] == nil && config["ack_policy"] != nil && config["ack_policy"] != "none" {
		config["ack_wait"] = float64(defaultAckWait)
	}
	for _, name := range []string{"ack_wait", "max_age", "duplicate_window"} {
		if v, ok := config[name]; ok {
			config[name] = shorten(v)
		}
	}
	if steps, ok := config["backoff"].([]any); ok {
		for i := range steps {
			steps[i] = shorten(steps[i])
		}
	}
	// What was read as JSON encodes again.
	out, _ := json.Marshal(body)
	return out
}

// defaultAckWait is the server's (server/consumer.go JsAckWaitDefault, v2.15.2).
const defaultAckWait = 30 * time.Second

// typical is the value that most draws of a distribution are near to.
func typical(d design.Distribution) time.Duration {
	if d.P50 > 0 {
		return time.Duration(d.P50)
	}
	return time.Duration(d.Mean)
}

// draw takes a value of a distribution; 0 where it has none.
func draw(d design.Distribution, rng *rand.Rand) float64 {
	switch d.Kind {
	case design.DistConstant:
		return d.Mean
	case design.DistExponential:
		return d.Mean * rng.ExpFloat64()
	case design.DistLognormal:
		mu, sigma := d.Lognormal()
		return math.Exp(mu + sigma*rng.NormFloat64())
	}
	return 0
}
