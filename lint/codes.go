package lint

import (
	"fmt"
	"strconv"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// Codes of what a server does with a request besides refusing it, which is API
// and the err_code.
const (
	// CodeStoredOtherwise: a value that is written and stored as another one.
	CodeStoredOtherwise = "CFG001"
	// CodeDropped: a field that this server does not know and drops.
	CodeDropped = "CFG002"
	// CodeNoAnswer: a request that no server answers.
	CodeNoAnswer = "CFG003"
	// CodeCrash: a request that ends the server process.
	CodeCrash = "CFG004"
)

// CodeInfo is one code and what it stands for.
type CodeInfo struct {
	Code string `json:"code"`
	// Title is one sentence.
	Title string `json:"title"`
}

// Codes lists every code that a finding can have: those of the readers, those of
// servers that do not refuse, and API with each err_code.
func Codes() []CodeInfo {
	var out []CodeInfo
	for _, c := range design.Codes() {
		out = append(out, CodeInfo{string(c), design.CodeTitle(c)})
	}
	out = append(out,
		CodeInfo{CodeStoredOtherwise, "The server accepts a written value and stores another one."},
		CodeInfo{CodeDropped, "The server does not know a field and drops it without a word."},
		CodeInfo{CodeNoAnswer, "No server answers the request, and the client waits in vain."},
		CodeInfo{CodeCrash, "The request ends the server process."},
		CodeInfo{CodeBadIgnore, "An ignore names no code that there is, or gives no reason."},
		CodeInfo{CodeUnusedIgnore, "An ignore matches nothing that is found."},
		CodeInfo{CodeUpgradeRefused, "The server to upgrade to refuses what the present one takes."},
		CodeInfo{CodeUpgradeAccepted, "The server to upgrade to takes what the present one refuses."},
		CodeInfo{CodeUpgradeStored, "The server to upgrade to stores a value otherwise."},
		CodeInfo{CodeUpgradeKept, "Only one of the two servers keeps a field, and going back loses it."})
	for _, r := range Rules() {
		out = append(out, CodeInfo{r.Code, r.Title})
	}
	for _, e := range natsapi.Errors() {
		out = append(out, CodeInfo{apiCode(e.ErrCode), "The server refuses the request: " + e.Description + "."})
	}
	return out
}

func apiCode(errCode int) string { return "API" + strconv.Itoa(errCode) }

// ParseSelector checks a word by which findings are selected or ignored: a code
// (API10052), the letters that codes begin with (API, FILE, CFG) or a severity.
// The error says what there is.
func ParseSelector(word string) (string, error) {
	if _, ok := severityRank[design.Severity(word)]; ok {
		return word, nil
	}
	upper := strings.ToUpper(word)
	var names []string
	families := map[string]bool{}
	for _, c := range Codes() {
		family := strings.TrimRight(c.Code, "0123456789")
		if upper == c.Code || upper == family {
			return upper, nil
		}
		families[family] = true
		names = append(names, c.Code)
	}
	if near := natsapi.Suggest(upper, names); near != "" {
		return "", fmt.Errorf("%q is not a code of findings; did you mean %s?", word, near)
	}
	if r, err := FindRule(word); err == nil {
		return "", fmt.Errorf("%q is the name of a rule, and its code is asked for: %s", word, r.Code)
	}
	return "", fmt.Errorf("%q is not a code of findings; write a code such as API10052, its letters (API, CON, FILE…), error, warning or info", word)
}

// Matches reports whether a selector of ParseSelector stands for the finding.
func (f Finding) Matches(selector string) bool {
	is := func(code string) bool { return selector == code || selector == strings.TrimRight(code, "0123456789") }
	return selector == string(f.Severity) || is(f.Code) || f.Alias != "" && is(f.Alias)
}
