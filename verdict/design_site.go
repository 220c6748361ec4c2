package verdict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/natsapi"
)

// Site is a JetStream that requests of a design go to: an account on the hub's
// servers, or on those of a leaf node site.
type Site struct {
	Scope  *design.Scope
	Server design.Server
	// Setting is what the servers know. JudgeDesign leaves it as it is once all
	// requests that are accepted were applied.
	Setting *Setting
	// Limited is where the design says the limits of the account, "" when it does
	// not.
	Limited string
	// StoreGiven and MemoryGiven are true where max_file_store and
	// max_memory_store are written; else the limits follow from disk and memory.
	StoreGiven, MemoryGiven bool
	// Assumed says in sentences what the design leaves open and was taken to fit.
	Assumed []string

	// anyCluster is true when the design names no cluster: each that a placement
	// asks for is taken to exist, and Setting.Cluster is the first of them.
	anyCluster bool
}

// HubCluster is the name of the hub's cluster in a design with several.
const HubCluster = "hub"

// availableShare is the part of the memory and of the free disk that JetStream
// takes without limits of its own: 75 % (server/jetstream.go
// JetStreamMaxMemDefault, server/disk_avail.go).
const availableNumerator, availableDenominator = 3, 4

// SitesOf makes the sites of a design before anything is created there, in the
// order of design.Scopes. The zero target stands for what the design says: each
// leaf node's own version, else the hub's.
//
// A design that was made of outside notations alone says nothing about servers:
// there are then as many as the largest num_replicas asks for, with every tag
// that a placement demands.
func SitesOf(d *design.Design, target natsapi.Version) []*Site {
	type key struct{ leafnode, account string }
	settings := map[key]*Site{}
	var out []*Site
	for _, scope := range d.Scopes() {
		k := key{scope.Leafnode, scope.Account}
		site := &Site{Scope: scope, Server: d.Server}
		version := d.Version
		for _, l := range d.Leafnodes {
			if l.Name == scope.Leafnode && scope.Leafnode != "" {
				site.Server = l.Server
				if v, err := natsapi.ParseVersion(l.Server.Version); err == nil {
					version = v
				}
			}
		}
		if target != (natsapi.Version{}) {
			version = target
		}
		site.Limited = limitsPath(d, scope)
		if first := settings[k]; first != nil {
			// accounts.$G and the top of the file are one account.
			site.Setting, site.anyCluster = first.Setting, first.anyCluster
			site.StoreGiven, site.MemoryGiven = first.StoreGiven, first.MemoryGiven
			if site.Limited == "" {
				site.Limited = first.Limited
			}
		} else {
			site.Setting = NewSetting(version)
			site.servers(d)
			settings[k] = site
		}
		site.limits(d)
		out = append(out, site)
	}
	return out
}

// servers fills in nodes, tags and server.conf.
func (s *Site) servers(d *design.Design) {
	set, server := s.Setting, s.Server
	set.Server.MaxStore = orAvailable(server.Disk, set.Server.MaxStore)
	set.Server.MaxMemory = orAvailable(server.Memory, set.Server.MaxMemory)
	s.conf(d)
	s.anyCluster = len(d.Clusters) == 0
	nodes := max(1, server.Nodes)
	if !d.Has("weir") && !d.Has("server.nodes") {
		if need := mostReplicas(s.Scope); need > nodes {
			nodes = need
			s.Assumed = append(s.Assumed, fmt.Sprintf("the files say nothing about servers: a cluster of %d was assumed, as num_replicas asks for", need))
		}
	}
	tags := slices.Concat(server.Tags, confTexts(d, server, "server_tags"))
	clusters, demanded := demandedPlaces(d, s.Scope)
	if len(tags)+len(server.Zones) == 0 && s.anyCluster {
		tags = demanded
		s.assumePlaces(nodes, "the servers' tags are not said (server.tags)", "placement.tags", demanded)
	}
	if s.anyCluster && len(clusters) > 0 {
		set.Cluster = clusters[0]
		s.assumePlaces(nodes, "the name of the servers' cluster is not said (clusters)", "placement.cluster", clusters)
	}
	set.Nodes = s.nodes(server, tags, nodes, "")
	if s.Scope.Leafnode == "" {
		for _, c := range d.Clusters {
			set.Cluster = HubCluster
			set.Nodes = append(set.Nodes, s.nodes(c.Server, slices.Concat(c.Server.Tags, confTexts(d, c.Server, "server_tags")), max(1, c.Nodes), c.Name)...)
		}
	}
}

func orAvailable(bytes, otherwise int64) int64 {
	if bytes <= 0 {
		return otherwise
	}
	return bytes / availableDenominator * availableNumerator
}

// assumePlaces notes that the servers are taken to be what placements ask for. A
// single server looks at no placement.
func (s *Site) assumePlaces(nodes int, what, asked string, names []string) {
	if nodes > 1 && len(names) > 0 {
		s.Assumed = append(s.Assumed, fmt.Sprintf("%s: %s was assumed, as %s asks for; without it the answer is 10005", what, quotedList(names), asked))
	}
}

// quotedList names a few.
func quotedList(names []string) string {
	const few = 3
	var out []string
	for _, n := range names[:min(few, len(names))] {
		out = append(out, strconv.Quote(n[:min(len(n), 64)]))
	}
	if n := len(names) - few; n > 0 {
		out = append(out, fmt.Sprintf("%d more", n))
	}
	return strings.Join(out, ", ")
}

// nodes are the servers of one cluster. Each carries the tags of all and, where
// there are zones, that of its own: the prefix of unique_tag, or "zone:", and the
// zone.
func (s *Site) nodes(server design.Server, tags []string, count int, cluster string) []Node {
	prefix := s.Setting.UniqueTag
	if prefix == "" {
		prefix = "zone:"
	}
	out := make([]Node, count)
	for i := range out {
		out[i] = Node{Name: fmt.Sprintf("%s%d", cluster, i+1), Cluster: cluster, Tags: tags}
		if cluster != "" {
			out[i].MaxStore = orAvailable(server.Disk, 0)
			out[i].MaxMemory = orAvailable(server.Memory, 0)
		}
		own := ""
		switch n := len(server.Zones); {
		case n > 0:
			own = strings.TrimPrefix(server.Zones[i%n], prefix)
		case s.Setting.UniqueTag != "" && !slices.ContainsFunc(tags, func(t string) bool { return strings.HasPrefix(t, prefix) }):
			own = out[i].Name // nobody says which servers share a tag: none do
		default:
			continue
		}
		out[i].Tags = append(tags[:len(tags):len(tags)], prefix+own)
	}
	return out
}

// conf reads what server.conf says about JetStream.
func (s *Site) conf(d *design.Design) {
	set := s.Setting
	number := func(asset natsapi.Asset, name string, to *int64) bool {
		v, ok := d.Conf(s.Server, asset, name)
		if ok = ok && (v.Kind == design.Size || v.Kind == design.Int || v.Kind == design.Duration); ok {
			*to = v.Int
		}
		return ok
	}
	count := func(name string, to *int) {
		n := int64(*to)
		number("conf.jetstream.limits", name, &n)
		*to = int(n)
	}
	s.StoreGiven = number("conf.jetstream", "max_file_store", &set.Server.MaxStore)
	s.MemoryGiven = number("conf.jetstream", "max_memory_store", &set.Server.MaxMemory)
	count("max_ack_pending", &set.Server.MaxAckPending)
	count("max_request_batch", &set.Server.MaxRequestBatch)
	count("default_max_consumers", &set.Server.DefaultMaxConsumers)
	window := int64(0)
	number("conf.jetstream.limits", "duplicate_window", &window)
	set.Server.DuplicateWindow = time.Duration(window)
	if v, ok := d.Conf(s.Server, "conf.jetstream", "unique_tag"); ok {
		set.UniqueTag = v.Text
	}
	if v, ok := d.Conf(s.Server, "conf.jetstream", "strict"); ok && v.Kind == design.Bool {
		set.Strict = StrictOff
		if v.Bool {
			set.Strict = StrictOn
		}
	}
}

// confTexts are the texts of a list at the top of server.conf, or of the one
// that stands in its place.
func confTexts(d *design.Design, server design.Server, name string) []string {
	v, ok := d.Conf(server, natsapi.Conf, name)
	switch {
	case !ok:
		return nil
	case v.Kind == design.Text:
		return []string{v.Text}
	}
	var out []string
	if v.Node.IsList() {
		for _, item := range v.Node.Items {
			if item.IsText() {
				out = append(out, item.Text)
			}
		}
	}
	return out
}

func limitsPath(d *design.Design, scope *design.Scope) string {
	if scope.Leafnode != "" {
		return ""
	}
	if p := design.Join(design.Join("accounts", scope.Account), "limits"); d.Has(p) {
		return p
	}
	return ""
}

// limits reads the limits of the account.
func (s *Site) limits(d *design.Design) {
	if s.Limited == "" {
		return
	}
	a := &s.Setting.Account
	value := func(name string) design.Value {
		v, _ := d.Value(design.Join(s.Limited, name))
		return v
	}
	number := func(name string, to *int64) {
		if v := value(name); v.Kind == design.Int || v.Kind == design.Size {
			*to = v.Int
		}
	}
	count := func(name string, to *int) {
		n := int64(*to)
		number(name, &n)
		*to = int(n)
	}
	number("max_memory", &a.MaxMemory)
	number("max_storage", &a.MaxStore)
	number("memory_max_stream_bytes", &a.MemoryMaxStreamBytes)
	number("storage_max_stream_bytes", &a.StoreMaxStreamBytes)
	count("max_streams", &a.MaxStreams)
	count("max_consumers", &a.MaxConsumers)
	count("max_ack_pending", &a.MaxAckPending)
	a.MaxBytesRequired = value("max_bytes_required").Bool
}

func mostReplicas(scope *design.Scope) int {
	most := 1
	for _, s := range scope.Streams {
		most = max(most, s.Config.Replicas)
		for _, c := range s.Consumers {
			most = max(most, c.Config.Replicas)
		}
	}
	for _, b := range slices.Concat(scope.KV, scope.Objects) {
		most = max(most, b.Config.Replicas)
	}
	return min(most, maxReplicas)
}

// demandedPlaces are the clusters that placements of a site ask for, in all
// accounts, and the tags that those of a scope do.
func demandedPlaces(d *design.Design, scope *design.Scope) (clusters, tags []string) {
	for _, other := range d.Scopes() {
		if other.Leafnode != scope.Leafnode {
			continue
		}
		var configs []*api.StreamConfig
		for _, s := range other.Streams {
			configs = append(configs, &s.Config)
		}
		for _, b := range slices.Concat(other.KV, other.Objects) {
			configs = append(configs, &b.Config)
		}
		for _, c := range configs {
			if c.Placement == nil {
				continue
			}
			if name := c.Placement.Cluster; name != "" && !slices.Contains(clusters, name) {
				clusters = append(clusters, name)
			}
			for _, t := range c.Placement.Tags {
				if !strings.HasPrefix(t, "!") && !slices.Contains(tags, t) {
					tags = append(tags, t)
				}
			}
		}
	}
	return clusters, tags
}
