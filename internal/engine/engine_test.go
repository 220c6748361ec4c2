package engine_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weir/internal/engine"
)

// TestMethods runs testdata/<method>.txt: a request, "----", the reply.
// UPDATE=1 rewrites the replies.
func TestMethods(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	covered := map[string]bool{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		method, _, _ := strings.Cut(name, "-")
		covered[method] = true
		t.Run(name, func(t *testing.T) { runExchange(t, method, file) })
	}
	for _, m := range engine.Methods() {
		if !covered[m.Name] {
			t.Errorf("method %s has no testdata/%s.txt", m.Name, m.Name)
		}
		if m.Doc == "" {
			t.Errorf("method %s has no Doc", m.Name)
		}
	}
}

func runExchange(t *testing.T, method, file string) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	req, want, _ := strings.Cut(string(raw), "\n----\n")
	got := indent(t, engine.Call(context.Background(), method, []byte(req), nil)) + "\n"
	if got == want {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Errorf("got\n%s\nwant\n%s", got, want)
		return
	}
	if err := os.WriteFile(file, []byte(req+"\n----\n"+got), 0o644); err != nil {
		t.Fatal(err)
	}
}

func indent(t *testing.T, reply []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(reply, &v); err != nil {
		t.Fatalf("reply is not JSON: %v\n%s", err, reply)
	}
	out, err := json.MarshalIndent(shortened(v), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// shortened cuts texts that are whole files, which tests of their own look at.
func shortened(v any) any {
	switch v := v.(type) {
	case string:
		if len(v) > 1000 {
			return v[:200] + "…"
		}
	case []any:
		for i := range v {
			v[i] = shortened(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = shortened(v[k])
		}
	}
	return v
}

// TestServerVersion holds engine.ServerVersion to the server in go.mod.
func TestServerVersion(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "github.com/nats-io/nats-server/v2 v" + engine.ServerVersion; !strings.Contains(string(mod), want) {
		t.Errorf("go.mod does not require %s", want)
	}
}

func FuzzCall(f *testing.F) {
	for _, m := range engine.Methods() {
		f.Add(m.Name, `{}`)
		f.Add(m.Name, `{"patterns":["a.*","a.>","*"],"subjects":["a.b"],"pattern":"a.>.b","subject":"a..b"}`)
	}
	f.Add("design.check", `{"files":[{"name":"a.yaml","text":"weir: 1\nstreams: {A: {max_age: 1ms}}"},{"name":"b.json","text":"{\"name\":\"A\"}"}],"target":"2.11"}`)
	f.Add("design.complete", `{"name":"a","text":"streams:\n  A: {re","line":2,"col":9}`)
	f.Add("subject.transform", `{"source":"a.*","destination":"b.{{partition(3,1)}}","subjects":["a.x"]}`)
	f.Add("subject.partition", `{"range":{"prefix":"k","from":0,"to":99},"partitions":7,"compare":8}`)
	f.Fuzz(func(t *testing.T, method, req string) {
		reply := engine.Call(context.Background(), method, []byte(req), nil)
		var v struct {
			OK    json.RawMessage `json:"ok"`
			Error *engine.Error   `json:"error"`
		}
		if err := json.Unmarshal(reply, &v); err != nil {
			t.Fatalf("reply is not JSON: %v\n%s", err, reply)
		}
		if (v.OK == nil) == (v.Error == nil) {
			t.Fatalf("reply holds both or neither: %s", reply)
		}
		if v.Error != nil && v.Error.Code == engine.CodeInternal {
			t.Fatalf("internal error: %s", v.Error.Message)
		}
	})
}
