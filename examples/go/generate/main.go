// Generate is the generation loop: prompt in, text out, with the sampling defaults that the model's own file asks for.
//
// The order matters: the prompt's tokens are accepted first, then every drawn one. Penalties and DRY look at them.
package main

import (
	"flag"
	"fmt"
	"log"

	"github.com/bankml/bankml/bindings/go/bankml"
	"github.com/bankml/bankml/examples/go/internal/tinymodel"
)

func main() {
	flag.Parse()
	prompt := "Once upon a time"
	if flag.NArg() > 0 {
		prompt = flag.Arg(0)
	}
	if err := run(prompt); err != nil {
		log.Fatal(err)
	}
}

func run(prompt string) error {
	model, err := tinymodel.Load()
	if err != nil {
		return err
	}
	vocab, err := bankml.VocabFromGGUFBytes(model.GGUF())
	if err != nil {
		return err
	}
	defer vocab.Close()
	params, err := bankml.NewParams()
	if err != nil {
		return err
	}
	defer params.Close()
	if err := params.LoadGGUFBytes(model.GGUF()); err != nil { // general.sampling.*
		return err
	}
	sampler, err := bankml.New(bankml.WithParams(params), bankml.WithVocab(vocab), bankml.WithSeed(42))
	if err != nil {
		return err
	}
	defer sampler.Close()

	context := model.NewContext()
	ids := model.Tokenize(prompt)
	if err := sampler.Accept(ids...); err != nil {
		return err
	}
	logits := context.Step(ids...)

	fmt.Print(prompt)
	for range 120 {
		token, err := sampler.Sample(logits)
		if err != nil {
			return err
		}
		if err := sampler.Accept(token); err != nil {
			return err
		}
		if flags, err := vocab.Flags(token); err != nil || flags&bankml.TokenEOG != 0 {
			break
		}
		fmt.Print(model.Piece(token))
		logits = context.Step(token)
	}
	fmt.Println()
	return nil
}
