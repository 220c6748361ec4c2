package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"weir/design"
	"weir/subject"
	"weir/verdict"
)

// consumerExplainers are about consumers, but for their subjects.
var consumerExplainers = []explainer{
	{10017, "", sameName}, {10131, "", sameName}, {10132, "", sameName},
	{10080, "", pullOnly}, {10086, "", pushOnly}, {10088, "", pushOnly}, {10089, "", pushOnly},
	{10082, "", pendingWithoutAcks},
	{10083, "", (*refused).outOfRange},
	{10084, "", setting("does not go with a workqueue, where a message leaves the stream when it is acked", "ack_policy", "explicit")},
	{10098, "", ackOnWorkqueue},
	{10101, "", setting("does not go with a workqueue, where every message is for somebody", "deliver_policy", "all")},
	{10099, "", workqueueShare}, {10100, "", workqueueShare},
	{10087, "", fixed("is negative", "leave it out for 512")},
	{10114, "", fixed("is negative", "leave it out for no limit")},
	{10115, "", (*refused).outOfRange},
	{10090, "", fixed("is set by servers for the consumers behind mirrors and sources", "leave it out")},
	{10091, "", fixed("is set by servers for the consumers behind mirrors and sources", "leave it out")},
	{10094, "", startPolicy},
	{10095, "", fixed("is no percentage", `write "30%" for a third of the acks, or leave it out`)},
	{10108, "", func(r *refused) advice {
		return advice{at: r.at("flow_control"), why: "needs heartbeats, by which a client notices that it is stalled", write: "write idle_heartbeat, such as 5s"}
	}},
	{10116, "", fewDeliveries},
	{10121, "", pendingLimit},
	{10125, "", func(r *refused) advice {
		limit := strconv.Itoa(r.Site.Setting.Server.MaxRequestBatch)
		return advice{why: "is more than the server's limits.max_request_batch, " + limit, write: "write " + limit + " or less", fix: r.set("max_batch", limit)}
	}},
	{10126, "", asStream}, {10134, "", asStream},
	{10136, "", fixed("does not go with filter_subjects", "write all filters under filter_subjects")},
	{10153, "", func(r *refused) advice {
		limit := design.FormatDuration(int64(r.stream().ConsumerLimits.InactiveThreshold))
		return advice{why: "is longer than the stream's consumer_limits.inactive_threshold, " + limit, write: "write " + limit + " or less", fix: r.set("inactive_threshold", limit)}
	}},
	{10159, "", func(r *refused) advice {
		return advice{at: r.at("priority_policy"), why: "ranks the clients of a group, and priority_groups names none", write: "write priority_groups: [workers], or another name"}
	}},
	{10161, "", fixed("is an empty name of a group", "write 1 to 16 letters, digits, / _ = or -")},
	{10162, "", fixed("is not a name of a priority group", "write 1 to 16 letters, digits, / _ = or -")},
	{10178, "", fixed("ranks pull requests, and this consumer pushes to deliver_subject", "leave one of the two out")},
	{10183, "", fixed("is negative, and time is not", "leave it out for 30s")},
	{10184, "", fixed("has a negative time", "write times from 0")},
	{10196, "", noPolicy}, {10197, "", noPolicy},
	{10218, "", fixed("is missing: acks of ack_policy flow_control steer what the server pushes", "write deliver_subject, or ack_policy: explicit")},
	{10219, "", setting("goes with flow_control, which the server would switch on if pedantic were not set", "flow_control", "true")},
	{10220, "", fixed("limits what the server sends before an ack comes, and ack_policy flow_control cannot be without", "write max_ack_pending: 1 or more, or leave it out for 1000")},
	{10052, "heartbeat needs to be 1s", setting("does not go with ack_policy flow_control, whose heartbeats come every second", "idle_heartbeat", "1s")},
	{10149, "", fixed("is not there, and action update asks for one that is", "leave action out, which creates or updates")},
	{10221, "", fixed("does not go with ack_policy flow_control, which does not deliver again", "leave ack_wait and backoff out")},
	{10222, "", fixed("does not go with ack_policy flow_control, which does not deliver again", "leave max_deliver out")},
}

func sameName(r *refused) advice {
	if strings.Contains(r.Request.Name, subject.Separator) { // the server takes the part in front of it for the name
		r.path = r.Request.Path
		return nameAdvice(r)
	}
	return advice{why: "and the name that the consumer has elsewhere differ", write: "give name, durable_name and the request's subject the same name, or leave name out"}
}

func pendingWithoutAcks(r *refused) advice {
	if r.value.Node != nil {
		return advice{why: "limits messages that wait for their ack, and ack_policy none asks for no acks", write: "write ack_policy: explicit, or leave it out"}
	}
	return advice{at: r.Request.Path, why: fmt.Sprintf("takes max_ack_pending %d from the stream's consumer_limits, and a push consumer with ack_policy none can have none", r.stream().ConsumerLimits.MaxAckPending),
		write: "write ack_policy: explicit, or move the consumer to a stream without that limit"}
}

func pullOnly(*refused) advice {
	return advice{why: "belongs to a pull consumer, and deliver_subject makes this one push", write: "leave one of the two out"}
}

func pushOnly(r *refused) advice {
	return advice{why: "belongs to a push consumer, and without deliver_subject clients pull from this one", write: "leave it out; a client sets heartbeats and sizes in its pull requests"}
}

func noPolicy(*refused) advice {
	return advice{why: "has no effect without priority_policy", write: "write priority_policy: overflow, pinned_client or prioritized, or leave it out"}
}

func ackOnWorkqueue(r *refused) advice {
	why := "does not go with a workqueue, where a message leaves the stream when it is acked"
	if r.value.Node == nil {
		why = "has no ack_policy, and the server's default none does not go with a workqueue, where a message leaves the stream when it is acked"
	}
	return advice{why: why, write: "write ack_policy: explicit", fix: r.set("ack_policy", "explicit")}
}

// workqueueShare explains two consumers of a workqueue that would get the same
// message.
func workqueueShare(r *refused) advice {
	subjects := r.stream().Subjects
	mine := within(filtersOf(r.consumer().FilterSubject, r.consumer().FilterSubjects), subjects)
	var a advice
	stream := design.Parent(r.Request.Path)
	r.earlier(true, func(j verdict.Judgement) bool {
		if design.Parent(j.Request.Path) != stream {
			return true
		}
		other := (&refused{checker: r.checker, Judgement: j}).consumer()
		for _, f := range mine {
			for _, t := range within(filtersOf(other.FilterSubject, other.FilterSubjects), subjects) {
				rel := subject.Relate(f, t)
				if rel.Both == "" && rel.Relation == subject.Disjoint {
					continue
				}
				a.why = fmt.Sprintf("shares messages with %s, and on a workqueue each message is for one consumer", otherName(r, j))
				if rel.Both != "" {
					a.why += ": both get " + clip(rel.Both)
				}
				a.write = "give the two filters that do not overlap, or let more workers share one consumer"
				return false
			}
		}
		return true
	})
	return a
}

// within narrows filters to what a stream stores, where one of its subjects is
// narrower.
func within(filters, subjects []string) []string {
	var out []string
	for _, f := range filters {
		inside := slices.DeleteFunc(slices.Clone(subjects), func(s string) bool { return !subject.CoversAll(f, s) })
		if len(inside) == 0 {
			inside = []string{f}
		}
		out = append(out, inside...)
	}
	return out
}

func filtersOf(one string, several []string) []string {
	switch {
	case len(several) > 0:
		return several
	case one != "":
		return []string{one}
	}
	return []string{subject.Rest}
}

// startPolicy explains a deliver policy and where it starts.
func startPolicy(r *refused) advice {
	policy := r.text("deliver_policy", "all, the default")
	needs := map[string]string{"by_start_sequence": "opt_start_seq", "by_start_time": "opt_start_time"}
	v, _ := r.sibling("deliver_policy")
	need := needs[v.Text]
	field := lastStep(r.path)
	switch {
	case need != "" && field == need:
		return advice{at: r.at("deliver_policy"), why: "needs " + need, write: "write it, or another deliver_policy"}
	case v.Text == "last_per_subject":
		return advice{at: r.at("deliver_policy"), why: "needs a filter", write: `write filter_subject, ">" for every subject of the stream`, fix: r.set("filter_subject", `">"`)}
	}
	for p, f := range needs {
		if f == field {
			return advice{why: "belongs to deliver_policy " + p + ", and deliver_policy is " + policy, write: "leave it out, or write deliver_policy: " + p}
		}
	}
	return advice{}
}

func fewDeliveries(r *refused) advice {
	n := len(r.consumer().BackOff)
	want := strconv.Itoa(n + 1)
	why := fmt.Sprintf("is less than the %s of backoff", counted(n, "wait"))
	if tries := r.consumer().MaxDeliver; tries == n || tries <= 0 {
		why = fmt.Sprintf("has to be more than the %s of backoff before nats-server 2.10.23", counted(n, "wait"))
	}
	return advice{why: why, write: "write max_deliver: " + want + ", which uses every one of them, or fewer waits",
		fix: r.set("max_deliver", want)}
}

// pendingLimit finds which of the limits on max_ack_pending it is.
func pendingLimit(r *refused) advice {
	n := r.value.Int
	if r.value.Node == nil {
		n = 1000
	}
	limits := []struct {
		what string
		n    int
	}{{"the server's limits.max_ack_pending", r.Site.Setting.Server.MaxAckPending}, {"the account's max_ack_pending", r.Site.Setting.Account.MaxAckPending},
		{"the stream's consumer_limits.max_ack_pending", r.stream().ConsumerLimits.MaxAckPending}}
	for _, l := range limits {
		if l.n > 0 && n > int64(l.n) {
			text := strconv.Itoa(l.n)
			return advice{why: "is more than " + l.what + ", " + text, write: "write " + text + " or less", fix: r.set("max_ack_pending", text)}
		}
	}
	return advice{}
}

// asStream explains replicas of a consumer that do not go with its stream's.
func asStream(r *refused) advice {
	n := max(1, r.stream().Replicas)
	why := fmt.Sprintf("is more than the %s of its stream", counted(n, "replica"))
	if r.Answer.ErrCode == 10134 {
		why = fmt.Sprintf("is not the %s of its stream, which a consumer needs where messages leave when they are acked", counted(n, "replica"))
	}
	return advice{why: why, write: fmt.Sprintf("write num_replicas: %d, or leave it out", n), fix: r.set("num_replicas", strconv.Itoa(n))}
}
