package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"weir/design"
	"weir/natsapi"
)

func parsed(t *testing.T, text string) *design.Design {
	t.Helper()
	d, problems := design.Parse("d.yaml", []byte(text))
	if problems != nil {
		t.Fatal(problems)
	}
	return d
}

func TestSitesOf(t *testing.T) {
	d := parsed(t, `weir: 1
server:
  version: "2.12"
  nodes: 3
  disk: 200GiB
  memory: 8GiB
  zones: [a, b]
  tags: [ssd]
  conf:
    max_mem_store: 2GiB
    server_tags: [fast]
    jetstream: {unique_tag: "az:", strict: false, limits: {max_ack_pending: 5, max_request_batch: 6, duplicate_window: 1m, default_max_consumers: 7}}
clusters: {east: {nodes: 1, disk: 100GiB}}
accounts:
  $G: {limits: {max_streams: 3}}
  APP: {limits: {max_storage: 1GiB, max_memory: 2GiB, max_consumers: 4, max_ack_pending: 9, storage_max_stream_bytes: 1MiB, memory_max_stream_bytes: 2MiB, max_bytes_required: true}}
leafnodes:
  plant: {domain: plant, server: {version: "2.10", disk: 4GiB}}
`)
	sites := SitesOf(d, natsapi.Version{})
	if len(sites) != 4 || sites[0].Setting != sites[1].Setting {
		t.Fatalf("%d sites; the top and accounts.$G are one", len(sites))
	}
	hub := sites[0].Setting
	if hub.Version.String() != "2.12.15" || hub.Strict != StrictOff || hub.UniqueTag != "az:" || hub.Cluster != HubCluster || hub.Account.MaxStreams != 3 {
		t.Errorf("hub %+v", hub)
	}
	if want := (ServerLimits{MaxMemory: 2 << 30, MaxStore: 150 << 30, MaxAckPending: 5, MaxRequestBatch: 6, DuplicateWindow: time.Minute, DefaultMaxConsumers: 7}); hub.Server != want {
		t.Errorf("limits %+v, want %+v", hub.Server, want)
	}
	var nodes []string
	for _, n := range hub.Nodes {
		nodes = append(nodes, fmt.Sprint(n.Name, n.Cluster, n.Tags, n.MaxStore>>30))
	}
	if got := strings.Join(nodes, " "); got != "1[ssd fast az:a] 0 2[ssd fast az:b] 0 3[ssd fast az:a] 0 east1east[az:east1] 75" {
		t.Errorf("nodes %s", got)
	}
	app := sites[2].Setting.Account
	if want := (AccountLimits{MaxMemory: 2 << 30, MaxStore: 1 << 30, MemoryMaxStreamBytes: 2 << 20, StoreMaxStreamBytes: 1 << 20, MaxBytesRequired: true, MaxConsumers: 4, MaxAckPending: 9}); app != want {
		t.Errorf("account %+v, want %+v", app, want)
	}
	if plant := sites[3].Setting; plant.Version.String() != "2.10.29" || plant.Server.MaxStore != 3<<30 || plant.Server.MaxMemory != math.MaxInt64 || len(plant.Nodes) != 1 {
		t.Errorf("leaf node %+v", plant)
	}
	for _, s := range SitesOf(d, natsapi.Embedded) {
		if s.Setting.Version != natsapi.Embedded {
			t.Errorf("%s judged by %s in spite of the target", s.Scope.Path, s.Setting.Version)
		}
	}
}

func TestJudgeDesign(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // NAME err_code, of what is not accepted
	}{
		{"a consumer of a refused stream is judged by itself", "streams: {A: {subjects: [a..b], consumers: {fine: {}, bad: {sample_freq: x}}}}", "A 10052, A/bad 10095"},
		{"a mirror comes behind its origin", "streams: {M: {mirror: {name: O}, max_msg_size: 1KiB}, O: {subjects: [o], max_msg_size: 1MiB}}", "M 10030"},
		{"accounts have subjects of their own", "streams: {A: {subjects: [x]}}\naccounts: {APP: {streams: {A: {subjects: [x]}}}}", ""},
		{"accounts share storage", "server: {disk: 100GiB}\nstreams: {A: {subjects: [a], max_bytes: 50GiB}}\naccounts: {APP: {streams: {B: {subjects: [b], max_bytes: 50GiB}}}}", "B 10047"},
		{"leaf nodes do not", "server: {disk: 100GiB}\nstreams: {A: {subjects: [a], max_bytes: 50GiB}}\nleafnodes: {p: {domain: p, server: {disk: 100GiB}, streams: {B: {subjects: [a], max_bytes: 50GiB}}}}", ""},
		{"clusters by placement", "clusters: {east: {nodes: 3}}\nstreams: {A: {subjects: [a], num_replicas: 3, placement: {cluster: east}}, B: {subjects: [b], num_replicas: 3}, C: {subjects: [c], placement: {cluster: west}}}", "B 10005, C 10005"},
		{"clusters that nobody described", "server: {nodes: 3}\nstreams: {A: {subjects: [a], num_replicas: 3, placement: {cluster: east, tags: [ssd]}}}", ""},
		{"tags that are described", "server: {nodes: 3, tags: [hdd]}\nstreams: {A: {subjects: [a], placement: {tags: [ssd]}}}", "A 10005"},
		{"zones as tags", "server: {nodes: 3, zones: [a, b, c]}\nstreams: {A: {subjects: [a], placement: {tags: [\"zone:b\"]}}, B: {subjects: [b], num_replicas: 3, placement: {tags: [\"zone:b\"]}}}", "B 10005"},
		{"buckets and objects", "kv: {A: {num_replicas: 3}}\nobjects: {B: {num_replicas: 3}}", "A 10074, B 10074"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, j := range JudgeDesign(parsed(t, "weir: 1\n"+tt.text+"\n"), natsapi.Embedded) {
				if j.Answer.Verdict != OK {
					got = append(got, fmt.Sprint(j.Request.Name, " ", j.Answer.ErrCode))
				}
				if stream, _, consumer := strings.Cut(j.Request.Name, "/"); consumer && j.Orphan != slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, stream+" ") }) {
					t.Errorf("%s: orphan %v", j.Request.Name, j.Orphan)
				}
			}
			if g := strings.Join(got, ", "); g != tt.want {
				t.Errorf("refused %q, want %q", g, tt.want)
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	var b strings.Builder
	b.WriteString("weir: 1\nstreams:\n")
	for i := range MaxSubjects + 1 {
		fmt.Fprintf(&b, "  S%d: {}\n", i)
	}
	d := parsed(t, b.String())
	if JudgeDesign(d, natsapi.Embedded) != nil || TooLarge(d) == "" {
		t.Errorf("%d streams are judged", MaxSubjects+1)
	}
}

// TestAssumedPlaces holds what is taken to be so because a placement asks for it to
// being said, and only that.
func TestAssumedPlaces(t *testing.T) {
	const (
		cluster = `the name of the servers' cluster is not said (clusters): "east" was assumed, as placement.cluster asks for; without it the answer is 10005`
		tags    = `the servers' tags are not said (server.tags): "x", "y" was assumed, as placement.tags asks for; without it the answer is 10005`
	)
	tests := []struct{ name, text, want string }{
		{"cluster", "server: {nodes: 3}\nstreams: {A: {subjects: [a], placement: {cluster: east}}}", cluster},
		{"tags of a stream and a bucket", "server: {nodes: 3}\nstreams: {A: {subjects: [a], placement: {tags: [x]}}}\nkv: {K: {placement: {tags: [y, \"!z\"]}}}", tags},
		{"tags that are said", "server: {nodes: 3, tags: [x]}\nstreams: {A: {subjects: [a], placement: {tags: [x]}}}", ""},
		{"clusters that are said", "server: {nodes: 3}\nclusters: {east: {nodes: 3}}\nstreams: {A: {subjects: [a], placement: {cluster: east}}}", ""},
		{"a single server looks at no placement", "server: {nodes: 1}\nstreams: {A: {subjects: [a], placement: {cluster: east, tags: [x]}}}", ""},
		{"no placement", "server: {nodes: 3}\nstreams: {A: {subjects: [a]}}", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, problems := design.Parse("d.yaml", []byte("weir: 1\n"+tt.text))
			if problems.Failed() {
				t.Fatal(problems)
			}
			for _, j := range JudgeDesign(d, natsapi.Version{}) {
				if j.Answer.Verdict != OK {
					t.Errorf("%s: %s", j.Request.Name, j.Answer.Description)
				}
				if got := strings.Join(j.Site.Assumed, "\n"); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			}
		})
	}
}
