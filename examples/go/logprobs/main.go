// Logprobs prints log-probabilities, as an API reports them: of the drawn token and of the five likeliest, before sampling; and
// what is left of them after the chain.
package main

import (
	"fmt"
	"log"
	"math"
	"strings"

	"github.com/bankml/bankml/bindings/go/bankml"
	"github.com/bankml/bankml/examples/go/internal/tinymodel"
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
	sampler, err := bankml.New(bankml.WithNVocab(model.NVocab()), bankml.WithSeed(3))
	if err != nil {
		return err
	}
	defer sampler.Close()
	if err := sampler.Keep(true); err != nil { // PostProbs reads the survivors of the last draw
		return err
	}
	show := func(token int32, p float32) string {
		return fmt.Sprintf(" '%s' %.3f", strings.ReplaceAll(model.Piece(token), "\n", `\n`), math.Log(float64(p)))
	}
	context := model.NewContext()
	logits := context.Step(model.Tokenize("Once upon a time there was a")...)
	for range 6 {
		token, err := sampler.Sample(logits)
		if err != nil {
			return err
		}
		top, p, err := sampler.TokenProbs(logits, token, make([]bankml.TokenProb, 5))
		if err != nil {
			return err
		}
		post, err := sampler.PostProbs(make([]bankml.TokenProb, 5))
		if err != nil {
			return err
		}
		fmt.Print(strings.TrimPrefix(show(token, p), " "), "\n  before:")
		for _, t := range top {
			fmt.Print(show(t.ID, t.P))
		}
		fmt.Print("\n  after: ")
		for _, t := range post {
			fmt.Print(show(t.ID, t.P))
		}
		fmt.Println()
		if err := sampler.Accept(token); err != nil {
			return err
		}
		logits = context.Step(token)
	}
	return nil
}
