package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CLU016",
	Name:     "consumer-below-its-stream",
	Severity: design.Warning,
	Title:    "The stream survives the loss of a server, and this consumer does not.",
	Why: "A consumer with fewer replicas than its stream has its position on fewer servers: when they are down, nothing is delivered although everything is stored, and a " +
		"snapshot taken from a leader elsewhere does not hold it (server/consumer.go, v2.15.2; nats-server #7829).",
	Fix:   "Leave num_replicas of the consumer out: it then has those of its stream.",
	Refs:  []string{"server/consumer.go", "nats-server #7829"},
	Check: func(f *Facts) { f.Consumers(f.consumerReplicas) },
})

func (f *Facts) consumerReplicas(c *Consumer) {
	mine, streams := c.Config.Replicas, c.Of.Config.Replicas
	if mine <= 0 || mine >= streams || streams < 3 || !c.Acks() || c.Config.InactiveThreshold > 0 {
		return
	}
	survives := func(r int) int { return r - size.Quorum(r) }
	path := design.Join(c.Path, "num_replicas")
	said := Said{What: fmt.Sprintf("keeps the consumer's position on %s, and stream %s is on %d: it survives the loss of %d, the stream that of %d, and a backup may be missing it",
		counted(mine, "server"), clip(c.Of.Name), streams, survives(mine), survives(streams)), Write: fmt.Sprintf("write num_replicas: %d, or leave it out", streams),
		Figure: &Figure{"servers that may be lost", float64(survives(mine)), "servers", Computed}}
	said.Fix = f.SetFix(fmt.Sprintf("Write num_replicas: %d", streams), path, fmt.Sprint(streams))
	f.Report(path, said)
}
