package prove

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// apiPrefix is the subject prefix of the JetStream API.
const apiPrefix = "$JS.API."

// apiAnswer is the answer of the JetStream API to one request.
type apiAnswer struct {
	apiReply
	body []byte
	// silent says why there is no answer, "" when there is one.
	silent string
}

// noResponders is what silent says when nobody listens on an API subject.
const noResponders = "503 no responders"

// reply is the answer as evidence; the whole body only where it is small enough
// to read.
func (a apiAnswer) reply() *Reply {
	switch {
	case a.silent != "":
		return &Reply{Text: a.silent}
	case a.Error != nil:
		return &Reply{Code: a.Error.Code, ErrCode: a.Error.ErrCode, Text: a.Error.Description}
	}
	r := &Reply{Text: Accepted}
	const most = 8 << 10
	if len(a.body) <= most {
		r.Body = a.body
	}
	return r
}

// api asks the JetStream API; subject comes without its prefix.
func (s *session) api(ctx context.Context, within time.Duration, subject string, body []byte) (apiAnswer, error) {
	m, err := s.request(ctx, within, apiPrefix+subject, nil, body)
	switch {
	case errors.Is(err, errTimeout):
		return apiAnswer{silent: fmt.Sprintf("no answer within %s", within)}, nil
	case err != nil:
		return apiAnswer{}, err
	case m.status == 503:
		return apiAnswer{silent: noResponders}, nil
	}
	return readAnswer(m.data)
}

func readAnswer(body []byte) (apiAnswer, error) {
	a := apiAnswer{body: body}
	if err := json.Unmarshal(body, &a.apiReply); err != nil {
		return a, fmt.Errorf("read reply: %w", err)
	}
	return a, nil
}

// info asks for a stream's or consumer's state into v. It is an error when the
// server refuses or is silent.
func (s *session) info(ctx context.Context, subject string, v any) error {
	a, err := s.api(ctx, answerWithin, subject, nil)
	if err == nil && a.silent != "" {
		err = errors.New(a.silent)
	}
	if err = errors.Join(err, a.asError()); err != nil {
		return fmt.Errorf("ask %s: %w", subject, err)
	}
	if err := json.Unmarshal(a.body, v); err != nil {
		return fmt.Errorf("read reply to %s: %w", subject, err)
	}
	return nil
}

// pubAck is the answer of a stream to a publish.
type pubAck struct {
	apiReply
	Stream    string `json:"stream"`
	Seq       uint64 `json:"seq"`
	Duplicate bool   `json:"duplicate"`
}

// ackedPublish publishes and waits for the PubAck. Where no stream listens,
// silent says so.
func (s *session) ackedPublish(ctx context.Context, within time.Duration, subject string, headers []string, data []byte) (ack pubAck, silent string, err error) {
	m, err := s.request(ctx, within, subject, headers, data)
	switch {
	case errors.Is(err, errTimeout):
		return ack, fmt.Sprintf("no PubAck within %s", within), nil
	case err != nil:
		return ack, "", err
	case m.status == 503:
		return ack, noResponders, nil
	}
	if err := json.Unmarshal(m.data, &ack); err != nil {
		return ack, "", fmt.Errorf("read PubAck: %w", err)
	}
	return ack, "", nil
}

// streamInfo is the part of a stream's info that proofs look at.
type streamInfo struct {
	Config struct {
		Subjects []string `json:"subjects"`
		Storage  string   `json:"storage"`
	} `json:"config"`
	State struct {
		Messages   int64 `json:"messages"`
		Bytes      int64 `json:"bytes"`
		FirstSeq   int64 `json:"first_seq"`
		LastSeq    int64 `json:"last_seq"`
		NumDeleted int64 `json:"num_deleted"`
		Subjects   int64 `json:"num_subjects"`
		Consumers  int64 `json:"consumer_count"`
	} `json:"state"`
	Cluster clusterInfo `json:"cluster"`
}

// clusterInfo names the leader and followers of a stream or consumer.
type clusterInfo struct {
	Leader   string `json:"leader"`
	Replicas []struct {
		Name    string `json:"name"`
		Current bool   `json:"current"`
		Offline bool   `json:"offline"`
		Lag     int64  `json:"lag"`
	} `json:"replicas"`
}

// consumerInfo is the part of a consumer's info that proofs look at.
type consumerInfo struct {
	Config struct {
		DeliverSubject string   `json:"deliver_subject"`
		DeliverGroup   string   `json:"deliver_group"`
		AckPolicy      string   `json:"ack_policy"`
		PriorityGroups []string `json:"priority_groups"`
		AckWait        int64    `json:"ack_wait"`
		MaxAckPending  int64    `json:"max_ack_pending"`
		MaxDeliver     int64    `json:"max_deliver"`
	} `json:"config"`
	Delivered struct {
		Consumer int64 `json:"consumer_seq"`
		Stream   int64 `json:"stream_seq"`
	} `json:"delivered"`
	AckFloor struct {
		Stream int64 `json:"stream_seq"`
	} `json:"ack_floor"`
	NumPending     int64       `json:"num_pending"`
	NumAckPending  int64       `json:"num_ack_pending"`
	NumRedelivered int64       `json:"num_redelivered"`
	NumWaiting     int64       `json:"num_waiting"`
	Paused         bool        `json:"paused"`
	Cluster        clusterInfo `json:"cluster"`
}
