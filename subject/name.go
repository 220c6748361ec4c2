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

func checkAssetName(what string) func(string) *refusal {
	return func(s string) *refusal {
		if s == "" {
			return &refusal{-1, "it is empty", ""}
		}
		if at := strings.IndexAny(s, assetNameRefused); at >= 0 {
			return &refusal{at, fmt.Sprintf("%s at byte %d", byteName(s[at]), at+1), assetNameAnswer(what, s[at])}
		}
		if len(s) > MaxNameBytes {
			return &refusal{MaxNameBytes, fmt.Sprintf("%d bytes, more than %d", len(s), MaxNameBytes), what + " name is too long, maximum allowed is 255"}
		}
		return nil
	}
}

// assetNameAnswer is what a server does with a name that holds c (measured on
// 2.15.2).
func assetNameAnswer(what string, c byte) string {
	switch {
	case c == 0:
		return "accepted by the server, refused by client libraries"
	case (c == '/' || c == '\\') && what == "stream":
		return "400/10128 Stream name can not contain path separators"
	case c == '/' || c == '\\':
		return "400/10127 Consumer name can not contain path separators"
	case c == '.' && what == "stream":
		return "no reply at all: the API subject gains a token and matches nothing"
	case c == '.':
		return "400/10131: the part behind the dot is read as a filter"
	}
	return invalid
}

func checkBucket(s string) *refusal {
	return checkChars(s, "_-", "the client library refuses it before the server is asked")
}

// checkChars refuses every byte that is neither an ASCII letter nor a digit nor
// in also.
func checkChars(s, also, server string) *refusal {
	if s == "" {
		return &refusal{-1, "it is empty", server}
	}
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(also, c) >= 0 {
			continue
		}
		return &refusal{i, fmt.Sprintf("%s at byte %d", byteName(c), i+1), server}
	}
	return nil
}

// keyRule is the rule of a KV key; wildcards lists those that may stand as
// whole tokens. A key is the tail of the subject $KV.BUCKET.key, so it has a
// subject's rules on dots as well.
func keyRule(wildcards string) func(string) *refusal {
	const answer = "the client library refuses it before the server is asked"
	return func(s string) *refusal {
		if r := checkChars(s, "-/_=."+wildcards, answer); r != nil {
			return r
		}
		if r := refusalOf(s, firstFault(s, ""), answer); r != nil {
			return r
		}
		offset := 0
		for _, t := range Tokens(s) {
			if at := strings.IndexAny(t, "*>"); at >= 0 && len(t) > 1 {
				return &refusal{offset + at, fmt.Sprintf("%q inside the longer token %q", t[at], t), answer}
			}
			offset += len(t) + 1
		}
		return nil
	}
}
