package prove

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// waitUntil asks every 10 ms until ok is true or the time is over.
func waitUntil(ctx context.Context, within time.Duration, ok func() (bool, error)) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(within); ; {
		yes, err := ok()
		if yes || err != nil {
			return err
		}
		if time.Now().After(end) {
			return errNotInTime
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}

var errNotInTime = errors.New("not in time")

// clusterWithin is how long a cluster may take until it has a meta leader that
// sees every node: an election takes 4 to 9 s where the first one fails
// (server/raft.go minElectionTimeout, v2.15.2).
const clusterWithin = 30 * time.Second

// WaitReady waits until the servers answer the JetStream API: for a cluster,
// until it has a meta leader and that sees every node that runs.
func WaitReady(ctx context.Context, h Host) error {
	n := h.Info().Nodes
	if n == 1 {
		return nil
	}
	s, err := openSession(ctx, h, firstRunning(h), systemUser)
	if err != nil {
		return err
	}
	defer s.close()
	running := 0
	for i := range n {
		if h.Running(i) {
			running++
		}
	}
	err = waitUntil(ctx, clusterWithin, func() (bool, error) {
		meta, err := metaOf(ctx, s)
		return err == nil && meta.current(running-1), nil
	})
	if errors.Is(err, errNotInTime) {
		return fmt.Errorf("start cluster: no meta leader that sees %d nodes within %s; %s said: %s", running, clusterWithin, nodeName(s.node), h.Logs(s.node))
	}
	return err
}

// firstRunning is the first node that is up, 0 when none is.
func firstRunning(h Host) int {
	for i := range h.Info().Nodes {
		if h.Running(i) {
			return i
		}
	}
	return 0
}

// metaCluster is the part of a JSZ answer that tells about the meta group.
type metaCluster struct {
	Leader   string `json:"leader"`
	Replicas []struct {
		Name    string `json:"name"`
		Current bool   `json:"current"`
		Offline bool   `json:"offline"`
	} `json:"replicas"`
}

// current reports whether n followers are up to date.
func (m metaCluster) current(n int) bool {
	for _, r := range m.Replicas {
		if r.Current && !r.Offline {
			n--
		}
	}
	return m.Leader != "" && n <= 0
}

// metaOf asks the node that leads the meta group; only it knows the others.
func metaOf(ctx context.Context, s *session) (metaCluster, error) {
	m, err := s.request(ctx, time.Second, "$SYS.REQ.SERVER.PING.JSZ", nil, []byte(`{"leader_only":true}`))
	if err != nil {
		return metaCluster{}, err
	}
	var reply struct {
		Data struct {
			Meta metaCluster `json:"meta_cluster"`
		} `json:"data"`
	}
	if err := json.Unmarshal(m.data, &reply); err != nil {
		return metaCluster{}, fmt.Errorf("read reply: %w", err)
	}
	return reply.Data.Meta, nil
}
