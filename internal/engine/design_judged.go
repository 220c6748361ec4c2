package engine

import (
	"slices"
	"sync"

	"weir/lint"
	"weir/natsapi"
)

// judgements remembers what was found in the files that were judged last: the
// drawing of a design shows the findings that were asked for just before, and a
// version that the studio judged by ahead, while nothing else was asked for, is
// shown without a check.
var judgements = lastReports{reading: &readings}

// lastReports holds the reports on the same files, one for each version, and what
// makes the check after the next edit faster. The zero value reads for itself.
type lastReports struct {
	sync.Mutex
	reading *lastReading
	files   []File
	reports []versionReport // none for other files
	kept    lint.Kept       // not dropped with the reports: an edit changes little
}

// versionReport is a report for a version, the zero one for that of the files.
type versionReport struct {
	target natsapi.Version
	report *lint.Report
}

// maxVersions bounds the reports that are remembered: those for all known versions
// and for the one that the files name, and for some patches besides.
const maxVersions = 16

// judge is lint.Check of files. What it returns is not to be changed.
func (l *lastReports) judge(files []File, target natsapi.Version) (*lint.Report, error) {
	l.Lock()
	defer l.Unlock()
	same := l.files != nil && slices.Equal(l.files, files)
	for _, one := range l.reports {
		if same && one.target == target {
			return one.report, nil
		}
	}
	if l.reading == nil {
		l.reading = new(lastReading)
	}
	designs, problems, err := l.reading.read(files, "files")
	if err != nil {
		return nil, err
	}
	sources, err := sourcesOf(files, "files")
	if err != nil {
		return nil, err
	}
	r := lint.Check(designs, problems, lint.Options{Target: target, Sources: sources, Kept: &l.kept})
	if !same || len(l.reports) >= maxVersions {
		l.kept.Forget()
		l.files, l.reports = slices.Clone(files), nil
	}
	l.reports = append(l.reports, versionReport{target, &r})
	return &r, nil
}
