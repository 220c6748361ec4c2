//go:build unix

package prove

import (
	"os"
	"syscall"
)

// lockNew makes a file and locks it for as long as this process keeps it open.
// Child processes do not inherit it. It gets its name once it is locked: a run that
// begins at the same time would take it for abandoned in between.
func lockNew(path string) (*os.File, error) {
	f, err := os.OpenFile(path+".new", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// lockAbandoned locks a file whose owner is gone; ours is false when there is
// no such file yet or its owner lives.
func lockAbandoned(path string) (f *os.File, ours bool) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, false
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		f.Close()
		return nil, false
	}
	return f, true
}
