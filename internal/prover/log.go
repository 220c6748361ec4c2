package prover

import (
	"context"
	"fmt"
	"time"

	"weir/internal/methods"
)

// maxLogLines bounds what is remembered of the servers' logs.
const maxLogLines = 2_000

// serverLog keeps the last lines that servers logged, and where each run began.
type serverLog struct {
	lines   []LogLine
	dropped int
	started time.Time // of the last run
}

// LogLine is one line of a server's log.
type LogLine struct {
	// At is the time since the run began, "0.012 s".
	At    string `json:"at"`
	Node  string `json:"node"`  // "n1", "" for the line that begins a run
	Level string `json:"level"` // INF, WRN, ERR, FTL; "run" for the line that begins one
	Text  string `json:"text"`
}

// LogReply is the log. Dropped counts the older lines that are not kept.
type LogReply struct {
	Lines   []LogLine `json:"lines"`
	Dropped int       `json:"dropped"`
}

func (l *serverLog) note(text string) {
	l.started = time.Now()
	l.put(LogLine{At: "0 s", Level: "run", Text: text})
}

func (l *serverLog) add(node int, level, text string) {
	l.put(LogLine{At: fmt.Sprintf("%.3f s", time.Since(l.started).Seconds()), Node: fmt.Sprintf("n%d", node+1), Level: level, Text: text})
}

func (l *serverLog) put(line LogLine) {
	l.lines = append(l.lines, line)
	if over := len(l.lines) - maxLogLines; over > 0 {
		l.lines = append(l.lines[:0], l.lines[over:]...)
		l.dropped += over
	}
}

func (p *Prover) logged(context.Context, Nothing, methods.Progress) (LogReply, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return LogReply{Lines: append([]LogLine(nil), p.log.lines...), Dropped: p.log.dropped}, nil
}
