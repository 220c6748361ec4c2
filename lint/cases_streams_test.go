package lint

// streamCases are the rows about streams, limits, capacity, clusters, servers and
// permissions.
var streamCases = []caseOf{}
