package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CAP015",
	Name:     "accounts-share-the-store",
	Severity: design.Warning,
	Title:    "Accounts without limits share one store, and one of them can take all of it.",
	Why: "An account with JetStream and no max_storage may reserve whatever the server has: max_file_store is the limit of all of them together, first come, first served " +
		"(server/jetstream.go, v2.15.2).",
	Fix:   "Write limits with max_storage and max_memory for each account.",
	Refs:  []string{"server/jetstream.go", "nats-io/jetstream #410"},
	Check: func(f *Facts) { f.accountsWithoutLimits() },
})

func (f *Facts) accountsWithoutLimits() {
	type open struct {
		path     string
		reserved float64
	}
	accounts := map[string]*open{}
	var order []string
	pool, known := 0.0, false
	f.AcceptedStreams(func(s *Stream) {
		if s.Scope.Leafnode != "" || s.Site.Setting.Account.MaxStore > 0 || s.storage() != size.File {
			return
		}
		a := accounts[s.Scope.Account]
		if a == nil {
			a = &open{path: s.Scope.Path}
			accounts[s.Scope.Account] = a
			order = append(order, s.Scope.Account)
		}
		a.reserved += max(0, float64(s.Config.MaxBytes))
		pool, known = float64(s.Site.Setting.Server.MaxStore), s.Site.StoreGiven || s.Site.Server.Disk > 0
	})
	for _, a := range f.Accounts {
		// Of nats-server.conf: JetStream is enabled, its streams are elsewhere.
		if limits := design.Join(a.Path, "limits"); accounts[a.Name] == nil && f.Has(limits) && !f.Has(design.Join(limits, "max_storage")) {
			accounts[a.Name] = &open{path: a.Path}
			order = append(order, a.Name)
		}
	}
	if n, at := f.confNumber(f.Server, "conf.jetstream", "max_file_store"); at != "" && !known {
		pool, known = float64(n), true
	}
	if len(order) < 2 || !known {
		return
	}
	total := 0.0
	for _, name := range order {
		total += accounts[name].reserved
	}
	at := accounts[order[len(order)-1]].path
	if at == "" {
		at = accounts[order[0]].path
	}
	f.Report(at, Said{What: fmt.Sprintf("has no storage limit, and neither have others: %d accounts share the %s of a server, of which %s are reserved", len(order), size.FormatBytes(pool), size.FormatBytes(total)),
		Write: "write limits: {max_storage: …} for each", Figure: &Figure{"store that the accounts share", pool, "B", Computed}})
}
