package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestWithLists(t *testing.T) {
	type leaf struct {
		Names []string `json:"names"`
		Left  []string `json:"left,omitempty"`
	}
	type row struct {
		leaf
		Rows  []leaf            `json:"rows"`
		At    *leaf             `json:"at"`
		Any   any               `json:"any"`
		By    map[string][]int  `json:"by"`
		Raw   json.RawMessage   `json:"raw"`
		Bytes []byte            `json:"bytes"`
		When  time.Time         `json:"when"`
		Texts map[string]string `json:"texts"`
	}
	tests := []struct {
		name string
		in   any
		want string
	}{
		{"nothing", nil, "null"},
		{"a list", []int(nil), "[]"},
		{"no pointer and no map", row{}, `{"names":[],"rows":[],"at":null,"any":null,"by":null,"raw":null,"bytes":null,"when":"0001-01-01T00:00:00Z","texts":null}`},
		{"deep", row{Rows: []leaf{{}}, At: &leaf{}, Any: leaf{}, By: map[string][]int{"a": nil}},
			`{"names":[],"rows":[{"names":[]}],"at":{"names":[]},"any":{"names":[]},"by":{"a":[]},"raw":null,"bytes":null,"when":"0001-01-01T00:00:00Z","texts":null}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(withLists(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestListsInJSON holds what commands print to lists that can be gone through.
func TestListsInJSON(t *testing.T) {
	const stream = `{"name":"A","subjects":["a.>"]}`
	for _, args := range [][]string{
		{"advise"}, {"size"}, {"check"}, {"subjects", "overlaps"}, {"simulate", "--for", "1s"}, {"subjects", "cardinality"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			var stdout, stderr strings.Builder
			c := &Command{Stdin: strings.NewReader(stream), Stdout: &stdout, Stderr: &stderr}
			c.Main(append(args, "--format", "json", "-"))
			for _, field := range []string{"relax", "streams", "parts", "bounds", "per_consumer", "findings", "overlaps", "consumers"} {
				if strings.Contains(stdout.String(), `"`+field+`": null`) {
					t.Errorf("%q is null", field)
				}
			}
		})
	}
}
