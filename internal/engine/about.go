package engine

import (
	"context"

	"weir/internal/methods"
	"weir/natsapi"
	"weir/subject"
)

// Version is Weir's own version.
const Version = methods.Version

// ServerVersion is the nats-server whose behaviour the tables and rules follow,
// and which runs inside Weir. A test holds it to go.mod.
var ServerVersion = natsapi.Embedded.String()

// About is the reply of the method about.
type About struct {
	Weir        string                `json:"weir"`
	NATSServer  string                `json:"nats_server"`
	Contexts    []subject.ContextInfo `json:"contexts"`
	Functions   []subject.Function    `json:"functions"`
	Reserved    []subject.Reserved    `json:"reserved"`
	Examples    Examples              `json:"examples"`
	MaxPatterns int                   `json:"max_patterns"`
	MaxSubjects int                   `json:"max_subjects"`
}

// Examples is what the subject lab opens with.
type Examples struct {
	Patterns []string `json:"patterns"`
	Subjects []string `json:"subjects"`
}

var aboutMethods = []method{
	on("about", "Versions, the lists that menus show, and the examples that labs open with.",
		func(context.Context, struct{}, Progress) (About, error) {
			return About{
				Weir: Version, NATSServer: ServerVersion,
				Contexts: subject.Contexts(), Functions: subject.Functions(),
				Reserved:    subject.ReservedSpaces(subject.Release{}),
				Examples:    Examples{subject.TextbookPatterns(), subject.TextbookSubjects()},
				MaxPatterns: subject.MaxMatrixPatterns, MaxSubjects: subject.MaxMatrixSubjects,
			}, nil
		}),
}
