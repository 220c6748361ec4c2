package cli

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"weir/internal/calculator"
	"weir/size"
	"weir/verdict"
)

type sizeDesignOptions struct {
	format         choice
	explain        bool
	reverse        bool
	streams        []string
	samples        []string
	horizon        quantity[int64]
	restart, delay quantity[int64]
}

func (o *sizeDesignOptions) add(cmd *cobra.Command) {
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json", "csv", "markdown")
	f := cmd.Flags()
	f.BoolVar(&o.explain, "explain", false, "print the working of each figure")
	f.BoolVar(&o.reverse, "reverse", false, "how much more the design's servers carry: load, and of each stream rate, retention, subjects, consumers")
	f.StringArrayVar(&o.streams, "stream", nil, "only `STREAM`, by its name or path in the design; may be repeated")
	f.StringArrayVar(&o.samples, "sample", nil, "`[STREAM=]file` that holds one payload, or folder of such files: measures how far compressed streams shrink")
	durationFlag(cmd, &o.horizon, "horizon", "how far ahead a stream is looked at that nothing bounds (default 30d)")
	durationFlag(cmd, &o.restart, "restart", "how long a server that went down stays down, for the exposure table")
	durationFlag(cmd, &o.delay, "round-trip", "delay between servers, for catch-up")
}

// designJSON is the answer of weir size DESIGN.
type designJSON struct {
	Says string `json:"says"`
	Fits bool   `json:"fits"`
	size.DesignSize
	Reverse []siteReverse `json:"reverse,omitempty"`
	Samples []string      `json:"samples,omitempty"`
}

// siteReverse is how much more one site carries.
type siteReverse struct {
	Site    string          `json:"site"`
	Load    size.Answer     `json:"load"`
	Streams []streamReverse `json:"streams"`
}

type streamReverse struct {
	Path string `json:"path"`
	size.Reverse
}

func (c *Command) runSizeDesign(o *sizeDesignOptions, args []string) (int, error) {
	d, _, err := c.readOne(args, "size")
	if err != nil {
		return codeOf(err), err
	}
	options := size.DesignOptions{Refuses: verdict.RefusedOf, Horizon: o.horizon.Span(), Restart: o.restart.Span(), RoundTrip: o.delay.Span()}
	z, err := size.FromDesign(d, options)
	if err != nil {
		return ExitUsage, err
	}
	a := designJSON{}
	if len(o.samples) > 0 {
		if options.S2Ratios, a.Samples, err = o.ratios(&z); err != nil {
			return codeOf(err), err
		}
		if z, err = size.FromDesign(d, options); err != nil {
			return ExitUsage, err
		}
	}
	shown, err := o.chosen(&z)
	if err != nil {
		return codeOf(err), err
	}
	if o.reverse {
		if a.Reverse, err = reverseOf(&z, shown, len(o.streams) > 0); err != nil {
			return codeOf(err), err
		}
	}
	a.DesignSize = z
	a.DesignSize.Streams = shown
	a.Says, a.Fits = calculator.DesignSays(z)
	return yesNo(a.Fits), c.printDesign(o, a)
}

// chosen are the streams to show.
func (o *sizeDesignOptions) chosen(z *size.DesignSize) ([]size.DesignStream, error) {
	if len(o.streams) == 0 {
		return z.Streams, nil
	}
	var out []size.DesignStream
	for _, name := range o.streams {
		s := streamCalled(z, name)
		if s == nil {
			return nil, badInput("%q is not a stream of the design; it has %s", name, streamNames(z))
		}
		out = append(out, *s)
	}
	return out, nil
}

// streamCalled finds a stream by path, name, or the name of its bucket.
func streamCalled(z *size.DesignSize, name string) *size.DesignStream {
	if s := z.Stream(name); s != nil {
		return s
	}
	for i := range z.Streams {
		s := &z.Streams[i]
		if s.Name == name || strings.HasSuffix(s.Path, "."+name) {
			return s
		}
	}
	return nil
}

func streamNames(z *size.DesignSize) string {
	var names []string
	for _, s := range z.Streams {
		names = append(names, s.Name)
	}
	if len(names) > 12 {
		names = append(names[:12], "…")
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// ratios measures samples for the streams that they are given for: STREAM=FILE,
// or FILE for all that compress.
func (o *sizeDesignOptions) ratios(z *size.DesignSize) (map[string]float64, []string, error) {
	files := map[string][]string{}
	for _, arg := range o.samples {
		name, file, named := strings.Cut(arg, "=")
		if s := streamCalled(z, name); named && s != nil {
			files[s.Path] = append(files[s.Path], file)
			continue
		}
		if _, err := os.Stat(arg); named && err != nil {
			return nil, nil, badInput("%q is not a stream of the design; it has %s", name, streamNames(z))
		}
		for _, s := range z.Streams {
			if s.Input.Compression == size.S2 {
				files[s.Path] = append(files[s.Path], arg)
			}
		}
	}
	if len(files) == 0 {
		return nil, nil, badInput("no stream of the design has compression s2; --sample measures nothing")
	}
	out := map[string]float64{}
	var says []string
	for _, s := range z.Streams {
		if len(files[s.Path]) == 0 {
			continue
		}
		payloads, err := readSamples(files[s.Path])
		if err != nil {
			return nil, nil, err
		}
		r, err := size.MeasureS2(payloads, s.Input, z.Sites[s.Site].Cluster.MaxPayload)
		if err != nil {
			return nil, nil, sizeError(err)
		}
		out[s.Path] = r.Ratio.Value
		say := fmt.Sprintf("%s: S2 brings full blocks to %.1f %%, measured on a block of %s with %s", s.Name, r.Ratio.Value*100,
			size.Counted(r.Records, "record", "records"), size.Counted(r.Distinct, "different payload", "different payloads"))
		if s.Input.Compression != size.S2 {
			say += "; the stream has no compression, so nothing shrinks"
		}
		if r.Ratio.Note != "" {
			say += "; " + r.Ratio.Note
		}
		says = append(says, say)
	}
	return out, says, nil
}

// searched are the streams of a site that --reverse searches: those with messages,
// and those that were asked for.
func searched(shown []size.DesignStream, site int, named bool) []size.DesignStream {
	var out []size.DesignStream
	for _, s := range shown {
		if s.Site == site && (named || !s.Input.Empty) {
			out = append(out, s)
		}
	}
	return out
}

// mostReverse bounds the streams that --reverse searches one by one.
const mostReverse = 10

// reverseOf asks how much more each site carries.
func reverseOf(z *size.DesignSize, shown []size.DesignStream, named bool) ([]siteReverse, error) {
	var out []siteReverse
	for i, site := range z.Sites {
		assets, hardware := len(site.Cluster.Streams), false
		for _, s := range site.Cluster.Streams {
			assets += len(s.Consumers)
		}
		for _, s := range site.Cluster.Servers {
			hardware = hardware || s.Memory > 0 && (s.Disk > 0 || s.MaxFileStore > 0)
		}
		mine := searched(shown, i, named)
		switch {
		case len(site.Cluster.Streams) == 0:
			continue
		case !hardware:
			return nil, badInput("--reverse asks how much servers carry; say what those of %s have: memory and disk under %s", site.Name, serverPath(site.Path))
		case assets > calculator.MostAssetsReverse:
			return nil, badInput("%q streams and consumers are more than --reverse searches; it takes at most %s", size.FormatCount(float64(assets)), size.FormatCount(calculator.MostAssetsReverse))
		case len(mine) > mostReverse:
			return nil, badInput("--reverse searches at most %d streams one by one and %s has %d; name some with --stream", mostReverse, site.Name, len(mine))
		}
		r := siteReverse{Site: site.Name}
		var err error
		if r.Load, err = size.OfLoad(site.Cluster); err != nil {
			return nil, err
		}
		for _, s := range mine {
			one, err := size.OfReverse(site.Cluster, s.Name)
			if err != nil {
				return nil, err
			}
			r.Streams = append(r.Streams, streamReverse{s.Path, one})
		}
		out = append(out, r)
	}
	return out, nil
}

func serverPath(path string) string {
	if path == "" {
		return "server"
	}
	return path
}

// printDesign prints the answer in the format that was asked for.
func (c *Command) printDesign(o *sizeDesignOptions, a designJSON) error {
	switch o.format.value {
	case "json":
		if !o.explain {
			a.DesignSize = a.Prune(0)
			for i := range a.Reverse {
				r := &a.Reverse[i]
				prune(false, &r.Load.Most)
				for k := range r.Streams {
					s := &r.Streams[k]
					prune(false, &s.Rate.Most, &s.Retention.Most, &s.Subjects.Most, &s.Consumers.Most)
				}
			}
		}
		return c.printJSON(a)
	case "csv":
		return c.printDesignCSV(a)
	}
	c.printDesignTables(o, a, o.format.value == "markdown")
	return nil
}

// printDesignCSV prints one figure a row.
func (c *Command) printDesignCSV(a designJSON) error {
	w := csv.NewWriter(c.out)
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	rows := [][]string{{"path", "figure", "value", "unit", "low", "high", "basis", "measured", "shown"}}
	for _, f := range a.Figures() {
		rows = append(rows, []string{f.Path, f.Figure.Name, number(f.Figure.Value), string(f.Figure.Unit), number(f.Figure.Low), number(f.Figure.High),
			string(f.Figure.Basis), strconv.FormatBool(f.Figure.Measured()), f.Figure.String()})
	}
	if err := w.WriteAll(rows); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}
