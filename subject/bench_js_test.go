package subject_test

var theServer serverFunctions
