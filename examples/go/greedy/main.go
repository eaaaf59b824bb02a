// Greedy takes the best token of a row of logits: temperature 0 makes the draw greedy.
package main

import (
	"fmt"
	"log"

	"github.com/bankml/bankml/bindings/go/bankml"
)

func main() {
	logits := []float32{0.5, 2.0, -1.0, 3.5, 3.0}
	sampler, err := bankml.New(bankml.WithNVocab(len(logits)), bankml.WithTemperature(0))
	if err != nil {
		log.Fatal(err)
	}
	defer sampler.Close()
	token, err := sampler.Sample(logits)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("status: ok, token:", token)
}
