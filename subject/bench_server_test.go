//go:build !js

package subject_test

import "github.com/nats-io/nats-server/v2/server"

var theServer = serverFunctions{
	matches: server.SubjectMatchesFilter,
	collide: server.SubjectsCollide,
	transform: func(source, destination string) func(string) (string, error) {
		tr, err := server.NewSubjectTransform(source, destination)
		if err != nil {
			return func(string) (string, error) { return "", err }
		}
		return tr.Match
	},
}
