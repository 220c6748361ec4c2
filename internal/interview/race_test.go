//go:build race

package interview_test

// raceDetector says that the test binary watches for data races, which makes a
// run ten times slower: fewer designs are drawn then.
const raceDetector = true
