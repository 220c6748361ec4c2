package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"weir/size"
)

// mostSampleBytes bounds all samples together: what fills some blocks.
const mostSampleBytes = 64 * size.MiB

// readSamples reads payloads, one a file.
func readSamples(names []string) ([][]byte, error) {
	var out [][]byte
	total := 0
	for _, name := range names {
		files := []string{name}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			if files, err = samplesIn(name); err != nil {
				return nil, err
			}
		}
		for _, file := range files {
			body, err := readSample(file, mostSampleBytes-total)
			if err != nil {
				return nil, err
			}
			total += len(body)
			out = append(out, body)
		}
	}
	return out, nil
}

func readSample(name string, most int) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, inputError{fmt.Errorf("open sample: %w", err)}
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err != nil {
		return nil, fmt.Errorf("read sample: %w", err)
	}
	if len(body) > most {
		return nil, badInput("%q is too much: samples are at most 64 MiB together; give fewer", filepath.ToSlash(name))
	}
	return body, nil
}

// samplesIn lists the files of a folder, not those of folders below it.
func samplesIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, inputError{fmt.Errorf("open sample: %w", err)}
	}
	var out []string
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, filepath.Join(folder, e.Name()))
		}
	}
	if len(out) == 0 || len(out) > mostFiles {
		return nil, badInput("%q holds %s; a folder of samples holds 1 to %s", filepath.ToSlash(folder), size.Counted(len(out), "file", "files"), thousands(mostFiles))
	}
	return out, nil
}
