package sim

import (
	"testing"
	"time"
)

// TestImports: what an account imports is what its streams hold, under the
// import's subject.
func TestImports(t *testing.T) {
	for _, tt := range []struct{ name, as, subjects string }{
		{"prefix", "prefix: shop", "shop.orders.>"},
		{"to", "to: bought.>", "bought.>"},
		{"as it is", "", "orders.>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			as := tt.as
			if as != "" {
				as = ", " + as
			}
			m := model(t, `
weir: 1
accounts:
  SHOP:
    publishers: {web: {subject: orders.new, rate: 30/s, payload: 100B}}
    exports: [{stream: "orders.>"}]
  BI:
    imports: [{stream: {account: SHOP, subject: "orders.>"}`+as+`}]
    streams: {COPY: {subjects: ["`+tt.subjects+`"], consumers: {bi: {ack_policy: explicit, workers: {count: 1, service_time: 5ms}}}}}
`, DesignOptions{For: 10 * time.Minute})
			needed, ok := m.WorkersNeeded(0)
			if !ok || needed.Rate < 29 || needed.Rate > 31 || needed.Count != 1 {
				t.Errorf("%v, %+v", ok, needed)
			}
			if res := runModel(t, m); res.Streams[0].Stored < 16_000 || res.Streams[0].Stored > 20_000 {
				t.Errorf("stored %d of 18,000", res.Streams[0].Stored)
			}
		})
	}
}
