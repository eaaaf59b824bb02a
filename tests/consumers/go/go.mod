module example.org/consumer

go 1.24

require github.com/bankml/bankml v0.1.0
