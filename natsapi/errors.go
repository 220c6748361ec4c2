package natsapi

import (
	_ "embed" // errors.tsv
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed errors.tsv
var errorsTSV string

// APIError is one entry of the server's list of JetStream API errors
// (server/errors.json).
type APIError struct {
	// Constant is the server's Go name, "JSStreamInvalidConfigF".
	Constant string
	// Code is the HTTP-like status, ErrCode the number that tells errors apart.
	Code, ErrCode int
	// Description is the server's text of the newest version; words in braces
	// ("{err}") stand for what the server fills in.
	Description string
	// Since says which servers declare the code.
	Since Releases
	// Was is the entry as older versions have it; it is zero when nothing but
	// Since ever changed.
	Was Former
	// Raised is false for a code that the newest version declares and never
	// returns.
	Raised bool
	// Trigger says in Weir's words what makes the server return it.
	Trigger string
}

// Former is how an API error read up to and with the minor version Until.
type Former struct {
	Until       Version // only Major and Minor are set
	Constant    string
	Description string
}

// DescriptionIn is the text that a server of version v has for the code.
func (e APIError) DescriptionIn(v Version) string {
	if e.Was.in(v) {
		return e.Was.Description
	}
	return e.Description
}

// ConstantIn is the Go name that a server of version v has for the code.
func (e APIError) ConstantIn(v Version) string {
	if e.Was.in(v) {
		return e.Was.Constant
	}
	return e.Constant
}

func (f Former) in(v Version) bool {
	return v.Major < f.Until.Major || v.Major == f.Until.Major && v.Minor <= f.Until.Minor
}

// Errors lists every API error in ascending ErrCode. The caller must not change
// the slice.
func Errors() []APIError { return errorTable() }

// ErrorByCode returns the API error with the given err_code, for instance 10052.
func ErrorByCode(errCode int) (APIError, bool) {
	table := errorTable()
	i, ok := slices.BinarySearchFunc(table, errCode, func(e APIError, c int) int { return e.ErrCode - c })
	if !ok {
		return APIError{}, false
	}
	return table[i], true
}

var errorTable = sync.OnceValue(func() []APIError {
	return mustParseTable("errors.tsv", errorsTSV, errorColumns, parseAPIError)
})

var errorColumns = []string{"err_code", "code", "constant", "description", "since", "was", "raised", "trigger"}

func parseAPIError(row []string) (APIError, error) {
	e := APIError{Constant: row[2], Description: row[3], Raised: row[6] != "no", Trigger: row[7]}
	var err error
	if e.ErrCode, err = strconv.Atoi(row[0]); err != nil {
		return e, err
	}
	if e.Code, err = strconv.Atoi(row[1]); err != nil {
		return e, err
	}
	if e.Since, err = parseReleases(row[4]); err != nil {
		return e, err
	}
	if row[5] == "" {
		return e, nil
	}
	// "2.10 JSInvalidJSONErr invalid JSON": last minor, constant, description.
	was := strings.SplitN(row[5], " ", 3)
	if len(was) != 3 {
		return e, fmt.Errorf("%q is not a former entry", row[5])
	}
	e.Was.Constant, e.Was.Description = was[1], was[2]
	e.Was.Until, _, err = splitVersion(was[0])
	return e, err
}
