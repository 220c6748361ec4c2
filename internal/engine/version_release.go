//go:build release

package engine

const unreleased = ""
