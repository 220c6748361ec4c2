package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"weir/size"
)

type sizeDedupOptions struct {
	sizeOutput
	rate     quantity[float64]
	window   quantity[int64]
	id       quantity[float64]
	replicas choice
}

// sizeDedup sizes a dedup table.
func (c *Command) sizeDedup() *cobra.Command {
	var o sizeDedupOptions
	cmd := &cobra.Command{
		Use:   "dedup --rate RATE --window DURATION",
		Short: "The heap of a dedup table: what duplicate_window costs",
		Long: `Sizes the table in which a stream remembers each Nats-Msg-Id for duplicate_window. It lies
in the heap of every replica, whatever the storage, and is rebuilt at a restart from messages
that are still stored. It holds rate × window ids; messages without an id cost nothing.

` + weekExample() + `
` + sizeHelp,
		Example: `  weir size dedup --rate 10000/s --window 7d --id-bytes 36
  weir size dedup --rate 10000/s --window 2m --id-bytes 36 --replicas 3
  weir size dedup --rate 800/s --window 24h --explain
  weir size dedup --rate 50000/m --window 1h --format json | jq .heap.high`,
	}
	cmd.RunE = c.run(func([]string) (int, error) { return c.runSizeDedup(&o) })
	rateFlag(cmd, &o.rate, "messages with an id that are accepted")
	durationFlag(cmd, &o.window, "window", "duplicate_window (default 2m)")
	o.id.add(cmd, "id-bytes", "length of a Nats-Msg-Id (default 36, a UUID)", "bytes", parseID)
	replicasFlag(cmd, &o.replicas)
	o.sizeOutput.add(cmd)
	return cmd
}

// weekExample is the example that is often repeated with a figure that is too
// small by far.
func weekExample() string {
	d, err := size.OfDedup(size.DedupInput{Rate: 10_000, Window: 7 * 24 * time.Hour, IDBytes: uuidBytes})
	if err != nil { // the input is this function's own
		panic(err)
	}
	return fmt.Sprintf(`Seven days at 10,000 ids a second is an example that is often repeated as 45 GB. The ids
alone are %.0f GB; with the server's entries, map and slice the live ids take %s to %s of
heap on each replica, which is %.0f to %.0f GB: see the first example.`,
		d.Entries.Value*uuidBytes/1e9, size.FormatBytes(d.Live.Low), size.FormatBytes(d.Live.High), d.Live.Low/1e9, d.Live.High/1e9)
}

// dedupJSON is the answer of weir size dedup.
type dedupJSON struct {
	Says string `json:"says"`
	size.Dedup
}

const (
	uuidBytes           = 36
	defaultWindow int64 = 2 * 60 * 1e9 // server/stream.go:StreamDefaultDuplicatesWindow (v2.15.2)
)

func (c *Command) runSizeDedup(o *sizeDedupOptions) (int, error) {
	if !o.rate.given() {
		return ExitUsage, badInput("no rate given; write --rate 10000/s, the messages with an id that are accepted")
	}
	in := size.DedupInput{Rate: o.rate.value, Window: o.window.span(), IDBytes: o.id.value, Replicas: o.replicas.number()}
	if !o.window.given() {
		o.window.value = defaultWindow
		in.Window = o.window.span()
	}
	if !o.id.given() {
		in.IDBytes = uuidBytes
	}
	d, err := size.OfDedup(in)
	if err != nil {
		return ExitUsage, sizeError(err)
	}
	says := fmt.Sprintf("%s of heap on each replica for %s ids, up to %s at the peak", ranged(d.Live), amount(d.Entries), size.FormatBytes(d.Heap.High))
	if d.Heap.Saturated {
		says = fmt.Sprintf("%s of heap on each replica for %s ids: no server can hold that", amount(d.Live), amount(d.Entries))
	}
	if o.format.value == "json" {
		prune(o.explain, &d.Entries, &d.Live, &d.Held, &d.Heap, &d.Exact, &d.Cluster)
		return ExitYes, c.printJSON(dedupJSON{says, d})
	}
	rows := []sizeRow{
		{name: "ids", figure: d.Entries, note: fmt.Sprintf("%s × %s", size.PerSecond.Format(in.Rate), size.FormatDuration(in.Window))},
		{name: "live ids", figure: d.Live, note: "heap of each replica; the range is where map and slice stand"},
		{name: "expired ids", figure: d.Held, note: "not freed yet: a saw tooth, none in the first window"},
		{name: "heap", figure: d.Heap, note: "what each server must have for it"},
	}
	explained := []size.Figure{d.Heap, d.Exact}
	if in.Replicas > 1 {
		explained[0] = d.Cluster
		rows = append(rows, sizeRow{name: "cluster", figure: d.Cluster, note: fmt.Sprintf("heap of %d replicas: each keeps the whole table", in.Replicas)})
	}
	c.printSize(sizeReport{says: says, rows: rows, notes: saturatedNote(d.Entries, d.Heap, d.Cluster), explained: explained}, o.explain)
	return ExitYes, nil
}
