package prove

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// smallDisk is a folder of 4 MiB.
func smallDisk(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("no small disk without the right to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// TestDiskFull: a run on a full disk says so, whatever the server made of it, keeps
// its evidence without a place of this machine, and leaves nothing behind.
func TestDiskFull(t *testing.T) {
	for _, server := range testServers(t) {
		t.Run(server.version, func(t *testing.T) {
			disk := smallDisk(t)
			leavesNothingIn(t, disk)
			e, err := Design(t.Context(), parseDesign(t, eagerDesign), DesignOptions{With: server.with, Folder: disk, For: time.Second})
			checkFull(t, disk, e, err)
			if len(e.Steps) == 0 || e.Steps[0].Reply.Text != Accepted {
				t.Errorf("the evidence before the disk was full is lost: %+v", e.Steps)
			}
			script, err := ParseScript("full", 1, "stream S subjects=s.*\npublish s.a n=300 size=32KiB\nexpect acked == 300")
			if err != nil {
				t.Fatal(err)
			}
			e, err = RunScript(t.Context(), script, ScriptOptions{With: server.with, Folder: disk})
			checkFull(t, disk, e, err)
		})
	}
}

func checkFull(t *testing.T, disk string, e Evidence, err error) {
	t.Helper()
	if !errors.Is(err, ErrDiskFull) || !e.Partial || e.Held() {
		t.Errorf("error %v, partial %v, held %v", err, e.Partial, e.Held())
	}
	if said := fmt.Sprint(err); strings.Count(said, ErrDiskFull.Error()) != 1 || strings.Contains(said, disk) {
		t.Errorf("it is not said once, or names a folder of this machine: %s", said)
	}
	text, err := json.Marshal(e)
	if err != nil || bytes.Contains(text, []byte(disk)) {
		t.Errorf("%v; the evidence names a folder of this machine: %s", err, text)
	}
}

// TestLatencyOnFullDisk: what is measured on a disk too small says why it ended.
func TestLatencyOnFullDisk(t *testing.T) {
	disk := smallDisk(t)
	leavesNothingIn(t, disk)
	e, err := Latency(t.Context(), LatencyOptions{Folder: disk, Each: time.Second, Payload: 64 << 10})
	if !errors.Is(err, ErrDiskFull) || !e.Partial || strings.Contains(err.Error(), disk) {
		t.Errorf("error %v, partial %v", err, e.Partial)
	}
	full, err := os.ReadDir(disk)
	if err != nil || len(full) > 0 {
		t.Errorf("left behind: %v %v", full, err)
	}
}

// TestDesignFillsItsStore: a max_file_store that is used up is the server's answer to a
// design, not trouble of the machine.
func TestDesignFillsItsStore(t *testing.T) {
	leavesNothing(t)
	for _, server := range testServers(t) {
		t.Run(server.version, func(t *testing.T) {
			small := strings.Replace(eagerDesign, "10GiB", "2MiB", 1)
			e, err := Design(t.Context(), parseDesign(t, small), DesignOptions{With: server.with, For: time.Second})
			if err != nil || e.Partial || e.Held() {
				t.Errorf("error %v, partial %v, held %v", err, e.Partial, e.Held())
			}
			refused := ""
			for _, s := range e.Steps {
				if s.Reply != nil && !s.OK {
					refused += s.Reply.String()
				}
			}
			if !strings.Contains(refused, "503/10023 insufficient resources") {
				t.Errorf("refused: %q", refused)
			}
		})
	}
}
