package prove

import (
	"os"
	"strconv"
	"syscall"
)

// diesWithParent makes the system kill a process when Weir ends, however it
// ends.
func diesWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// commandLine is the command line of a process, "" when there is none.
func commandLine(pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return ""
	}
	return string(text)
}
