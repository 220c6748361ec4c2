package design

import (
	"strconv"
	"strings"
)

// Paths name values in a design: keys joined by dots, list elements in brackets,
// streams.ORDERS.sources[0].name. A key that would be read otherwise (one with a
// dot, a bracket or a quote, or an empty one) stands in brackets and quotes:
// streams.ORDERS.metadata["io.nats.monitor.enabled"].

// Join is the path of a key below path. An empty path is the root.
func Join(path, key string) string {
	if key == "" || strings.ContainsAny(key, ".[]\"") {
		return path + "[" + strconv.Quote(key) + "]"
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// Index is the path of a list's element, counted from 0.
func Index(path string, i int) string {
	return path + "[" + strconv.Itoa(i) + "]"
}

// Split takes a path apart: keys as they are, list elements as "[0]". A path
// that is not well-formed ends where it stops to be.
func Split(path string) []string {
	var out []string
	for path != "" {
		var step string
		if step, path = cutStep(path); step == "" {
			return out
		}
		if strings.HasPrefix(step, `["`) {
			key, err := strconv.Unquote(step[1 : len(step)-1])
			if err != nil {
				return out
			}
			step = key
		}
		out = append(out, step)
		path = strings.TrimPrefix(path, ".")
	}
	return out
}

// cutStep cuts the first step off a path, brackets included.
func cutStep(path string) (step, rest string) {
	if path[0] != '[' {
		if i := strings.IndexAny(path, ".["); i >= 0 {
			return path[:i], path[i:]
		}
		return path, ""
	}
	if strings.HasPrefix(path, `["`) {
		quoted, err := strconv.QuotedPrefix(path[1:])
		if err != nil || len(path) < len(quoted)+2 || path[len(quoted)+1] != ']' {
			return "", ""
		}
		return path[:len(quoted)+2], path[len(quoted)+2:]
	}
	if i := strings.IndexByte(path, ']'); i >= 0 {
		return path[:i+1], path[i+1:]
	}
	return "", ""
}

// Parent is the path one step up, "" for a key of the root and for the root.
func Parent(path string) string {
	last := -1
	for at := 0; at < len(path); {
		if path[at] == '.' {
			at++
		}
		if at >= len(path) {
			break
		}
		step, _ := cutStep(path[at:])
		if step == "" {
			break
		}
		last = at
		at += len(step)
	}
	if last <= 0 {
		return ""
	}
	return strings.TrimSuffix(path[:last], ".")
}
