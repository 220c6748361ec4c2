package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

type fieldsOptions struct {
	target targetFlag
	format choice
}

func (c *Command) fields() *cobra.Command {
	var o fieldsOptions
	cmd := &cobra.Command{
		Use:   "fields [ASSET | ASSET.FIELD | FIELD]",
		Short: "Look up the fields of streams, consumers, buckets, server.conf and designs",
		Long: `Prints what is known about a field: type, unit, default, range, the servers that have it,
what an update does with it, which err_codes it leads to, and what it is for. An asset such
as stream lists its fields; without arguments the assets are listed.`,
		Example: `  weir fields
  weir fields stream
  weir fields consumer.ack_wait
  weir fields --target 2.11 --format json max_ack_pending | jq -r '.[].asset'`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return fieldWords(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.RunE = c.run(func(args []string) (int, error) {
		what := ""
		if len(args) > 0 {
			what = args[0]
		}
		return c.printFields(o, what)
	})
	o.target.add(cmd, "the newest")
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	return cmd
}

// fieldWords are the arguments that the command takes.
func fieldWords() []string {
	var words []string
	for _, asset := range design.Assets() {
		words = append(words, asset)
		for _, f := range design.Fields(asset) {
			words = append(words, asset+"."+f.Name+"\t"+f.Doc)
		}
	}
	return words
}

func (c *Command) printFields(o fieldsOptions, what string) (int, error) {
	v := o.target.version
	if v == (natsapi.Version{}) {
		v = natsapi.Embedded
	}
	if what == "" {
		return ExitYes, c.listAssets(o)
	}
	docs, single, err := fieldDocs(what, v)
	if err != nil {
		return ExitUsage, err
	}
	if o.format.value == "json" {
		return ExitYes, c.printJSON(docs)
	}
	if single {
		for i, d := range docs {
			if i > 0 {
				c.out.WriteByte('\n')
			}
			c.printField(d, v)
		}
		return ExitYes, nil
	}
	rows := [][]cell{{dim("field"), dim("type"), dim("default"), dim("since"), dim("update"), dim("what it is for")}}
	for _, d := range docs {
		update, _, _ := strings.Cut(d.Update, ":")
		value, _, _ := strings.Cut(d.Default, ";")
		kind := d.Type
		if len(d.Values) > 1 {
			kind = "enum"
		}
		rows = append(rows, []cell{plain(d.Name), plain(kind), plain(value), plain(d.Since), plain(update), plain(firstSentence(d.Doc))})
	}
	c.table("", rows)
	return ExitYes, nil
}

func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}

// fieldDocs finds what an argument names; single is true for fields, false for
// all of an asset.
func fieldDocs(what string, v natsapi.Version) (docs []design.FieldDoc, single bool, err error) {
	if list := design.Fields(what); list != nil {
		for _, f := range list {
			docs = append(docs, design.DocOf(f, v))
		}
		return docs, false, nil
	}
	asset, name := "", what
	if i := strings.LastIndexByte(what, '.'); i >= 0 {
		asset, name = what[:i], what[i+1:]
	}
	var names []string
	for _, a := range design.Assets() {
		if asset != "" && a != asset {
			continue
		}
		for _, f := range design.Fields(a) {
			names = append(names, f.Name)
			if f.Name == name || slices.Contains(f.Aliases, name) {
				docs = append(docs, design.DocOf(f, v))
			}
		}
	}
	switch {
	case len(docs) > 0:
		return docs, true, nil
	case asset != "" && len(names) == 0:
		if near := natsapi.Suggest(asset, design.Assets()); near != "" {
			return nil, false, badInput("%q is not an asset; did you mean %s?", asset, near)
		}
		return nil, false, badInput("%q is not an asset; weir fields lists them", asset)
	}
	if asset == "" {
		names = append(names, design.Assets()...)
	}
	if near := natsapi.Suggest(name, names); near != "" {
		return nil, false, badInput("there is no field %q; did you mean %s?", what, strings.TrimPrefix(asset+"."+near, "."))
	}
	return nil, false, badInput("there is no field %q; weir fields ASSET lists those of an asset", what)
}

// assetRow is an asset in a list.
type assetRow struct {
	Asset  string `json:"asset"`
	Fields int    `json:"fields"`
}

func (c *Command) listAssets(o fieldsOptions) error {
	var rows []assetRow
	var cells [][]cell
	for _, a := range design.Assets() {
		if n := len(design.Fields(a)); n > 0 {
			rows = append(rows, assetRow{a, n})
			cells = append(cells, []cell{plain(a), plain(size.Counted(n, "field", "fields"))})
		}
	}
	if o.format.value == "json" {
		return c.printJSON(rows)
	}
	c.table("", cells)
	return nil
}

// printField prints all that is known about one field.
func (c *Command) printField(d design.FieldDoc, v natsapi.Version) {
	fmt.Fprintf(c.out, "%s.%s\n  %s\n", d.Asset, d.Name, d.Doc)
	var codes []string
	for _, e := range d.Errors {
		codes = append(codes, strconv.Itoa(e))
	}
	since := d.Since
	if !d.Available {
		since = strings.TrimSpace(since + " (not in " + v.String() + ")")
	}
	var rows [][]cell
	for _, row := range []struct{ title, text string }{
		{"type", strings.TrimSpace(d.Type + " " + d.Unit)}, {"values", strings.Join(d.Values, ", ")}, {"default", d.Default}, {"range", d.Range},
		{"since", since}, {"until", d.Until}, {"update", d.Update}, {"becomes", strings.Join(d.Sets, ", ")}, {"err_codes", strings.Join(codes, ", ")}, {"source", d.Source},
	} {
		if row.text != "" {
			rows = append(rows, []cell{dim(row.title), plain(row.text)})
		}
	}
	c.table("  ", rows)
}
