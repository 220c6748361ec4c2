package engine

import "weir/internal/methods"

// Version is Weir's own version.
const Version = methods.Version
