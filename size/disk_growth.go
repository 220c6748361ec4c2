package size

import (
	"fmt"
	"math"
	"time"
)

// Point is one point of a curve: the mean, and the least and the most that it can
// be at that time, depending on where bursts and the shape of the day fall.
type Point struct {
	Seconds float64 `json:"seconds"`
	Value   float64 `json:"value"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// streamGrowth is how the disk of one stream grows on one server.
type streamGrowth struct {
	rate       Rate
	perMessage float64 // bytes on disk, S2 included
	most       float64 // where its limits end it
	log        float64 // RAFT log, there from the beginning
	record     float64 // bytes that max_file_store counts for a message
	counted    float64 // where its limits end those
}

// reported is the growth of what max_file_store counts.
func (g streamGrowth) reported() streamGrowth {
	return streamGrowth{rate: g.rate, perMessage: g.record, most: g.counted}
}

// growthsOf lists the file streams of server i.
func growthsOf(c Cluster, i int, all ClusterSize) []streamGrowth {
	var out []streamGrowth
	for k, s := range c.Streams {
		if s.storage() != File || !holds(all.Placement[k], i) {
			continue
		}
		z := all.Streams[k]
		record := recordBytes(s.Message)
		g := streamGrowth{rate: s.growing(), most: math.Inf(1), log: z.Raft.Log.Value, perMessage: diskRatio(z) * record, record: record, counted: math.Inf(1)}
		if z.Retained.Binds != "" {
			g.most, g.counted = z.Disk.Total.Value, z.Reported.Value
		}
		out = append(out, g)
	}
	return out
}

// recordBytes is one record on file, of mean lengths.
func recordBytes(m Message) float64 {
	n := fileRecordFixed + m.Subject + m.Payload
	if m.Header > 0 {
		n += fileHeaderLength + m.Header
	}
	return n
}

// diskRatio is how many bytes of disk a reported byte takes, S2 included.
func diskRatio(z StreamSize) float64 {
	if z.Reported.Value == 0 {
		return 1
	}
	records, ok := z.Disk.Total.Term("records")
	if !ok {
		return 1
	}
	return records.Value / z.Reported.Value
}

// meanAfter is the disk after t seconds from empty, on average.
func meanAfter(gs []streamGrowth, t float64) float64 {
	v := 0.0
	for _, g := range gs {
		v += min(g.rate.Average()*t*g.perMessage, g.most) + g.log
	}
	return v
}

// timeToFull is when server i's volume is full, from empty, while every stream
// grows to what bounds it.
func timeToFull(c Cluster, i int, all ClusterSize) Figure {
	volume := float64(c.Servers[i].Disk - c.Servers[i].DiskUsed)
	if volume <= 0 {
		return given("time to full", Limit, Seconds).from(Assumed, "").noting("the volume is not known")
	}
	return timeUntil("time to full", growthsOf(c, i, all), given("volume", volume, Bytes))
}

// timeToRefusal is when server i has as much as max_file_store lets it have, and
// takes nothing more for a stream that still grows.
func timeToRefusal(c Cluster, i int, all ClusterSize) Figure {
	gs := growthsOf(c, i, all)
	for k := range gs {
		gs[k] = gs[k].reported()
	}
	return timeUntil("time to max_file_store", gs, fileLimit(c.Servers[i]))
}

// timeUntil is when growing streams fill something.
func timeUntil(name string, gs []streamGrowth, room Figure) Figure {
	const never = 200 * 365.25 * daySeconds
	if meanAfter(gs, never) < room.Value {
		return computed(name, Limit, Seconds, "streams reach their limits before it is full", room).noting("never: limits bind first")
	}
	from, to := 0.0, float64(never)
	for n := 0; n < 100; n++ {
		if mid := (from + to) / 2; meanAfter(gs, mid) < room.Value {
			from = mid
		} else {
			to = mid
		}
	}
	growth := 0.0
	for _, g := range gs {
		growth += g.rate.Average() * g.perMessage
	}
	return computed(name, to, Seconds, "when growing streams fill it", room, given("growth", growth, BytesPerSecond))
}

// DiskCurve returns the disk of server i over the time until, in n steps from
// empty: what the time-to-full curve draws.
func DiskCurve(c Cluster, all ClusterSize, i int, until time.Duration, n int) ([]Point, error) {
	if i < 0 || i >= len(c.Servers) || len(all.Placement) != len(c.Streams) || len(all.Streams) != len(c.Streams) {
		return nil, &InputError{Path: "server", Value: fmt.Sprint(i), Reason: "the cluster has no such server"}
	}
	if until <= 0 || n < 1 || n > 10_000 {
		return nil, &InputError{Path: "points", Value: fmt.Sprint(n), Reason: "a curve has 1 to 10,000 steps and a positive length"}
	}
	gs := growthsOf(c, i, all)
	out := make([]Point, n+1)
	for k := range out {
		p := Point{Seconds: until.Seconds() * float64(k) / float64(n)}
		for _, g := range gs {
			mean, low, high := g.rate.Arrivals(p.Seconds)
			p.Value += min(mean*g.perMessage, g.most) + g.log
			p.Low += min(low*g.perMessage, g.most) + g.log
			p.High += min(high*g.perMessage, g.most) + g.log
		}
		p.Value, _ = bounded(p.Value)
		p.Low, _ = bounded(p.Low)
		p.High, _ = bounded(p.High)
		out[k] = p
	}
	return out, nil
}
