package subject

// TextbookPatterns are the four patterns with which wildcards are usually
// taught: one token, the rest, one token in the middle, a whole tree.
func TextbookPatterns() []string {
	return []string{"orders.*", "orders.>", "events.user.*.login", "telemetry.>"}
}

// TextbookSubjects are subjects that each show one thing about
// TextbookPatterns: a hit, or the nearest miss.
func TextbookSubjects() []string {
	return []string{
		"orders.created",
		"orders.eu.created",
		"orders",
		"Orders.created",
		"orders.*",
		"orders..created",
		"events.user.42.login",
		"events.user.login",
		"events.user.42.session.login",
		"events.user.42.logout",
		"telemetry.plant7.line2.temp",
		"telemetry",
		"telemetry.>",
		"telemetry temp",
	}
}
