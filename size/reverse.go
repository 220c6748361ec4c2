package size

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Answer is the most of one thing that fits, and what ends it.
type Answer struct {
	Most Figure `json:"most"`
	// Ends is the resource that is used up first; "" when nothing ends it below
	// the largest value tried.
	Ends string `json:"ends"`
	// Where is the server that lacks it.
	Where string `json:"where,omitempty"`
}

// Reverse is what given hardware carries of one stream, everything else as it
// is. Each answer holds alone: not all at once.
type Reverse struct {
	// Rate is the highest publish rate, its bursts and day in proportion.
	Rate Answer `json:"rate"`
	// Retention is the longest max_age.
	Retention Answer `json:"retention"`
	// Subjects is the most distinct subjects.
	Subjects Answer `json:"subjects"`
	// Consumers is the most consumers like the first one.
	Consumers Answer `json:"consumers"`
}

const (
	reverseSteps = 50
	mostRate     = 1e9
	mostSubjects = 1e11
	mostLoad     = 1e6
	// mostConsumers bounds the search; a server refuses more than 1,000 a stream
	// unless told otherwise (2.15).
	mostConsumers       = 5_000
	defaultMaxConsumers = 1_000
	longestRetention    = 200 * 365.25 * daySeconds
	shortestAge         = 0.1 // what a server accepts as max_age, in seconds
	longestAge          = time.Duration(math.MaxInt64)
)

// OfReverse asks how much of the stream named name a cluster carries. For retention
// its other limits are lifted, because they would answer the question; worst cases
// count. What counts as full: max_file_store, 97 %
// of the volume, max_memory_store, 80 % of memory, the network, HA assets.
func OfReverse(c Cluster, name string) (Reverse, error) {
	if err := c.Validate(); err != nil {
		return Reverse{}, err
	}
	at := -1
	for i, s := range c.Streams {
		if s.Name == name {
			at = i
		}
	}
	if at < 0 {
		return Reverse{}, &InputError{Path: "stream", Value: name, Reason: "the cluster has no stream of this name"}
	}
	s := c.Streams[at]
	with := func(change func(*Stream)) Cluster {
		d := c
		d.Streams = append([]Stream(nil), c.Streams...)
		t := s
		t.Empty = false
		change(&t)
		d.Streams[at] = t
		return d
	}
	base := max(s.Rate.Average(), 1e-9)
	var out Reverse
	out.Rate = most("rate", PerSecond, mostRate, func(x float64) Cluster {
		return with(func(t *Stream) { t.Rate = t.Rate.scaled(x / base) })
	})
	if s.MaxBytes > 0 || s.MaxMsgs > 0 || s.MaxMsgsPerSubject > 0 {
		out.Rate.Most.Note = strings.TrimPrefix(out.Rate.Most.Note+"; the stream's own limits bound what it holds: a higher rate is kept for a shorter time", "; ")
	}
	out.Retention = most("retention", Seconds, longestRetention, func(x float64) Cluster {
		return with(func(t *Stream) { t.MaxAge = age(max(x, shortestAge)); t.lift() })
	})
	out.Subjects = most("subjects", Count, mostSubjects, func(x float64) Cluster {
		return with(func(t *Stream) {
			t.Subjects.Count = x
			t.Messages = max(t.Messages, x)
		})
	})
	out.Consumers = most("consumers", Count, mostConsumers, func(x float64) Cluster {
		return with(func(t *Stream) { t.Consumers = copies(s.Consumers, int(x)) })
	})
	out.Consumers.Most.Value = math.Floor(out.Consumers.Most.Value)
	out.Consumers.Most = out.Consumers.Most.between(out.Consumers.Most.Value, out.Consumers.Most.Value)
	if out.Consumers.Most.Value > defaultMaxConsumers {
		out.Consumers.Most.Note = "more than 1,000 a stream need limits.default_max_consumers or max_consumers from 2.15 on"
	}
	return out, nil
}

// OfLoad asks how many times all publish rates of a cluster fit, bursts and days
// in proportion; limits stay as they are, and with them what they bound.
func OfLoad(c Cluster) (Answer, error) {
	if err := c.Validate(); err != nil {
		return Answer{}, err
	}
	published := false
	for _, s := range c.Streams {
		published = published || s.Rate.Average() > 0
	}
	if !published {
		return Answer{Most: computed("times the load", 0, Ratio, "").noting("nothing is published")}, nil
	}
	return most("times the load", Ratio, mostLoad, func(x float64) Cluster {
		d := c
		d.Streams = make([]Stream, len(c.Streams))
		for i, s := range c.Streams {
			s.Rate = s.Rate.scaled(x)
			d.Streams[i] = s
		}
		return d
	}), nil
}

// lift takes away what bounds a stream besides its age.
func (s *Stream) lift() { s.MaxBytes, s.MaxMsgs, s.MaxMsgsPerSubject, s.Messages = 0, 0, 0, 0 }

// age is seconds as a duration, at most what one can hold.
func age(seconds float64) time.Duration {
	if seconds >= longestAge.Seconds() {
		return longestAge
	}
	return time.Duration(seconds * float64(time.Second))
}

// copies is n consumers like the first of cs.
func copies(cs []Consumer, n int) []Consumer {
	var one Consumer
	if len(cs) > 0 {
		one = cs[0]
	}
	out := make([]Consumer, n)
	for i := range out {
		out[i] = one
	}
	return out
}

// scaled is r with every rate multiplied.
func (r Rate) scaled(f float64) Rate {
	out := Rate{Mean: r.Mean * f, Hours: r.Hours}
	if r.Mean == 0 && len(r.Bursts) == 0 {
		out.Mean = f * 1e-9
	}
	for _, b := range r.Bursts {
		b.Rate *= f
		out.Bursts = append(out.Bursts, b)
	}
	return out
}

// most searches the largest value at which a cluster still fits. Needs grow with
// every value searched, so halving finds it.
func most(name string, u Unit, top float64, at func(float64) Cluster) Answer {
	fits := func(x float64) (string, string, bool) {
		all, err := OfCluster(at(x))
		if err != nil {
			return "", err.Error(), false
		}
		return shortage(at(x), all)
	}
	if where, ends, ok := fits(0); !ok {
		return Answer{Most: computed(name, 0, u, "").noting("it does not fit as it is: " + ends), Ends: ends, Where: where}
	}
	where, ends, ok := fits(top)
	if ok {
		return Answer{Most: computed(name, top, u, "").noting("nothing ends it below this value")}
	}
	low, high := 0.0, top
	for i := 0; i < reverseSteps && high-low > high*1e-4; i++ {
		mid := (low + high) / 2
		if low == 0 || high/low > 4 {
			// Far apart: halve on the scale of magnitudes.
			mid = math.Sqrt(max(low, 1e-6) * high)
		}
		if w, e, fit := fits(mid); fit {
			low = mid
		} else {
			high, where, ends = mid, w, e
		}
	}
	return Answer{Most: computed(name, low, u, "largest value at which everything fits").noting(ends + " ends it"), Ends: ends, Where: where}
}

// shortage says what is used beyond its limit most, and where; ok when nothing
// is.
func shortage(c Cluster, all ClusterSize) (where, ends string, ok bool) {
	worst := 1.0
	over := func(at, what string, used, most float64) {
		if most > 0 && used/most > worst {
			worst, where, ends = used/most, at, what
		}
	}
	for _, p := range all.Placement {
		if p.Refused != "" {
			return p.Stream, "placement: " + p.Refused, false
		}
	}
	for i, n := range all.Nodes {
		s := c.Servers[i]
		over(n.Server, "max_file_store", n.FileStore.High, fileLimit(s).Value)
		over(n.Server, "disk", n.Disk.High, float64(s.Disk-s.DiskUsed)*fileSystemShare)
		over(n.Server, "max_memory_store", n.MemoryStore.High, memoryLimit(s).Value)
		over(n.Server, "memory", n.Memory().High, float64(s.Memory)*goMemLimitShare)
		over(n.Server, "network out", n.Out.Value, s.Network)
		over(n.Server, "network in", n.In.Value, s.Network)
		if s.MaxHAAssets > 0 {
			over(n.Server, "max_ha_assets", n.HAAssets.Value, float64(s.MaxHAAssets))
		} else {
			over(n.Server, "the advised 2,000 HA assets", n.HAAssets.Value, AdvisedHAAssets)
		}
	}
	for _, e := range all.Ledger {
		if e.Over {
			over(e.Where, e.What, max(e.Reserved.Value, 1), max(e.Limit.Value, 1))
		}
	}
	return where, ends, where == ""
}

// String is the answer in one sentence.
func (a Answer) String() string {
	if a.Ends == "" {
		return fmt.Sprintf("%s: at least %s", a.Most.Name, a.Most.Unit.Format(a.Most.Value))
	}
	return fmt.Sprintf("%s: up to %s, then %s of %s ends it", a.Most.Name, a.Most.Unit.Format(a.Most.Value), a.Ends, a.Where)
}
