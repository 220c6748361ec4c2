package verdict

import (
	"fmt"
	"slices"
	"strings"

	"weir/natsapi"
)

// enumSet is an enumeration of the API. The server compares the raw bytes of
// the value, quotes included, so an escape or another case is refused
// (server/store.go, consumer.go and stream.go, UnmarshalJSON methods).
type enumSet struct {
	names   []string // canonical names; the first is Go's zero value
	aliases map[string]string
	// since gives the first version of a name that came later.
	since map[string]natsapi.Version
	// until gives the first version that no longer has a name.
	until map[string]natsapi.Version
	// fold accepts any case (discard only).
	fold bool
	// decoded reads the value as a JSON string first (compression only).
	decoded bool
	// refusal is the server's text; %q or %s stands for the raw value.
	refusal string
}

var (
	retentionNames = &enumSet{names: []string{"limits", "interest", "workqueue"}, refusal: "can not unmarshal %q"}
	discardNames   = &enumSet{names: []string{"old", "new"}, fold: true, refusal: "can not unmarshal %q"}
	storageNames   = &enumSet{
		names:   []string{"file", "memory", "any"},
		until:   map[string]natsapi.Version{"any": v212},
		refusal: "can not unmarshal %q",
	}
	compressionNames = &enumSet{names: []string{"none", "s2"}, decoded: true, refusal: "unknown compression algorithm"}
	persistNames     = &enumSet{
		names:   []string{"default", "async"},
		aliases: map[string]string{"": "default"},
		refusal: "can not unmarshal %q",
	}
	deliverNames = &enumSet{
		names:   []string{"all", "last", "last_per_subject", "new", "by_start_sequence", "by_start_time"},
		aliases: map[string]string{"undefined": "all"},
		refusal: "can not unmarshal %q",
	}
	ackNames = &enumSet{
		names:   []string{"none", "all", "explicit", "flow_control"},
		since:   map[string]natsapi.Version{"flow_control": v214},
		refusal: "can not unmarshal %q",
	}
	replayNames   = &enumSet{names: []string{"instant", "original"}, refusal: "can not unmarshal %q"}
	priorityNames = &enumSet{
		names:   []string{"none", "overflow", "pinned_client", "prioritized"},
		since:   map[string]natsapi.Version{"prioritized": v212},
		refusal: "unknown priority policy: %s",
	}
	actionNames = &enumSet{names: []string{"", "create", "update"}, refusal: "unknown consumer action: %s"}
)

// parse returns the canonical name of a raw JSON value, or the server's words
// of refusal.
func (e *enumSet) parse(v natsapi.Version, raw []byte) (name, refusal string) {
	if e.decoded {
		if raw[0] != '"' {
			return "", e.refusal
		}
		name = unquote(raw)
	} else if len(raw) >= 2 && raw[0] == '"' {
		name = string(raw[1 : len(raw)-1])
	} else {
		return "", e.words(raw)
	}
	if e.fold {
		name = strings.ToLower(name)
	}
	if alias, ok := e.aliases[name]; ok {
		return alias, ""
	}
	first, late := e.since[name]
	gone, left := e.until[name]
	if !slices.Contains(e.names, name) || late && !v.AtLeast(first) || left && v.AtLeast(gone) {
		return "", e.words(raw)
	}
	return name, ""
}

func (e *enumSet) words(raw []byte) string {
	if !strings.Contains(e.refusal, "%") {
		return e.refusal
	}
	return fmt.Sprintf(e.refusal, raw)
}
