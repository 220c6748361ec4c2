//go:build !linux && !js

package prove

import (
	"os/exec"
	"strconv"
	"syscall"
)

// diesWithParent is nothing here: only Linux ends a child with its parent. What
// a kill leaves is ended by the next run, see removeLeftovers.
func diesWithParent() *syscall.SysProcAttr { return nil }

// commandLine asks ps, "" when there is no such process or no ps.
func commandLine(pid int) string {
	out, err := exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return string(out)
}
