//go:build js && wasm

// Command weir-engine is Weir's engine in the browser. It sets
// globalThis.weirEngine = {call(method, requestJSON, progress?) → replyJSON}
// and then waits. progress is called with {"done":…,"total":…,"what":…}, and by some
// calls with {"partial":…}, the reply as far as it is known.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"weir/internal/engine"
)

func main() {
	js.Global().Set("weirEngine", map[string]any{
		"call": js.FuncOf(func(_ js.Value, args []js.Value) any { return call(args) }),
	})
	select {}
}

func call(args []js.Value) string {
	if len(args) < 2 || args[0].Type() != js.TypeString || args[1].Type() != js.TypeString {
		return `{"error":{"code":"bad_request","message":"call(method, requestJSON, progress?) takes two strings"}}`
	}
	ctx := context.Background()
	var progress engine.Progress
	if len(args) > 2 && args[2].Type() == js.TypeFunction {
		report := args[2]
		progress = func(done, total int64, what string) {
			line, err := json.Marshal(map[string]any{"done": done, "total": total, "what": what})
			if err == nil {
				report.Invoke(string(line))
			}
		}
		ctx = engine.WithPartial(ctx, func(reply []byte) { report.Invoke(`{"partial":` + string(reply) + "}") })
	}
	return string(engine.Call(ctx, args[0].String(), []byte(args[1].String()), progress))
}
