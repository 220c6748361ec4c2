//go:build !race && !js

package size

// raceDetector says that the test binary watches for data races.
const raceDetector = false
