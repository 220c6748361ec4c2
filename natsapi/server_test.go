//go:build !js

package natsapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
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
	"weir/natsapi/internal/measure"
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
	source, listed := serverSource(t), map[natsapi.Asset]bool{}
	for _, tt := range serverStructs {
		listed[tt.asset] = true
		t.Run(tt.name, func(t *testing.T) {
			var rows []goField
			for _, f := range natsapi.Fields(tt.asset) {
				if f.In(natsapi.Embedded) {
					rows = append(rows, goField{f.Name, f.Go})
				}
			}
			want := jsonFields(tt.value)
			if !slices.Equal(rows, want) {
				t.Errorf("rows\n%v\nserver\n%v", rows, want)
			}
			// What measure reads from the source of a server must be the same.
			if name, ok := measure.Structs[tt.asset]; ok {
				var read []goField
				for _, f := range source.Struct(name) {
					read = append(read, goField{f.Name, f.Go})
				}
				if !slices.Equal(read, want) {
					t.Errorf("measured\n%v\nserver\n%v", read, want)
				}
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

// serverSource is the source of the pinned nats-server.
func serverSource(t *testing.T) *measure.Source {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/nats-io/nats-server/v2").Output()
	if err != nil {
		t.Fatalf("find the server's source: %v", err)
	}
	source, err := measure.Open(strings.TrimSpace(string(dir)))
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// TestTablesEqualServer compares all that internal/update measures with the
// pinned server: errors, struct fields, conf keys, API level and defaults.
func TestTablesEqualServer(t *testing.T) {
	source, defaults := serverSource(t), serverDefaults(t)
	changes, err := measure.Compare(natsapi.Embedded, source, defaults)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		t.Error(c.Text)
	}
	// The same server taken for others shows that differences are found.
	for _, tt := range []struct {
		name    string
		version natsapi.Version
		want    string
	}{
		{"API level", natsapi.Version{Major: 2, Minor: 12, Patch: 15}, "API level is 5, version.go says 3"},
		{"field", natsapi.Version{Major: 2, Minor: 12, Patch: 15}, "stream.allow_batched is there, the table says since 2.14.0"},
		{"field that ended", natsapi.Version{Major: 2, Minor: 12, Patch: 15}, "stream.template_owner is not there, the table says since 2.9"},
		{"error", natsapi.Version{Major: 2, Minor: 12, Patch: 15}, "error 10224 is declared, the table says since 2.15.0"},
		{"text of an error", natsapi.Version{Major: 2, Minor: 10, Patch: 29}, `error 10025 is JSInvalidJSONErr "invalid JSON: {err}", the table says JSInvalidJSONErr "invalid JSON"`},
		{"conf key", natsapi.Version{Major: 2, Minor: 14, Patch: 9}, "conf key default_max_consumers is read by parseJetStreamLimits, the table says not by this version"},
		{"conf key that is missing", natsapi.Version{Major: 2, Minor: 15, Patch: 3}, "conf.gateway.ping_max is not there, the table says since 2.14.10 2.15.3"},
		{"stored field", natsapi.Version{Major: 2, Minor: 10, Patch: 29}, "stream.allow_msg_ttl is stored, the table does not have it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changes, err := measure.Compare(tt.version, source, defaults)
			if err != nil || !slices.ContainsFunc(changes, func(c measure.Change) bool { return c.Text == tt.want }) {
				t.Errorf("%v does not show %q (%v)", tt.version, tt.want, err)
			}
		})
	}
}

// serverDefaults is what measure.Module.Defaults measures, of the pinned server.
func serverDefaults(t *testing.T) measure.Defaults {
	t.Helper()
	nc := startServer(t)
	stream := request(t, nc, "STREAM.CREATE.S", object{"name": "S"})
	consumer := request(t, nc, "CONSUMER.CREATE.S.C", object{"stream_name": "S", "config": object{"name": "C", "durable_name": "C", "ack_policy": "explicit"}})
	if stream.Error != nil || consumer.Error != nil {
		t.Fatal(stream, consumer)
	}
	return measure.Defaults{Version: server.VERSION, Stream: stream.Config, Consumer: consumer.Config}
}

// TestAPIErrorsEqualServer compares codes and texts with the list in the
// server's program, which is made from errors.json.
func TestAPIErrorsEqualServer(t *testing.T) {
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
	used := serverSource(t).Identifiers()
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
