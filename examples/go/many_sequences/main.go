// Many_sequences draws for many sequences at once, as a server has them: one sampler each, one workspace a goroutine.
//
// Steps that order the whole vocabulary (here: typical) need scratch memory; lending one workspace to all samplers of a goroutine
// keeps eight sequences from owning eight. Sequence i uses the seed of the request plus i.
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
	workspace, err := bankml.NewWorkspace(model.NVocab())
	if err != nil {
		return err
	}
	defer workspace.Close()
	var samplers [sequences]*bankml.Sampler
	var contexts [sequences]*tinymodel.Context
	var texts [sequences]strings.Builder
	own := 0
	for i := range samplers {
		request := bankml.WithRequest(`{"top_k": 0, "typical_p": 0.9}`)
		sampler, err := bankml.New(request, bankml.WithNVocab(model.NVocab()), bankml.WithSeed(uint32(100+i)))
		if err != nil {
			return err
		}
		defer sampler.Close()
		if err := sampler.UseWorkspace(workspace); err != nil {
			return err
		}
		own += sampler.Bytes()
		samplers[i], contexts[i] = sampler, model.NewContext()
	}
	for range tokens {
		for i, sampler := range samplers {
			token, err := sampler.Sample(contexts[i].Logits())
			if err != nil {
				return err
			}
			if err := sampler.Accept(token); err != nil {
				return err
			}
			texts[i].WriteString(model.Piece(token))
			contexts[i].Step(token)
		}
	}
	for i := range texts {
		fmt.Printf("%d: %s\n", i, strings.ReplaceAll(texts[i].String(), "\n", " "))
	}
	fmt.Fprintf(os.Stderr, "%d bytes a sampler, %d bytes of workspace shared\n", own/sequences, workspace.Bytes())
	return nil
}
