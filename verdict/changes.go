package verdict

// Changes says how a configuration that a server stores differs from the one
// that was sent, as Answer.Changes does for a predicted one. Text that is not a
// JSON object differs in nothing.
func Changes(sent, stored []byte) []Change {
	for _, text := range [][]byte{sent, stored} {
		if _, fault := scanValue(text, skipSpace(text, 0), 0); fault != nil {
			return nil
		}
	}
	return changesOf(sent, memberList(stored))
}
