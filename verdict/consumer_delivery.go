package verdict

import (
	"strconv"
	"strings"
	"time"

	"weir/subject"
)

const (
	minHeartbeat  = 100 * time.Millisecond
	minMaxExpires = time.Millisecond
)

// checkDelivery: a consumer with a deliver subject pushes, without one it is
// pulled from; each has members that the other cannot have
// (server/consumer.go, checkConsumerCfg).
func (j *judge) checkDelivery(c *consumerConfig, st *streamConfig) *refusal {
	if c.DeliverSubject == "" {
		return j.checkPull(c, st)
	}
	return j.checkPush(c, st)
}

func (j *judge) checkPush(c *consumerConfig, st *streamConfig) *refusal {
	const path = "config.deliver_subject"
	switch {
	case !subject.IsLiteral(c.DeliverSubject):
		return j.refuse(10079, path)
	case !subject.Valid(c.DeliverSubject) || j.reservedDestination(c.DeliverSubject):
		return j.refuse(10112, path)
	}
	for _, s := range st.Subjects {
		if j.within(c.DeliverSubject, s) {
			return j.refuse(10081, path)
		}
	}
	switch {
	case c.MaxWaiting != 0:
		return j.refuse(10080, "config.max_waiting")
	case c.MaxAckPending > 0 && c.AckPolicy == "none":
		return j.refuse(10082, "config.max_ack_pending")
	case c.Heartbeat > 0 && c.Heartbeat < minHeartbeat:
		return j.refuse(10083, "config.idle_heartbeat")
	}
	return nil
}

// reservedDestination is isReservedDestination (server/client.go 2.14.10; 2.15.2
// does not have it).
func (j *judge) reservedDestination(s string) bool {
	if !j.has(reservedSpaces) {
		return false
	}
	for _, space := range []string{"_R_.", "_GR_.", "$GR."} {
		if strings.HasPrefix(s, space) && len(s) >= len(space) {
			return true
		}
	}
	tokens := subject.Tokens(s)
	if tokens[0] != "$JS" || len(tokens) < 2 {
		return false
	}
	switch tokens[1] {
	case "API", "ACK", "FC", "SNAPSHOT", "EVENT":
		return true
	}
	return tokenAt(tokens, 2) == "API" // of a domain
}

func (j *judge) checkPull(c *consumerConfig, st *streamConfig) *refusal {
	limit := j.Server.MaxRequestBatch
	switch {
	case c.AckPolicy == "none" && st.Retention == "workqueue":
		return j.refuse(10084, "config.ack_policy")
	case c.RateLimit > 0:
		return j.refuse(10086, "config.rate_limit_bps")
	case c.MaxWaiting < 0:
		return j.refuse(10087, "config.max_waiting")
	case c.Heartbeat > 0:
		return j.refuse(10088, "config.idle_heartbeat")
	case c.FlowControl:
		return j.refuse(10089, "config.flow_control")
	case c.MaxBatch < 0:
		return j.refuse(10114, "config.max_batch")
	case c.MaxExpires != 0 && c.MaxExpires < minMaxExpires:
		return j.refuse(10115, "config.max_expires")
	case limit > 0 && c.MaxBatch > limit:
		return j.refuse(10125, "config.max_batch", strconv.Itoa(limit))
	}
	return nil
}

// checkDirect: consumers for sourcing push and are not durable.
func (j *judge) checkDirect(c *consumerConfig) *refusal {
	switch {
	case !c.Direct:
		return nil
	case c.DeliverSubject == "":
		return j.refuse(10090, "config.direct")
	case c.Durable != "":
		return j.refuse(10091, "config.direct")
	}
	return nil
}

// checkFlowControlHeartbeat: flow control needs heartbeats.
func (j *judge) checkFlowControlHeartbeat(c *consumerConfig) *refusal {
	if c.FlowControl && c.Heartbeat == 0 {
		return j.refuse(10108, "config.idle_heartbeat")
	}
	return nil
}
