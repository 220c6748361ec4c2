package size

// Sizes of block files (server/filestore.go, v2.15.2).
const (
	largeBlock     = 8 * MiB
	mediumBlock    = 4 * MiB
	encryptedBlock = 2 * MiB
	minBlock       = 32 * 1000
)

const blockSource = "server/stream.go:autoTuneFileStorageBlockSize, server/filestore.go:dynBlkSize (v2.15.2)"

// BlockSize returns the size in bytes at which the server rolls to a new block
// file for a file stream configured like s. A limit of bytes, else of messages
// times the largest message allowed, decides: a quarter of it, brought to
// 32,000 B, 4 MiB or 8 MiB. Without either, 4 MiB with a limit per subject, 2 MiB
// when encrypted, 8 MiB under limits retention and 4 MiB under the others.
// maxPayload is the server's max_payload; 0 is its default of 1 MiB.
func BlockSize(s Stream, maxPayload int64) int64 {
	switch {
	case s.MaxBytes > 0:
		return tunedBlock(float64(s.MaxBytes))
	case s.MaxMsgs > 0:
		return tunedBlock(float64(s.MaxMsgs) * largestRecord(s, maxPayload))
	case s.MaxMsgsPerSubject > 0:
		return mediumBlock
	case s.encrypted():
		return encryptedBlock
	case s.retention() == Limits:
		return largeBlock
	}
	return mediumBlock
}

// tunedBlock is a quarter of total, rounded up to 100, then brought to one of
// three sizes.
func tunedBlock(total float64) int64 {
	quarter := int64(min(total, Limit/2))/4 + 1
	if m := quarter % 100; m != 0 {
		quarter += 100 - m
	}
	switch {
	case quarter <= minBlock:
		return minBlock
	case quarter >= largeBlock:
		return largeBlock
	}
	return mediumBlock
}

// assumedSubject is the subject length that the server assumes when no subject
// of the stream is literal (server/stream.go:maxMsgSize).
const assumedSubject = 256

// largestRecord is the server's estimate of the largest record
// (server/stream.go:maxMsgSize): max_msg_size, else the account's or server's
// max_payload.
func largestRecord(s Stream, maxPayload int64) float64 {
	size := s.MaxMsgSize
	if size <= 0 {
		size = maxPayload
	}
	if size <= 0 {
		size = defaultMaxPayload
	}
	subject := s.LiteralSubject
	if subject <= 0 {
		subject = assumedSubject
	}
	return float64(fileRecordFixed+fileHeaderLength) + float64(subject) + float64(size)
}
