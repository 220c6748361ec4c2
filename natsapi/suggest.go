package natsapi

import "strings"

// Suggest returns the candidate that name was most likely meant to be, or "".
// Letter case, "-" and "_" do not count (maxAge and max-age mean max_age), one
// or a few mistyped letters are forgiven in longer names, and a name that ends
// or begins a candidate at a "_" is taken for it ("replicas": num_replicas).
// Of equally good candidates the first wins.
func Suggest(name string, candidates []string) string {
	// The longest key of the tables has 41 bytes; nothing longer than that by
	// much can be a mistyped key, and the distance is quadratic.
	const longest = 64
	if name == "" || len(name) > longest {
		return ""
	}
	plain := plainName(name)
	best, bestDistance := "", len(plain)/3+1
	if len(plain) < 3 {
		bestDistance = 1 // only another spelling of the same letters
	}
	for _, c := range candidates {
		if len(c) > longest || c == "" {
			continue
		}
		if d := editDistance(plain, plainName(c)); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	if best != "" || len(plain) < 3 {
		return best
	}
	for _, c := range candidates {
		if n := strings.ToLower(name); strings.HasSuffix(c, "_"+n) || strings.HasPrefix(c, n+"_") {
			return c
		}
	}
	return ""
}

// SuggestSure is Suggest, and whether there is no doubt: the name is the
// candidate but for letter case and separators, or one slip away from it and
// from no other.
func SuggestSure(name string, candidates []string) (best string, sure bool) {
	best = Suggest(name, candidates)
	if best == "" {
		return "", false
	}
	plain := plainName(name)
	distance, rivals := editDistance(plain, plainName(best)), 0
	for _, c := range candidates {
		if c != best && len(c) <= 64 && editDistance(plain, plainName(c)) <= distance+1 {
			rivals++
		}
	}
	const shortest = 5 // in shorter names one letter is too much of the word
	return best, rivals == 0 && (distance == 0 || distance <= 2 && len(plain) >= shortest && distance*shortest <= len(plain))
}

// plainName keeps what people get right: the letters and digits, in lower case.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// editDistance counts the insertions, deletions, replacements and swaps of
// neighbours that turn a into b (restricted Damerau-Levenshtein, in bytes).
func editDistance(a, b string) int {
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			replace := row[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			next[j] = min(row[j]+1, next[j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
