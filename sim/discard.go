package sim

// Error codes of a refused publish.
// Source: nats-server v2.15.2 errors.json; measured.
const (
	codeStoreFailed = 10077 // maximum messages, bytes or messages per subject exceeded
	codeTooLarge    = 10054 // message size exceeds maximum allowed
)

// refuse says with which err_code a publish is refused, or 0.
//
// Models: max_msg_size; discard new with max_msgs, max_bytes and, with
// discard_new_per_subject, max_msgs_per_subject; a message of the same subject
// that is replaced makes room, for bytes only when it is not smaller.
// Ignores: expected-sequence headers, sealed streams, limits of account and
// server, the inbound queue (10167).
// Source: nats-server v2.15.2 memstore.go storeRawMsg, stream.go
// processJetStreamMsgWithBatch; measured on file and memory, R1 and R3.
func (s *stream) refuse(a *attempt, size int32) int {
	if limit := s.cfg.MaxMsgSize; limit > 0 && int64(a.payload+a.headers) > limit {
		return codeTooLarge
	}
	if !s.cfg.DiscardNew {
		return 0
	}
	replaces, room := false, int64(0)
	if s.perKey != nil {
		if q := s.perKey[a.key]; q != nil {
			s.stale(q)
			if replaces = int64(q.len()) >= s.cfg.MaxMsgsPerSubject; replaces {
				_, old, _ := s.load(*q.front())
				room = int64(old)
			}
		}
	}
	switch {
	case replaces && s.cfg.DiscardNewPerSubject:
		return codeStoreFailed
	case s.cfg.MaxMsgs > 0 && s.store.msgs >= s.cfg.MaxMsgs && !replaces:
		return codeStoreFailed
	case s.cfg.MaxBytes > 0 && s.store.bytes+int64(size) > s.cfg.MaxBytes && room < int64(size):
		return codeStoreFailed
	}
	return 0
}
