package dialect

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"weir/design"
	"weir/natsapi"
)

// throughNACK writes a design as resources and reads them again.
func throughNACK(t *testing.T, d *design.Design) *design.Design {
	t.Helper()
	files, unsaid := nackDialect.Write(d)
	var sources []*design.Source
	for _, f := range files {
		sources = append(sources, design.NewSource(f.Path, f.Text))
	}
	back, problems := Read(sources)
	if problems != nil || len(back) != 1 {
		t.Fatalf("%v; %d designs; unsaid %v", problems, len(back), unsaid)
	}
	return back[0]
}

// TestNACKKeys compares the keys that are read with those of the CRDs.
func TestNACKKeys(t *testing.T) {
	file, err := os.Open("testdata/nack-keys.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	assets := map[string]natsapi.Asset{"Stream": natsapi.Stream, "Consumer": natsapi.Consumer, "KeyValue": natsapi.KV, "ObjectStore": natsapi.ObjectStore}
	seen := map[string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		kind, path, ok := strings.Cut(lines.Text(), "\t")
		if !ok || strings.HasPrefix(kind, "#") {
			continue
		}
		asset, steps := assets[kind], strings.Split(path, ".")
		for i, step := range steps {
			if i == 0 && (slices.Contains(nackOwn, step) || step == "streamName") {
				break
			}
			f, ok := nackFields(asset)[step]
			if !ok {
				t.Errorf("%s: %s is a key of the CRD and not read", kind, path)
				break
			}
			seen[string(asset)+"."+step] = true
			asset = f.Of
		}
	}
	for _, asset := range []natsapi.Asset{natsapi.Stream, natsapi.Consumer, natsapi.KV, natsapi.ObjectStore, natsapi.Placement, natsapi.SubjectTransform, natsapi.Source} {
		for key := range nackFields(asset) {
			if !seen[string(asset)+"."+key] {
				t.Errorf("%s.%s is read and no key of the CRD", asset, key)
			}
		}
		for name := range nackNames[asset] {
			if _, ok := natsapi.Lookup(asset, name); !ok {
				t.Errorf("%s has no field %s", asset, name)
			}
		}
	}
}

const nackManifest = `apiVersion: v1
kind: ConfigMap
---
apiVersion: jetstream.nats.io/v1beta2
kind: Stream
metadata: {name: orders}
spec:
  name: ORDERS
  subjects: [orders.>]
  storage: file
  maxBytes: 1048576
  maxAge: 72h
  firstSequence: 7
  compression: ""
  servers: ["nats://nats:4222"]
  sources:
  - name: OLD
    externalApiPrefix: $JS.hub.API
    subjectTransforms: [{source: a.>, dest: orders.>}]
---
apiVersion: jetstream.nats.io/v1beta2
kind: Consumer
metadata: {name: billing}
spec:
  streamName: ORDERS
  durableName: billing
  deliverPolicy: byStartSequence
  optStartSeq: 9
  ackPolicy: explicit
  maxRequestBatch: 10
---
apiVersion: jetstream.nats.io/v1beta2
kind: KeyValue
metadata: {name: sessions}
spec: {bucket: sessions, history: 5, ttl: 1h, maxValueSize: 2048, limitMarkerTtl: 1000000000}
`

func TestReadNACK(t *testing.T) {
	designs, problems := Read([]*design.Source{design.NewSource("x.yaml", []byte(nackManifest))})
	if len(designs) != 1 || len(problems) != 1 || problems[0].Code != design.CodeDefault || problems[0].Line != 25 {
		t.Fatalf("%d designs, %v", len(designs), problems)
	}
	got := map[string]string{}
	for _, r := range designs[0].Requests() {
		got[r.Subject] = string(r.Config())
	}
	want := map[string]string{
		"STREAM.CREATE.ORDERS":           `{"name":"ORDERS","subjects":["orders.>"],"storage":"file","max_bytes":1048576,"max_age":259200000000000,"first_seq":7,"sources":[{"name":"OLD","external":{"api":"$JS.hub.API"},"subject_transforms":[{"src":"a.>","dest":"orders.>"}]}]}`,
		"CONSUMER.CREATE.ORDERS.billing": `{"durable_name":"billing","deliver_policy":"by_start_sequence","opt_start_seq":9,"ack_policy":"explicit","max_batch":10,"ack_wait":1}`,
	}
	for subject, body := range want {
		if got[subject] != body {
			t.Errorf("%s: got\n%s\nwant\n%s", subject, got[subject], body)
		}
	}
	if b := designs[0].Scopes()[0].KV; len(b) != 1 || b[0].Config.MaxMsgsPer != 5 || b[0].Config.MaxMsgSize != 2048 || b[0].Config.SubjectDeleteMarkerTTL != 1e9 {
		t.Errorf("bucket %+v", b)
	}
}

func TestReadNACKProblems(t *testing.T) {
	const head = "apiVersion: jetstream.nats.io/v1beta2\n"
	for _, tt := range []struct{ name, text, want string }{
		{"key", head + "kind: Stream\nspec:\n  name: A\n  storage: file\n  maxage: 1h\n  maxAge: 0s\n", `x.yaml:6:3: error: "maxage" is not a key of a Stream; did you mean maxAge? Kubernetes refuses it or leaves it out [FILE005]`},
		{"no spec", head + "kind: Stream\n", "x.yaml:1:1: error: the Stream has no spec [FILE008]"},
		{"no name", head + "kind: Consumer\nspec:\n  streamName: A\n", "x.yaml:4:3: error: the Consumer has no durableName [FILE008]"},
		{"template", head + "kind: StreamTemplate\n", "x.yaml:2:7: error: a StreamTemplate: servers from 2.11 on have no stream templates; write a Stream [FILE013]"},
		{"kind", head + "kind: Streams\n", `x.yaml:1:1: error: "Streams" is not a kind of jetstream.nats.io; there are Stream, Consumer, KeyValue, ObjectStore and Account [FILE013]`},
		{"default", head + "kind: Stream\nspec:\n  name: A\n  maxAge: 0s\n", "x.yaml:4:3: warning: storage is not written, and the resource's own default is memory: the server's own default is file; write it [FILE016]"},
		{"default age", head + "kind: Stream\nspec:\n  name: A\n  storage: file\n  maxAge: \"\"\n", "x.yaml:4:3: warning: maxAge is not written, and the resource's own default is 8760h: after a year messages are removed; the server's own default keeps them; write it [FILE016]"},
		{"unit", head + "kind: Stream\nspec:\n  name: A\n  storage: file\n  maxAge: 3 days\n", `x.yaml:6:11: error: maxAge: "3 days" is not a duration in h, m, s, ms, as the controller reads it [FILE007]`},
		{"days", head + "kind: Stream\nspec:\n  name: A\n  storage: file\n  maxAge: 3d\n", `x.yaml:6:11: error: maxAge: "3d" is not a duration in h, m, s, ms, as the controller reads it; write 72h [FILE007]`},
		{"number", head + "kind: Stream\nspec:\n  name: A\n  storage: file\n  maxAge: 72\n", `x.yaml:6:11: error: maxAge: 72 is a number, and the resource wants text such as 72h [FILE006]`},
		{"word", head + "kind: Stream\nspec:\n  name: A\n  storage: File\n  maxAge: 0s\n", `x.yaml:5:12: error: storage: "File" is not one of file, memory [FILE006]`},
		{"size", head + "kind: Stream\nspec:\n  name: A\n  storage: file\n  maxBytes: 1KiB\n  maxAge: 0s\n", `x.yaml:6:13: error: maxBytes: "1KiB" is not an integer, in bytes; write 1024 [FILE006]`},
		{"no time", head + "kind: Consumer\nspec:\n  durableName: c\n  streamName: A\n  optStartTime: yesterday\n", `x.yaml:6:17: error: optStartTime: "yesterday" is not a time such as "2026-01-31T08:00:00Z" (RFC 3339) [FILE006]`},
		{"no object", head + "kind: Stream\nspec:\n  name: A\n  storage: file\n  placement: [a]\n  maxAge: 0s\n", `x.yaml:6:14: error: placement takes an object [FILE006]`},
		{"no value", head + "kind: Stream\nspec:\n  name: A\n  storage: file\n  maxAge: [1]\n", `x.yaml:6:11: error: maxAge takes one value [FILE006]`},
		{"bare number for a duration", head + "kind: Consumer\nspec:\n  durableName: c\n  streamName: A\n  ackPolicy: explicit\n  ackWait: 30\n", `x.yaml:7:12: error: ackWait: 30 is a number, and the resource wants text such as 72h [FILE006]`},
		{"no list", head + "kind: Stream\nspec:\n  name: A\n  storage: file\n  subjects: a\n  maxAge: 0s\n", `x.yaml:6:13: error: subjects takes a list [FILE006]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, problems := Read([]*design.Source{design.NewSource("x.yaml", []byte(tt.text))})
			if len(problems) != 1 || problems[0].Error() != tt.want {
				t.Errorf("got %v\nwant %s", problems, tt.want)
			}
		})
	}
}

// TestFixNACK puts fixes into a resource, in its own words.
func TestFixNACK(t *testing.T) {
	src := design.NewSource("x.yaml", []byte(nackManifest))
	designs, _ := Read([]*design.Source{src})
	for _, tt := range []struct{ path, value, want string }{
		{"streams.ORDERS.max_age", "7d", "  maxAge: 168h\n"},
		{"streams.ORDERS.max_bytes", "2MiB", "  maxBytes: 2097152\n"},
		{"streams.ORDERS.discard_new_per_subject", "true", "  discardPerSubject: true\n"},
		{"streams.ORDERS.consumers.billing.deliver_policy", "last_per_subject", "  deliverPolicy: lastPerSubject\n"},
		{"streams.ORDERS.consumers.billing.ack_wait", "45s", "  ackWait: 45s\n"},
	} {
		fix := designs[0].SetFix("", tt.path, tt.value)
		if fix == nil {
			t.Errorf("%s: no fix", tt.path)
			continue
		}
		text, err := design.ApplyEdits(src, fix.Edits)
		if err != nil || !strings.Contains(string(text), tt.want) {
			t.Errorf("%s: %v\n%s", tt.path, err, text)
		}
	}
}
