package sim

// rateLimit is rate_limit_bps of a push consumer.
//
// Models: a bucket of bytes that fills at the rate; its size is max_msg_size
// of the stream, or the server's max_payload (1 MiB) where that is unset, so a
// small backlog passes at once whatever the rate.
// Ignores: a message larger than the bucket.
// Source: nats-server v2.15.2 consumer.go setRateLimit; measured.
type rateLimit struct {
	nsPerByte float64
	burst     int64 // ns that a full bucket is worth
	paid      int64 // until when what was sent has been paid for
}

const defaultMaxPayload = 1 << 20

func (r *rateLimit) prepare(c *consumer) {
	if c.cfg.RateLimitBPS < 8 {
		return
	}
	r.nsPerByte = 1e9 / float64(c.cfg.RateLimitBPS/8)
	bucket := c.s.cfg.MaxMsgSize
	if bucket <= 0 {
		bucket = c.r.w.Server.MaxPayload
	}
	if bucket <= 0 {
		bucket = defaultMaxPayload
	}
	r.burst = int64(float64(bucket) * r.nsPerByte)
	r.paid = -r.burst
}

// due charges for m, and is when it may go.
func (r *rateLimit) due(c *consumer, m *message, from int64) int64 {
	if r.burst == 0 {
		return from
	}
	size := int64(m.size) + c.ackReplyBytes(m)
	r.paid = max(r.paid, from-r.burst) + int64(float64(size)*r.nsPerByte)
	return max(from, r.paid)
}
