package design

import (
	"strconv"
	"time"
)

// Observed is a number that a server reported about the stream or consumer at a
// path when the text was made, by the keys of stream and consumer info:
// Observed("streams.S", "state", "messages"). ok is false where the design holds
// only what is wanted.
func (d *Design) Observed(path string, keys ...string) (n int64, ok bool) {
	n, err := strconv.ParseInt(d.observed(path, keys), 10, 64)
	return n, err == nil
}

// ObservedTime is a time that a server reported so, in RFC 3339:
// ObservedTime("streams.S", "state", "first_ts").
func (d *Design) ObservedTime(path string, keys ...string) (at time.Time, ok bool) {
	at, err := time.Parse(time.RFC3339Nano, d.observed(path, keys))
	return at, err == nil
}

// ObservedInfo is all that a server reported so, nil without it.
func (d *Design) ObservedInfo(path string) *Node { return d.infos[path] }

func (d *Design) observed(path string, keys []string) string {
	info := d.infos[path]
	for _, key := range keys {
		info = info.Get(key)
	}
	if info == nil || info.Kind != Scalar {
		return ""
	}
	return info.Text
}
