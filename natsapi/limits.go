package natsapi

import (
	_ "embed" // limits.tsv
	"sync"
)

//go:embed limits.tsv
var limitsTSV string

// Limit is a limit or constant built into the server. What a conf key sets is a
// Field of that key instead.
type Limit struct {
	Name string
	// Value is in Unit: nanoseconds for "ns", bytes for "bytes", else a count.
	Value int64
	Unit  string
	Since Releases
	// Doc says what is limited, Source where the figure was read.
	Doc, Source string
}

var limitColumns = []string{"name", "value", "unit", "since", "doc", "source"}

var limitTable = sync.OnceValue(func() []Limit {
	return mustParseTable("limits.tsv", limitsTSV, limitColumns, func(row []string) (Limit, error) {
		l := Limit{Name: row[0], Unit: row[2], Doc: row[4], Source: row[5]}
		var err error
		if l.Value, err = Number(row[1]); err != nil {
			return l, err
		}
		l.Since, err = parseReleases(row[3])
		return l, err
	})
})

// Limits lists the limits of a server of version v by name.
func Limits(v Version) []Limit {
	var limits []Limit
	for _, l := range limitTable() {
		if l.Since.Has(v) {
			limits = append(limits, l)
		}
	}
	return limits
}

// LimitOf returns the value of one limit, for instance
// LimitOf("max_name_length"), whichever version it came with. It panics for a
// name that is not in the table, which is a mistake in the program.
func LimitOf(name string) int64 {
	for _, l := range limitTable() {
		if l.Name == name {
			return l.Value
		}
	}
	panic("natsapi: no limit " + name)
}
