package lint

import (
	"fmt"
	"strconv"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CLU023",
	Name:     "replica-out-of-step",
	Severity: design.Warning,
	Title:    "A replica is offline or behind, or there is no leader.",
	Why:      "Only a majority acks a message and elects a leader (server/raft.go, v2.15.2): R3 with one replica offline survives no further loss, with two offline it takes nothing.",
	Fix:      "Start the server and wait until it is current; peer-remove it only if it is gone for good.",
	Refs:     []string{"server/raft.go"},
	Check: func(f *Facts) {
		f.AcceptedStreams(func(s *Stream) { f.outOfStep(s.Path, true) })
		f.Consumers(func(c *Consumer) { f.outOfStep(c.Path, f.ObservedInfo(c.Of.Path) == nil) })
	},
})

// outOfStep looks at the replicas of a stream or consumer. A consumer mostly lives on
// the servers of its stream: where the stream tells of them, the consumer is spoken of
// only when it does not work.
func (f *Facts) outOfStep(path string, tells bool) {
	cluster := f.ObservedInfo(path).Get("cluster")
	if cluster == nil || len(cluster.Keys) == 0 {
		return
	}
	what, all, left, behind := "", 1, 1, 0 // the one that answered is not among the replicas
	if replicas := cluster.Get("replicas"); replicas != nil {
		all += len(replicas.Items)
		left = all
		for _, r := range replicas.Items {
			state := "not current"
			if reported(r, "offline") == "true" {
				state = "offline"
				left--
			} else if reported(r, "current") == "false" {
				behind++
			} else {
				continue
			}
			what += clip(reported(r, "name")) + " is " + state + lastHeard(r) + ", "
		}
	}
	if reported(cluster, "leader") == "" {
		what += "no leader, "
		left = min(left, all/2)
	}
	if what == "" || !tells && left > all/2 {
		return
	}
	spare := max(0, left-behind-all/2-1)
	then := "publishes, fetches and acks get 10008 or no answer"
	if left > all/2 {
		then = "it survives no further loss"
		if spare > 0 {
			then = "it survives the loss of " + size.Counted(spare, "more server", "more servers")
		}
	}
	f.Report(path, Said{What: fmt.Sprintf("has %d replicas: %s%s", all, what, then), Write: "start what is offline and wait until all are current", Figure: &Figure{"replicas to spare", float64(spare), "replicas", Computed}})
}

// lastHeard says when a replica was heard of and how many entries it lacks, as far as the
// server says.
func lastHeard(r *design.Node) string {
	said := ""
	if ago, err := strconv.ParseInt(reported(r, "active"), 10, 64); err == nil && ago > 0 {
		said = "heard of " + size.FormatDuration(time.Duration(ago)) + " ago"
	}
	if lag := reported(r, "lag"); lag != "" && lag != "0" {
		if said != "" {
			said += ", "
		}
		said += lag + " entries behind"
	}
	if said == "" {
		return ""
	}
	return " (" + said + ")"
}

// reported is a word below a key, "" where there is none.
func reported(n *design.Node, key string) string {
	if n = n.Get(key); n.IsScalar() {
		return n.Text
	}
	return ""
}
