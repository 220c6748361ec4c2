//go:build !unix

package prove

import "os"

// lockNew locks nothing: on this system folders of runs that were killed are
// left to the system's own cleaning of temporary files, and in a browser tab
// they end with the page.
func lockNew(path string) (*os.File, error) { return os.Create(path) }

// lockAbandoned cannot tell whether an owner lives.
func lockAbandoned(string) (f *os.File, ours bool) { return nil, false }
