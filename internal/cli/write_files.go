package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// toWrite is a file to be written.
type toWrite struct {
	path string
	text []byte
	// perm are its permissions; 0 gives it those of a new file, which the system
	// masks, and run makes that an executable one.
	perm fs.FileMode
	run  bool
}

// writeFiles writes every file beside its place first, so that a full disk changes
// nothing, and then moves them there in their order.
func writeFiles(files []toWrite) error {
	staged := make([]string, 0, len(files))
	defer func() {
		for _, temp := range staged {
			os.Remove(temp) // what was not moved
		}
	}()
	for _, f := range files {
		temp, err := f.stage()
		if err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
		staged = append(staged, temp)
	}
	for i, f := range files {
		if err := os.Rename(staged[i], f.path); err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
	}
	return nil
}

// stage writes the file under a name of its own beside its place.
func (f toWrite) stage() (temp string, err error) {
	mode := fs.FileMode(0o666)
	if f.run {
		mode = 0o777
	}
	out, err := createBeside(f.path, mode)
	if err != nil {
		return "", err
	}
	defer func() {
		if closed := out.Close(); err == nil {
			err = closed
		}
		if err != nil {
			os.Remove(out.Name())
		}
	}()
	if _, err := out.Write(f.text); err != nil {
		return "", err
	}
	if f.perm != 0 {
		if err := out.Chmod(f.perm); err != nil {
			return "", err
		}
	}
	return out.Name(), nil
}

// createBeside makes a new file in the folder of a path. os.CreateTemp does the
// same but keeps others from reading what it makes, whatever the system's mask.
func createBeside(path string, mode fs.FileMode) (*os.File, error) {
	for n := 0; ; n++ {
		name := filepath.Join(filepath.Dir(path), ".weir-"+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(n))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err == nil || !os.IsExist(err) || n == 10_000 {
			return f, err
		}
	}
}
