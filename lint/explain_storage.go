package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/verdict"
)

// storageExplainers are about what a design asks of its servers and accounts:
// nodes, tags, storage and counts.
var storageExplainers = []explainer{
	{10005, "", noPeers},
	{10028, "", noRoom}, {10047, "", noRoom},
	{10027, "", func(r *refused) advice {
		return advice{why: fmt.Sprintf("is one more than the account may have: max_streams is %d", r.Site.Setting.Account.MaxStreams), write: "raise " + r.limit("max_streams") + ", or leave a stream out"}
	}},
	{10026, "", tooManyConsumers},
	{10113, "", func(r *refused) advice {
		return advice{at: r.Request.Path, why: "has no max_bytes, and the account demands one of each stream (" + r.limit("max_bytes_required") + ")", write: "write max_bytes, such as 10GiB"}
	}},
	{10122, "", func(r *refused) advice {
		limit, name := r.Site.Setting.Account.StoreMaxStreamBytes, "storage_max_stream_bytes"
		if r.stream().Storage.String() == "Memory" {
			limit, name = r.Site.Setting.Account.MemoryMaxStreamBytes, "memory_max_stream_bytes"
		}
		size := design.FormatSize(limit)
		return advice{why: "is more than one stream of the account may reserve: " + r.limit(name) + " is " + size, write: "write " + size + " or less", fix: r.set("max_bytes", size)}
	}},
}

// limit is the path of an account's limit.
func (r *refused) limit(name string) string {
	if r.Site.Limited == "" {
		return "the account's limit " + name
	}
	return design.Join(r.Site.Limited, name)
}

func tooManyConsumers(r *refused) advice {
	if r.Request.Kind != "consumer" {
		return advice{why: fmt.Sprintf("is more than the account's max_consumers, %d", r.Site.Setting.Account.MaxConsumers),
			write: fmt.Sprintf("write %d or less, or raise %s", r.Site.Setting.Account.MaxConsumers, r.limit("max_consumers"))}
	}
	a := advice{why: "is one more than its stream may have", write: "raise max_consumers of the stream, or leave a consumer out"}
	switch most, account := r.stream().MaxConsumers, r.Site.Setting.Account.MaxConsumers; {
	case most > 0:
		a.why += fmt.Sprintf(": max_consumers is %d", most)
	case account > 0:
		a.why += fmt.Sprintf(": the account's max_consumers is %d", account)
		a.write = "raise " + r.limit("max_consumers") + ", or leave a consumer out"
	default:
		a.why += ": since 2.15 a stream has at most 1000 consumers unless it says more (server option default_max_consumers)"
		a.write = "write max_consumers at the stream"
	}
	return a
}

// noPeers explains why no servers were found for a stream.
func noPeers(r *refused) advice {
	s, c := r.Site.Setting, r.stream()
	reasons := r.Answer.Description
	cluster := ""
	if c.Placement != nil {
		cluster = c.Placement.Cluster
	}
	var nodes []verdict.Node
	for _, n := range s.Nodes {
		if at := n.Cluster; at == cluster || cluster == "" && at == "" || cluster == s.Cluster && at == "" {
			nodes = append(nodes, n)
		}
	}
	in := len(nodes)
	switch {
	case cluster != "" && in == 0:
		return advice{at: r.at("placement.cluster"), why: "is no cluster of the design", write: "write " + oneOf(clusterNames(r.d)) + ", or add it under clusters"}
	case strings.Contains(reasons, "tags not matched"):
		why := "asks for a tag that no server has"
		if c.Replicas > 1 {
			why = fmt.Sprintf("asks for tags that fewer than %d servers have", c.Replicas)
		}
		return advice{at: r.at("placement.tags"), why: why,
			write: "the servers have " + tagsOf(nodes) + "; write one of these, or add it to server.tags"}
	case strings.Contains(reasons, "tags excluded"):
		return advice{at: r.at("placement.tags"), why: "excludes servers until too few are left", write: "the servers have " + tagsOf(nodes)}
	case c.Replicas > in:
		return advice{at: r.at("num_replicas"), why: fmt.Sprintf("is more than the %s of the cluster", counted(in, "server")),
			write: fmt.Sprintf("write num_replicas: %d or less, or more server.nodes", in), fix: r.set("num_replicas", fmt.Sprint(in))}
	case strings.Contains(reasons, "insufficient storage"):
		return noRoom(r)
	case strings.Contains(reasons, "server tag not unique"):
		return advice{at: r.at("num_replicas"), why: "is more than there are servers with different tags " + quote(s.UniqueTag), write: "write less, or add zones to the servers"}
	}
	return advice{}
}

func clusterNames(d *design.Design) []string {
	names := []string{verdict.HubCluster}
	for _, c := range d.Clusters {
		names = append(names, c.Name)
	}
	return names
}

func tagsOf(nodes []verdict.Node) string {
	seen := map[string]bool{}
	var tags []string
	for _, n := range nodes {
		for _, t := range n.Tags {
			if !seen[t] {
				seen[t] = true
				tags = append(tags, t)
			}
		}
	}
	if len(tags) == 0 {
		return "no tags"
	}
	return "the tags " + clip(strings.Join(tags, ", "))
}

// noRoom explains a reservation that does not fit: max_bytes counts when the
// stream is created, full or empty.
func noRoom(r *refused) advice {
	s, c := r.Site.Setting, r.stream()
	memory := c.Storage.String() == "Memory"
	onServer, ofAccount, key := s.Server.MaxStore, s.Account.MaxStore, "max_file_store"
	if memory {
		onServer, ofAccount, key = s.Server.MaxMemory, s.Account.MaxMemory, "max_memory_store"
	}
	var reserved, reservedReplicas int64
	streams := 0
	r.earlier(false, func(j verdict.Judgement) bool {
		if o := r.streamAt(j.Request.Path); o.MaxBytes > 0 && (o.Storage.String() == "Memory") == memory {
			streams++
			reserved += o.MaxBytes
			reservedReplicas += o.MaxBytes * int64(max(1, o.Replicas))
		}
		return true
	})
	a := advice{at: r.at("max_bytes")}
	if need := c.MaxBytes * int64(max(1, c.Replicas)); ofAccount >= 0 && need > ofAccount-reservedReplicas {
		limit := map[bool]string{true: "max_memory", false: "max_storage"}[memory]
		a.why = fmt.Sprintf("does not fit: with %s it takes %s of the account, whose %s is %s",
			counted(max(1, c.Replicas), "replica"), bytesText(max(need, 1)), limit, bytesText(ofAccount))
		if streams > 0 {
			a.why += fmt.Sprintf(", of which %s %s %s", counted(streams, "other stream"), reserve(streams), bytesText(reservedReplicas))
		}
		a.write = "write less, or raise " + r.limit(limit)
		return a
	}
	given := r.Site.StoreGiven
	if memory {
		given = r.Site.MemoryGiven
	}
	if !given {
		key = "three quarters of what it has, as " + key + " is not given"
	}
	a.why = fmt.Sprintf("does not fit: a server has %s for streams (%s)", bytesText(onServer), key)
	if streams > 0 {
		a.why += fmt.Sprintf(", of which %s of the account %s %s in each replica", counted(streams, "other stream"), reserve(streams), bytesText(reserved))
	}
	if other := s.ReservedStore; !memory && other > 0 {
		a.why += ", of which other accounts reserve " + bytesText(other)
	}
	a.write = "write a smaller max_bytes, or give the servers more"
	return a
}

func reserve(streams int) string {
	if streams == 1 {
		return "reserves"
	}
	return "reserve"
}

// bytesText rounds a size for reading: exact where it is a whole unit, else with
// one digit.
func bytesText(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size {
			if n%u.size == 0 {
				return fmt.Sprintf("%d%s", n/u.size, u.name)
			}
			return fmt.Sprintf("%.1f%s", float64(n)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%dB", n)
}
