package prove

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestLive: somebody who looks on kills the leader of a stream while a cluster
// runs, sees another node lead, starts the first again, lets the new leader hand
// over, and ends the run; all of it is in the evidence.
func TestLive(t *testing.T) {
	leavesNothing(t)
	d := parseDesign(t, `
weir: 1
server: {nodes: 3}
streams:
  R: {subjects: [r.*], num_replicas: 3, storage: memory, consumers: {c: {ack_policy: explicit, workers: {count: 1, service_time: 1ms}}}}
publishers:
  p: {subject: r.a, rate: 50/s, payload: 100B, mode: async, msg_id: uuid}
`)
	lookedOn := make(chan error, 1)
	var late *Live
	e, err := Design(t.Context(), d, DesignOptions{Seed: 1, For: 2 * time.Minute, Live: func(l *Live) {
		late = l
		go func() { lookedOn <- breakAndMend(t, l) }()
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-lookedOn; err != nil {
		t.Fatal(err)
	}
	if _, err := late.Do(FaultKill, "node 1"); !errors.Is(err, errOver) {
		t.Errorf("a fault after the end: %v", err)
	}
	var did []string
	for _, s := range e.Steps {
		if what, ok := strings.CutPrefix(s.Do, "fault: "); ok && s.OK && s.Reply != nil {
			did = append(did, what)
		}
	}
	if len(did) != 5 || did[0] != "kill leader R" || !strings.HasPrefix(did[1], "start node ") || did[2] != "step down R" {
		t.Errorf("faults in the evidence: %q", did)
	}
	if e.Cluster == nil || !slices.Equal(e.Cluster.Nodes, []string{"n1", "n2", "n3"}) || e.Cluster.To <= e.Cluster.From {
		t.Errorf("cluster: %+v", e.Cluster)
	}
}

// breakAndMend does what TestLive says; the node that it takes down last is left
// to the run to start.
func breakAndMend(t *testing.T, l *Live) error {
	defer l.Finish()
	first := ""
	leads := func(other string) func() (bool, error) {
		return func() (bool, error) {
			c, _ := l.Cluster()
			for _, ch := range c.Changes {
				if ch.Kind == ChangeLeads && ch.Node != "" {
					first = ch.Node
				}
			}
			return first != "" && first != other, nil
		}
	}
	if err := waitUntil(t.Context(), time.Minute, leads("")); err != nil {
		return err
	}
	killed := first
	if _, err := l.Do(FaultKill, "leader R"); err != nil {
		return err
	}
	if _, err := l.Do(FaultKill, "node "+killed[1:]); err == nil {
		return errors.New("a node that is down was killed")
	}
	if err := waitUntil(t.Context(), time.Minute, leads(killed)); err != nil {
		return err
	}
	if _, err := l.Do(FaultStart, "node "+killed[1:]); err != nil {
		return err
	}
	err := waitUntil(t.Context(), time.Minute, func() (bool, error) {
		_, err := l.Do(FaultStepDown, "R")
		return err == nil, nil
	})
	if err != nil {
		return err
	}
	_, err = l.Do(FaultKill, "node "+killed[1:])
	if err == nil {
		_, err = l.Do("melt", "node 1")
		if err == nil {
			return errors.New("an unknown fault was done")
		}
		err = nil
	}
	return err
}
