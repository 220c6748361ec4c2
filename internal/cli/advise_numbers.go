package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"weir/advise"
	"weir/design"
	"weir/internal/calculator"
	"weir/size"
)

type adviseStreamOptions struct {
	format     choice
	name       string
	subjects   []string
	message    messageFlags
	rate       quantity[float64]
	keep       quantity[int64]
	retryFor   quantity[int64]
	disk       quantity[int64]
	compresses quantity[float64]
	retention  choice
	replicas   choice
	config     bool
}

// adviseStream recommends a stream from a few numbers.
func (c *Command) adviseStream() *cobra.Command {
	var o adviseStreamOptions
	cmd := &cobra.Command{
		Use:   "stream --rate RATE --payload BYTES --keep DURATION --replicas N",
		Short: "Recommend a stream from rate, size, retention and replicas",
		Long: `Recommends the configuration of a stream from four numbers, one reason for each setting, as
JSON of the JetStream API. --config prints the JSON alone, for nats stream add --config.`,
		Example: `  weir advise stream --rate 800/s --payload 1.2KiB --keep 72h --replicas 3
  weir advise stream --name JOBS --subjects 'jobs.>' --retention workqueue --rate 5/s --payload 2KiB --config > JOBS.json
  weir advise stream --rate 10000/s --payload 300B --id-bytes 36 --retry-for 10m --keep 24h --format json | jq .assets[0].settings`,
		Args: cobra.NoArgs,
	}
	cmd.RunE = c.run(func([]string) (int, error) { return c.runAdviseStream(&o) })
	f := cmd.Flags()
	f.StringVar(&o.name, "name", "ORDERS", "name of the stream")
	f.StringSliceVar(&o.subjects, "subjects", []string{"orders.>"}, "subjects of the stream")
	rateFlag(cmd, &o.rate, "messages published into it")
	o.message.add(cmd)
	durationFlag(cmd, &o.keep, "keep", "how long messages have to stay readable")
	durationFlag(cmd, &o.retryFor, "retry-for", "how long a publisher sends the same message id")
	sizeFlag(cmd, &o.disk, "disk", "what each of its servers has for it")
	o.compresses.add(cmd, "compresses-to", "what S2 leaves of the payload, 0.3 or 30%", "share", parseShareFlag)
	choiceFlag(cmd, &o.retention, "retention", "retention policy, not a time (that is --keep)", string(size.Limits), string(size.WorkQueue), string(size.Interest))
	replicasFlag(cmd, &o.replicas)
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	f.BoolVar(&o.config, "config", false, "print the configuration alone")
	return cmd
}

func parseShareFlag(s string) (float64, error) {
	if strings.HasSuffix(s, "%") {
		return design.ParseShare(s)
	}
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || math.IsNaN(v):
		return 0, fmt.Errorf("%q is not a share; write 0.3 or 30%%", s)
	case v > 1:
		return 0, fmt.Errorf("%q is more than all of it; write 0.3 or 30%%", s)
	}
	return v, nil
}

func (c *Command) runAdviseStream(o *adviseStreamOptions) (int, error) {
	if !o.rate.Given() || !o.message.in.HasPayload() && len(o.message.samples) == 0 {
		return ExitUsage, badInput("no rate or payload given; write --rate 800/s --payload 1.2KiB, what is published into the stream")
	}
	m, err := o.message.message()
	if err != nil {
		return codeOf(err), err
	}
	a, err := advise.ForStream(advise.StreamNeeds{Name: o.name, Subjects: o.subjects, Rate: size.Rate{Mean: o.rate.Value}, Message: m,
		Retention: size.Retention(o.retention.value), Keep: o.keep.Span(), Replicas: o.replicas.number(), Disk: o.disk.Value,
		CompressesTo: o.compresses.Value, RetryFor: o.retryFor.Span()})
	if err != nil {
		return ExitUsage, inputError{sizeError(err)}
	}
	return c.printNumbers(a, o.format.value, o.config)
}

type adviseConsumerOptions struct {
	format                      choice
	stream, name                string
	filters                     []string
	service, p99, inProgress    quantity[int64]
	rate, peak, errors          quantity[float64]
	workers, concurrency, fetch quantity[float64]
	retention                   choice
	config                      bool
}

// adviseConsumer recommends a consumer from a few numbers.
func (c *Command) adviseConsumer() *cobra.Command {
	var o adviseConsumerOptions
	cmd := &cobra.Command{
		Use:   "consumer --service-time DURATION --rate RATE --workers N",
		Short: "Recommend a consumer from service time, rate and workers",
		Long: `Recommends the configuration of a pull consumer from the work behind it, one reason for each
setting, as JSON of the JetStream API. --service-time is the median when --service-p99 is given,
else the mean of a time that varies exponentially. --config prints the JSON alone, for
nats consumer add --config.`,
		Example: `  weir advise consumer --service-time 20ms --service-p99 400ms --rate 400/s --workers 4 --concurrency 8
  weir advise consumer --stream JOBS --name render --service-time 35s --rate 3/m --workers 6
  weir advise consumer --service-time 5ms --rate 2000/s --workers 2 --concurrency 16 --config > worker.json`,
		Args: cobra.NoArgs,
	}
	cmd.RunE = c.run(func([]string) (int, error) { return c.runAdviseConsumer(&o) })
	f := cmd.Flags()
	f.StringVar(&o.stream, "stream", "ORDERS", "name of the stream")
	f.StringVar(&o.name, "name", "billing", "name of the consumer")
	f.StringSliceVar(&o.filters, "filter", nil, "subjects that it filters")
	durationFlag(cmd, &o.service, "service-time", "from receiving a message to acking it")
	durationFlag(cmd, &o.p99, "service-p99", "99th percentile of it")
	durationFlag(cmd, &o.inProgress, "in-progress", "interval at which workers say that they are busy")
	rateFlag(cmd, &o.rate, "messages that arrive for it")
	o.peak.add(cmd, "peak", "the most of it, in a burst", "rate", calculator.ParseRate)
	o.errors.add(cmd, "errors", "share of the deliveries that fail, 0.01 or 1%", "share", parseShareFlag)
	o.workers.add(cmd, "workers", "processes that work on it (default 1)", "count", calculator.Few(1e6))
	o.concurrency.add(cmd, "concurrency", "messages that one of them handles at a time (default 1)", "count", calculator.Few(1e6))
	o.fetch.add(cmd, "fetch", "messages that it asks for at a time (default advised)", "count", calculator.Few(1e6))
	choiceFlag(cmd, &o.retention, "retention", "retention policy of the stream", string(size.Limits), string(size.WorkQueue), string(size.Interest))
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	f.BoolVar(&o.config, "config", false, "print the configuration alone")
	return cmd
}

func (c *Command) runAdviseConsumer(o *adviseConsumerOptions) (int, error) {
	if !o.service.Given() {
		return ExitUsage, badInput("no service time given; write --service-time 20ms, from receiving a message to acking it")
	}
	d := design.Distribution{Kind: design.DistExponential, Mean: float64(o.service.Value)}
	if o.p99.Given() {
		if o.p99.Value < o.service.Value {
			return ExitUsage, badInput("%q cannot be --service-p99: it is less than --service-time, which is the median beside it", o.p99.Text)
		}
		d = design.Distribution{Kind: design.DistLognormal, P50: float64(o.service.Value), P99: float64(o.p99.Value)}
	}
	a, err := advise.ForConsumer(advise.ConsumerNeeds{Stream: o.stream, Name: o.name, Filters: o.filters, Rate: o.rate.Value, Peak: o.peak.Value,
		Service: d, Workers: int(o.workers.Value), Concurrency: int(o.concurrency.Value), Fetch: int(o.fetch.Value), InProgress: time.Duration(o.inProgress.Value),
		ErrorRate: o.errors.Value, Retention: size.Retention(o.retention.value)})
	if err != nil {
		return ExitUsage, inputError{err}
	}
	return c.printNumbers(a, o.format.value, o.config)
}

// printNumbers prints the advice on one asset, with its configuration.
func (c *Command) printNumbers(a advise.Advice, format string, config bool) (int, error) {
	asset := a.Assets[0]
	switch {
	case config:
		fmt.Fprintln(c.out, asset.Config)
		c.sayBeside(a)
	case format == "json":
		if err := c.printJSON(a); err != nil {
			return ExitTrouble, err
		}
	default:
		printAdvice(c.out, a, true)
		fmt.Fprintf(c.out, "\n%s\n\n%s\n", asset.Config, asset.Command)
	}
	if a.Against > 0 || len(a.Relax) > 0 {
		return ExitNo, nil
	}
	return ExitYes, nil
}

// sayBeside prints what a configuration alone does not say: what clients have to
// do, and what works against the needs.
func (c *Command) sayBeside(a advise.Advice) {
	for _, s := range a.Assets[0].Settings {
		switch {
		case s.State == advise.Against:
			fmt.Fprintf(c.Stderr, "%s: %s -> %s: %s\n", s.Field, s.Written, s.Advised, s.Reason)
		case s.State == advise.Open && !s.InConfig():
			fmt.Fprintf(c.Stderr, "not in the configuration, for its clients: %s: %s (%s)\n", s.Field, s.Advised, s.Reason)
		}
	}
	for _, say := range a.Relax {
		fmt.Fprintln(c.Stderr, say)
	}
}
