package calculator

import (
	"fmt"
	"time"

	"weir/size"
)

func dedup() Calculator {
	return Calculator{
		Name: "dedup", About: "What duplicate_window costs: the heap of a dedup table", Note: WeekExample(),
		Fields: []Field{
			rate("messages with an id that are accepted"),
			window("duplicate_window (default 2m)"),
			number("id-bytes", "length of a Nats-Msg-Id (default 36, a UUID)", "bytes", parseID, func(in *Input) *Quantity[float64] { return &in.message.id }),
			replicas(),
		},
		Example: map[string]string{"rate": "10000/s", "window": "7d", "id-bytes": "36"},
		Answer:  answerDedup,
	}
}

// WeekExample is the example that is often repeated with a figure that is too
// small by far.
func WeekExample() string {
	d, err := size.OfDedup(size.DedupInput{Rate: weekRate, Window: week, IDBytes: uuidBytes})
	if err != nil { // the input is this function's own
		panic(err)
	}
	return fmt.Sprintf(`Seven days at 10,000 ids a second is an example that is often repeated as 45 GB. The ids
alone are %.0f GB; with the server's entries, map and slice the live ids take %s to %s of
heap on each replica, which is %.0f to %.0f GB.`,
		d.Entries.Value*uuidBytes/1e9, size.FormatBytes(d.Live.Low), size.FormatBytes(d.Live.High), d.Live.Low/1e9, d.Live.High/1e9)
}

// dedupValues is the answer for machines.
type dedupValues struct {
	Says string `json:"says"`
	size.Dedup
}

const (
	weekRate            = 10_000
	week                = 7 * 24 * time.Hour
	uuidBytes           = 36
	defaultWindow int64 = 2 * 60 * 1e9 // server/stream.go:StreamDefaultDuplicatesWindow (v2.15.2)
)

func answerDedup(in *Input) (Answer, error) {
	if !in.rate.Given() {
		return Answer{}, refuse("no rate given; write --rate 10000/s, the messages with an id that are accepted")
	}
	ask := size.DedupInput{Rate: in.rate.Value, Window: time.Duration(defaultWindow), IDBytes: uuidBytes, Replicas: in.replicas.Number()}
	if in.window.Given() {
		ask.Window = in.window.Span()
	}
	if err := in.stored(); err != nil {
		return Answer{}, err
	}
	if in.message.id.Given() {
		ask.IDBytes = in.message.id.Value
	}
	d, err := size.OfDedup(ask)
	if err != nil {
		return Answer{}, Refused(err)
	}
	a := Answer{Yes: true, Says: fmt.Sprintf("%s of heap on each replica for %s ids, %s on average with expired ones, up to %s at the peak", d.Live.Ranged(), d.Entries.Amount(), d.Heap.Amount(), size.FormatBytes(d.Heap.High))}
	if d.Heap.Saturated {
		a.Says = fmt.Sprintf("%s of heap on each replica for %s ids: no server can hold that", d.Live.Amount(), d.Entries.Amount())
	}
	a.Rows = []Row{
		{Name: "ids", Figure: d.Entries, Note: fmt.Sprintf("%s × %s", size.PerSecond.Format(ask.Rate), size.FormatDuration(ask.Window))},
		{Name: "live ids", Figure: d.Live, Note: "heap of each replica; the range is where map and slice stand"},
		{Name: "expired ids", Figure: d.Held, Note: "not freed yet: a saw tooth, none in the first window"},
		{Name: "heap", Figure: d.Heap, Note: "live and expired ids: on average, and at the peak just before expired ones are freed, which each server must have"},
	}
	a.Explained = []size.Figure{d.Heap, d.Exact}
	a.Bars = []Bar{{Name: "Heap of a replica", About: "live ids, and expired ones that are not freed yet", Total: d.Heap,
		Parts: []Part{{Name: "live ids", Figure: d.Live}, {Name: "expired ids, on average", Figure: d.Held}}}}
	if !d.Heap.Saturated { // the axis holds the peak, not the average alone
		a.Bars[0].Marks = []size.Figure{{Name: "at the peak", Value: d.Heap.High, Unit: size.Bytes}}
	}
	if ask.Rate == weekRate && ask.Window == week && ask.IDBytes == uuidBytes {
		a.Bars[0].Marks = append(a.Bars[0].Marks, size.Figure{Name: "is often repeated for this (45 GB)", Value: 45e9, Unit: size.Bytes})
	}
	if ask.Replicas > 1 {
		a.Explained[0] = d.Cluster
		a.Rows = append(a.Rows, Row{Name: "cluster", Figure: d.Cluster, Note: fmt.Sprintf("heap of %d replicas: each keeps the whole table", ask.Replicas)})
	}
	a.Notes = saturatedNote(d.Entries, d.Heap, d.Cluster)
	a.Values = func(working bool) any {
		d := d
		prune(working, &d.Entries, &d.Live, &d.Held, &d.Heap, &d.Exact, &d.Cluster)
		return dedupValues{a.Says, d}
	}
	return a, nil
}
