package advise

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"weir/design"
	"weir/size"
	"weir/verdict"
)

// keptFree is the share of a store or an account's limit that is not given out:
// RAFT logs and streams without max_bytes lie there too.
const keptFree = 0.1

// forUnasked is the share that streams get of which nobody says how long they
// have to keep messages, where those of which somebody does would take all.
const forUnasked = 0.1

// room is what a stream may reserve with max_bytes. The zero value is unknown.
type room struct {
	// bytes are of one replica; negative where there is none.
	bytes float64
	// of is what limits it: "max_file_store of a node".
	of string
}

func (r room) known() bool { return r.of != "" }

// none says that nothing is left.
func (r room) none() bool { return r.known() && r.bytes < float64(size.MiB) }

// claim is what one stream or bucket would reserve, or has.
type claim struct {
	path     string
	site     int // of the sized design
	at       *verdict.Site
	storage  size.Storage
	replicas float64
	// heap is what a byte of a memory stream takes of the heap, 1 for files.
	heap    float64
	need    float64 // of one replica
	written float64 // max_bytes as written, 0 for none
	asked   bool    // somebody says what it has to keep
}

// pool is a limit that several claims share.
type pool struct {
	of       string
	capacity float64 // bytes of all replicas
	most     float64 // bytes of one replica
	heap     bool    // what is shared is heap: memory streams take more than they count
	claims   []*claim
}

// weight is what a byte of max_bytes takes of the pool.
func (p *pool) weight(c *claim) float64 {
	if p.heap {
		return c.replicas * c.heap
	}
	return c.replicas
}

// mostOf is the most that one claim may have.
func (p *pool) mostOf(c *claim) float64 {
	if p.heap {
		return p.most / c.heap
	}
	return p.most
}

// shares gives each claim its room in a pool: what was asked for first, small
// claims in full, and what is too little is shared alike by the large ones.
func (p *pool) shares(give func(c *claim, r room)) {
	var asked, unasked []*claim
	left, wanted := p.capacity, 0.0
	for _, c := range p.claims {
		switch {
		case c.written > 0:
			left -= p.weight(c) * c.written
		case c.asked:
			asked = append(asked, c)
		default:
			unasked = append(unasked, c)
			wanted += p.weight(c) * c.need
		}
	}
	for _, c := range p.claims {
		if c.written > 0 {
			give(c, room{min(c.written+left/p.weight(c), p.mostOf(c)), p.of})
		}
	}
	kept := min(forUnasked*left, wanted)
	left = kept + p.fill(asked, left-kept, give)
	p.fill(unasked, left, give)
}

// fill gives claims of a kind their room, and returns what is left.
func (p *pool) fill(claims []*claim, left float64, give func(c *claim, r room)) float64 {
	slices.SortStableFunc(claims, func(a, b *claim) int { return cmp.Compare(p.weight(a)*a.need, p.weight(b)*b.need) })
	for i, c := range claims {
		bytes := min(c.need, max(left, 0)/float64(len(claims)-i)/p.weight(c), p.mostOf(c))
		give(c, room{bytes, p.of})
		left -= p.weight(c) * bytes
	}
	return left
}

// rooms is what there is for each claim, by design path, where it is less than
// what the claim needs.
func (r *reader) rooms(claims []*claim) map[string]room {
	out := map[string]room{}
	for _, p := range r.pools(claims) {
		p.shares(func(c *claim, x room) {
			if have, ok := out[c.path]; (!ok || x.bytes < have.bytes) && x.bytes < c.need {
				out[c.path] = x
			}
		})
	}
	return out
}

// pools are the stores of the servers and the limits of the accounts.
func (r *reader) pools(claims []*claim) []*pool {
	type key struct {
		site    int
		setting *verdict.Setting
		storage size.Storage
	}
	byKey := map[key]*pool{}
	var out []*pool
	into := func(k key, c *claim, make func() *pool) {
		p, ok := byKey[k]
		if !ok {
			if p = make(); p != nil {
				out = append(out, p)
			}
			byKey[k] = p
		}
		if p != nil {
			p.claims = append(p.claims, c)
		}
	}
	for _, c := range claims {
		into(key{site: c.site, storage: c.storage}, c, func() *pool { return r.storePool(c) })
		if c.at != nil && c.at.Limited != "" {
			into(key{site: -1, setting: c.at.Setting, storage: c.storage}, c, func() *pool { return accountPool(c) })
			if most := mostOfStream(c); most > 0 {
				out = append(out, &pool{of: "the account's limit of one stream", capacity: math.Inf(1), most: most, claims: []*claim{c}})
			}
		}
	}
	return out
}

// storePool is what the servers of a site have for a storage; nil where that is
// not known.
func (r *reader) storePool(c *claim) *pool {
	servers := r.sized.Sites[c.site].Cluster.Servers
	least := math.Inf(1)
	name := "max_file_store"
	if c.storage == size.Memory {
		name = "max_memory_store"
	}
	for _, s := range servers {
		limit, known := size.StoreLimit(s, c.storage)
		if !known {
			return nil
		}
		least = min(least, limit.Value)
	}
	if len(servers) == 0 {
		return nil
	}
	if r.sized.Sites[c.site].Path == r.d.Server.Path && c.storage == size.File && r.fileStore > 0 {
		least = r.fileStore // what is advised for max_file_store, or written
	}
	p := &pool{of: fmt.Sprintf("%s %s of a node", size.FormatBytes(least), name), capacity: (1 - keptFree) * least * float64(len(servers)), most: (1 - keptFree) * least}
	if c.storage == size.Memory {
		p.heap = true
		p.of += ", which the heap of small messages fills faster than their bytes"
	}
	return p
}

// accountPool is the account's limit on what its streams reserve, replicas
// counted (server/jetstream.go checkLimits, v2.15.2); nil without one.
func accountPool(c *claim) *pool {
	limit, name := c.at.Setting.Account.MaxStore, "max_storage"
	if c.storage == size.Memory {
		limit, name = c.at.Setting.Account.MaxMemory, "max_memory"
	}
	if limit < 0 {
		return nil
	}
	all := (1 - keptFree) * float64(limit)
	return &pool{of: fmt.Sprintf("%s %s of the account, replicas counted", size.FormatBytes(float64(limit)), name), capacity: all, most: all / c.replicas}
}

// mostOfStream is the account's limit on the max_bytes of one stream, 0 for none.
func mostOfStream(c *claim) float64 {
	if c.storage == size.Memory {
		return float64(max(c.at.Setting.Account.MemoryMaxStreamBytes, 0))
	}
	return float64(max(c.at.Setting.Account.StoreMaxStreamBytes, 0))
}

// claimOf is what a planned stream would reserve.
func (r *reader) claimOf(p *streamPlan, sized *size.DesignStream) *claim {
	c := &claim{path: sized.Path, site: sized.Site, at: r.sites[sized.Path], storage: p.at.Storage, replicas: float64(max(p.at.Replicas, 1)), heap: 1, need: p.claimed, asked: p.asked()}
	if c.storage == size.Memory && p.Message.Payload+p.Message.Header > 0 {
		m, err := size.OfMemoryStore(size.MemoryStoreInput{Message: p.Message, Messages: 1e6, Subjects: sized.Input.Subjects})
		if err == nil {
			c.heap = max(1, m.Factor.Value)
		}
	}
	if v, ok := r.d.Value(design.Join(sized.Path, "max_bytes")); ok && v.Int > 0 {
		c.written = float64(v.Int)
	}
	return c
}
