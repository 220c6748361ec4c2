//go:build !js

package natsapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jsm.go/api"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"weir/natsapi"
)

// TestEmbeddedIsThePinnedServer keeps natsapi.Embedded and go.mod together.
func TestEmbeddedIsThePinnedServer(t *testing.T) {
	if v, err := natsapi.ParseVersion(server.VERSION); err != nil || v != natsapi.Embedded {
		t.Errorf("the server in go.mod is %s (%v), natsapi.Embedded is %v", server.VERSION, err, natsapi.Embedded)
	}
	if natsapi.Embedded.APILevel() != server.JSApiLevel {
		t.Errorf("API level %d, the server says %d", natsapi.Embedded.APILevel(), server.JSApiLevel)
	}
}

// serverStructs are the types whose JSON fields the tables list.
var serverStructs = []struct {
	name  string
	asset natsapi.Asset
	value any
}{
	{"StreamConfig", natsapi.Stream, server.StreamConfig{}},
	{"StreamConfigRequest", natsapi.StreamRequest, server.StreamConfigRequest{}},
	{"StreamSource", natsapi.Source, server.StreamSource{}},
	{"ExternalStream", natsapi.External, server.ExternalStream{}},
	{"StreamConsumerSource", natsapi.SourceConsumer, server.StreamConsumerSource{}},
	{"Placement", natsapi.Placement, server.Placement{}},
	{"RePublish", natsapi.Republish, server.RePublish{}},
	{"SubjectTransformConfig", natsapi.SubjectTransform, server.SubjectTransformConfig{}},
	{"StreamConsumerLimits", natsapi.ConsumerLimits, server.StreamConsumerLimits{}},
	{"ConsumerConfig", natsapi.Consumer, server.ConsumerConfig{}},
	{"CreateConsumerRequest", natsapi.ConsumerRequest, server.CreateConsumerRequest{}},
	{"JetStreamAccountLimits", natsapi.AccountLimits, server.JetStreamAccountLimits{}},
	{"KeyValueConfig", natsapi.KV, jetstream.KeyValueConfig{}},
	{"ObjectStoreConfig", natsapi.ObjectStore, jetstream.ObjectStoreConfig{}},
}

type goField struct{ name, typ string }

// jsonFields lists the JSON fields of a struct in order, embedded structs left out.
func jsonFields(value any) []goField {
	var list []goField
	t := reflect.TypeOf(value)
	for i := range t.NumField() {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.IsExported() && !f.Anonymous && name != "" && name != "-" {
			list = append(list, goField{name, f.Type.String()})
		}
	}
	return list
}

// TestFieldsEqualServerStructs requires a row for each JSON field of the pinned
// server's structs and no other, in the struct's order and with its Go type.
func TestFieldsEqualServerStructs(t *testing.T) {
	listed := map[natsapi.Asset]bool{}
	for _, tt := range serverStructs {
		listed[tt.asset] = true
		t.Run(tt.name, func(t *testing.T) {
			var rows []goField
			for _, f := range natsapi.Fields(tt.asset) {
				if f.In(natsapi.Embedded) {
					rows = append(rows, goField{f.Name, f.Go})
				}
			}
			if want := jsonFields(tt.value); !slices.Equal(rows, want) {
				t.Errorf("rows\n%v\nserver\n%v", rows, want)
			}
		})
	}
	for _, asset := range natsapi.Assets() {
		if !asset.IsConf() && !listed[asset] {
			t.Errorf("asset %s is held against no struct", asset)
		}
	}
}

// TestFieldsEqualJSM does the same with the names in jsm.go/api, the structs
// that design fills.
func TestFieldsEqualJSM(t *testing.T) {
	tests := []struct {
		name  string
		asset natsapi.Asset
		value any
	}{
		{"StreamConfig", natsapi.Stream, api.StreamConfig{}},
		{"StreamSource", natsapi.Source, api.StreamSource{}},
		{"ExternalStream", natsapi.External, api.ExternalStream{}},
		{"StreamConsumerSource", natsapi.SourceConsumer, api.StreamConsumerSource{}},
		{"Placement", natsapi.Placement, api.Placement{}},
		{"RePublish", natsapi.Republish, api.RePublish{}},
		{"SubjectTransformConfig", natsapi.SubjectTransform, api.SubjectTransformConfig{}},
		{"StreamConsumerLimits", natsapi.ConsumerLimits, api.StreamConsumerLimits{}},
		{"ConsumerConfig", natsapi.Consumer, api.ConsumerConfig{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var names []string
			for _, f := range jsonFields(tt.value) {
				names = append(names, f.name)
			}
			rows := natsapi.Names(tt.asset, natsapi.Embedded)
			slices.Sort(names)
			slices.Sort(rows)
			if !slices.Equal(rows, names) {
				t.Errorf("rows\n%v\njsm.go\n%v", rows, names)
			}
		})
	}
}

// TestEnumsEqualServer requires that the pinned server decodes every enum value
// of the tables and that the tables have every value it encodes.
func TestEnumsEqualServer(t *testing.T) {
	for _, tt := range serverStructs {
		typ := reflect.TypeOf(tt.value)
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			row, ok := natsapi.Lookup(tt.asset, name)
			if !ok || row.Type != natsapi.Enum {
				continue
			}
			t.Run(string(tt.asset)+"."+name, func(t *testing.T) {
				value := reflect.New(typ.Field(i).Type)
				for _, e := range row.EnumIn(natsapi.Embedded) {
					if err := json.Unmarshal(fmt.Appendf(nil, "%q", e), value.Interface()); err != nil {
						t.Errorf("the server does not know %q: %v", e, err)
					}
				}
				if err := json.Unmarshal([]byte(`"weir"`), value.Interface()); err == nil {
					t.Error(`the server accepts "weir": this test proves nothing`)
				}
				if !value.Elem().CanInt() {
					return
				}
				for n := range int64(20) {
					value.Elem().SetInt(n)
					var text string
					data, err := json.Marshal(value.Interface())
					// Values beyond the last one are errors or encoded as a number.
					if err != nil || json.Unmarshal(data, &text) != nil || strings.HasPrefix(text, "Unknown") {
						continue
					}
					if !slices.Contains(row.EnumIn(natsapi.Embedded), text) {
						t.Errorf("the table lacks %q", text)
					}
				}
			})
		}
	}
}

// moduleFile is a file of the pinned nats-server's source.
func moduleFile(t *testing.T, path ...string) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/nats-io/nats-server/v2").Output()
	if err != nil {
		t.Fatalf("find the server's source: %v", err)
	}
	return filepath.Join(append([]string{strings.TrimSpace(string(dir))}, path...)...)
}

func TestErrorsEqualServer(t *testing.T) {
	type entry struct {
		Constant    string `json:"constant"`
		Code        int    `json:"code"`
		ErrCode     int    `json:"error_code"`
		Description string `json:"description"`
	}
	var want, got []entry
	if err := json.Unmarshal(readFile(t, moduleFile(t, "server", "errors.json")), &want); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(want, func(a, b entry) int { return a.ErrCode - b.ErrCode })
	for _, e := range natsapi.Errors() {
		if e.Since.Has(natsapi.Embedded) {
			got = append(got, entry{e.Constant, e.Code, e.ErrCode, e.Description})
		}
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("table %+v\nserver %+v", got[i:min(i+1, len(got))], want[i:min(i+1, len(want))])
		}
	}
	for id, e := range server.ApiErrors {
		if row, ok := natsapi.ErrorByCode(int(e.ErrCode)); !ok || row.Code != e.Code || row.Description != e.Description {
			t.Errorf("ApiErrors[%d] = %+v, table %+v", id, e, row)
		}
	}
}

// TestUnraisedErrors looks in the server's source for uses of each code's
// constructor and constant: a code that is not Raised has none, and the others
// have one.
func TestUnraisedErrors(t *testing.T) {
	used := identifiers(t, moduleFile(t, "server"))
	for _, e := range natsapi.Errors() {
		// errors_gen.go makes NewJSFooError from JSFooErr and JSFooErrF.
		stem := strings.TrimSuffix(strings.TrimSuffix(e.Constant, "F"), "Err")
		raised := used["New"+stem+"Error"] || used[e.Constant]
		if raised != e.Raised {
			t.Errorf("%d %s: raised in the source %v, in the table %v", e.ErrCode, e.Constant, raised, e.Raised)
		}
	}
}

// startServer runs a JetStream server without a port and connects to it.
func startServer(t *testing.T) *nats.Conn {
	t.Helper()
	ns, err := server.NewServer(&server.Options{
		DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
		JetStreamMaxMemory: 1 << 30, JetStreamMaxStore: 1 << 30,
	})
	if err != nil {
		t.Fatal(err)
	}
	ns.Start()
	t.Cleanup(func() { ns.Shutdown(); ns.WaitForShutdown() })
	if !ns.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server did not start")
	}
	nc, err := nats.Connect("", nats.InProcessServer(ns))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// object is a JSON object as it goes over the wire.
type object = map[string]any

// reply is the part of API answers that the tests look at.
type reply struct {
	Error *struct {
		ErrCode     int    `json:"err_code"`
		Description string `json:"description"`
	} `json:"error"`
	Config map[string]json.RawMessage `json:"config"`
}

func (r reply) String() string {
	if r.Error != nil {
		return fmt.Sprintf("refused %d %s", r.Error.ErrCode, r.Error.Description)
	}
	return "accepted"
}

// request sends one JetStream API request; a nil body is left empty.
func request(t *testing.T, nc *nats.Conn, subject string, body object) reply {
	t.Helper()
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	m, err := nc.Request("$JS.API."+subject, data, 10*time.Second)
	if err != nil {
		t.Fatalf("request %s: %v", subject, err)
	}
	var r reply
	if err := json.Unmarshal(m.Data, &r); err != nil {
		t.Fatalf("answer %s: %v", m.Data, err)
	}
	return r
}

// merged is a copy of a with b's members on top.
func merged(a, b object) object {
	m := object{}
	for _, o := range []object{a, b} {
		maps.Copy(m, o)
	}
	return m
}

// present is a copy of o without the members that are nil.
func present(o object) object {
	m := maps.Clone(o)
	maps.DeleteFunc(m, func(_ string, v any) bool { return v == nil })
	return m
}
