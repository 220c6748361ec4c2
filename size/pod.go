package size

import (
	"fmt"
	"math"
	"strconv"
)

// Pod is what a server needs as a container.
type Pod struct {
	Server string `json:"server"`
	// Memory is the memory request and limit: the same, so that the pod is not
	// the first to be evicted.
	Memory Figure `json:"memory"`
	// GoMemLimit is GOMEMLIMIT: below the limit, so that Go collects before the
	// kernel kills.
	GoMemLimit Figure `json:"gomemlimit"`
	// Volume is the size of the volume claim.
	Volume Figure `json:"volume"`
	// MaxFileStore and MaxMemoryStore are what to write into the server
	// configuration; MaxMemoryStore is 0 when nothing is stored in memory.
	MaxFileStore   Figure `json:"max_file_store"`
	MaxMemoryStore Figure `json:"max_memory_store"`
	// Warnings say what does not fit what the server was given.
	Warnings []string `json:"warnings,omitempty"`
}

const (
	// collectorRoom is how far GOMEMLIMIT stays above the live heap, so that the
	// collector does not run without pause.
	collectorRoom = 1.25
	// goMemLimitShare is GOMEMLIMIT by the container's limit: stacks, the binary
	// and the kernel's buffers take the rest.
	goMemLimitShare = 0.8
	// smallestPod is the least memory of a server that is worth starting.
	smallestPod  = 512 * MiB
	memoryStep   = 256 * MiB
	volumeStep   = GiB
	podRationale = "Weir's rule: worst live heap × 1.25 under GOMEMLIMIT, GOMEMLIMIT at 80 % of the limit"
)

// GoMemLimit is the GOMEMLIMIT, in bytes, of a server in a container with a memory
// limit in bytes: Weir's rule, as Pod has it.
func GoMemLimit(limit int64) int64 { return int64(float64(limit) * goMemLimitShare) }

// OfPod turns the needs of a server into the numbers of a container. It holds
// for the worst case of every band.
func OfPod(c Cluster, all ClusterSize, i int) (Pod, error) {
	if i < 0 || i >= len(all.Nodes) || i >= len(c.Servers) {
		return Pod{}, &InputError{Path: "server", Value: strconv.Itoa(i), Reason: "the cluster has no such server"}
	}
	n := all.Nodes[i]
	p := Pod{Server: n.Server}
	live := given("worst live heap", n.Heap.High, Bytes).from(Arithmetic, "")
	wanted := sum("heap and stacks", Bytes,
		product("live heap with room to collect", Bytes, live, coefficient("room for the collector", collectorRoom, Ratio, Assumed, podRationale)),
		given("stacks at worst", n.Stacks.High, Bytes).from(Arithmetic, ""))
	memory := stepUp(max(wanted.Value/goMemLimitShare, smallestPod), memoryStep)
	p.Memory = computed("memory request and limit", memory, Bytes, "(worst live heap × 1.25 + stacks) / 0.8, in steps of 256 MiB, at least 512 MiB", wanted)
	p.GoMemLimit = product("GOMEMLIMIT", Bytes, p.Memory, coefficient("share of the limit", goMemLimitShare, Ratio, Assumed, podRationale))
	reserved := n.FileStore.High
	for _, e := range all.Ledger {
		if e.Where == n.Server && e.What == "max_file_store" {
			reserved = max(reserved, e.Reserved.Value)
		}
	}
	store := stepUp(reserved, volumeStep)
	p.MaxFileStore = computed("max_file_store", store, Bytes, "reservations and records, in steps of 1 GiB", given("reservations and records", reserved, Bytes))
	beside := max(n.Disk.High-n.FileStore.High, 0)
	p.Volume = computed("volume", stepUp(max((store+beside)/fileSystemShare, store/safeStoreShare), volumeStep), Bytes,
		"(max_file_store + files beside records) / 0.97, at least max_file_store / 0.9, in steps of 1 GiB",
		p.MaxFileStore, given("logs, dead records, index and state", beside, Bytes))
	if n.MemoryStore.Value > 0 {
		p.MaxMemoryStore = computed("max_memory_store", stepUp(n.MemoryStore.High, memoryStep), Bytes, "reported bytes of memory streams, in steps of 256 MiB", n.MemoryStore).
			noting("it limits reported bytes: the heap of memory streams is larger, and nothing else in the process counts")
	} else {
		p.MaxMemoryStore = given("max_memory_store", 0, Bytes)
	}
	p.Warnings = podWarnings(c.Servers[i], n, p)
	return p, nil
}

// stepUp rounds v up to a multiple of step.
func stepUp(v, step float64) float64 { return math.Ceil(v/step) * step }

// podWarnings compares what a server was given with what it needs.
func podWarnings(s Server, n NodeSize, p Pod) []string {
	var out []string
	if need := n.Memory().High; s.Memory > 0 && need > float64(s.Memory) {
		out = append(out, fmt.Sprintf("memory %s is less than live heap and stacks at worst, %s", FormatBytes(float64(s.Memory)), FormatBytes(need)))
	}
	if s.Memory > 0 && s.GoMemLimit == 0 {
		out = append(out, fmt.Sprintf("GOMEMLIMIT is not set: the collector may take up to %s; set %s (80 %% of the limit)",
			FormatBytes(2*n.Heap.High), FormatBytes(float64(s.Memory)*goMemLimitShare)))
	}
	if s.Memory > 0 && s.MaxMemoryStore > 0 {
		out = append(out, fmt.Sprintf("max_memory_store %s limits the reported bytes of memory streams only, not the process", FormatBytes(float64(s.MaxMemoryStore))))
	}
	if w := storeWarning(s); w != "" {
		out = append(out, w)
	}
	return out
}

// storeWarning says that max_file_store leaves too little of the volume, "" when
// it does not.
func storeWarning(s Server) string {
	if v, err := OfVolume(s); err != nil || !v.Tight {
		return ""
	}
	return fmt.Sprintf("max_file_store %s is more than 90 %% of the volume of %s: formatting and files beside records need the rest",
		FormatBytes(fileLimit(s).Value), FormatBytes(float64(s.Disk)))
}
