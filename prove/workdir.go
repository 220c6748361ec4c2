package prove

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// workDir is the folder that the servers of a run store in. It is locked while
// its owner lives, so that what a run could not remove, because it was killed,
// is told from what is in use and removed by the next run.
type workDir struct {
	path string
	lock *os.File
}

// workDirPrefix begins the name of every folder of a run.
const workDirPrefix = "weir-prove-"

// pidsFile lists the processes of a run, one a line; lockFile is locked by its
// owner.
const (
	pidsFile = "pids"
	lockFile = "lock"
)

// newWorkDir makes a folder below parent, "" for the system's temporary one.
func newWorkDir(parent string) (*workDir, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	removeLeftovers(parent)
	path, err := os.MkdirTemp(parent, workDirPrefix)
	if err != nil {
		return nil, fmt.Errorf("make store: %w", err)
	}
	w := &workDir{path: path}
	if w.lock, err = lockNew(filepath.Join(path, lockFile)); err != nil {
		return nil, errors.Join(fmt.Errorf("make store: %w", err), removeStore(path))
	}
	return w, nil
}

// remove takes the folder away and lets go of the lock.
func (w *workDir) remove() error {
	err := removeStore(w.path)
	if w.lock != nil {
		w.lock.Close()
		w.lock = nil
	}
	return err
}

// removeLeftovers removes the folders of runs that are over, and ends what is
// left of their processes. What cannot be removed stays for the next run.
func removeLeftovers(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), workDirPrefix) {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		lock, ours := lockAbandoned(filepath.Join(dir, lockFile))
		if !ours {
			continue
		}
		endProcesses(dir)
		_ = os.RemoveAll(dir)
		lock.Close()
	}
}
