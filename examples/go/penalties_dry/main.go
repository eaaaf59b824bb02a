// Penalties_dry works against repetition: the same prompt drawn greedily without help, with penalties, and with DRY.
//
// A request body in llama-server's own format configures each run; DRY's breakers are strings, so the sampler needs the
// vocabulary. A breaker whose tail needs tokens would be listed by Params.OpenTexts; here the tokenizer of the model answers it.
package main

import (
	"fmt"
	"log"
	"strings"

	"github.com/bankml/bankml/bindings/go/bankml"
	"github.com/bankml/bankml/examples/go/internal/tinymodel"
)

func main() {
	model, err := tinymodel.Load()
	if err != nil {
		log.Fatal(err)
	}
	vocab, err := bankml.VocabFromGGUFBytes(model.GGUF())
	if err != nil {
		log.Fatal(err)
	}
	defer vocab.Close()
	for _, one := range [][2]string{
		{"greedy", `{"temperature": 0}`},
		{"penalties", `{"temperature": 0, "repeat_penalty": 1.3, "frequency_penalty": 0.2}`},
		{"dry", `{"temperature": 0, "dry_multiplier": 0.8, "dry_sequence_breakers": ["\n"]}`},
	} {
		if err := run(model, vocab, one[0], one[1]); err != nil {
			log.Fatal(err)
		}
	}
}

func run(model *tinymodel.Model, vocab *bankml.Vocab, title, request string) error {
	const prompt = `"I have seen the map," said the hen.`
	params, err := bankml.NewParams(bankml.WithRequest(request))
	if err != nil {
		return err
	}
	defer params.Close()
	if err := answerOpenTexts(params, vocab, model); err != nil {
		return err
	}
	sampler, err := bankml.New(bankml.WithParams(params), bankml.WithVocab(vocab))
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

	fmt.Printf("%s: %s\n  %s", title, request, prompt)
	for range 60 {
		token, err := sampler.Sample(logits)
		if err != nil {
			return err
		}
		if err := sampler.Accept(token); err != nil {
			return err
		}
		if token == model.EOS() {
			break
		}
		fmt.Print(strings.ReplaceAll(model.Piece(token), "\n", " "))
		logits = context.Step(token)
	}
	fmt.Println()
	return nil
}

func answerOpenTexts(params *bankml.Params, vocab *bankml.Vocab, model *tinymodel.Model) error {
	open, err := params.OpenTexts(vocab)
	if err != nil {
		return err
	}
	for i, text := range open {
		if err := params.Answer(i, model.Tokenize(text.Text)...); err != nil {
			return err
		}
	}
	return nil
}
