package dialect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weir/design"
)

// summary is what a set of texts was read as, one line for each request.
func summary(designs []*design.Design) string {
	var b strings.Builder
	for _, d := range designs {
		for _, r := range d.Requests() {
			assumed := ""
			if r.Assumed {
				assumed = " assumed"
			}
			fmt.Fprintf(&b, "%s%s %s%s\n", strings.TrimPrefix(r.Scope.Path+" ", " "), r.Subject, r.Path, assumed)
		}
	}
	return strings.TrimSpace(b.String())
}

func TestReadJSON(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"bare stream", `{"name":"ORDERS","subjects":["orders.>"]}`, "STREAM.CREATE.ORDERS streams.ORDERS"},
		{"stream under config", `{"config":{"name":"ORDERS","retention":"limits"}}`, "STREAM.CREATE.ORDERS streams.ORDERS"},
		{"stream info", `{"config":{"name":"S","subjects":["s"]},"created":"2026-01-01T00:00:00Z","state":{"messages":1}}`, "STREAM.CREATE.S streams.S"},
		{"bare consumer", `{"durable_name":"c","ack_policy":"explicit"}`,
			"STREAM.CREATE.STREAM streams.STREAM assumed\nCONSUMER.CREATE.STREAM.c streams.STREAM.consumers.c"},
		{"consumer without a name", `{"ack_policy":"explicit"}`,
			"STREAM.CREATE.STREAM streams.STREAM assumed\nCONSUMER.CREATE.STREAM streams.STREAM.consumers.CONSUMER"},
		{"consumer request", `{"stream_name":"S","config":{"durable_name":"c","filter_subject":"a.*"},"action":"create"}`,
			"STREAM.CREATE.S streams.S assumed\nCONSUMER.CREATE.S.c.a.* streams.S.consumers.c"},
		{"consumer info", `{"stream_name":"S","name":"c","created":"2026-01-01T00:00:00Z","config":{"ack_policy":"explicit"},"num_pending":3}`,
			"STREAM.CREATE.S streams.S assumed\nCONSUMER.CREATE.S streams.S.consumers.c"},
		{"stream list", `{"type":"io.nats.jetstream.api.v1.stream_list_response","streams":[{"config":{"name":"A"}},{"config":{"name":"B"}}]}`,
			"STREAM.CREATE.A streams.A\nSTREAM.CREATE.B streams.B"},
		{"list of configurations", `[{"name":"A","subjects":["a"]},{"durable_name":"c"}]`, "STREAM.CREATE.A streams.A\nCONSUMER.CREATE.A.c streams.A.consumers.c"},
		{"values one behind the other", "{\"name\":\"A\"}\n{\"name\":\"B\"}", "STREAM.CREATE.A streams.A\nSTREAM.CREATE.B streams.B"},
		{"request with its subject", `{"subject":"$JS.API.STREAM.CREATE.A","body":{"subjects":["a"]}}`, "STREAM.CREATE.A streams.A"},
		{"consumer request with its subject", `{"subject":"$JS.hub.API.CONSUMER.DURABLE.CREATE.A.c","body":{"stream_name":"A","config":{"durable_name":"c"}}}`,
			"STREAM.CREATE.A streams.A assumed\nCONSUMER.CREATE.A.c streams.A.consumers.c"},
		{"jsz", `{"account_details":[{"name":"APP","stream_detail":[{"name":"A","config":{"name":"A"},"consumer_detail":[{"stream_name":"A","name":"c","created":"x","config":{"durable_name":"c"}}]}]}]}`,
			"accounts.APP STREAM.CREATE.A accounts.APP.streams.A\naccounts.APP CONSUMER.CREATE.A.c accounts.APP.streams.A.consumers.c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			designs, ps := Read([]*design.Source{design.NewSource("x.json", []byte(tt.text))})
			if ps != nil {
				t.Error(ps)
			}
			if got := summary(designs); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestReadJSONProblems(t *testing.T) {
	tests := []struct {
		name, text, want string
		code             design.Code
	}{
		{"trailing comma", "{\n  \"name\": \"A\",\n}", "x.json:2:14: error: JSON has no trailing commas", design.CodeSyntax},
		{"comment", "{\n  // the name\n  \"name\": \"A\"\n}", "x.json:2:3: error: JSON has no comments", design.CodeSyntax},
		{"comment first", "/* a */ {}", "x.json:1:1: error: JSON has no comments", design.CodeSyntax},
		{"single quotes", `{'name': 'A'}`, "x.json:1:2: error: \"'name'\" where a key is expected", design.CodeSyntax},
		{"cut off", `{"name": "A", "subj`, "x.json:1:15: error: the string that begins here is not closed", design.CodeSyntax},
		{"cut off between", `{"name": "A"`, "x.json:1:13: error: the text ends inside a JSON object", design.CodeSyntax},
		{"not a number", `{"name": "A", "max_age": NaN}`, "x.json:1:26: error: \"NaN\": JSON has no NaN", design.CodeSyntax},
		{"stream without a name", `{"subjects": ["a"]}`, "x.json:1:1: error: the stream has no name", design.CodeMissing},
		{"an error reply", `{"type":"x","error":{"code":404,"description":"stream not found"}}`, `it is an error reply of the server: "stream not found"`, design.CodeNotation},
		{"something else", `{"hello": 1}`, "x.json:1:1: error: this JSON describes no stream", design.CodeNotation},
		{"a key twice", `{"name": "A", "max_msgs": 1, "max_msgs": 2}`, "x.json:1:15: warning: \"max_msgs\" is written again", design.CodeDuplicate},
		{"an old server", `{"name": "A", "metadata": {"_nats.ver": "2.9.25"}}`, "x.json:1:41: warning: \"2.9.25\" is older than 2.10", design.CodeVersion},
		{"a page of a list", `{"total":600,"offset":0,"limit":256,"streams":[{"config":{"name":"A","subjects":["a"]}}]}`,
			"x.json:1:10: warning: 1 of 600 streams are in this file, the others are not judged; the API answers in pages: ask again with offset 1", design.CodeMissing},
		{"a later page", `{"total":2,"offset":1,"streams":[{"config":{"name":"A","subjects":["a"]}}]}`, "x.json:1:10: info: 1 of 2 streams", design.CodeMissing},
		{"a page of consumers", `{"total":2,"consumers":[{"stream_name":"A","name":"c","config":{"durable_name":"c","ack_policy":"explicit"}}]}`, "warning: 1 of 2 consumers are in", design.CodeMissing},
		{"missing of a list", `{"total":1,"streams":[{"config":{"name":"A","subjects":["a"]}}],"missing":["ZED","Y","X","W"]}`,
			`x.json:1:75: warning: the server could not say what it has of "ZED", "Y", "X", 1 more: not judged`, design.CodeMissing},
		{"empty", "", "x.json: error: the file is empty", design.CodeNotation},
		{"invalid UTF-8", "{\"name\": \"\xff\"}", "x.json:1:11: error: byte 0xFF is not valid UTF-8", design.CodeEncoding},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, ps := Read([]*design.Source{design.NewSource("x.json", []byte(tt.text))})
			if len(ps) != 1 || ps[0].Code != tt.code || !strings.Contains(ps[0].Error(), tt.want) {
				t.Errorf("got %v, want %s %s", ps, tt.code, tt.want)
			}
		})
	}
}

func TestJSONKeepsPlacesAndBytes(t *testing.T) {
	text := "{\n  \"config\": {\n    \"name\": \"ORDERS\",\n    \"max_age\": 259200000000000,\n    \"sources\": [{\"name\": \"A\"}],\n    \"metadata\": {\"_nats.ver\": \"2.11.4\"}\n  },\n  \"state\": {}\n}\n"
	designs, ps := Read([]*design.Source{design.NewSource("info.json", []byte(text))})
	if ps != nil {
		t.Fatal(ps)
	}
	d := designs[0]
	if got := d.Version.String(); got != "2.11.4" {
		t.Errorf("version %s", got)
	}
	r := d.Requests()[0]
	from := strings.Index(text, "{\n    \"name\"")
	if want := text[from : strings.Index(text, "},\n  \"state\"")+1]; string(r.Body) != want {
		t.Errorf("body %s, want the bytes %s", r.Body, want)
	}
	for body, want := range map[string]string{"max_age": "info.json:4:16", "sources[0].name": "info.json:5:26", "": "info.json:2:13", "nothing": "info.json:2:13"} {
		if got := d.Where(r.DesignPath(body)).String(); got != want {
			t.Errorf("%q is at %s, want %s", body, got, want)
		}
	}
	if got := d.Streams[0].Config.MaxAge.String(); got != "72h0m0s" {
		t.Errorf("max_age %s", got)
	}
}

func TestReadTogether(t *testing.T) {
	file := func(name, text string) *design.Source { return design.NewSource(name, []byte(text)) }
	weir := file("d.yaml", "weir: 1\nstreams:\n  ORDERS:\n    max_age: 72h\n    consumers:\n      c:\n        workers: {count: 2}\n")
	tests := []struct {
		name    string
		files   []*design.Source
		designs int
		want    string
	}{
		{"equal values in other units", []*design.Source{weir, file("a.json", `{"name":"ORDERS","max_age":259200000000000,"subjects":["o.>"]}`)}, 1, ""},
		{"two values", []*design.Source{weir, file("a.json", `{"name":"ORDERS","max_age":1}`)}, 1,
			"a.json:1:28: error: streams.ORDERS.max_age is 1 here and 72h at d.yaml:4:14; what is named twice needs the same values [FILE009]\n" +
				"d.yaml:4:14: error: streams.ORDERS.max_age is 72h here and 1 at a.json:1:28; what is named twice needs the same values [FILE009]"},
		{"consumer joins its workers", []*design.Source{weir, file("c.json", `{"stream_name":"ORDERS","name":"c","created":"x","config":{"durable_name":"c","ack_policy":"explicit"}}`)}, 1, ""},
		{"two design files", []*design.Source{weir, file("e.yaml", "weir: 1\nname: other\n")}, 2, ""},
		{"two design files and a part", []*design.Source{weir, file("e.yaml", "weir: 1\nname: other\n"), file("a.json", `{"name":"A"}`)}, 3, ""},
		{"design file that is JSON", []*design.Source{file("d.json", "{\n  \"weir\": 1,\n  \"streams\": {\"A\": {\"max_age\": \"5s\"}}\n}")}, 1, ""},
		{"design file in braces", []*design.Source{file("d.yaml", "{weir: 1, streams: {A: {max_age: 5s}}}")}, 1, ""},
		{"metadata that says weir", []*design.Source{file("a.json", "{\"name\": \"A\", \"metadata\": {\n\"weir\": \"1\"\n}}")}, 1, ""},
		{"consumer of the only stream", []*design.Source{weir, file("c.json", `{"durable_name":"c","ack_policy":"explicit"}`)}, 1, ""},
		{"no notation", []*design.Source{file("x.txt", "hello")}, 0, "x.txt: error: the file is in no notation that Weir reads: a Weir design file, JSON of the NATS API, NACK resources of Kubernetes, nats-server.conf [FILE010]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			designs, ps := Read(tt.files)
			if ps.Error() != tt.want {
				t.Errorf("problems\n%v\nwant\n%s", ps, tt.want)
			}
			if len(designs) != tt.designs {
				t.Errorf("%d designs, want %d", len(designs), tt.designs)
			}
		})
	}
}

// TestJSONRoundTrip writes each preset as JSON and reads it back: the requests
// are the same, and nothing that was left out goes unsaid.
func TestJSONRoundTrip(t *testing.T) {
	for _, p := range design.Presets() {
		t.Run(p.Name, func(t *testing.T) {
			d, ps := design.Parse(p.Name, []byte(p.Text))
			if ps != nil {
				t.Fatal(ps)
			}
			files, unsaid := jsonDialect.Write(d)
			if len(unsaid) == 0 {
				t.Error("publishers and goals were left out without a word")
			}
			wrote := map[string]string{}
			for _, f := range files {
				if strings.HasPrefix(f.Path, "leafnodes/") {
					continue // its scope is in the path, not in the text
				}
				src := design.NewSource(f.Path, f.Text)
				r := jsonDialect.Read(src)
				if r.Problems != nil || len(r.Parts) != 1 {
					t.Fatalf("%s: %v, %d parts", f.Path, r.Problems, len(r.Parts))
				}
				back, ps := design.Assemble(nil, r.Parts)
				if ps != nil {
					t.Fatal(ps)
				}
				for _, req := range back.Requests() {
					if !req.Assumed {
						wrote[strings.TrimSuffix(strings.TrimPrefix(f.Path, "streams/"), ".json")] = string(indented(req.Body))
					}
				}
			}
			for _, req := range d.Requests() {
				if req.Scope.Leafnode != "" {
					continue
				}
				key, body := strings.TrimPrefix(req.Subject, "STREAM.CREATE."), req.Body
				if req.Kind == "consumer" {
					key = "consumers/" + req.Name
					body = configOf(body)
				}
				got := wrote[key]
				if req.Kind == "consumer" {
					got = string(indented(configOf([]byte(got))))
				}
				if got != string(indented(body)) {
					t.Errorf("%s: got\n%s\nwant\n%s", key, got, indented(body))
				}
			}
		})
	}
}

// TestDesignFromJSON reads stream and consumer info, writes it as a design file,
// and asks the same of a server with it.
func TestDesignFromJSON(t *testing.T) {
	text := `[{"config":{"name":"ORDERS","subjects":["orders.>","a b"],"retention":"limits","max_consumers":-1,"max_msgs":-1,"max_bytes":10737418240,
	"max_age":259200000000000,"max_msg_size":-1,"storage":"file","discard":"old","num_replicas":3,"duplicate_window":120000000000,"first_seq":18446744073709551615,
	"sources":[{"name":"X","opt_start_time":"2026-01-01T00:00:00Z","external":{"api":"$JS.x.API","deliver":""}}],"sealed":false,
	"subject_transform":{"src":">","dest":"x.>"},"metadata":{"_nats.ver":"2.12.3","owner":"yes","n":"5"},"consumer_limits":{}},"state":{}},
	{"stream_name":"ORDERS","name":"c","created":"x","config":{"durable_name":"c","name":"c","ack_policy":"explicit","ack_wait":30000000000,"backoff":[1000000000,1500000000],"max_deliver":-1,"max_expires":1500000,"sample_freq":"100%"}}]`
	designs, ps := Read([]*design.Source{design.NewSource("x.json", []byte(text))})
	if ps != nil {
		t.Fatal(ps)
	}
	files, _ := weirDialect.Write(designs[0])
	back, ps := design.Parse(files[0].Path, files[0].Text)
	if ps != nil {
		t.Fatalf("%v\n%s", ps, files[0].Text)
	}
	for _, c := range design.Diff(designs[0], back) {
		if c.Path != `streams.ORDERS.metadata["_nats.ver"]` && c.Path != "weir" {
			t.Errorf("%s\n%s", c.Text(), files[0].Text)
		}
	}
	if formatted, ps := design.Format("x.yaml", files[0].Text); ps != nil || string(formatted) != string(files[0].Text) {
		t.Errorf("%v: not formatted:\n%s\n%s", ps, files[0].Text, formatted)
	}
}

// TestCorpus reads real files of the field where a folder of them is given.
func TestCorpus(t *testing.T) {
	root := os.Getenv("WEIR_CORPUS")
	if root == "" {
		t.Skip("WEIR_CORPUS does not name a folder with stream-config, consumer-config and json-output")
	}
	read, refused := 0, 0
	for _, kind := range []string{"stream-config", "consumer-config", "json-output", "backup"} {
		files, err := filepath.Glob(filepath.Join(root, kind, "*"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: no files (%v)", kind, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			designs, ps := Read([]*design.Source{design.NewSource(filepath.Base(name), text)})
			for _, p := range ps {
				t.Log(p.Error())
			}
			if ps.Failed() {
				refused++
				if kind != "json-output" && !strings.Contains(string(text), "...") {
					t.Errorf("%s is not read: %v", name, ps)
				}
				continue
			}
			read++
			for _, d := range designs {
				if out, ps := design.Parse("x.yaml", design.Render(d)); ps.Failed() {
					t.Logf("%s as a design: %v", filepath.Base(name), ps)
				} else if len(out.Requests()) != len(d.Requests()) {
					t.Errorf("%s: %d requests, as a design %d", name, len(d.Requests()), len(out.Requests()))
				}
			}
		}
	}
	t.Logf("read %d files, %d hold no configuration or no JSON", read, refused)
}

// TestManyParts holds the joining of many parts to time that grows with them.
func TestManyParts(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, "{\"stream_name\":\"S\",\"config\":{\"ack_policy\":\"explicit\",\"metadata\":{\"i\":\"%d\"}}}\n", i)
	}
	designs, ps := Read([]*design.Source{design.NewSource("x.json", []byte(b.String()))})
	if ps != nil || len(designs) != 1 || len(designs[0].Requests()) != 10_001 {
		t.Fatalf("%v, %d designs", ps, len(designs))
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"config":{"name":"A","sources":[null]},"consumers":[{"stream_name":"A","config":{"durable_name":"c"}}]}`))
	f.Add([]byte(`[{"subject":"$JS.API.CONSUMER.CREATE.S.c.f","body":{"config":{}}},{"ack_policy":1}]`))
	f.Add([]byte("weir: 1\nstreams: {A: {subjects: [a]}}\n"))
	f.Add([]byte(nackManifest))
	f.Fuzz(func(t *testing.T, text []byte) {
		designs, _ := Read([]*design.Source{design.NewSource("x", text), design.NewSource("y.json", []byte(`{"name":"A","max_age":5}`))})
		for _, d := range designs {
			for _, r := range d.Requests() {
				d.Where(r.DesignPath("config.sources[0].name"))
			}
			for _, dialect := range Dialects() {
				for _, file := range mustWrite(dialect, d) {
					if strings.Contains("/"+file.Path+"/", "/../") || strings.HasPrefix(file.Path, "/") {
						t.Fatalf("path %q leads outside", file.Path)
					}
				}
			}
		}
	})
}

func mustWrite(dl Dialect, d *design.Design) []File {
	if dl.Write == nil {
		return nil
	}
	files, _ := dl.Write(d)
	return files
}

// TestListedConsumersAreNoRequests: some servers' lists leave created out.
func TestListedConsumersAreNoRequests(t *testing.T) {
	list := `{"type":"io.nats.jetstream.api.v1.consumer_list_response","consumers":[{"stream_name":"S","name":"c","config":{"durable_name":"c","ack_policy":"explicit"},"num_pending":3}]}`
	designs, problems := Read([]*design.Source{design.NewSource("x.json", []byte(list))})
	if problems != nil || len(designs) != 1 {
		t.Fatal(problems)
	}
	for _, r := range designs[0].Requests() {
		if strings.Contains(string(r.Body), "num_pending") {
			t.Errorf("sent as a request: %s", r.Body)
		}
	}
}

// configOf is what stands under "config" in a body, nil when nothing does.
func configOf(body []byte) []byte {
	n, problems := design.ParseJSON(design.NewSource("", body))
	if problems.Failed() || !n.Get("config").IsMap() {
		return nil
	}
	return rawOf(n.Get("config"))
}

// TestWholePages: nothing is said of pages that make up the whole list.
func TestWholePages(t *testing.T) {
	const one, two = `{"config":{"name":"A","subjects":["a"]}}`, `{"config":{"name":"B","subjects":["b"]}}`
	for _, text := range []string{
		`{"total":1,"offset":0,"limit":256,"streams":[` + one + `],"missing":[]}`,
		`{"total":2,"offset":0,"streams":[` + one + `]}{"total":2,"offset":1,"streams":[` + two + `]}`,
		`{"total":"x","streams":[` + one + `]}`,
		`{"streams":[` + one + `],"missing":null}`,
	} {
		if _, problems := Read([]*design.Source{design.NewSource("x.json", []byte(text))}); len(problems) > 0 {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

func TestKeysInAnyLetterCase(t *testing.T) {
	src := design.NewSource("a.json", []byte(`{"Name":"S","SUBJECTS":["s"],"Max_Age":5,"metadata":{"Name":"kept"}}`))
	designs, problems := Read([]*design.Source{src})
	if len(designs) != 1 || len(problems) > 0 {
		t.Fatalf("%d designs, %v", len(designs), problems)
	}
	d := designs[0]
	if at := d.Where("streams.S.max_age"); at.Col != 40 {
		t.Errorf("max_age is at %v", at)
	}
	if !d.Has("streams.S.metadata.Name") || d.Has("streams.S.metadata.name") {
		t.Error("a key of metadata was given another name")
	}
}

// TestFileName: a name is part of a path on every system.
func TestFileName(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"ORDERS", "ORDERS"},
		{"a.b", "a.b"},
		{"..", "%2E%2E"},
		{"a/b", "a%2Fb"},
		{"CON", "%43ON"},
		{"nul.x", "%6Eul.x"},
		{"com1", "%63om1"},
		{"COM0", "COM0"},
		{"CONS", "CONS"},
	} {
		if got := fileName(c.name); got != c.want {
			t.Errorf("%q is written to %q, not to %q", c.name, got, c.want)
		}
	}
}
