package calculator

import (
	"math"

	"weir/natsapi"
	"weir/size"
	"weir/subject"
)

// defaultSubjectBytes is the length of a subject when nothing is said about it:
// orders.eu.created.
const defaultSubjectBytes = 17

// leastHeader is a header block with one header of one character and no value:
// NATS/1.0, the header, and the empty line.
const leastHeader = float64(len("NATS/1.0\r\na:\r\n\r\n"))

// message puts a message together.
func (f *messageInput) message() (size.Message, error) {
	m := size.Message{Subject: defaultSubjectBytes, Header: f.header.Value, Payload: f.payload.Value, ID: f.id.Value}
	if f.subject.Text != "" && f.subjectLen.Given() {
		return m, refuse("%q cannot be --subject-len beside --subject %s, which has a length; give one of the two", f.subjectLen.Text, f.subject.Text)
	}
	switch {
	case f.subject.Text != "":
		m.Subject = float64(len(f.subject.Text))
	case f.subjectLen.Given():
		m.Subject = f.subjectLen.Value
	}
	if m.Subject > subject.MaxControlLine {
		return m, refuse("%q cannot be --subject-len: a server reads at most %s bytes of a subject", f.subjectLen.Text, counted(subject.MaxControlLine))
	}
	if m.ID > 0 {
		_, alone := size.MsgIDHeader(int(m.ID))
		if !f.header.Given() {
			m.Header = float64(alone)
		} else if m.Header < float64(alone) {
			return m, refuse("%q cannot be --header: an id of %s needs a block of %d bytes; --header is the whole block, or leave it out", f.header.Text, size.FormatBytes(m.ID), alone)
		}
	}
	switch {
	case f.payload.Given():
	case len(f.samples) > 0:
		total := 0
		for _, s := range f.samples {
			total += len(s)
		}
		m.Payload = float64(total) / float64(len(f.samples))
	default:
		return m, refuse("no payload given; write --payload 1.2KiB, or --sample FILE with a real one")
	}
	if most := natsapi.LimitOf("max_header_length"); m.Header > float64(most) {
		return m, refuse("%q of headers is more than a stream stores: at most %s bytes for a message, Nats-Msg-Id included", size.FormatBytes(m.Header), counted(int(most)))
	}
	if f.header.Given() && m.Header > 0 && m.Header < leastHeader {
		return m, refuse("%q cannot be --header: the shortest block, with one header, has %.0f bytes; --header is the whole block", f.header.Text, leastHeader)
	}
	if m.Header+m.Payload > math.MaxInt32 {
		return m, refuse("%q of payload and %q of headers cannot be one message: max_payload, which bounds both together, is a 32-bit number; give less than 2 GiB",
			size.FormatBytes(m.Payload), size.FormatBytes(m.Header))
	}
	return m, nil
}
