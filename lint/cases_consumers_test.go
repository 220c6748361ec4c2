package lint

// consumerCases are the rows about consumers, workers, publishers and buckets.
var consumerCases = []caseOf{}
