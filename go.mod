module github.com/bankml/bankml

go 1.24
