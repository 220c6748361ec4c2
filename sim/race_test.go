//go:build race

package sim

// raceDetector says that the test binary watches for data races, which makes a
// run ten times slower: tests take fewer messages then.
const raceDetector = true
