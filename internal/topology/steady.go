package topology

import (
	"math"
	"slices"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/size"
)

// steadyLines say what a stream that somebody publishes into looks like in the
// steady state: its flow, what it holds, and which limit it runs into.
func steadyLines(z *size.DesignStream, c *api.StreamConfig) []Line {
	rate, bytes := 0.0, 0.0
	for _, a := range z.Arrivals {
		rate += a.Rate.Value
		bytes += a.Rate.Value * (a.Message.Payload + a.Message.Header)
	}
	out := []Line{{Text: rateText(rate) + ", " + size.BytesPerSecond.Format(bytes)}}
	held := z.Size.Retained
	switch held.Binds {
	case "":
		out = append(out, Line{Text: "no limit", As: "bold"})
	case "max_bytes":
		out = append(out, Line{Text: design.FormatSize(c.MaxBytes) + " full at " + held.Kept.Amount(), As: "bold"})
	case "max_msgs":
		out = append(out, Line{Text: size.FormatCount(float64(c.MaxMsgs)) + " messages full at " + held.Kept.Amount(), As: "bold"})
	case "max_age":
		out = append(out, Line{Text: z.Size.Reported.Amount() + " after " + held.Kept.Amount()})
	case "acknowledgement":
		out = append(out, acknowledgedLines(held, c)...)
	default:
		out = append(out, Line{Text: z.Size.Reported.Amount() + " held"})
	}
	if c.Discard == api.DiscardNew && held.Binds != "acknowledgement" {
		out = append(out, Line{Text: "discard new"})
	}
	const manyIDs = 1e6 // each takes about 136 B of heap: beyond, it is worth a line
	if ids := z.Size.Dedup.Entries.Value; ids >= manyIDs {
		out = append(out, Line{Text: shortCount(ids/1e6) + " M ids in dedup"})
	}
	return out
}

// acknowledgedLines are of a stream that empties itself: what happens when its
// readers stop.
func acknowledgedLines(held size.Retained, c *api.StreamConfig) []Line {
	for _, b := range held.Bounds {
		switch b.Limit {
		case "max_msgs":
			return []Line{{Text: discardText(c) + " at " + size.FormatCount(float64(c.MaxMsgs))}, {Text: "if workers stop: full in " + b.Full.Amount()}}
		case "max_bytes":
			return []Line{{Text: discardText(c) + " at " + design.FormatSize(c.MaxBytes)}, {Text: "if workers stop: full in " + b.Full.Amount()}}
		}
	}
	return []Line{{Text: "if workers stop: no max_msgs, no max_bytes"}}
}

func discardText(c *api.StreamConfig) string {
	if c.Discard == api.DiscardNew {
		return "discard new"
	}
	return "discard old"
}

// levelOf is the share of max_bytes or max_msgs that a stream holds in the steady
// state, whichever is fuller; nil for a stream that has neither.
func levelOf(z *size.DesignStream) *Level {
	if z == nil {
		return nil
	}
	var out *Level
	for _, b := range z.Size.Retained.Bounds {
		if !slices.Contains([]string{"max_bytes", "max_msgs"}, b.Limit) || b.Messages.Value <= 0 {
			continue
		}
		if share := z.Size.Retained.Messages.Value / b.Messages.Value; out == nil || share > out.Share {
			out = &Level{Share: min(share, 1), Text: size.Share.Format(math.Min(share, 1)) + " of " + b.Limit}
		}
	}
	return out
}

// busyText is how busy workers are.
func busyText(share float64) string {
	switch {
	case share < 0.001:
		return "under 0.1 % busy"
	case share >= 10:
		return "more than 1,000 % busy"
	case share < 0.1:
		return size.Share.Format(share) + " busy"
	}
	return size.FormatCount(math.Round(share*100)) + " % busy"
}
