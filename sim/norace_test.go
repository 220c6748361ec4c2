//go:build !race

package sim

// raceDetector says that the test binary watches for data races.
const raceDetector = false
