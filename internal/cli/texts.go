package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/dialect"
	"weir/size"
)

// textsHelp is said in the help of every command that reads designs.
const textsHelp = `
FILES are design files, JSON of the NATS API, NACK resources of Kubernetes or nats-server.conf, told apart by their content; a
folder stands for the .yaml, .yml, .json and .conf files in it and below, - for standard input. All of
them together, and what a nats-server.conf includes from its folder, are one design; several design files
are several designs.`

// stdinName is how standard input is called in findings.
const stdinName = "<stdin>"

// mostFiles bounds how many files a folder may hold.
const mostFiles = 10_000

// texts reads the files of the arguments and what they include, each once.
func (c *Command) texts(args []string) ([]*design.Source, error) {
	sources, err := c.given(args)
	if err != nil {
		return nil, err
	}
	return c.withIncluded(sources)
}

// mostIncluded bounds how many files are read because others include them.
const mostIncluded = 1_000

// withIncluded adds the files that a nats-server.conf includes and that lie in its
// folder or below. The reader says of one that is not there, or elsewhere, that it
// is not known.
func (c *Command) withIncluded(sources []*design.Source) ([]*design.Source, error) {
	seen := map[string]bool{}
	for _, src := range sources {
		seen[path.Clean(src.Name)] = true
	}
	most := len(sources) + mostIncluded
	for i := 0; i < len(sources); i++ { // which grows
		if sources[i].Name == stdinName {
			continue
		}
		folder := path.Dir(sources[i].Name)
		for _, name := range dialect.Includes(sources[i]) {
			below, err := filepath.Rel(filepath.FromSlash(folder), filepath.FromSlash(name))
			if err != nil || !filepath.IsLocal(below) || seen[name] || len(sources) >= most {
				continue
			}
			seen[name] = true
			info, err := os.Stat(filepath.FromSlash(name))
			if errors.Is(err, fs.ErrNotExist) {
				if sources[i].Absent == nil {
					sources[i].Absent = map[string]bool{}
				}
				sources[i].Absent[name] = true
			}
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			src, err := c.text(filepath.FromSlash(name))
			if err != nil {
				return nil, err
			}
			sources = append(sources, src)
		}
	}
	return sources, nil
}

// given reads the files of the arguments, each once.
func (c *Command) given(args []string) ([]*design.Source, error) {
	if len(args) == 0 {
		return nil, badInput("no file given; name files or folders, or - for standard input")
	}
	var out []*design.Source
	seen := map[string]bool{}
	add := func(name string) error {
		if seen[name] {
			return nil
		}
		seen[name] = true
		src, err := c.text(name)
		if err == nil {
			out = append(out, src)
		}
		return err
	}
	for _, arg := range args {
		names := []string{arg}
		if info, err := os.Stat(arg); arg != "-" && err == nil && info.IsDir() {
			if names, err = c.filesBelow(arg); err != nil {
				return nil, err
			}
		}
		for _, name := range names {
			if err := add(name); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// envFlag adds the flag with which texts may refer to the environment.
func (c *Command) envFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.env, "env", false, "take variables that a nats-server.conf does not define from the environment, as the server does")
}

// text reads one file, or standard input for "-". Of a file that is too large it
// reads enough for the refusal.
func (c *Command) text(name string) (*design.Source, error) {
	r, shown := c.Stdin, stdinName
	if name != "-" {
		f, err := openInput(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r, shown = f, filepath.ToSlash(name)
	} else if err := notFolder("standard input", r); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(r, design.MaxFileBytes+8))
	switch {
	case err != nil && name == "-":
		return nil, fmt.Errorf("read standard input: %w", err)
	case err != nil:
		return nil, fmt.Errorf("read input: %w", err)
	}
	if f, ok := r.(*os.File); ok && len(body) > design.MaxFileBytes {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > int64(len(body)) {
			return nil, badInput("%s has %d bytes; Weir reads at most %d (8 MiB)", shown, info.Size(), design.MaxFileBytes)
		}
		return nil, badInput("%s has more than %d bytes (8 MiB), the most that Weir reads", shown, design.MaxFileBytes)
	}
	src := design.NewSource(shown, body)
	if c.env {
		src.Env = os.LookupEnv
	}
	return src, nil
}

// filesBelow lists the files of a folder that may be designs, in the order of
// their names. Hidden files and folders are left out, and so is what is in no
// notation that Weir reads, which is counted.
func (c *Command) filesBelow(folder string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(d.Name(), ".") && path != folder:
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json", ".conf"}, strings.ToLower(filepath.Ext(path))):
			return nil
		case len(names) == mostFiles:
			return errTooMany
		}
		names = append(names, path)
		return nil
	})
	switch {
	case errors.Is(err, errTooMany):
		return nil, badInput("%s holds more than %d files; name those that belong together", folder, mostFiles)
	case err != nil:
		return nil, inputError{fmt.Errorf("open input: %w", err)}
	}
	kept, foreign := sortOut(names)
	c.foreign = append(c.foreign, foreign...)
	if len(kept) == 0 {
		return nil, badInput("%s holds no design and no JSON of the NATS API", folder)
	}
	return kept, nil
}

var errTooMany = errors.New("too many files")

// sortOut parts the files of a folder into those in a notation that Weir reads and
// those of other programs. One that cannot be read is kept, for its error, and a
// .conf of other keys where another file includes it.
func sortOut(names []string) (kept, foreign []string) {
	var texts []string
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil || len(body) > design.MaxFileBytes {
			kept = append(kept, name)
			continue
		}
		src := design.NewSource(name, body)
		if d, ok := dialect.Recognise(src); !ok || d.Foreign != nil && d.Foreign(src) {
			foreign = append(foreign, name)
			continue
		}
		kept = append(kept, name)
		if strings.Contains(strings.ToLower(string(body)), "include") {
			texts = append(texts, string(body))
		}
	}
	foreign = slices.DeleteFunc(foreign, func(name string) bool {
		named := func(text string) bool { return strings.Contains(text, filepath.Base(name)) }
		included := strings.EqualFold(filepath.Ext(name), ".conf") && slices.ContainsFunc(texts, named)
		if included {
			kept = append(kept, name)
		}
		return included
	})
	slices.Sort(kept)
	return kept, foreign
}

// leftOut says in one sentence which files of folders were not read; "" for none.
func (c *Command) leftOut() string {
	const most = 5
	if len(c.foreign) == 0 {
		return ""
	}
	shown := c.foreign
	more := ""
	if n := len(shown) - most; n > 0 {
		shown, more = shown[:most], fmt.Sprintf(" and %d more", n)
	}
	for i, name := range shown {
		shown[i] = filepath.ToSlash(name)
	}
	return fmt.Sprintf("%s in no notation that Weir reads, left out: %s%s", size.Counted(len(c.foreign), "file", "files"), strings.Join(shown, ", "), more)
}
