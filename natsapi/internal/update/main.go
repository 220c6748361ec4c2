// Update measures what a nats-server version has otherwise than the tables of
// natsapi say, and writes the rows that it can.
//
//	go run ./natsapi/internal/update 2.15.3            print the differences
//	go run ./natsapi/internal/update -w 2.16.0         and edit natsapi/*.tsv
//
// It gets the server with the go tool in a temporary module, reads its source
// (struct fields, errors.json, conf keys, API level) and runs it in one process
// for the defaults of streams and consumers. It exits with 1 when something
// differs and 3 when it cannot measure.
//
// What it cannot measure is left to a person: texts, units and bounds of new
// rows (the tests of natsapi name each cell that is missing), limits.tsv,
// features.tsv, and what updates may change. For the last, and to move to the
// version: set it in minors and Embedded of version.go and in go.mod, and run
// the tests of natsapi, which ask that server for every change, bound and level.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"weir/natsapi"
	"weir/natsapi/internal/measure"
)

func main() {
	write := flag.Bool("w", false, "edit the tables")
	dir := flag.String("tables", "natsapi", "directory of the tables")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: update [-w] [-tables DIR] VERSION")
		os.Exit(2)
	}
	differs, err := update(os.Stdout, flag.Arg(0), *write, *dir)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "update:", err)
		os.Exit(3)
	case differs:
		os.Exit(1)
	}
}

// update measures one version and reports whether it differs from the tables.
func update(out io.Writer, version string, write bool, dir string) (differs bool, err error) {
	module, err := measure.NewModule(version)
	if err != nil {
		return false, err
	}
	defer module.Remove()
	source, err := module.Source()
	if err != nil {
		return false, err
	}
	defaults, err := module.Defaults()
	if err != nil {
		return false, err
	}
	// Not natsapi.ParseVersion, which refuses versions that it does not know yet.
	var v natsapi.Version
	if _, err := fmt.Sscanf(defaults.Version, "%d.%d.%d", &v.Major, &v.Minor, &v.Patch); err != nil {
		return false, fmt.Errorf("read version %q: %w", defaults.Version, err)
	}
	changes, err := measure.Compare(v, source, defaults)
	if err != nil {
		return false, err
	}
	for _, c := range changes {
		where := "by hand"
		if c.File != "" {
			where = c.File
		}
		fmt.Fprintf(out, "%s: %s [%s]\n", v, c.Text, where)
	}
	fmt.Fprintf(out, "%s: %d differences\n", v, len(changes))
	if write {
		n, err := measure.Apply(dir, changes)
		if err != nil {
			return true, err
		}
		fmt.Fprintf(out, "%s: %d rows written in %s; run the tests of natsapi for what is missing in them\n", v, n, dir)
	}
	return len(changes) > 0, nil
}
