package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "SRV010",
	Name:     "decimal-size",
	Severity: design.Warning,
	Title:    "A size in powers of ten stands where volumes and memory are given in powers of two.",
	Why: "In nats-server.conf 10G is 10,000,000,000 bytes, and 10GB, 10Gi and 10GiB are 10,737,418,240 (server/opts.go and conf/lex.go, v2.15.2; measured). Of a claim of 10Gi the former " +
		"uses 7 % less.",
	Fix:   "Write GB, Gi or GiB, which all count in powers of two.",
	Refs:  []string{"conf/parse.go", "nats-io/k8s #142"},
	Check: func(f *Facts) { f.decimalSizes() },
})

func (f *Facts) decimalSizes() {
	for _, s := range f.everyServer() {
		for _, key := range []struct {
			asset natsapi.Asset
			name  string
			of    int64
		}{{"conf.jetstream", "max_file_store", s.Disk}, {"conf.jetstream", "max_memory_store", s.Memory}, {natsapi.Conf, "max_payload", 0}} {
			n, path := f.confNumber(s, key.asset, key.name)
			if path == "" || n%1_000_000 != 0 || n%size.MiB == 0 {
				continue
			}
			unit, binary := 1e6, float64(size.MiB)
			if n%1_000_000_000 == 0 {
				unit, binary = 1e9, size.GiB
			}
			meant := float64(n) / unit * binary
			said := Said{Severity: design.Info, What: fmt.Sprintf("is %s, %s less than the %s it reads like", size.FormatBytes(float64(n)), percent(1-float64(n)/meant), size.FormatBytes(meant)),
				Write: "write " + design.FormatSize(int64(meant)), Figure: &Figure{key.name, float64(n), "B", Computed}}
			if key.name == "max_file_store" && key.of > 0 && meant > 0.9*float64(key.of) {
				said.Write = "write it in GiB, and leave a tenth of the volume"
			}
			if key.of > 0 && math.Abs(meant/float64(key.of)-1) < 0.01 {
				said.Severity = design.Warning
				said.What += ", which is what the node has"
			}
			f.Report(path, said)
		}
	}
}
