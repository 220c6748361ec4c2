//go:build js && wasm

// Command weir-server is the real nats-server in the browser, with package
// prove to run it. It sets
// globalThis.weirServer = {call(id, method, requestJSON, progress?) → Promise<replyJSON>, cancel(id)}
// and then waits. progress is called with {"done":…,"total":…,"what":…}. It is
// built with the overlay of ./overlay, and needs a globalThis.fs that keeps
// files (web/src/server/memory-files.ts).
package main

import (
	"context"
	"encoding/json"
	"sync"
	"syscall/js"

	"weir/internal/methods"
	"weir/internal/prover"
)

func main() {
	c := &calls{prover: prover.New(methods.Version), ends: map[string]context.CancelFunc{}}
	js.Global().Set("weirServer", map[string]any{
		"call":   js.FuncOf(func(_ js.Value, args []js.Value) any { return c.start(args) }),
		"cancel": js.FuncOf(func(_ js.Value, args []js.Value) any { return c.cancel(args) }),
	})
	select {}
}

// calls are those under way, by their id.
type calls struct {
	prover *prover.Prover
	mu     sync.Mutex // never held across a wait: callbacks take it
	ends   map[string]context.CancelFunc
}

func (c *calls) put(id string, end context.CancelFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ends[id] = end
}

// take returns what ends a call and forgets it, nil when it is over.
func (c *calls) take(id string) context.CancelFunc {
	c.mu.Lock()
	defer c.mu.Unlock()
	end := c.ends[id]
	delete(c.ends, id)
	return end
}

// start begins a call in a goroutine of its own, since a callback must not wait,
// and returns the promise of its reply.
func (c *calls) start(args []js.Value) any {
	if len(args) < 3 || args[0].Type() != js.TypeNumber || args[1].Type() != js.TypeString || args[2].Type() != js.TypeString {
		return `{"error":{"code":"bad_request","message":"call(id, method, requestJSON, progress?) takes a number and two strings"}}`
	}
	id, method, req := args[0].String(), args[1].String(), []byte(args[2].String())
	ctx, cancel := context.WithCancel(context.Background())
	c.put(id, cancel)
	report := reporter(args[3:])
	var begin js.Func
	begin = js.FuncOf(func(_ js.Value, settle []js.Value) any {
		begin.Release()
		go func() {
			defer cancel()
			reply := c.prover.Call(ctx, method, req, report)
			c.take(id)
			settle[0].Invoke(string(reply))
		}()
		return nil
	})
	return js.Global().Get("Promise").New(begin)
}

// cancel ends a call; its reply still comes.
func (c *calls) cancel(args []js.Value) any {
	if len(args) == 1 && args[0].Type() == js.TypeNumber {
		if end := c.take(args[0].String()); end != nil {
			end()
		}
	}
	return nil
}

func reporter(args []js.Value) methods.Progress {
	if len(args) == 0 || args[0].Type() != js.TypeFunction {
		return nil
	}
	return func(done, total int64, what string) {
		if line, err := json.Marshal(map[string]any{"done": done, "total": total, "what": what}); err == nil {
			args[0].Invoke(string(line))
		}
	}
}
