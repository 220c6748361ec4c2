package methods

// Version is Weir's own version, the same for every program that answers methods.
const Version = "0.1.0-dev"
