package prove

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// ErrDiskFull is what a run ends with, besides its evidence so far, when its
// servers found no space to store in: that says nothing about a design. A
// max_file_store that is used up is no such error but an answer, 10023.
var ErrDiskFull = errors.New("no space was left where the servers store: free some, or store in a folder on another disk")

// saysDiskFull reports whether a server logged that its disk is full (the text of
// ENOSPC, and what handleOutOfSpace writes, server/jetstream.go and
// server/stream.go, v2.10.29 and v2.15.2).
func saysDiskFull(line string) bool {
	return strings.Contains(line, "no space left") || strings.Contains(line, "JetStream out of") && strings.Contains(line, "DISABLED")
}

// stopped is the error of a run whose servers were stopped. That the disk is full
// is said once: a run that met it ends with it already.
func stopped(run, stop error) error {
	if !errors.Is(run, ErrDiskFull) {
		return errors.Join(run, stop)
	}
	if parts, ok := stop.(interface{ Unwrap() []error }); ok {
		stop = errors.Join(slices.DeleteFunc(parts.Unwrap(), func(err error) bool { return errors.Is(err, ErrDiskFull) })...)
	}
	return errors.Join(run, stop)
}

// withoutStore takes the folder of a run out of an answer: servers name the file
// that they could not write (10077), and evidence names no place of a machine.
func withoutStore(answer []byte, store string) []byte {
	if store == "" || !bytes.Contains(answer, []byte(store)) {
		return answer
	}
	return bytes.ReplaceAll(answer, []byte(store), []byte("STORE"))
}
