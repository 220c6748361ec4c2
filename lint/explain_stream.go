package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/verdict"
)

// streamExplainers are about streams and buckets, but for their subjects and
// their storage.
var streamExplainers = []explainer{
	{10052, "duplicates window can not be larger then max age", longWindow},
	{10052, "larger then server limit", serverWindow},
	{10052, "can not be negative", fixed("is negative, and time is not", "write 0 for no limit, or a positive time")},
	{10052, "must not be negative", fixed("is negative, and time is not", "write a positive time, or leave it out")},
	{10052, "maximum replicas", (*refused).outOfRange},
	{10052, "discard new per subject requires discard new", func(r *refused) advice {
		return advice{why: "needs discard: new, and discard is " + r.text("discard", "old, the default"), write: "write discard: new", fix: r.set("discard", "new")}
	}},
	{10052, "requires max msgs per subject", fixed("needs a limit for each subject, and max_msgs_per_subject has none", "write max_msgs_per_subject: 1 or more")},
	{10052, "roll-ups require the purge permission", func(r *refused) advice {
		return advice{why: "needs purging, and deny_purge forbids it", write: "leave deny_purge out, or allow_rollup_hdrs"}
	}},
	{10052, "can not be sealed", fixed("closes the stream for good, and an empty one is of no use", "leave it out; an update seals a stream that has its messages")},
	{10052, "does have mirror direct", fixed("belongs to a mirror, and this stream is none", "leave it out, or write allow_direct")},
	{10052, "counter stream", counter},
	{10052, "message scheduling cannot use discard new", fixed("does not go with discard: new", "write discard: old, or leave it out")},
	{10052, "only supported on file storage", fixed("needs file storage", "write storage: file, or leave it out")},
	{10052, "not supported on replicated streams", fixed("acks before the message is written, which goes with one replica only", "write num_replicas: 1, or leave it out")},
	{10052, "not supported with atomic batch", fixed("does not go with allow_atomic", "leave one of the two out")},
	{10052, "delete markers forbidden on mirrors", fixed("has no meaning on a mirror, which removes what its origin removes", "leave it out")},
	{10052, "preferred server not permitted", fixed("belongs to a step-down request and not to a stream", "leave it out; the leader is chosen among the replicas")},
	{10052, "detected cycle", fixed("copies from a stream that, directly or through others, copies from this one", "take one of them out, or filter so that no message returns")},
	{10052, "roll-ups are disabled", pedanticSwitch("allow_rollup_hdrs")},
	{10052, "message TTLs are disabled", pedanticSwitch("allow_msg_ttl")},
	{10052, "metadata exceeds", tooMuchMetadata}, {10135, "", tooMuchMetadata},
	{10157, "", pedantic},
	{10213, "", upstreamConsumer}, {10215, "", upstreamConsumer},
	{10214, "", fixed("stands beside one without consumer for the same stream", "give both a consumer, or neither")},
	{10216, "", fixed("delivers on the subject of another source", "give each consumer a deliver_subject of its own")},
	{10021, "", fixed("is the account's own API", "write the prefix of the other account or domain, such as $JS.hub.API")},
	{10030, "", smallerThanOrigin}, {10046, "", smallerThanOrigin},
	{10031, "", fixed("do not go with a mirror", "keep one of the two: a mirror for a read-only copy of one stream, sources to merge several")},
	{10034, "", fixed("do not go with a mirror, which stores what its origin has", "leave subjects out, or write sources in place of mirror")},
	{10056, "", func(r *refused) advice {
		return advice{why: "is not the name in the request's subject " + quote(r.Request.Subject), write: "give both the same name"}
	}},
	{10074, "", needsCluster},
	{10133, "", setting("is negative", "num_replicas", "1")},
	{10140, "", fixed("is the same source as one above it", "leave it out, or give the two different filters")},
	{10143, "", onMirror}, {10173, "", onMirror}, {10186, "", onMirror}, {10198, "", onMirror}, {10209, "", onMirror},
	{10144, "", eitherFilter}, {10150, "", eitherFilter},
	{10187, "", fixed("does not go with sources", "leave it out, and publish schedules to a stream of their own")},
}

// pedantic explains what only requests with pedantic are refused for.
func pedantic(r *refused) advice {
	return advice{why: "would be filled in or changed by the server, and pedantic forbids that", write: "write what the server asks for, or leave pedantic out"}
}

// pedanticSwitch explains a setting that switches another one on, which pedantic
// forbids.
func pedanticSwitch(field string) func(*refused) advice {
	return func(r *refused) advice {
		return advice{why: "needs " + field + ", which the server would switch on if pedantic were not set", write: "write " + field + ": true", fix: r.set(field, "true")}
	}
}

func tooMuchMetadata(r *refused) advice {
	return advice{why: fmt.Sprintf("has more than %s in keys and values together, the most that a server takes", bytesText(natsapi.LimitOf("max_metadata_length"))), write: "keep labels there, and data elsewhere"}
}

// upstreamConsumer explains the consumer that a mirror or source copies through.
func upstreamConsumer(*refused) advice {
	return advice{why: "cannot be copied through: it needs a name and a deliver_subject without wildcards, and where it starts and what it filters is the consumer's to say",
		write: "write {name, deliver_subject}, and leave opt_start_seq, opt_start_time and filter_subject of the source out"}
}

// eitherFilter: checked after the filter itself was found to be a subject.
func eitherFilter(*refused) advice {
	return advice{why: "does not go with subject_transforms of the same source", write: "write the filter as src of a transform, with an empty dest"}
}

func onMirror(*refused) advice {
	return advice{why: "does not go with a mirror, whose messages are those of its origin", write: "leave it out here; it belongs to the stream that is mirrored"}
}

func longWindow(r *refused) advice {
	age := r.text("max_age", "")
	if age == "" {
		return advice{}
	}
	v, _ := r.sibling("max_age")
	a := advice{why: "is longer than max_age, which is " + age + ": a message id cannot be remembered longer than messages are kept"}
	if v.Kind == design.Duration && v.Int > 0 {
		text := design.FormatDuration(v.Int)
		a.write, a.fix = "write "+text+" or less, or a longer max_age", r.set("duplicate_window", text)
	}
	return a
}

func serverWindow(r *refused) advice {
	limit := design.FormatDuration(int64(r.Site.Setting.Server.DuplicateWindow))
	return advice{why: "is longer than the server's limits.duplicate_window, " + limit, write: "write " + limit + " or less, or raise the server's limit",
		fix: r.set("duplicate_window", limit)}
}

func counter(r *refused) advice {
	a := advice{why: "makes every subject a counter, which does not go with the stream's other settings"}
	_, what, _ := strings.Cut(r.Answer.Description, "cannot use ")
	switch {
	case strings.HasPrefix(what, "discard"):
		a = advice{why: "does not go with discard: new", write: "write discard: old, or leave it out"}
	case strings.HasPrefix(what, "message TTLs"):
		a = advice{why: "does not go with allow_msg_ttl", write: "leave one of the two out"}
	case strings.HasPrefix(what, "message schedules"):
		a = advice{why: "does not go with allow_msg_schedules", write: "leave one of the two out"}
	case strings.Contains(r.Answer.Description, "limits retention"):
		a = advice{why: "needs retention: limits, and retention is " + r.text("retention", "limits"), write: "write retention: limits, or leave it out"}
	}
	return a
}

// smallerThanOrigin explains a copy that cannot take all messages of its origin.
func smallerThanOrigin(r *refused) advice {
	mine := r.stream()
	a := advice{}
	r.earlier(false, func(j verdict.Judgement) bool {
		o := r.streamAt(j.Request.Path)
		mirrored := mine.Mirror != nil && mine.Mirror.Name == o.Name
		for _, s := range mine.Sources {
			mirrored = mirrored || s != nil && s.Name == o.Name
		}
		if !mirrored || o.MaxMsgSize <= mine.MaxMsgSize {
			return true
		}
		size := design.FormatSize(int64(o.MaxMsgSize))
		a = advice{why: fmt.Sprintf("is less than the %s that %s may hold", size, otherName(r, j)), write: "write " + size + " or more, or leave it out", fix: r.set("max_msg_size", size)}
		return false
	})
	return a
}

// needsCluster explains replicas on a single server.
func needsCluster(r *refused) advice {
	n := r.value.Int
	if r.Request.Kind == "consumer" && n > int64(max(1, r.stream().Replicas)) {
		return asStream(r)
	}
	path := r.Site.Server.Path
	if path == "" {
		path = "server"
		if r.Request.Scope.Leafnode != "" {
			path = design.Join(r.Request.Scope.Path, "server")
		}
	}
	nodes := design.Join(path, "nodes")
	need := max(3, n)
	why := "needs a cluster, and " + nodes + " is 1"
	if !r.d.Has(nodes) {
		why = "needs a cluster, and " + nodes + " is not given, which means one server"
	}
	return advice{why: why, write: fmt.Sprintf("write %s: %d, or num_replicas: 1", nodes, need)}
}
