//go:build !race

package interview_test

// raceDetector says that the test binary watches for data races.
const raceDetector = false
