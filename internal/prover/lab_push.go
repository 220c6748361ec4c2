package prover

import (
	"fmt"
	"strconv"

	"weir/prove"
)

var pushLab = Lab{
	Name: "push", Title: "A stalled push reader is cut off",
	About: "A reader that hangs while 16 MiB are pushed to it. The server closes a connection for which more than max_pending bytes wait; here that is 4 MiB, 64 MiB when nothing is written. What is on its way is max_ack_pending messages, or all without acks.",
	Values: []prove.ProofValue{
		{Name: "ack_policy", Doc: "of the push consumer", Stops: []string{"none", "explicit"}, Default: "none"},
		{Name: "max_ack_pending", Doc: "unacked messages at most, with explicit acks", Stops: []string{"50", "1000", "-1"}, Default: "1000"},
		{Name: "size", Doc: "of a message", Stops: []string{"1KiB", "8KiB", "64KiB"}, Default: "8KiB"},
		{Name: "flow_control", Doc: "the server waits for the reader", Stops: []string{"no", "yes"}, Default: "no"},
	},
	script: pushScript,
}

// pushedKiB is what is published in a run of the push lab, pendingKiB the
// server's max_pending. No stops come near it: 50 x 64 KiB are 3.1 MiB, 1,000 x
// 8 KiB are 7.8 MiB.
const pushedKiB, pendingKiB = 16 << 10, 4 << 10

func pushScript(v labValues) string {
	kib := map[string]int{"1KiB": 1, "8KiB": 8, "64KiB": 64}[v["size"]]
	n := pushedKiB / kib
	inFlight, consumer := n, "consumer S/push deliver_subject=push.s ack_policy="+v["ack_policy"]
	if v["ack_policy"] == "explicit" {
		if most := v.number("max_ack_pending"); most > 0 {
			inFlight = min(n, most)
		}
		wait := "1s" // what was lost comes again within the run
		if inFlight*kib <= pendingKiB {
			wait = "20s" // nothing is lost, and nothing may come again while the reader stands still
		}
		consumer += " ack_wait=" + wait + " max_ack_pending=" + v["max_ack_pending"]
	}
	if v["flow_control"] == "yes" {
		consumer += " flow_control=true idle_heartbeat=5s"
	}
	head := func(kind, said string) []string {
		return []string{
			fmt.Sprintf("server max_pending=%dKiB write_deadline=60s", pendingKiB), fmt.Sprintf("%s %q", kind, said),
			"stream S subjects=s.* storage=memory", consumer, "subscribe push.s by=reader stuck=yes",
			fmt.Sprintf("publish s.a n=%d size=%s", n, v["size"]),
		}
	}
	stays := []string{"wait 300ms", "expect server.slow_consumers == 0"}
	switch {
	case v["flow_control"] == "yes":
		return lines(append(append(head("claim", "with flow control the server waits, and the connection stays"), stays...), "expect reader.closed == 0")...)
	case inFlight*kib <= pendingKiB:
		steps := append(head("claim", fmt.Sprintf("delivery stops at %d unacked messages, and the connection stays", inFlight)), stays...)
		return lines(append(steps, "expect S/push.num_ack_pending == "+strconv.Itoa(inFlight), "read reader",
			"until reader.received >= "+strconv.Itoa(inFlight)+" within 20s", "expect reader.closed == 0")...)
	}
	said, after := "the server closes the connection, and what was on its way is lost", []string{
		"wait 300ms", fmt.Sprintf("let lost = %d - reader.received - next.received", n), "expect lost > 0",
	}
	if v["ack_policy"] == "explicit" {
		said, after = "the server closes the connection, and what was on its way comes again after ack_wait", []string{
			"until next.received >= 1 within 20s", "expect next.attempt >= 2",
		}
	}
	steps := append(head("harm", said), "until server.slow_consumers >= 1 within 20s", "subscribe push.s by=next", "read reader", "until reader.closed == 1 within 10s")
	return lines(append(append(steps, after...),
		`cure "a pull consumer brings as much as was asked for"`,
		"consumer S/pull ack_policy=explicit", "fetch S/pull batch=10 by=puller", "expect puller.received == 10")...)
}
