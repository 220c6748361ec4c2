package prove

import (
	"context"
	"strings"
	"testing"
)

// hardSubjects are what the two configuration proofs are held to.
var hardSubjects = []string{
	"foo", "foo.*", "foo.>", "*", ">", "orders.>.processed", ">.foo",
	"foo*", "foo*.bar", "foo.b>r", "foo.>x", "foo.>>", "foo.**", "*foo",
	"a..b", ".a", "a.", ".", "a b", "a\tb", "a\nb", "a\rb", "a\fb", " a", "a\vb",
	"a\x00b", "a\x01b", "a\x7fb", "a\u00a0b", "héllo.日本", "a:b/c\\d,e\"f$g",
	strings.Repeat("x", 255), strings.Repeat("x", 5000), strings.Repeat("a.", 300) + "a",
	"$JS.>", "$JS.API.INFO", "$JS.EVENT.>", "$JS.EVENT.ADVISORY.a", "$JS.*", "$JSC.a", "$NRG.>", "$SYS.>", "$SYS.ACCOUNT.>",
	"$SYS.ACCOUNT.a.CONNECT", "$SYS.REQ.a", "$KV.a.>", "$O.a.C.>", "$MQTT.>", "$SRV.>", "_INBOX.>", "_R_.>", "$G.x",
	"*.>", "*.*", "*.a", "*.API.>", "$*.a", "$JS", "$SYS", "$JS.*.INFO", "*x.>", "*x.API.a",
}

func TestConfigurationsAgreeWithServer(t *testing.T) {
	tests := []struct {
		name         string
		prove        func(context.Context, []string, Options) (ConfigurationEvidence, error)
		subjects     []string
		notExercised int
	}{
		{"stream subjects", StreamSubjects, append(hardSubjects, "", "a\xff", strings.Repeat("x", 1<<20)), 2},
		{"consumer filters", FilterSubjects, append(hardSubjects, "", "a\xff", strings.Repeat("x", 1<<20)), 3},
		{"nothing", StreamSubjects, nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := tt.prove(t.Context(), tt.subjects, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range e.Answers {
				if !a.Agree {
					t.Errorf("%s: predicted %q, measured %q", clip(a.Subject), a.Predicted, a.Measured)
				}
			}
			if got := len(e.Answers) + len(e.NotExercised); got != len(tt.subjects) || len(e.NotExercised) != tt.notExercised {
				t.Errorf("%d answers, not exercised %v", len(e.Answers), e.NotExercised)
			}
			if e.Agrees() != (e.Different == 0) || e.Partial {
				t.Errorf("agrees %v with %d different", e.Agrees(), e.Different)
			}
		})
	}
}
