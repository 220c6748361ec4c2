package sim

// EventKind says what a traced event is.
type EventKind uint8

// The traced events.
const (
	EventPublish    EventKind = iota // an attempt and its answer
	EventStart                       // a handler begins, or a crashed worker had the message
	EventEnd                         // a handler's work is done
	EventAcked                       // an ack is confirmed
	EventMaxDeliver                  // MAX_DELIVERIES advisory
	EventTerminated                  // MSG_TERMINATED advisory
	EventUnread                      // a message is gone that nobody was given
	EventPinned                      // a client is pinned
	EventUnpinned
	EventFault
)

// Event is one line of a trace. Times are nanoseconds from the start; which
// fields have a meaning depends on the kind.
type Event struct {
	At                                  int64
	Kind                                EventKind
	Stream, Consumer, Worker, Publisher int32 // indices in the workload
	Seq, ConsumerSeq                    uint64
	Delivery                            int   // num_delivered, or the attempt of a publish
	Received                            int64 // by the client; of a publish: when it was due
	Stored, Started, Ended              int64
	Action                              ActionKind
	Answer                              int // of a publish: 0 stored, 1 duplicate, 2 refused, 3 lost, 4 no responders
	Code                                int // err_code, or the kind of a fault
	Number                              uint64
}

func (r *run) emit(e Event) {
	if r.trace == nil {
		return
	}
	e.At = r.k.now
	r.trace(e)
}

// kindNames are the events' names in a trace file.
var kindNames = [...]string{"publish", "start", "end", "acked", "max_deliver", "terminated", "unread", "pinned", "unpinned", "fault"}

// Record is an event as it is written to a file: names in place of numbers, what
// has no meaning left out. Times are in nanoseconds from the start.
type Record struct {
	At        int64  `json:"at"`
	Event     string `json:"event"`
	Stream    string `json:"stream,omitempty"`
	Consumer  string `json:"consumer,omitempty"`
	Publisher string `json:"publisher,omitempty"`
	Worker    int32  `json:"worker,omitempty"`
	Seq       uint64 `json:"seq,omitempty"`
	Delivery  int    `json:"delivery,omitempty"`
	Stored    int64  `json:"stored,omitempty"`
	Code      int    `json:"code,omitempty"`
}

// Record makes a record of the event, with the names of its workload.
func (e Event) Record(w Workload) Record {
	out := Record{At: e.At, Event: kindNames[e.Kind], Seq: e.Seq, Delivery: e.Delivery, Stored: e.Stored, Code: e.Code}
	if e.Kind != EventFault && int(e.Stream) < len(w.Streams) {
		out.Stream = w.Streams[e.Stream].Name
	}
	switch e.Kind {
	case EventPublish:
		out.Publisher = w.Publishers[e.Publisher].Name
	case EventUnread, EventFault:
	default:
		out.Worker = e.Worker
		if int(e.Consumer) < len(w.Consumers) {
			out.Consumer = w.Consumers[e.Consumer].Name
		}
	}
	return out
}
