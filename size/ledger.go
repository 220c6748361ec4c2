package size

import "fmt"

// Account holds the JetStream limits of one account.
type Account struct {
	Name string
	// MaxFile and MaxMemory are the account's limits in bytes; -1 is unlimited, 0
	// counts as unlimited as well.
	MaxFile, MaxMemory int64
	// Tiers are limits by replicas ("R1", "R3"); when there are any, MaxFile and
	// MaxMemory are not used.
	Tiers map[int]Tier
}

// Tier is the limits of an account for streams with one number of replicas.
type Tier struct{ MaxFile, MaxMemory int64 }

// Entry is one line of a ledger: what is reserved against one limit.
type Entry struct {
	// Where is the server or account, What the limit's name.
	Where string `json:"where"`
	What  string `json:"what"`
	// Reserved is the sum of max_bytes, Limit what it may come to.
	Reserved Figure `json:"reserved"`
	Limit    Figure `json:"limit"`
	// Share is reserved by limit; 0 when there is no limit.
	Share Figure `json:"share"`
	// Over says that the server refuses, or would if it saw all at once.
	Over bool `json:"over"`
	// Streams name what is reserved, in order of creation; Unbounded those that
	// reserve nothing because they have no max_bytes.
	Streams   []string `json:"streams"`
	Unbounded []string `json:"unbounded,omitempty"`
	// Says is the line in one sentence.
	Says string `json:"says"`
}

const (
	ledgerSource = "server/jetstream.go:checkBytesLimits, reserveStreamResources (v2.15.2)"
	// dynamicShare is the share of memory or free disk that a server takes as its
	// limit when none is set.
	dynamicShare = 0.75
	// unknownMemory and unknownDisk are the limits when the system does not say.
	unknownMemory = 256 * MiB
	unknownDisk   = TiB
	// fileSystemShare is what is left of a volume once it is formatted.
	fileSystemShare = 0.97
	// safeStoreShare is the most of a volume that max_file_store should be:
	// formatting, RAFT logs, dead records and files beside the records lie there
	// too, and max_file_store counts none of them.
	safeStoreShare = 0.9
)

// StoreLimit is max_file_store or max_memory_store in effect at a first start of
// a server. It is known where the limit is set, or the disk or memory that the
// server takes three quarters of.
func StoreLimit(s Server, kind Storage) (limit Figure, known bool) {
	if kind == Memory {
		return memoryLimit(s), s.MaxMemoryStore > 0 || s.Memory > 0
	}
	return fileLimit(s), s.MaxFileStore > 0 || s.Disk > 0
}

// fileLimit is max_file_store in effect at a first start.
func fileLimit(s Server) Figure {
	const source = "server/jetstream.go:dynJetStreamConfig, server/disk_avail.go (v2.15.2)"
	switch {
	case s.MaxFileStore > 0:
		return given("max_file_store", float64(s.MaxFileStore), Bytes)
	case s.Disk > 0:
		free := computed("free disk at start", max(float64(s.Disk-s.DiskUsed), 0), Bytes, "volume - used",
			given("volume", float64(s.Disk), Bytes), given("used", float64(s.DiskUsed), Bytes))
		return product("max_file_store", Bytes, free, coefficient("default share", dynamicShare, Ratio, ReadInSource, source)).
			noting("not set: the server takes 75 % of the disk that is free when it starts")
	}
	return coefficient("max_file_store", unknownDisk, Bytes, ReadInSource, source).noting("neither max_file_store nor the volume is known: 1 TiB stands in")
}

// memoryLimit is max_memory_store in effect.
func memoryLimit(s Server) Figure {
	const source = "server/jetstream.go:dynJetStreamConfig (v2.15.2)"
	switch {
	case s.MaxMemoryStore > 0:
		return given("max_memory_store", float64(s.MaxMemoryStore), Bytes)
	case s.Memory > 0:
		memory := given("memory", float64(s.Memory), Bytes)
		if s.GoMemLimit > 0 && s.GoMemLimit < s.Memory {
			memory = given("GOMEMLIMIT", float64(s.GoMemLimit), Bytes)
		}
		return product("max_memory_store", Bytes, memory, coefficient("default share", dynamicShare, Ratio, ReadInSource, source)).
			noting("not set: the server takes 75 % of memory, or of GOMEMLIMIT if that is lower")
	}
	return coefficient("max_memory_store", unknownMemory, Bytes, ReadInSource, source).noting("neither max_memory_store nor memory is known: 256 MiB stand in")
}

// Restart says what max_file_store becomes when a server that has no explicit
// one is started again.
type Restart struct {
	First Figure `json:"first"`
	Again Figure `json:"again"`
	// Shrinks says that the limit at the restart is less than what is stored.
	Shrinks bool `json:"shrinks"`
	// Says is the result in one sentence.
	Says string `json:"says"`
}

// OfRestart computes the default max_file_store of a server at its first start
// and at a restart with so many bytes of streams on its volume. Servers before
// 2.14 count their own streams as used disk, so the limit shrinks as they grow;
// 2.14.10 and 2.15.2 add 75 % of the recovered bytes back.
func OfRestart(s Server, stored float64, addsBack bool) (Restart, error) {
	if err := firstError(number("stored", stored), number("disk", float64(s.Disk)), number("disk_used", float64(s.DiskUsed))); err != nil {
		return Restart{}, err
	}
	first := fileLimit(s)
	if s.MaxFileStore > 0 {
		return Restart{First: first, Again: first, Says: "max_file_store is set: it does not change"}, nil
	}
	if s.Disk <= 0 {
		return Restart{First: first, Again: first, Says: "the volume is not known: what max_file_store becomes is not either"}, nil
	}
	stored = min(stored, first.Value) // more is refused before the restart
	free := computed("free disk at restart", max(float64(s.Disk-s.DiskUsed)-stored, 0), Bytes, "volume - used - streams",
		given("volume", float64(s.Disk), Bytes), given("used", float64(s.DiskUsed), Bytes), given("streams", stored, Bytes))
	part := coefficient("default share", dynamicShare, Ratio, ReadInSource, "server/disk_avail.go")
	again := product("max_file_store", Bytes, free, part)
	if addsBack {
		again = sum("max_file_store", Bytes, again.as("of free disk"), product("of recovered streams", Bytes, given("streams", stored, Bytes), part)).
			from(ReadInSource, "server/jetstream.go:finalizeDynamicMaxStore (v2.14.10, v2.15.2)")
	}
	out := Restart{First: first, Again: again, Shrinks: again.Value < stored}
	out.Says = fmt.Sprintf("default max_file_store is 75 %% of free disk: %s at the first start, %s at a restart with %s stored",
		FormatBytes(first.Value), FormatBytes(again.Value), FormatBytes(stored))
	if out.Shrinks {
		out.Says += "; that is less than what is stored: set max_file_store to at least the sum of max_bytes"
	}
	return out, nil
}

// reservation is what a stream holds back on each of its servers.
func reservation(s Stream) float64 { return max(float64(s.MaxBytes), 0) }

// ledgerOf writes the ledger of a cluster: per server and storage, and per
// account. Streams that could not be placed are in it as well: it says what is
// asked for.
func ledgerOf(c Cluster, places []Placement) []Entry {
	var out []Entry
	for i, server := range c.Servers {
		for _, kind := range []Storage{File, Memory} {
			e := Entry{Where: server.Name}
			e.What, e.Limit = "max_file_store", fileLimit(server)
			if kind == Memory {
				e.What, e.Limit = "max_memory_store", memoryLimit(server)
			}
			var terms []Figure
			for n, s := range c.Streams {
				if s.storage() == kind && holds(places[n], i) {
					terms = append(terms, e.add(s, 1)...)
				}
			}
			if len(terms)+len(e.Unbounded) > 0 {
				out = append(out, e.total(terms))
			}
		}
	}
	for _, a := range c.Accounts {
		out = append(out, accountLedger(c, a)...)
	}
	return out
}

func holds(p Placement, server int) bool {
	for _, i := range p.Servers {
		if i == server {
			return true
		}
	}
	return false
}

// add books a stream, and returns its term, if it reserves anything.
func (e *Entry) add(s Stream, copies int) []Figure {
	if s.MaxBytes <= 0 {
		e.Unbounded = append(e.Unbounded, s.Name)
		return nil
	}
	e.Streams = append(e.Streams, s.Name)
	f := given(s.Name, reservation(s), Bytes)
	if copies > 1 {
		f = product(s.Name, Bytes, given("max_bytes", reservation(s), Bytes), given("replicas", float64(copies), Count))
	}
	return []Figure{f}
}

// total closes the line.
func (e *Entry) total(terms []Figure) Entry {
	e.Reserved = sum("reserved", Bytes, terms...).from(Arithmetic, ledgerSource)
	used := 0.0
	if e.Limit.Value > 0 {
		used = e.Reserved.Value / e.Limit.Value
	}
	e.Share = computed("reserved share", used, Share, "reserved / "+e.What)
	// A stream without max_bytes counts as one byte in this check.
	e.Over = e.Reserved.Value > e.Limit.Value || len(e.Unbounded) > 0 && e.Reserved.Value >= e.Limit.Value
	e.Says = fmt.Sprintf("%s: %s of %s reserved, %s", e.Where, FormatBytes(e.Reserved.Value), FormatBytes(e.Limit.Value), e.What)
	switch {
	case e.Over:
		e.Says += fmt.Sprintf("; %s too much: max_bytes is reserved when a stream is created, whatever it holds", FormatBytes(e.Reserved.Value-e.Limit.Value))
	case len(e.Unbounded) > 0:
		e.Says += fmt.Sprintf("; %d without max_bytes reserve nothing and can fill the rest", len(e.Unbounded))
	}
	return *e
}

// accountLedger is the lines of one account: flat limits count every replica,
// tiered ones count a stream once in the tier of its replicas
// (server/jetstream.go:accountReservation).
func accountLedger(c Cluster, a Account) []Entry {
	var out []Entry
	line := func(kind Storage, what string, most int64, in func(Stream) bool, copies func(Stream) int) {
		if most <= 0 {
			return
		}
		e := Entry{Where: "account " + a.Name, What: what, Limit: given(what, float64(most), Bytes)}
		var terms []Figure
		for _, s := range c.Streams {
			if s.Account == a.Name && s.storage() == kind && in(s) {
				terms = append(terms, e.add(s, copies(s))...)
			}
		}
		out = append(out, e.total(terms))
	}
	if len(a.Tiers) == 0 {
		all := func(Stream) bool { return true }
		line(File, "max_file", a.MaxFile, all, Stream.replicas)
		line(Memory, "max_memory", a.MaxMemory, all, Stream.replicas)
		return out
	}
	for r := 1; r <= 5; r++ {
		tier, ok := a.Tiers[r]
		if !ok {
			continue
		}
		in := func(s Stream) bool { return s.replicas() == r }
		once := func(Stream) int { return 1 }
		line(File, fmt.Sprintf("max_file of tier R%d", r), tier.MaxFile, in, once)
		line(Memory, fmt.Sprintf("max_memory of tier R%d", r), tier.MaxMemory, in, once)
	}
	return out
}

// Volume is how max_file_store stands to the volume it lies on.
type Volume struct {
	// Usable is what is left after formatting.
	Usable Figure `json:"usable"`
	// Advised is the largest max_file_store that leaves room for logs, dead records
	// and index files, which the limit does not count.
	Advised Figure `json:"advised"`
	// Tight says that max_file_store, set or by default, is larger than that.
	Tight bool `json:"tight"`
}

// OfVolume compares a server's max_file_store with its volume.
func OfVolume(s Server) (Volume, error) {
	if err := firstError(number("disk", float64(s.Disk)), number("max_file_store", float64(s.MaxFileStore))); err != nil {
		return Volume{}, err
	}
	volume := given("volume", float64(s.Disk), Bytes)
	out := Volume{
		Usable: product("usable volume", Bytes, volume, coefficient("left after formatting", fileSystemShare, Ratio, Assumed, "ext4 with default reserves")).
			between(float64(s.Disk)*0.93, float64(s.Disk)*0.99),
		Advised: product("advised max_file_store", Bytes, volume, coefficient("advised share", safeStoreShare, Ratio, Assumed, "Weir's rule")),
	}
	out.Tight = s.Disk > 0 && fileLimit(s).Value > out.Advised.Value
	return out, nil
}
