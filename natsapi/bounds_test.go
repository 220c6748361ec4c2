//go:build !js

package natsapi_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"weir/natsapi"
)

// TestBoundsEqualServer sends each bound and a value beyond it: the bound is
// stored as sent, the value beyond is refused or replaced.
func TestBoundsEqualServer(t *testing.T) {
	nc := startServer(t)
	keepOneStream(t, nc)
	for _, f := range natsapi.Fields(natsapi.Stream) {
		checkFieldBounds(t, nc, f, streamChanges[f.Name], updateStream)
	}
	for _, f := range natsapi.Fields(natsapi.Consumer) {
		checkFieldBounds(t, nc, f, consumerChanges[f.Name], updateConsumer)
	}
}

// unbounded says why a bound of a row is not tried.
var unbounded = map[string]string{
	"stream.name":           "is part of the API subject; tried in TestNameLength",
	"consumer.durable_name": "is part of the API subject; tried in TestNameLength",
	"consumer.name":         "is part of the API subject; tried in TestNameLength",
	"stream.num_replicas":   "one server has no replicas; 6 is tried in TestReplicas",
	"consumer.num_replicas": "one server has no replicas; bounded by the stream's",
	"stream.metadata":       "tried in TestMetadataLength",
	"consumer.metadata":     "tried in TestMetadataLength",
}

func checkFieldBounds(t *testing.T, nc *nats.Conn, f natsapi.Field, changes []change, update updateFunc) {
	t.Helper()
	name := string(f.Asset) + "." + f.Name
	if f.Min == "" && f.Max == "" || unbounded[name] != "" || !f.In(natsapi.Embedded) {
		return
	}
	// try reports whether the server stores the value as it was sent.
	try := func(value any) bool {
		r, _ := update(t, nc, merged(changes[0].with, object{f.Name: value}), merged(changes[0].with, object{f.Name: value}))
		sent, _ := json.Marshal(value)
		return r.Error == nil && (string(r.Config[f.Name]) == string(sent) || r.Config[f.Name] == nil && string(sent) == "0")
	}
	if f.Type == natsapi.String {
		high, err := natsapi.Number(f.Max)
		if err != nil || !try(strings.Repeat("x", int(high))) || try(strings.Repeat("x", int(high)+1)) {
			t.Errorf("%s: %d bytes are not the longest (%v)", name, high, err)
		}
		return
	}
	if low, err := natsapi.Number(f.Min); f.Min != "" {
		var bound, beyond any = low, low - 1
		if f.Type == natsapi.List {
			bound, beyond = []int64{low}, []int64{low - 1}
		}
		// 0 often means a default, which is then stored.
		if err != nil || !try(bound) && low != 0 || try(beyond) {
			t.Errorf("%s: %s is not the lowest value (%v)", name, f.Min, err)
		}
	}
	if high, err := natsapi.Number(f.Max); f.Max != "" && f.Go != "uint64" {
		if err != nil || !try(high) || try(high+1) {
			t.Errorf("%s: %s is not the highest value (%v)", name, f.Max, err)
		}
	}
}

func TestNameLength(t *testing.T) {
	nc := startServer(t)
	keepOneStream(t, nc)
	n := int(natsapi.LimitOf("max_name_length"))
	if f, _ := natsapi.Lookup(natsapi.Stream, "name"); f.Max != "255" || n != 255 {
		t.Fatalf("the stream's row says %s, the limit %d", f.Max, n)
	}
	for _, tt := range []struct {
		name   string
		length int
		ok     bool
	}{{"longest", n, true}, {"too long", n + 1, false}} {
		t.Run(tt.name, func(t *testing.T) {
			name := strings.Repeat("n", tt.length)
			if r := request(t, nc, "STREAM.CREATE."+name, object{"name": name}); (r.Error == nil) != tt.ok {
				t.Errorf("stream: %v", r)
			}
			if r := request(t, nc, "CONSUMER.CREATE.O."+name, object{"stream_name": "O", "config": object{"name": name, "durable_name": name}}); (r.Error == nil) != tt.ok {
				t.Errorf("consumer: %v", r)
			}
		})
	}
}

func TestReplicas(t *testing.T) {
	nc := startServer(t)
	f, _ := natsapi.Lookup(natsapi.Stream, "num_replicas")
	most, err := natsapi.Number(f.Max)
	if err != nil || most != natsapi.LimitOf("max_replicas") {
		t.Fatalf("the row says %s, the limit %d", f.Max, natsapi.LimitOf("max_replicas"))
	}
	r := request(t, nc, "STREAM.CREATE.S", object{"name": "S", "num_replicas": most + 1})
	if r.Error == nil || r.Error.ErrCode != 10052 {
		t.Errorf("%d replicas: %v", most+1, r)
	}
	if r := request(t, nc, "STREAM.CREATE.S", object{"name": "S", "num_replicas": most}); r.Error == nil || r.Error.ErrCode != f.UpdateErr {
		t.Errorf("%d replicas on one server: %v, want %d", most, r, f.UpdateErr)
	}
}

func TestMetadataLength(t *testing.T) {
	nc := startServer(t)
	keepOneStream(t, nc)
	n := int(natsapi.LimitOf("max_metadata_length"))
	// The server adds _nats.req.level and one digit before it measures.
	n -= len("_nats.req.level") + 1
	for _, tt := range []struct {
		name string
		more int
		ok   bool
	}{{"longest", 0, true}, {"too long", 1, false}} {
		t.Run(tt.name, func(t *testing.T) {
			stream := object{"name": "S", "metadata": object{"k": strings.Repeat("v", n-1+tt.more)}}
			if r := request(t, nc, "STREAM.CREATE.S", stream); (r.Error == nil) != tt.ok {
				t.Errorf("stream: %v", r)
			}
			consumer := object{"name": "C", "durable_name": "C", "metadata": object{"k": strings.Repeat("v", n-1+tt.more)}}
			r := request(t, nc, "CONSUMER.CREATE.O.C", object{"stream_name": "O", "config": consumer})
			if (r.Error == nil) != tt.ok {
				t.Errorf("consumer: %v", r)
			}
		})
	}
}

// bucketStream creates a KV bucket or an object store and returns its stream's
// configuration by name.
func bucketStream(t *testing.T, nc *nats.Conn, stream string, create func(jetstream.JetStream) error) map[string]json.RawMessage {
	t.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if err := create(js); err != nil {
		t.Fatal(err)
	}
	r := request(t, nc, "STREAM.INFO."+stream, nil)
	request(t, nc, "STREAM.DELETE."+stream, nil)
	if r.Error != nil {
		t.Fatal(r)
	}
	delete(r.Config, "metadata")
	return r.Config
}

// checkSets requires that a configuration with the field differs from the plain
// one in the stream fields of Sets only, and in all that are not named by the
// bucket itself.
func checkSets(t *testing.T, f natsapi.Field, plain, with map[string]json.RawMessage) {
	t.Helper()
	var changed []string
	for _, s := range natsapi.Fields(natsapi.Stream) {
		if string(plain[s.Name]) != string(with[s.Name]) {
			changed = append(changed, s.Name)
		}
	}
	if len(changed) == 0 && f.Name != "metadata" {
		t.Errorf("%s.%s changes nothing", f.Asset, f.Name)
	}
	for _, name := range changed {
		if !slices.Contains(f.Sets, name) {
			t.Errorf("%s.%s changes %s of the stream, the table says %q", f.Asset, f.Name, name, f.Sets)
		}
	}
}

func TestKVSetsStreamFields(t *testing.T) {
	nc := startServer(t)
	keepOneStream(t, nc)
	uses := map[string]jetstream.KeyValueConfig{
		"description":      {Description: "text"},
		"max_value_size":   {MaxValueSize: 100},
		"history":          {History: 5},
		"ttl":              {TTL: time.Minute},
		"max_bytes":        {MaxBytes: 1 << 20},
		"storage":          {Storage: jetstream.MemoryStorage},
		"placement":        {Placement: &jetstream.Placement{Tags: []string{"a"}}},
		"republish":        {RePublish: &jetstream.RePublish{Source: ">", Destination: "copy.>"}},
		"mirror":           {Mirror: &jetstream.StreamSource{Name: "A"}},
		"sources":          {Sources: []*jetstream.StreamSource{{Name: "A"}}},
		"compression":      {Compression: true},
		"limit_marker_ttl": {LimitMarkerTTL: time.Minute},
		"metadata":         {Metadata: map[string]string{"a": "b"}},
	}
	stream := func(c jetstream.KeyValueConfig) map[string]json.RawMessage {
		c.Bucket = "B"
		return bucketStream(t, nc, "KV_B", func(js jetstream.JetStream) error { _, err := js.CreateKeyValue(t.Context(), c); return err })
	}
	plain := stream(jetstream.KeyValueConfig{})
	for _, f := range natsapi.Fields(natsapi.KV) {
		if c, ok := uses[f.Name]; ok {
			checkSets(t, f, plain, stream(c))
		} else if f.Name != "bucket" && f.Name != "num_replicas" { // the name is fixed here, and one server has no replicas
			t.Errorf("the test does not use kv.%s", f.Name)
		}
	}
}

func TestObjectStoreSetsStreamFields(t *testing.T) {
	nc := startServer(t)
	keepOneStream(t, nc)
	uses := map[string]jetstream.ObjectStoreConfig{
		"description": {Description: "text"},
		"max_age":     {TTL: time.Minute},
		"max_bytes":   {MaxBytes: 1 << 20},
		"storage":     {Storage: jetstream.MemoryStorage},
		"placement":   {Placement: &jetstream.Placement{Tags: []string{"a"}}},
		"compression": {Compression: true},
		"metadata":    {Metadata: map[string]string{"a": "b"}},
	}
	stream := func(c jetstream.ObjectStoreConfig) map[string]json.RawMessage {
		c.Bucket = "B"
		return bucketStream(t, nc, "OBJ_B", func(js jetstream.JetStream) error { _, err := js.CreateObjectStore(t.Context(), c); return err })
	}
	plain := stream(jetstream.ObjectStoreConfig{})
	for _, f := range natsapi.Fields(natsapi.ObjectStore) {
		if c, ok := uses[f.Name]; ok {
			checkSets(t, f, plain, stream(c))
		} else if f.Name != "bucket" && f.Name != "num_replicas" { // as for KV
			t.Errorf("the test does not use object_store.%s", f.Name)
		}
	}
}
