// Package design reads the design file: the one document that says what a
// messaging system on NATS and JetStream is meant to be, before it exists.
//
//	d, problems := design.Parse("orders.yaml", text)
//	for _, p := range problems {
//		fmt.Println(p)
//	}
//	fmt.Println(d.Has("streams.ORDERS.max_age"), d.Where("streams.ORDERS.max_age"))
//
// Every value keeps its place in the text and whether it was written at all:
// absent, 0 and -1 are three different things to the JetStream API. A path such
// as streams.ORDERS.max_age leads through the tree of the text to the value and
// through the tables to its meaning; no map of all paths is kept, which in a
// design of 1,000 consumers would be 36,000 texts that nobody asks for. Stream and
// consumer settings carry the API's own names and are taken from package
// natsapi; Weir's own keys (server, publishers, workers, goals…) come from one
// table of the same shape in keys.go. Parser, formatter, JSON Schema and
// semantic diff all derive from those tables.
//
// The package does not judge: whether a server accepts a configuration is
// package verdict's business, and whether it is wise is lint's. It refuses only
// what it cannot read: broken syntax, unknown keys, values without their unit.
package design
