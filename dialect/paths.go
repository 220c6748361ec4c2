package dialect

import "strings"

// apart makes paths differ also where a file system does not tell capitals from small
// letters, as those of macOS and Windows: of names in the same folder that are alike but
// for them, the capitals become %XX. Paths come from fileName, so that no name looks so by
// itself.
func apart(files []File) []File {
	// spelled has the spellings of a name, by its folder and itself in small letters.
	spelled := map[string]map[string]bool{}
	for _, f := range files {
		eachName(f.Path, func(folder, name string) string {
			key := folder + strings.ToLower(name)
			if spelled[key] == nil {
				spelled[key] = map[string]bool{}
			}
			spelled[key][name] = true
			return name
		})
	}
	for i := range files {
		files[i].Path = eachName(files[i].Path, func(folder, name string) string {
			return withoutCapitals(name, spelled[folder+strings.ToLower(name)])
		})
	}
	return files
}

// eachName puts what change makes of each name of a path together. It is told the path of
// the folder, with a slash at its end.
func eachName(path string, change func(folder, name string) string) string {
	var out []string
	folder := ""
	for name := range strings.SplitSeq(path, "/") {
		out = append(out, change(folder, name))
		folder += name + "/"
	}
	return strings.Join(out, "/")
}

// withoutCapitals writes those capitals as %XX that other spellings of a name have small.
func withoutCapitals(name string, spellings map[string]bool) string {
	var b strings.Builder
	for i := range len(name) {
		differs := false
		for other := range spellings {
			differs = differs || other[i] != name[i]
		}
		if differs && name[i] >= 'A' && name[i] <= 'Z' {
			escape(&b, name[i])
		} else {
			b.WriteByte(name[i])
		}
	}
	return b.String()
}

// escape writes a byte as %XX.
func escape(b *strings.Builder, c byte) {
	const hex = "0123456789ABCDEF"
	b.WriteByte('%')
	b.WriteByte(hex[c>>4])
	b.WriteByte(hex[c&15])
}
