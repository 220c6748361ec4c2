package size_test

import (
	"fmt"
	"time"

	"weir/size"
)

// The often repeated example: 10,000 messages a second with UUIDs, remembered for
// seven days.
func ExampleOfDedup() {
	d, err := size.OfDedup(size.DedupInput{Rate: 10_000, Window: 7 * 24 * time.Hour, IDBytes: 36, Replicas: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Entries)
	fmt.Println(d.Live)
	// Output:
	// 6,048,000,000
	// 766 GiB (704 GiB to 822 GiB)
}

// A record is larger than its payload, and max_bytes counts the record.
func ExampleOfRecord() {
	r, err := size.OfRecord(size.Message{Subject: 17, Header: 64, Payload: 1200}, size.File)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(size.Explain(r.Reported))
	// Output:
	// record = 1.3 KiB, 1,315 B
	//   = length, sequence, time stamp, subject length and hash + subject + header length + header block + payload
	//   length, sequence, time stamp, subject length and hash = 30 B  [coefficient measured]
	//     source: server/filestore.go:fileStoreMsgSizeRaw, server/memstore.go:memStoreMsgSizeRaw (v2.15.2)
	//   subject = 17 B  [given]
	//   header length = 4 B  [coefficient measured]
	//     source: server/filestore.go:fileStoreMsgSizeRaw, server/memstore.go:memStoreMsgSizeRaw (v2.15.2)
	//   header block = 64 B  [given]
	//   payload = 1.2 KiB, 1,200 B  [given]
}

// What a memory stream reports is not what it takes.
func ExampleOfMemoryStore() {
	m, err := size.OfMemoryStore(size.MemoryStoreInput{Message: size.Message{Subject: 10, Payload: 16}, Messages: 250_000, Subjects: size.SubjectSet{Count: 1000}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("reported %s, heap %s\n", size.FormatBytes(m.Reported.Value), size.FormatBytes(m.Heap.Value))
	// Output:
	// reported 10 MiB, heap 43.5 MiB
}

// What a cluster of three needs, and what it runs into first.
func ExampleOfCluster() {
	c := size.Cluster{Streams: []size.Stream{{
		Name: "ORDERS", Replicas: 3, MaxAge: 72 * time.Hour,
		Message: size.Message{Subject: 17, Header: 80, Payload: 800, ID: 36}, Rate: size.Rate{Mean: 800},
	}}}
	for _, name := range []string{"n1", "n2", "n3"} {
		c.Servers = append(c.Servers, size.Server{Name: name, Memory: 8 * size.GiB, Disk: 200 * size.GiB, MaxFileStore: 180 * size.GiB})
	}
	all, err := size.OfCluster(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range all.Bindings[:3] {
		fmt.Printf("%s of %s: %s, %s\n", b.What, b.Where, b.Share.Unit.Format(b.Share.Value), b.Says)
	}
	// Output:
	// max_age of ORDERS: 100 %, max_age binds after 72 h
	// max_file_store of n1: 99.9 %, 180 GiB of records
	// max_file_store of n2: 99.9 %, 180 GiB of records
}
