//go:build !race && !js

package prove

// raceDetector says that the test binary watches for data races.
const raceDetector = false
