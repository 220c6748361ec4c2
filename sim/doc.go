// Package sim is a deterministic discrete-event simulator of JetStream
// delivery: publishers, streams, consumers and the workers that read them, with
// faults. It answers what a design will do under load, faults and time.
//
//	res, err := sim.Run(ctx, w, sim.Options{Seed: 1, Until: time.Hour})
//
// The same seed gives the same bytes, natively (linux/amd64) and under js/wasm:
// time is int64 nanoseconds, decisions are integer, random numbers come from
// one stream per name, ties are broken by (time, order, sequence). The
// mechanisms are those of nats-server v2.15.2 and nats.go v1.55.0; each has a
// file of its name whose doc comment says what it models, what it ignores and
// from where it is known.
//
// It is not a network simulator: a message reaches its reader at once, and what
// a client costs is in Overhead. It knows no design file; a Workload is its
// whole input.
package sim
