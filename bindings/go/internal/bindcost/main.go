// Command bindcost prints what one draw costs through this binding, in lines `go slice V NANOSECONDS`; bench/bindings/README.md says how
// it is measured and what it is compared with.
package main

import (
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/bankml/bankml/bindings/go/bankml"
)

const calls = 20000

// fill makes the row that all languages draw from.
func fill(logits []float32) {
	for i := range logits {
		logits[i] = float32(float32(uint32(i)*2654435761>>8)*float32(12.0/16777216.0)) - 6
	}
	for k := range 5 {
		logits[7*k%len(logits)] = 8 + 0.5*float32(k)
	}
}

// median is the median over batches, each the mean of its calls, in nanoseconds.
func median(n, batch int) float64 {
	sampler, err := bankml.New(bankml.WithNVocab(n), bankml.WithSeed(1))
	if err != nil {
		log.Fatal(err)
	}
	defer sampler.Close()
	logits := make([]float32, n)
	fill(logits)
	draw := func(count int) {
		for range count {
			if _, err := sampler.Sample(logits); err != nil {
				log.Fatal(err)
			}
		}
	}
	draw(calls / 10)
	times := make([]time.Duration, calls/batch)
	for i := range times {
		start := time.Now()
		draw(batch)
		times[i] = time.Since(start)
	}
	slices.Sort(times)
	return float64(times[len(times)/2].Nanoseconds()) / float64(batch)
}

func main() {
	fmt.Printf("go slice 151936 %.1f\n", median(151936, 10))
	fmt.Printf("go slice 8 %.1f\n", median(8, 100))
}
