package prove

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"
)

func number[T int | int64 | uint64 | float64 | time.Duration](n T) value {
	return value{number: float64(n)}
}

func yes(b bool) value {
	if b {
		return value{number: 1}
	}
	return value{}
}

func textValue(s string) value { return value{text: s, isText: true} }

// ownValue is a value that stands alone.
func (r *scriptRun) ownValue(name string) (value, error) {
	switch name {
	case "acked":
		return number(r.acked), nil
	case "answers":
		return number(r.answers), nil
	case "seq":
		return number(r.ack.Seq), nil
	case "duplicate":
		return yes(r.ack.Duplicate), nil
	case "received":
		return number(r.received), nil
	case "status":
		return number(r.status), nil
	case "elapsed":
		return number(time.Since(r.clock)), nil
	case "heap":
		if r.host.Info().Kind == "child" {
			return value{}, errors.New("the heap of a child process is not looked at; begin with: needs embedded")
		}
		return number(liveHeap()), nil
	case "log":
		var all []string
		for i := range r.host.Info().Nodes {
			all = append(all, r.host.Logs(i))
		}
		return textValue(strings.Join(all, "; ")), nil
	}
	return value{}, fmt.Errorf("%s is no value", name)
}

// liveHeap is what is left after collections: one frees what finalizers still
// held in the one before.
func liveHeap() uint64 {
	const collections = 3
	for range collections {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func (r *scriptRun) backgroundValue(kind, name string) (value, error) {
	switch {
	case kind == "advisories":
		r.mu.Lock()
		defer r.mu.Unlock()
		return number(r.advisories[name]), nil
	case kind == "work" && r.work != nil:
		return r.work.value(name), nil
	case kind == "load" && r.load != nil:
		return r.load.value(name), nil
	}
	return value{}, fmt.Errorf("%s.%s: there is no %[1]s", kind, name)
}

// serverValue sums a figure of VARZ over the nodes that run, or takes the first
// node's.
func (r *scriptRun) serverValue(ctx context.Context, name string) (value, error) {
	s, err := r.links.as(ctx, systemUser)
	if err != nil {
		return value{}, err
	}
	if name == "meta_leader" {
		meta, err := metaOf(ctx, s, "")
		return yes(meta.Leader != ""), err
	}
	m, err := s.request(ctx, answerWithin, "$SYS.REQ.SERVER.PING.VARZ", nil, nil)
	if err != nil {
		return value{}, err
	}
	var reply struct {
		Data struct {
			SlowConsumers int64 `json:"slow_consumers"`
			Connections   int64 `json:"connections"`
		} `json:"data"`
	}
	if err := json.Unmarshal(m.data, &reply); err != nil {
		return value{}, fmt.Errorf("read reply: %w", err)
	}
	if name == "connections" {
		return number(reply.Data.Connections), nil
	}
	return number(reply.Data.SlowConsumers), nil
}

func (r *scriptRun) streamValue(ctx context.Context, stream, name string) (value, error) {
	s, err := r.control(ctx)
	if err != nil {
		return value{}, err
	}
	var info streamInfo
	if err := s.info(ctx, "STREAM.INFO."+stream, &info); err != nil {
		return value{}, err
	}
	switch name {
	case "messages":
		return number(info.State.Messages), nil
	case "bytes":
		return number(info.State.Bytes), nil
	case "first_seq":
		return number(info.State.FirstSeq), nil
	case "last_seq":
		return number(info.State.LastSeq), nil
	case "num_deleted":
		return number(info.State.NumDeleted), nil
	case "subjects":
		return number(info.State.Subjects), nil
	case "consumers":
		return number(info.State.Consumers), nil
	case "leader":
		return textValue(info.Cluster.Leader), nil
	case "current":
		current := 1
		for _, peer := range info.Cluster.Replicas {
			if peer.Current && !peer.Offline {
				current++
			}
		}
		return number(current), nil
	}
	return value{}, fmt.Errorf("%s is no value of a stream", name)
}

func (r *scriptRun) consumerValue(ctx context.Context, object, name string) (value, error) {
	s, err := r.control(ctx)
	if err != nil {
		return value{}, err
	}
	var info consumerInfo
	if err := s.info(ctx, "CONSUMER.INFO."+strings.ReplaceAll(object, "/", "."), &info); err != nil {
		return value{}, err
	}
	switch name {
	case "num_pending":
		return number(info.NumPending), nil
	case "num_ack_pending":
		return number(info.NumAckPending), nil
	case "num_redelivered":
		return number(info.NumRedelivered), nil
	case "num_waiting":
		return number(info.NumWaiting), nil
	case "delivered":
		return number(info.Delivered.Consumer), nil
	case "ack_floor":
		return number(info.AckFloor.Stream), nil
	}
	return value{}, fmt.Errorf("%s is no value of a consumer", name)
}
