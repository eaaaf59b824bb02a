// No module to be used: this file keeps the fuzz targets and their saved inputs, some of whose names other systems refuse, out of the zip of
// the Go module in the project's root.
module github.com/bankml/bankml/fuzz

go 1.24
