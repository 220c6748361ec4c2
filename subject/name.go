package subject

import (
	"fmt"
	"strings"
)

// MaxNameBytes is the longest stream or consumer name in bytes
// (server/jetstream_api.go: JSMaxNameLen, v2.15.2).
const MaxNameBytes = 255

// assetNameRefused holds the bytes that no stream or consumer name may contain
// (server/jetstream.go:isValidAssetName). NUL is refused by every client
// library that was looked at; the server itself would take it.
const assetNameRefused = " \t\r\n\f.*>\\/\x00"

func checkAssetName(what string) rule {
	return func(s string, _ Release) *refusal {
		if s == "" {
			return &refusal{-1, "it is empty", ""}
		}
		if at := strings.IndexAny(s, assetNameRefused); at >= 0 {
			return &refusal{at, fmt.Sprintf("%s at byte %d", byteName(s[at]), at+1), assetNameAnswer(what, s[at])}
		}
		if len(s) > MaxNameBytes {
			return &refusal{MaxNameBytes, fmt.Sprintf("%d bytes, more than %d", len(s), MaxNameBytes), assetNameTooLong(what)}
		}
		return nil
	}
}

func assetNameTooLong(what string) string {
	if what == "stream" {
		return "500/10052 stream name is too long, maximum allowed is 255"
	}
	return "400/10102 consumer name is too long, maximum allowed is 255"
}

// assetNameAnswer is what a server does with a name that holds c (measured on
// 2.15.2).
func assetNameAnswer(what string, c byte) string {
	switch {
	case c == 0:
		return "accepted by the server, refused by client libraries"
	case strings.IndexByte(lineBytes, c) >= 0:
		return "the name is part of an API subject, whose protocol line is split or ends at this byte"
	case (c == '/' || c == '\\') && what == "stream":
		return "400/10128 Stream name can not contain path separators"
	case c == '/' || c == '\\':
		return "400/10127 Consumer name can not contain path separators"
	case c == '.' && what == "stream":
		return "no reply at all: the API subject gains a token and matches nothing"
	case c == '.':
		return "400/10131: the part behind the dot is read as a filter"
	case what == "stream":
		return `500/10052 stream name is required and can not contain '.', '*', '>', '\', '/'`
	}
	return `500/10052 consumer name can not contain '.', '*', '>', '\', '/'`
}

func checkBucket(s string, _ Release) *refusal {
	return checkChars(s, "_-", "the client library refuses it before the server is asked")
}

// checkChars refuses every byte that is neither an ASCII letter nor a digit nor
// in also.
func checkChars(s, also, server string) *refusal {
	if s == "" {
		return &refusal{-1, "it is empty", server}
	}
	for i := range len(s) {
		if !isNameByte(s[i], also) {
			return &refusal{i, fmt.Sprintf("%s at byte %d", byteName(s[i]), i+1), server}
		}
	}
	return nil
}

func isNameByte(c byte, also string) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(also, c) >= 0
}

// wildcardsOf returns the wildcards that a kind of KV key may hold.
func wildcardsOf(c Context) string {
	if c == KVSearchKey {
		return "*>"
	}
	return ""
}

// keyRule is the rule of a KV key or watch key. A key is the tail of the subject
// $KV.BUCKET.key, so it has a subject's rules on dots as well.
func keyRule(c Context) rule {
	const answer = "the client library refuses it before the server is asked"
	return func(s string, _ Release) *refusal {
		if r := checkChars(s, "-/_=."+wildcardsOf(c), answer); r != nil {
			if r.place >= 0 && (s[r.place] == '*' || s[r.place] == '>') {
				r.reason += "; wildcards are for watching keys, not for reading or writing one"
			}
			return r
		}
		if r := refusalOf(s, firstFault(s, ""), answer); r != nil {
			return r
		}
		return insideToken(s, answer)
	}
}
