package size

import (
	"fmt"
	"strings"
	"time"

	"weir/design"
	"weir/natsapi"
)

// designReader turns a design into clusters and streams.
type designReader struct {
	d   *design.Design
	o   DesignOptions
	out DesignSize

	hub      int            // index of the hub in Sites
	clusters map[string]int // by name, Sites
	leaves   map[string]int // by name, Sites
	held     []*heldStream
}

func newDesignReader(d *design.Design, o DesignOptions) *designReader {
	return &designReader{d: d, o: o, clusters: map[string]int{}, leaves: map[string]int{}}
}

func (b *designReader) note(path, format string, args ...any) {
	b.out.Notes = append(b.out.Notes, DesignNote{Path: path, Text: fmt.Sprintf(format, args...)})
}

// sites makes the clusters, without streams.
func (b *designReader) sites() {
	d := b.d
	hub := d.Server
	if hub.Nodes <= 1 && !d.Has("server.nodes") {
		hub.Nodes = 1
		if need := mostReplicas(d); need > 1 {
			hub.Nodes = need
			b.note("server.nodes", "no servers are given: %d are assumed, as num_replicas asks for", need)
		}
	}
	b.hub = b.site("hub", hub, 1)
	for _, a := range d.Accounts {
		if l, ok := b.accountLimits(a); ok {
			b.out.Sites[b.hub].Cluster.Accounts = append(b.out.Sites[b.hub].Cluster.Accounts, l)
		}
	}
	for _, c := range d.Clusters {
		b.clusters[c.Name] = b.site(c.Name, c.Server, 1)
	}
	for _, l := range d.Leafnodes {
		b.leaves[l.Name] = b.site(l.Name, l.Server, max(l.Count, 1))
	}
}

// site adds one cluster of servers that are alike.
func (b *designReader) site(name string, server design.Server, count int) int {
	c := Cluster{Horizon: b.o.Horizon}
	const jetStream = "conf.jetstream"
	number := func(block natsapi.Asset, key string) int64 {
		v, _ := b.d.Conf(server, block, key)
		return max(v.Int, 0)
	}
	one := Server{Memory: max(server.Memory, 0), Disk: max(server.Disk, 0), Tags: server.Tags,
		MaxFileStore: number(jetStream, "max_file_store"), MaxMemoryStore: number(jetStream, "max_memory_store"),
		MaxHAAssets: number(jetStream+".limits", "max_ha_assets")}
	c.MaxPayload = number(natsapi.Conf, "max_payload")
	if v, ok := b.d.Conf(server, jetStream, "sync_interval"); ok {
		c.SyncInterval, c.SyncAlways = time.Duration(max(v.Int, 0)), v.Text == "always"
	}
	if v, ok := b.d.Conf(server, jetStream, "unique_tag"); ok {
		c.UniqueTag = v.Text
	}
	prefix := c.UniqueTag
	if prefix == "" {
		prefix = "zone:"
	}
	for i := range min(max(server.Nodes, 1), maxServers) {
		s := one
		s.Name = fmt.Sprintf("n%d", i+1)
		own := s.Name // nobody says which servers share a tag: none do
		if n := len(server.Zones); n > 0 {
			s.Zone = strings.TrimPrefix(server.Zones[i%n], prefix)
			own = s.Zone
		}
		if s.Zone != "" || c.UniqueTag != "" {
			s.Tags = append(s.Tags[:len(s.Tags):len(s.Tags)], prefix+own)
		}
		c.Servers = append(c.Servers, s)
	}
	b.out.Sites = append(b.out.Sites, SiteSize{Name: name, Path: server.Path, Count: count, Cluster: c})
	return len(b.out.Sites) - 1
}

// cipher is jetstream.cipher of a server, when it encrypts.
func (b *designReader) cipher(server design.Server) Cipher {
	v, ok := b.d.Conf(server, "conf.jetstream", "cipher")
	switch {
	case !ok:
		return NoCipher
	case strings.EqualFold(v.Text, "aes"):
		return AES
	}
	return ChaCha
}

// accountLimits are the JetStream limits of an account.
func (b *designReader) accountLimits(a *design.Account) (Account, bool) {
	at := design.Join(a.Path, "limits")
	if !b.d.Has(at) {
		return Account{}, false
	}
	number := func(key string) int64 {
		v, _ := b.d.Value(design.Join(at, key))
		return v.Int
	}
	return Account{Name: a.Scope.Account, MaxFile: number("max_storage"), MaxMemory: number("max_memory")}, true
}

// addsBack says whether the design's servers add recovered bytes to their default
// max_file_store (2.14.10 and 2.15.2 do).
func (b *designReader) addsBack() bool {
	first, err := natsapi.ParseVersion("2.14")
	return err == nil && b.d.Version.Compare(first) >= 0
}

// mostReplicas is the largest num_replicas of the hub.
func mostReplicas(d *design.Design) int {
	most := 1
	for _, scope := range d.Scopes() {
		if scope.Leafnode != "" {
			continue
		}
		for _, s := range scope.Streams {
			most = max(most, s.Config.Replicas)
		}
		for _, k := range [][]*design.Bucket{scope.KV, scope.Objects} {
			for _, s := range k {
				most = max(most, s.Config.Replicas)
			}
		}
	}
	return min(most, 5)
}
