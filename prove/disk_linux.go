package prove

import (
	"os"
	"path/filepath"
	"strings"
)

// diskOf names the file system and the device of a folder, "" for the system's
// temporary one, as Linux lists them in /proc/self/mountinfo; inMemory is true
// for a file system without a disk.
func diskOf(folder string) (name string, inMemory bool) {
	const unknown = "not known"
	if folder == "" {
		folder = os.TempDir()
	}
	at, err := filepath.Abs(folder)
	if err != nil {
		return unknown, false
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	}
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return unknown, false
	}
	longest := -1
	kind, device := "", ""
	for line := range strings.Lines(string(text)) {
		before, after, ok := strings.Cut(line, " - ")
		mount, fs := strings.Fields(before), strings.Fields(after)
		const mountPoint = 4
		if !ok || len(mount) <= mountPoint || len(fs) < 2 {
			continue
		}
		point := mount[mountPoint]
		if (at == point || strings.HasPrefix(at, strings.TrimSuffix(point, "/")+"/")) && len(point) > longest {
			longest, kind, device = len(point), fs[0], filepath.Base(fs[1])
		}
	}
	if kind == "" {
		return unknown, false
	}
	name = kind + " on " + device
	if rotating, err := os.ReadFile("/sys/class/block/" + device + "/queue/rotational"); err == nil && strings.TrimSpace(string(rotating)) == "1" {
		name += ", said to rotate"
	}
	return name, kind == "tmpfs" || kind == "ramfs"
}
