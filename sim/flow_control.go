package sim

// Windows of flow control, in bytes.
// Source: nats-server v2.15.2 consumer.go JsFlowControlMaxPending,
// setMaxPendingBytes.
const (
	flowMost  = 32 << 20
	flowFirst = flowMost / 16
)

// flowControl is the window of a push consumer with flow control.
//
// Models: a request goes out when half of the window is in flight; the client
// answers it behind the messages before it; each answer doubles the window, from
// 2 MiB to 32 MiB. Bytes are counted, so it protects no client limit that is
// smaller, or that counts messages.
// Ignores: flow control as ack policy (2.14).
// Source: nats-server v2.15.2 consumer.go needFlowControl, processFlowControl;
// measured.
type flowControl struct {
	window int64 // 0 is no flow control
	flight int64
	asked  int64 // bytes that the open request covers; 0 is none
	id     uint32
}

func (f *flowControl) prepare(c *consumer) {
	if c.cfg.Push && c.cfg.FlowControl {
		f.window = flowFirst
	}
}

func (f *flowControl) closed() bool { return f.window > 0 && f.flight > f.window }

func (f *flowControl) sent(c *consumer, m *message) {
	if f.window == 0 {
		return
	}
	size := int64(m.size) + c.ackReplyBytes(m)
	f.flight += size
	if f.asked > 0 && f.flight-f.asked >= f.window {
		f.asked += size
	}
}

// request sends a flow control request when one is due.
func (f *flowControl) request(c *consumer) {
	if f.window == 0 || f.asked > 0 || f.flight <= f.window/2 {
		return
	}
	f.asked = f.flight
	f.id++
	c.res.FlowControl++
	for _, w := range c.readers {
		w.hear(&delivery{word: word{flow: f.id}}, false)
	}
}

// answered takes the client's answer.
func (f *flowControl) answered(c *consumer, id uint32) {
	if id != f.id || f.asked == 0 {
		return
	}
	f.window = min(2*f.window, flowMost)
	f.flight = max(0, f.flight-f.asked)
	f.asked = 0
	c.pump()
}
