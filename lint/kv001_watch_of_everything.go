package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "KV001",
	Name:     "watch-of-everything",
	Severity: design.Warning,
	Title:    "A watch of all keys, or a listing, brings more values than a client keeps pending.",
	Why: "A watcher first gets the last value of every key, as fast as the server finds them; a client keeps 500,000 messages or 64 MiB for a subscription (nats.go; 524,288 before 1.55) " +
		"and drops the rest when it reads slower.",
	Fix:  "Watch a prefix, ask for keys without values (meta only), or read fast into memory and work from there.",
	Refs: []string{"nats.go issue 1431", "ADR-8"},
	Check: func(f *Facts) {
		f.AcceptedStreams(f.watchAll)
		f.AcceptedStreams(f.listings)
	},
})

func (f *Facts) watchAll(s *Stream) {
	kind, _ := bucketOf(s)
	keys, path := f.keysOf(s)
	if kind != "kv" || keys <= size.ClientPendingMessages {
		return
	}
	share, err := size.OfWatchAll(keys)
	if err != nil {
		return
	}
	said := Said{
		What: fmt.Sprintf("has %s keys, %.3g times the messages that a client keeps: a watch of all keys, or a listing of them, by a reader that is slower than the server loses some",
			size.FormatCount(keys), share.Value),
		Write:  "watch prefixes, or without values",
		Figure: &Figure{"keys by pending limit", share.Value, "x", Computed}}
	if watchersOf(s) == 0 {
		said.Severity = design.Info
	}
	f.Report(path, said)
}

// muchListed is how many keys a second a server looks up for listings before somebody
// should know of it: a fifth of what one reader of one stream gets at most.
const muchListed = 100_000

// listings is about a bucket that is read and not watched: who looks for a key by
// listing all of them reads the whole bucket each time.
func (f *Facts) listings(s *Stream) {
	if s.Kind != "kv" || s.Bucket.Watchers > 0 || s.Bucket.Keys > size.ClientPendingMessages {
		return
	}
	all := float64(s.Bucket.Keys) * s.Bucket.Reads
	if all < muchListed {
		return
	}
	f.Report(design.Join(s.Path, "reads"), Said{Severity: design.Info, Write: "get the key by its name, list a prefix, or keep one watcher",
		What:   fmt.Sprintf("read one key each; where a reader lists the keys instead, it reads all %s, which is %s keys a second, and leaves a consumer when it gives up", size.FormatCount(float64(s.Bucket.Keys)), size.FormatCount(all)),
		Figure: &Figure{"keys read by listings", all, "keys/s", Bound}})
}
