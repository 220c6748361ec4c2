//go:build !linux

package prove

// diskOf does not name the disk: only Linux tells without a tool of its own.
func diskOf(string) (name string, inMemory bool) { return "not named on this system", false }
