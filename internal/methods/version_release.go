//go:build release

package methods

const unreleased = ""
