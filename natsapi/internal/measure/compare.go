package measure

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"weir/natsapi"
)

// Structs names the server's struct that each asset of the API lists. The kv and
// object_store assets are nats.go's and not here.
var Structs = map[natsapi.Asset]string{
	natsapi.Stream:           "StreamConfig",
	natsapi.StreamRequest:    "StreamConfigRequest",
	natsapi.Source:           "StreamSource",
	natsapi.External:         "ExternalStream",
	natsapi.SourceConsumer:   "StreamConsumerSource",
	natsapi.Placement:        "Placement",
	natsapi.Republish:        "RePublish",
	natsapi.SubjectTransform: "SubjectTransformConfig",
	natsapi.ConsumerLimits:   "StreamConsumerLimits",
	natsapi.Consumer:         "ConsumerConfig",
	natsapi.ConsumerRequest:  "CreateConsumerRequest",
	natsapi.AccountLimits:    "JetStreamAccountLimits",
}

// Change is one thing that a server has otherwise than the tables say.
type Change struct {
	// Text says what, for people.
	Text string
	// File, Key and Cells are the edit that records it: in the table File, the row
	// that begins with Key gets the Cells, or, when New, a row with the Cells is
	// put after it. File is empty where a person has to decide.
	File, Key string
	Cells     map[string]string
	New       bool
}

// Compare lists what a server of version v has otherwise than natsapi says.
func Compare(v natsapi.Version, source *Source, d Defaults) ([]Change, error) {
	var all []Change
	if level := source.APILevel(); level != v.APILevel() {
		all = append(all, Change{Text: fmt.Sprintf("API level is %d, version.go says %d", level, v.APILevel())})
	}
	errors, err := source.Errors()
	if err != nil {
		return nil, err
	}
	all = append(all, compareErrors(v, errors)...)
	for _, asset := range natsapi.Assets() {
		if name, ok := Structs[asset]; ok {
			all = append(all, compareStruct(v, asset, source.Struct(name))...)
		}
	}
	all = append(all, compareConf(v, source.ConfWords())...)
	all = append(all, compareDefaults(v, natsapi.Stream, d.Stream)...)
	return append(all, compareDefaults(v, natsapi.Consumer, d.Consumer)...), nil
}

// newer reports whether v is of a minor version after all known ones, and which
// minor version comes before it.
func newer(v natsapi.Version) (before string, ok bool) {
	known := natsapi.Known()
	last := known[len(known)-1]
	return fmt.Sprintf("%d.%d", last.Major, last.Minor), v.Major == last.Major && v.Minor > last.Minor
}

func compareErrors(v natsapi.Version, errors []Error) []Change {
	var changes []Change
	has := map[int]bool{}
	last := 0
	for _, e := range errors {
		has[e.ErrCode] = true
		row, known := natsapi.ErrorByCode(e.ErrCode)
		switch {
		case !known:
			changes = append(changes, Change{
				Text: fmt.Sprintf("new error %d %s: %s", e.ErrCode, e.Constant, e.Description),
				File: "errors.tsv", Key: strconv.Itoa(last) + "\t", New: true,
				Cells: map[string]string{"err_code": strconv.Itoa(e.ErrCode), "code": strconv.Itoa(e.Code), "constant": e.Constant,
					"description": e.Description, "since": v.String()},
			})
		case !row.Since.Has(v):
			changes = append(changes, Change{Text: fmt.Sprintf("error %d is declared, the table says since %v", e.ErrCode, row.Since)})
		case row.Code != e.Code:
			changes = append(changes, Change{Text: fmt.Sprintf("error %d has code %d, the table says %d", e.ErrCode, e.Code, row.Code)})
		case row.DescriptionIn(v) != e.Description || row.ConstantIn(v) != e.Constant:
			c := Change{Text: fmt.Sprintf("error %d is %s %q, the table says %s %q", e.ErrCode, e.Constant, e.Description, row.ConstantIn(v), row.DescriptionIn(v))}
			if before, ok := newer(v); ok {
				c.File, c.Key = "errors.tsv", strconv.Itoa(e.ErrCode)+"\t"
				c.Cells = map[string]string{"constant": e.Constant, "description": e.Description, "was": before + " " + row.Constant + " " + row.Description}
			}
			changes = append(changes, c)
		}
		last = e.ErrCode
	}
	for _, row := range natsapi.Errors() {
		if row.Since.Has(v) && !has[row.ErrCode] {
			changes = append(changes, Change{Text: fmt.Sprintf("error %d %s is not declared", row.ErrCode, row.Constant)})
		}
	}
	return changes
}

func compareStruct(v natsapi.Version, asset natsapi.Asset, fields []Field) []Change {
	var changes []Change
	has := map[string]bool{}
	after := ""
	for _, f := range fields {
		has[f.Name] = true
		row, known := natsapi.Lookup(asset, f.Name)
		switch {
		case !known:
			changes = append(changes, Change{
				Text: fmt.Sprintf("new field %s.%s of type %s", asset, f.Name, f.Go),
				File: "fields.tsv", Key: after, New: true,
				Cells: map[string]string{"asset": string(asset), "name": f.Name, "go": f.Go, "since": v.String(), "level": "0"},
			})
		case !row.In(v):
			changes = append(changes, Change{Text: fmt.Sprintf("%s.%s is there, the table says since %v", asset, f.Name, row.Since)})
		case row.Go != f.Go:
			changes = append(changes, Change{Text: fmt.Sprintf("%s.%s is a %s, the table says %s", asset, f.Name, f.Go, row.Go)})
		}
		after = string(asset) + "\t" + f.Name + "\t"
	}
	return append(changes, gone(v, asset, "fields.tsv", has)...)
}

// gone lists the rows of an asset whose names the server does not have.
func gone(v natsapi.Version, asset natsapi.Asset, file string, has map[string]bool) []Change {
	var changes []Change
	for _, row := range natsapi.Fields(asset) {
		if !row.In(v) || has[row.Name] {
			continue
		}
		c := Change{Text: fmt.Sprintf("%s.%s is not there, the table says since %v", asset, row.Name, row.Since)}
		if before, ok := newer(v); ok {
			c.File, c.Key, c.Cells = file, string(asset)+"\t"+row.Name+"\t", map[string]string{"until": before}
		}
		changes = append(changes, c)
	}
	return changes
}

// compareConf compares by the function that reads a block, which the rows name
// as their source: blocks that one function reads are not told apart.
func compareConf(v natsapi.Version, words map[string][]string) []Change {
	var changes []Change
	readers := map[string][]natsapi.Asset{}
	for _, asset := range natsapi.Assets() {
		if asset.IsConf() {
			_, fn, _ := strings.Cut(natsapi.Fields(asset)[0].Source, " ")
			readers[fn] = append(readers[fn], asset)
		}
	}
	values := confValues()
	for _, fn := range slices.Sorted(maps.Keys(readers)) {
		has := map[string]bool{}
		for _, w := range words[fn] {
			has[strings.ToLower(w)] = true
		}
		known := map[string]bool{}
		for _, asset := range readers[fn] {
			changes = append(changes, gone(v, asset, "conf.tsv", has)...)
			for _, row := range natsapi.Fields(asset) {
				for _, name := range append([]string{row.Name}, row.Aliases...) {
					known[name] = known[name] || row.In(v)
				}
			}
		}
		asset := readers[fn][0]
		rows := natsapi.Fields(asset)
		for _, w := range slices.Sorted(maps.Keys(has)) {
			if in, ok := known[w]; ok && !in {
				changes = append(changes, Change{Text: fmt.Sprintf("conf key %s is read by %s, the table says not by this version", w, fn)})
			} else if !ok && !values[w] {
				changes = append(changes, Change{
					Text: fmt.Sprintf("new conf key or word %s, read by %s", w, fn),
					File: "conf.tsv", Key: string(asset) + "\t" + rows[len(rows)-1].Name + "\t", New: true,
					Cells: map[string]string{"asset": string(asset), "name": w, "since": v.String(), "source": "server/opts.go " + fn},
				})
			}
		}
	}
	return changes
}

// confValues lists the words that are values of some key, which the server's
// switches name as well.
func confValues() map[string]bool {
	values := map[string]bool{"true": true, "false": true}
	for _, asset := range natsapi.Assets() {
		for _, row := range natsapi.Fields(asset) {
			for _, e := range row.Enum {
				values[strings.ToLower(e.Name)] = true
			}
		}
	}
	return values
}

// ownDefaults are fields whose stored value depends on the request that
// Defaults makes, or on the server's version.
var ownDefaults = []string{"name", "durable_name", "subjects", "ack_policy", "consumer_limits", "metadata"}

func compareDefaults(v natsapi.Version, asset natsapi.Asset, stored map[string]json.RawMessage) []Change {
	var changes []Change
	for _, row := range natsapi.Fields(asset) {
		if !row.In(v) || slices.Contains(ownDefaults, row.Name) {
			continue
		}
		want, got := row.WireDefault(v), string(stored[row.Name])
		// The server leaves some zero values out of its answers.
		if got == want || got == "" && slices.Contains([]string{"", "0", "false", `"default"`, `"none"`}, want) {
			continue
		}
		changes = append(changes, Change{Text: fmt.Sprintf("%s.%s is %s by default, the table says %s", asset, row.Name, got, want)})
	}
	for _, name := range slices.Sorted(maps.Keys(stored)) {
		if row, ok := natsapi.Lookup(asset, name); !ok || !row.In(v) {
			changes = append(changes, Change{Text: fmt.Sprintf("%s.%s is stored, the table does not have it", asset, name)})
		}
	}
	return changes
}
