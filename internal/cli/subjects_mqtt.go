package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"weir/subject"
)

type mqttOptions struct {
	batchOptions
	from choice
}

// mqttAnswer is the other side's spelling of one topic, filter or subject.
type mqttAnswer struct {
	Given  string `json:"given"`
	Kind   string `json:"kind"`
	Result string `json:"result,omitempty"`
	Parent string `json:"parent,omitempty"` // a second subject that the filter subscribes to
	Error  string `json:"error,omitempty"`
}

func (c *Command) subjectsMQTT() *cobra.Command {
	var o mqttOptions
	cmd := &cobra.Command{
		Use:   "mqtt TOPIC... | - | @FILE",
		Short: "Convert between MQTT topics and NATS subjects as the server does",
		Long: `Converts MQTT topics and topic filters to NATS subjects, and back, as the server's MQTT
gateway does: / becomes ., a dot becomes //, an empty level becomes the token /, + becomes *
and # becomes >. What holds + or # is taken for a filter unless --from says otherwise. The
filter a/# also matches a in MQTT, so the server subscribes to a second subject.

Rows hold one each; the result, or "error: reason", is appended, and the second subject.
` + batchHelp,
		Example: `  weir subjects mqtt sensors/1/temp 'sensors/+/temp' 'sensors/#'
  weir subjects mqtt --from subject sensors.1.temp
  weir subjects mqtt 'plant.7/line' /leading
  weir subjects mqtt @topics.txt`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.mqtt(o, args) })
	o.add(cmd)
	choiceFlag(cmd, &o.from, "from", "what is given", "auto", "topic", "filter", "subject")
	return cmd
}

func (c *Command) mqtt(o mqttOptions, args []string) (int, error) {
	from, batch := sources(args, o.file)
	if len(from) == 0 {
		return ExitUsage, badInput("no MQTT topic given; write it as an argument, or - for standard input")
	}
	if batch {
		return c.batch(from, o.batchOptions, func(fields []string) rowAnswer {
			a := convertMQTT(strings.Join(fields, "\t"), o.from.value)
			switch {
			case a.Error != "":
				return rowAnswer{columns: []string{"error: " + a.Error}, value: a, invalid: true}
			case a.Parent != "":
				return rowAnswer{columns: []string{a.Result, a.Parent}, value: a}
			}
			return rowAnswer{columns: []string{a.Result}, value: a}
		})
	}
	var answers []mqttAnswer
	var rows [][]cell
	for _, s := range from {
		a := convertMQTT(s.text(o.escaped), o.from.value)
		if a.Error != "" {
			return ExitUsage, badInput("%s: %s", show(a.Given), a.Error)
		}
		answers = append(answers, a)
		row := []cell{plain(show(a.Result)), dim(a.Kind + " " + show(a.Given)), plain("")}
		if a.Parent != "" {
			row[2] = dim("and " + show(a.Parent) + ", because in MQTT # also matches the parent")
		}
		rows = append(rows, row)
	}
	if o.format.value == "json" {
		return ExitYes, printEach(c, jsonTexts(answers, o.escaped))
	}
	c.table("", rows)
	return ExitYes, nil
}

// mqttContexts are the contexts in which the kinds are judged.
var mqttContexts = map[string]subject.Context{"topic": subject.MQTTTopic, "filter": subject.MQTTFilter, "subject": subject.Publish}

func convertMQTT(given, kind string) mqttAnswer {
	if kind == "auto" {
		kind = "topic"
		if strings.ContainsAny(given, "+#") {
			kind = "filter"
		}
	}
	a := mqttAnswer{Given: given, Kind: kind}
	var err error
	switch kind {
	case "topic":
		a.Result, err = subject.FromMQTTTopic(given)
	case "filter":
		a.Result, err = subject.FromMQTTFilter(given)
		a.Parent, _ = subject.MQTTParent(given)
	case "subject":
		a.Result = subject.ToMQTTTopic(given)
	}
	if err != nil {
		a.Error = err.Error()
	} else if why := subject.MQTTRefusal(given, mqttContexts[kind]); why != "" {
		a = mqttAnswer{Given: given, Kind: kind, Error: why}
	}
	return a
}
