// Package shell quotes words for commands that people copy and scripts that Weir
// writes.
package shell

import "strings"

// plain are the characters that a POSIX shell leaves alone anywhere in a word.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@=+-%"

// Quote is s as one word of a POSIX shell. Quotes do not keep a word that begins
// with a dash from being read as an option: the program does that.
func Quote(s string) string {
	if s != "" && s[0] != '-' && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
