package design

import "strconv"

// Observed is a number that a server reported about the stream or consumer at a
// path when the text was made, by the keys of stream and consumer info:
// Observed("streams.S", "state", "messages"). ok is false where the design holds
// only what is wanted.
func (d *Design) Observed(path string, keys ...string) (n int64, ok bool) {
	info := d.infos[path]
	for _, key := range keys {
		info = info.Get(key)
	}
	if info == nil || info.Kind != Scalar {
		return 0, false
	}
	n, err := strconv.ParseInt(info.Text, 10, 64)
	return n, err == nil
}
