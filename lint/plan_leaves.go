package lint

import (
	"fmt"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/subject"
	"weir/verdict"
)

// leavesOf says what a step costs that the server takes: messages that are stored
// and that nobody gets any more, and those that are removed.
func leavesOf(from, to *design.Design, s verdict.Step) []string {
	switch {
	case s.Kind == "consumer" && s.Op == design.Changed:
		stream, was := consumerAt(from, s.Path)
		_, is := consumerAt(to, s.Path)
		if was == nil || is == nil {
			return nil
		}
		return append(fewerTries(was, is), unreadAfter(to, stream, was, s.Path)...)
	case s.Kind == "consumer" && s.Op == design.Deleted:
		if stream, was := consumerAt(from, s.Path); was != nil && stream.Config.Retention == api.InterestPolicy {
			return []string{"messages that only this consumer wanted are removed, unacked ones too"}
		}
	case s.Kind == "stream" && s.Op == design.Changed:
		was, is := streamAt(from, s.Path), streamAt(to, s.Path)
		if was != nil && is != nil {
			return lowerLimits(&was.Config, &is.Config)
		}
	}
	return nil
}

// fewerTries is about messages that have been delivered as often as the new
// max_deliver: the server does not deliver them again (measured, v2.15.2;
// nats-server issue 7148).
func fewerTries(was, is *design.Consumer) []string {
	if is.Config.MaxDeliver <= 0 || was.Config.MaxDeliver > 0 && was.Config.MaxDeliver <= is.Config.MaxDeliver {
		return nil
	}
	return []string{fmt.Sprintf("what was delivered %s and is not acked is never delivered again: let the workers finish, or copy it first", counted(is.Config.MaxDeliver, "time"))}
}

// unreadAfter is about a stream that removes what is acked, and subjects that one
// of its consumers no longer asks for (nats-server issue 4878).
func unreadAfter(to *design.Design, stream *design.Stream, was *design.Consumer, path string) []string {
	now := streamAt(to, design.Parent(design.Parent(path)))
	if now == nil || stream.Config.Retention == api.LimitsPolicy {
		return nil
	}
	var asked []string
	for _, c := range now.Consumers {
		asked = append(asked, (&Consumer{Consumer: c, Of: &Stream{Config: now.Config}, Config: c.Config}).Filters()...)
	}
	for _, old := range (&Consumer{Consumer: was, Of: &Stream{Config: stream.Config}, Config: was.Config}).Filters() {
		if subject.Valid(old) && subject.Uncovered(old, asked) != "" {
			return []string{fmt.Sprintf("what is stored of %s stays, as no consumer asks for it any more: purge it afterwards, or read it first", clip(old))}
		}
	}
	return nil
}

// lowerLimits is about limits that remove messages when the update is made
// (server/stream.go updateWithAdvisory, v2.15.2; measured).
func lowerLimits(was, is *api.StreamConfig) []string {
	var out []string
	for _, l := range []struct {
		name    string
		was, is int64
	}{{"max_msgs", was.MaxMsgs, is.MaxMsgs}, {"max_bytes", was.MaxBytes, is.MaxBytes}, {"max_msgs_per_subject", was.MaxMsgsPer, is.MaxMsgsPer}, {"max_age", int64(was.MaxAge), int64(is.MaxAge)}} {
		if l.is > 0 && (l.was <= 0 || l.is < l.was) {
			out = append(out, "the oldest messages beyond the new "+l.name+" are removed at once")
		}
	}
	return out
}

func streamAt(d *design.Design, path string) *design.Stream {
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			if s.Path == path {
				return s
			}
		}
	}
	return nil
}

// consumerAt is the consumer at a path and its stream, nil where there is none.
func consumerAt(d *design.Design, path string) (*design.Stream, *design.Consumer) {
	if s := streamAt(d, design.Parent(design.Parent(path))); s != nil {
		for _, c := range s.Consumers {
			if c.Path == path {
				return s, c
			}
		}
	}
	return nil, nil
}
