package lint

import (
	"strings"
	"testing"

	"weir/design"
	"weir/natsapi"
)

// TestPlanLeaves: updates that a server takes and that cost messages.
func TestPlanLeaves(t *testing.T) {
	const interest = "streams: {I: {subjects: [i.>], retention: interest, consumers: {c: {ack_policy: explicit, filter_subject: i.a}%s}}}\n"
	const tries = "streams: {Q: {subjects: [q], consumers: {c: {ack_policy: explicit, max_deliver: %s}}}}\n"
	tests := []struct{ name, from, to, want string }{
		{"another filter on interest", strings.Replace(interest, "%s", "", 1), strings.Replace(strings.Replace(interest, "%s", "", 1), "i.a", "i.b", 1), "what is stored of i.a stays"},
		{"another filter, and somebody else reads the rest", strings.Replace(interest, "%s", ", d: {ack_policy: explicit, filter_subject: i.a}", 1),
			strings.Replace(strings.Replace(interest, "%s", ", d: {ack_policy: explicit, filter_subject: i.a}", 1), "i.a", "i.b", 1), ""},
		{"a wider filter", strings.Replace(interest, "%s", "", 1), strings.Replace(strings.Replace(interest, "%s", "", 1), "i.a", "i.*", 1), ""},
		{"tries without end get one", strings.Replace(tries, "%s", "-1", 1), strings.Replace(tries, "%s", "1", 1), "delivered 1 time and is not acked is never delivered again"},
		{"fewer tries", strings.Replace(tries, "%s", "9", 1), strings.Replace(tries, "%s", "4", 1), "delivered 4 times"},
		{"more tries", strings.Replace(tries, "%s", "4", 1), strings.Replace(tries, "%s", "9", 1), ""},
		{"a smaller stream", "streams: {A: {subjects: [a], max_msgs: 100}}\n", "streams: {A: {subjects: [a], max_msgs: 50}}\n", "beyond the new max_msgs are removed at once"},
		{"a larger stream", "streams: {A: {subjects: [a], max_msgs: 100}}\n", "streams: {A: {subjects: [a], max_msgs: 500}}\n", ""},
		{"the only consumer of interest goes", strings.Replace(interest, "%s", "", 1), "streams: {I: {subjects: [i.>], retention: interest}}\n", "only this consumer wanted"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			from, ps := design.Parse("from.yaml", []byte("weir: 1\n"+tt.from))
			to, qs := design.Parse("to.yaml", []byte("weir: 1\n"+tt.to))
			if ps != nil || qs != nil {
				t.Fatal(ps, qs)
			}
			text := ""
			for _, s := range Plan(from, to, natsapi.Version{}) {
				text += strings.Join(s.Leaves, "; ")
				if !strings.HasSuffix(s.Text, strings.Join(s.Leaves, "; ")) {
					t.Errorf("%q does not say %q", s.Text, s.Leaves)
				}
			}
			if tt.want == "" && text != "" || !strings.Contains(text, tt.want) {
				t.Errorf("%q, want %q", text, tt.want)
			}
		})
	}
}
