package lint

import "weir/design"

var _ = rule(Rule{
	Code:     "SUB011",
	Name:     "captures-the-servers-subjects",
	Severity: design.Error,
	Title:    "The stream would capture subjects that the server itself uses.",
	Why:      "A subject that reaches $JS.>, $JSC.>, $NRG.> or $SYS.> is refused with 10052 unless no_ack is true (server/stream.go checkStreamCfg; 2.10.28, 2.11.2 and newer). A first token * reaches them too: *.> and *.*. Older servers accept it, and an upgrade then finds a stream that it would refuse.",
	Fix:      "Begin the subjects with a token of your own: orders.> and not *.orders.>.",
	Refs:     []string{"server/stream.go checkStreamCfg", "err_code 10052"},
	Explains: []Refusal{{ErrCode: 10052, Words: "require no-ack to be true"}, {ErrCode: 10052, Words: "capturing all subjects requires"}, {ErrCode: 10052, Words: "overlap with jetstream api"}},
	Proof:    "capture-all",
})
