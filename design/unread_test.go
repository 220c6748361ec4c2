package design_test

import (
	"strings"
	"testing"

	"weir/design"
)

// TestUnread holds what the model cannot take up of JSON of the API to being said.
func TestUnread(t *testing.T) {
	tests := []struct {
		name, kind, json string
		want             []string // severity and the beginning of each message
	}{
		{"nothing", "stream", `{"name":"A","subjects":["a"],"max_age":0,"retention":"limits","placement":null,"pedantic":true}`, nil},
		{"duration with a unit", "stream", `{"name":"A","max_age":"72h"}`, []string{`error: max_age: "72h" is not a whole number of nanoseconds, which the JetStream API takes; write 259200000000000`}},
		{"size with a unit", "stream", `{"name":"A","max_bytes":"1GiB"}`, []string{`error: max_bytes: "1GiB" is not a whole number of bytes, which the JetStream API takes; write 1073741824`}},
		{"number as text", "stream", `{"name":"A","num_replicas":"3"}`, []string{`error: num_replicas: "3" is not a whole number, which the JetStream API takes; write 3`}},
		{"fraction", "stream", `{"name":"A","max_bytes":1.5}`, []string{`error: max_bytes: 1.5 is not a whole number of bytes`}},
		{"exponent", "stream", `{"name":"A","max_msgs":1e3}`, []string{`error: max_msgs: 1e3 is not a whole number`}},
		{"too large for int32", "stream", `{"name":"A","max_msg_size":3000000000}`, []string{`error: max_msg_size: 3000000000 is not a whole number of bytes`}},
		{"negative sequence", "stream", `{"name":"A","first_seq":-1}`, []string{`error: first_seq: -1 is not a whole number`}},
		{"largest sequence", "stream", `{"name":"A","first_seq":18446744073709551615}`, nil},
		{"entries of a list", "stream", `{"name":"A","subjects":["a",7,null,{"foo":1}]}`, []string{
			`error: subjects[1]: 7 is not a text in quotes`, `warning: subjects[2]: null is read as an empty value`, `error: subjects[3]: a map is not a text in quotes`}},
		{"text for a list", "stream", `{"name":"A","subjects":"a"}`, []string{`error: subjects: "a" is not a list`}},
		{"list for an object", "stream", `{"name":"A","placement":[]}`, []string{`error: placement: a list is not an object`}},
		{"inside an object", "stream", `{"name":"A","sources":[{"name":7}]}`, []string{`error: name: 7 is not a text in quotes`}},
		{"unknown word", "stream", `{"name":"A","retention":"work"}`, []string{`error: retention: "work" is not one of limits, interest, workqueue`}},
		{"unknown key", "stream", `{"name":"A","maxAge":5}`, []string{`warning: "maxAge" is not a field of a stream and is left out; did you mean max_age?`}},
		{"durations of a list", "consumer", `{"durable_name":"c","backoff":["2s",5]}`, []string{`error: backoff[0]: "2s" is not a whole number of nanoseconds, which the JetStream API takes; write 2000000000`}},
		{"value of a map", "consumer", `{"durable_name":"c","metadata":{"k":5}}`, []string{`error: k: 5 is not a text in quotes`}},
		{"time", "consumer", `{"durable_name":"c","opt_start_time":"yesterday"}`, []string{`error: opt_start_time: "yesterday" is not a time`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := design.NewSource("x.json", []byte(tt.json))
			src.API = true
			n, problems := design.ParseJSON(src)
			if problems.Failed() {
				t.Fatal(problems)
			}
			d, _ := design.Assemble(nil, []design.Part{{Kind: tt.kind, Name: "A", Stream: "S", Config: n}})
			got := design.Unread(d)
			if len(got) != len(tt.want) {
				t.Fatalf("got %d problems, want %d:\n%v", len(got), len(tt.want), got)
			}
			for i, want := range tt.want {
				if have := string(got[i].Severity) + ": " + got[i].Message; !strings.HasPrefix(have, want) || got[i].Line != 1 || got[i].Path == "" {
					t.Errorf("got  %s at %s (%s)\nwant %s", have, got[i].Position, got[i].Path, want)
				}
			}
		})
	}
}
