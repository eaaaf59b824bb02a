// A small consumer in Go: prints the library's version and ten tokens of a fixed seed, with another C++ library in the same program.
// Every way to get the module must print the same, and what ../main.c prints.
package main

import (
	"fmt"
	"log"

	"github.com/bankml/bankml/bindings/go/bankml"

	"example.org/consumer/other"
)

func main() {
	logits := make([]float32, 1000)
	sampler, err := bankml.New(bankml.WithNVocab(len(logits)), bankml.WithSeed(42))
	if err != nil {
		log.Fatal(err)
	}
	defer sampler.Close()
	fmt.Printf("%s:", bankml.Version)
	for i := range 10 {
		for k := range logits {
			logits[k] = float32((k*7919+i*31)%1009) / 128
		}
		token, err := sampler.Sample(logits)
		if err == nil {
			err = sampler.Accept(token)
		}
		if err != nil {
			log.Fatal(err)
		}
		if other.Words("one two three") != 3 || other.Words("") != -1 {
			log.Fatal("the other library")
		}
		fmt.Printf(" %d", token)
	}
	fmt.Println()
}
