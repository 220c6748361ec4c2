package docs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// fieldPage is a page of fields under docs/fields: those of the assets that are its.
type fieldPage struct {
	name, title, about string
	has                func(asset string) bool
}

func fieldPages() []fieldPage {
	api := natsapi.Assets()
	conf := func(asset string) bool { return natsapi.Asset(asset).IsConf() }
	jetStream := func(asset string) bool { return !conf(asset) && slices.Contains(api, natsapi.Asset(asset)) }
	return []fieldPage{
		{"design", "The design file", "The keys that Weir adds to NATS's own: what publishes, what works, on which servers, and what is expected of it. " +
			"Streams, consumers and buckets of a design have [NATS's fields](jetstream.md), and the servers' [those of nats-server.conf](server-conf.md).",
			func(asset string) bool { return !conf(asset) && !jetStream(asset) }},
		{"jetstream", "Streams, consumers and buckets", "The fields of the JetStream API, as a design file and NATS JSON have them. Those marked *design* are Weir's own and no server sees them.", jetStream},
		{"server-conf", "nats-server.conf", "The keys of a server's file, as Weir reads them from it and from `conf` of a design.", conf},
	}
}

// Fields is a page for each kind of file: every field with what holds in each
// release.
func Fields() []File {
	var files []File
	for _, p := range fieldPages() {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n\n%s\n\nMade from the tables that the readers and the verdicts use (`go generate ./internal/docs`); `weir fields NAME` says more of each, its err_codes and its source.\n", p.title, p.about)
		for _, asset := range design.Assets() {
			if p.has(asset) {
				writeFields(&b, asset)
			}
		}
		files = append(files, File{"docs/fields/" + p.name + ".md", b.String()})
	}
	return files
}

func writeFields(b *strings.Builder, asset string) {
	list := design.Fields(asset)
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n| field | type | default | range | servers | update | what it is for |\n|---|---|---|---|---|---|---|\n", asset)
	for _, f := range list {
		d := design.DocOf(f, natsapi.Embedded)
		name := "`" + d.Name + "`"
		if d.Required {
			name += ", required"
		}
		if d.Own && slices.Contains(natsapi.Assets(), natsapi.Asset(asset)) {
			name += " *design*"
		}
		kind := d.Type
		if len(d.Values) > 1 {
			kind = strings.Join(d.Values, ", ")
		} else if d.Unit != "" {
			kind += ", " + d.Unit
		}
		servers := d.Since
		if d.Until != "" {
			servers = strings.TrimSpace(servers + " until " + d.Until)
		}
		cells := []string{name, kind, byRelease(f, d.Default, func(d design.FieldDoc) string { return d.Default }), d.Range, servers,
			byRelease(f, d.Update, func(d design.FieldDoc) string { return d.Update }), d.Doc}
		for i, c := range cells {
			cells[i] = tableCell(c)
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
}

// byRelease is what holds now, and behind it what held in releases before:
// "100000; up to 2.11: 10000".
func byRelease(f *design.Field, now string, of func(design.FieldDoc) string) string {
	text, known := now, natsapi.Known()
	before := now
	for _, v := range slices.Backward(known) {
		d := design.DocOf(f, v)
		if !d.Available {
			continue
		}
		if was := of(d); was != before {
			text += fmt.Sprintf("; up to %d.%d: %s", v.Major, v.Minor, cmp.Or(was, "none"))
			before = was
		}
	}
	return strings.TrimPrefix(text, "; ")
}
