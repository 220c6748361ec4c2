package size

// reported is state.bytes of a stream that stores msgs messages of mean shape m:
// what `nats stream info` shows and what max_bytes limits. It is one copy;
// replicas, compression and encryption do not change it.
func reported(msgs Figure, m Message, s Storage) Figure {
	return product("reported bytes", Bytes, msgs, recordFigure(m, s)).from(Arithmetic,
		"state.bytes counts records only; exact in every measured cell")
}
