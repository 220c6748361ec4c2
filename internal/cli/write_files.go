package cli

import (
	"errors"
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
	// perm are its permissions; 0 leaves a file those that it has and gives a new one
	// what the system masks, and run makes that an executable one.
	perm fs.FileMode
	run  bool
}

// writeFiles writes every file beside its place first, so that a full disk changes
// nothing, and then moves them there in their order. Links are followed; what is
// no file, a pipe or /dev/null, is written to as it is.
func writeFiles(files []toWrite) error {
	staged := make([]string, 0, len(files))
	defer func() {
		for _, temp := range staged {
			os.Remove(temp) // what was not moved
		}
	}()
	places := make([]string, 0, len(files))
	for _, f := range files {
		place, err := f.settle()
		if err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
		if place == "" {
			continue
		}
		temp, err := f.stage()
		if err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
		staged, places = append(staged, temp), append(places, place)
	}
	for i, place := range places {
		if err := os.Rename(staged[i], place); err != nil {
			return fmt.Errorf("write %s: %w", place, err)
		}
	}
	return nil
}

// settle finds out what stands at the file's path: it follows links and takes the
// permissions over. "" says that it was no file and is written already.
func (f *toWrite) settle() (place string, err error) {
	info, err := os.Stat(f.path)
	switch {
	case err != nil || info.IsDir():
		return f.path, nil // new, or what moving it there refuses
	case !info.Mode().IsRegular():
		out, err := os.OpenFile(f.path, os.O_WRONLY, 0)
		if err != nil {
			return "", err
		}
		_, err = out.Write(f.text)
		return "", errors.Join(err, out.Close())
	case f.perm == 0 && !f.run:
		f.perm = info.Mode().Perm()
	}
	f.path, err = filepath.EvalSymlinks(f.path)
	return f.path, err
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

// withoutPath is an error of the system without the name of the file that was made
// beside the one that was asked for.
func withoutPath(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// createBeside makes a new file in the folder of a path. os.CreateTemp does the
// same but keeps others from reading what it makes, whatever the system's mask.
func createBeside(path string, mode fs.FileMode) (*os.File, error) {
	for n := 0; ; n++ {
		name := filepath.Join(filepath.Dir(path), ".weir-"+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(n))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err == nil || !os.IsExist(err) || n == 10_000 {
			return f, withoutPath(err)
		}
	}
}
