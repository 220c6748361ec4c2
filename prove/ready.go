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
const clusterWithin = 20 * time.Second

// startReady starts servers that answer. A cluster whose nodes do not find each
// other in time (seen now and then with 2.10.29 on a busy machine, or when
// somebody took a port) is started anew.
func startReady(ctx context.Context, setup Setup, with string) (Host, error) {
	for attempt := 1; ; attempt++ {
		h, err := StartHost(ctx, setup, with)
		if err != nil {
			return nil, err
		}
		if err = WaitReady(ctx, h); err == nil {
			return h, nil
		}
		if err = errors.Join(err, h.Stop()); !errors.Is(err, errNotInTime) || attempt == startAttempts {
			return nil, err
		}
	}
}

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
		meta, err := metaOf(ctx, s, `{"leader_only":true}`)
		return err == nil && meta.current(running-1), nil
	})
	if errors.Is(err, errNotInTime) {
		return fmt.Errorf("start cluster: no meta leader that sees %d nodes: %w (%s); %s said: %s", running, err, clusterWithin, nodeName(s.node), h.Logs(s.node))
	}
	if err != nil {
		return err
	}
	return tryPlacement(ctx, h, running)
}

// tryPlacement creates a stream on every node and deletes it again: right after
// an election the leader may still take a peer for offline (10005). It does so in
// an account of its own: see keepStream.
func tryPlacement(ctx context.Context, h Host, replicas int) error {
	s, err := openSession(ctx, h, firstRunning(h), readyUser)
	if err != nil {
		return err
	}
	defer s.close()
	body := fmt.Appendf(nil, `{"name":"WEIR_READY","subjects":["_weir.ready"],"storage":"memory","num_replicas":%d}`, min(replicas, MaxNodes))
	said := ""
	err = waitUntil(ctx, clusterWithin, func() (bool, error) {
		a, err := s.api(ctx, answerWithin, "STREAM.CREATE.WEIR_READY", body)
		said = a.silent
		if err == nil && a.silent == "" {
			said = a.verdict()
		}
		return said == Accepted, err
	})
	if err != nil {
		return fmt.Errorf("start cluster: place a stream: %w; the last answer is %s", err, said)
	}
	a, err := s.api(ctx, answerWithin, "STREAM.DELETE.WEIR_READY", nil)
	return errors.Join(err, a.asError())
}

// keepStream makes a stream that stays, for runs that delete streams and make
// others: after an account's last stream is gone, the server removes the
// account's folder at a time of its own, which may be from under the next stream
// (10049, stream.stop in server/stream.go, v2.15.2).
func (s *session) keepStream(ctx context.Context) error {
	return s.must(ctx, "STREAM.CREATE.WEIR_KEEP", []byte(`{"name":"WEIR_KEEP","subjects":["_weir.keep"],"max_msgs":1}`))
}

// must asks the JetStream API and takes a refusal or silence for an error.
func (s *session) must(ctx context.Context, subject string, body []byte) error {
	a, err := s.api(ctx, answerWithin, subject, body)
	if err == nil && a.silent != "" {
		err = errors.New(a.silent)
	}
	if err = errors.Join(err, a.asError()); err != nil {
		return fmt.Errorf("ask %s: %w", subject, err)
	}
	return nil
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

// metaOf asks for the meta group: with leader_only the node that leads it, which
// alone knows the others, with "" whichever node answers first.
func metaOf(ctx context.Context, s *session, options string) (metaCluster, error) {
	m, err := s.request(ctx, time.Second, "$SYS.REQ.SERVER.PING.JSZ", nil, []byte(options))
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
