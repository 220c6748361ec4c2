package prove

import (
	"context"
	"errors"
)

// startChildren refuses: a browser tab starts no processes.
func startChildren(context.Context, Setup, string) (Host, error) {
	return nil, errors.New("a browser tab runs nats-server " + ServerVersion + " only; weir prove --with runs others")
}

func endProcesses(string) {}
