package methods

// Release is the release that this source is, or becomes: the only place of the
// number. CHANGELOG.md begins with it.
const Release = "0.1.0"

// Version is Weir's own version, the same for every program that answers methods:
// the release where it was built with the tag release, as make release does, else
// Release with "-dev" behind it.
const Version = Release + unreleased
