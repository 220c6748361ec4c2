// Package size computes what a JetStream design occupies: reported bytes, disk,
// heap, network and write volume, for one message record, one stream, one node
// and a whole cluster, and what ends first.
//
// It is pure: it opens nothing, keeps no state, reads no clock, and compiles to
// js/wasm. It does not judge configurations (package verdict) and does not
// simulate delivery (package sim). Its inputs are plain structs (Stream,
// Consumer, Server, Cluster), its outputs are figures that carry their working:
//
//	r, err := size.OfRecord(size.Message{Subject: 17, Header: 64, Payload: 1228.8}, size.File)
//	fmt.Println(size.Explain(r.Reported))
//
// Formulas hold for nats-server v2.15.2 unless a Source says otherwise.
// Coefficients marked Measured were compared with the real server by
// TestVectorsStorageGrid and prove.Sizing; everything else says that it
// was not measured.
package size
