//go:build server

package dialect

// confRules are none in server.wasm: a real server reads the configuration there,
// and what Weir thinks of it has been said by engine.wasm.
func confRules() map[string]confRule { return nil }
