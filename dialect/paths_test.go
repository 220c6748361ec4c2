package dialect

import (
	"slices"
	"testing"
)

func TestApart(t *testing.T) {
	for _, c := range []struct {
		name       string
		have, want []string
	}{
		{"nothing alike", []string{"streams/ORDERS.json", "streams/Other.json"}, []string{"streams/ORDERS.json", "streams/Other.json"}},
		{"three spellings", []string{"s/ORDERS.json", "s/Orders.json", "s/orders.json"}, []string{"s/%4F%52%44%45%52%53.json", "s/%4Frders.json", "s/orders.json"}},
		{"what all have stays", []string{"s/KV_Box.json", "s/KV_box.json"}, []string{"s/KV_%42ox.json", "s/KV_box.json"}},
		{"folders", []string{"c/A/x.json", "c/A/y.json", "c/a/x.json"}, []string{"c/%41/x.json", "c/%41/y.json", "c/a/x.json"}},
		{"same name in two folders", []string{"a/X.json", "b/x.json"}, []string{"a/X.json", "b/x.json"}},
		{"escapes", []string{"s/%2Ea.json", "s/%2EA.json"}, []string{"s/%2Ea.json", "s/%2E%41.json"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var files []File
			for _, path := range c.have {
				files = append(files, File{Path: path})
			}
			var got []string
			for _, f := range apart(files) {
				got = append(got, f.Path)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, not %q", got, c.want)
			}
		})
	}
}
