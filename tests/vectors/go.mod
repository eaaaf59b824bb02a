// No module to be used: this file keeps the recorded cases out of the zip of the Go module in the project's root.
module github.com/bankml/bankml/tests/vectors

go 1.24
