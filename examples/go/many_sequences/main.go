// Many_sequences draws for many sequences at once, as a server has them: one sampler each, all drawn in one call on the threads of a
// pool.
//
// Steps that order the whole vocabulary (here: typical) need scratch memory; the pool has one for each thread, so that eight
// sequences need none of their own. Sequence i uses the seed of the request plus i.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/bankml/bankml/bindings/go/bankml"
	"github.com/bankml/bankml/examples/go/internal/tinymodel"
)

const (
	sequences = 8
	tokens    = 24
	threads   = 2
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	model, err := tinymodel.Load()
	if err != nil {
		return err
	}
	pool, err := bankml.NewPool(threads, model.NVocab())
	if err != nil {
		return err
	}
	defer pool.Close()
	items := make([]bankml.BatchItem, sequences)
	var contexts [sequences]*tinymodel.Context
	var texts [sequences]strings.Builder
	own := 0
	for i := range items {
		request := bankml.WithRequest(`{"top_k": 0, "typical_p": 0.9}`)
		sampler, err := bankml.New(request, bankml.WithNVocab(model.NVocab()), bankml.WithSeed(uint32(100+i)))
		if err != nil {
			return err
		}
		defer sampler.Close()
		own += sampler.Bytes()
		items[i].Sampler, contexts[i] = sampler, model.NewContext()
	}
	for range tokens {
		for i := range items {
			items[i].Logits = contexts[i].Logits()
		}
		if err := pool.Sample(items); err != nil {
			return err
		}
		for i, item := range items {
			if item.Err != nil {
				return item.Err
			}
			if err := item.Sampler.Accept(item.Token); err != nil {
				return err
			}
			texts[i].WriteString(model.Piece(item.Token))
			contexts[i].Step(item.Token)
		}
	}
	for i := range texts {
		fmt.Printf("%d: %s\n", i, strings.ReplaceAll(texts[i].String(), "\n", " "))
	}
	fmt.Fprintf(os.Stderr, "%d bytes a sampler, drawn by %d threads\n", own/sequences, pool.Threads())
	return nil
}
