// Constrained has a grammar: the model may write nothing but a small JSON object. Draw freely, ask the grammar, and draw again under
// its mask if the token does not fit: what llama-server does. The grammar is told each token first, then the sampler; an end token
// ends the text.
package main

import (
	"fmt"
	"log"

	"github.com/bankml/bankml/bindings/go/bankml"
	"github.com/bankml/bankml/examples/go/internal/tinymodel"
)

const gbnf = `
root  ::= "{" ws "\"title\": \"" title "\"," ws "\"pet\": " pet "," ws "\"age\": " age ws "}"
title ::= [A-Z] [a-z]{1,7} (" " [a-z]{1,8}){2,4}
pet   ::= "\"cat\"" | "\"dog\"" | "\"bird\""
age   ::= [1-9] [0-9]?
ws    ::= " "?
`

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
	vocab, err := bankml.VocabFromGGUFBytes(model.GGUF())
	if err != nil {
		return err
	}
	defer vocab.Close()
	grammar, err := bankml.GrammarFromGBNF(vocab, gbnf)
	if err != nil {
		return err
	}
	defer grammar.Close()
	sampler, err := bankml.New(bankml.WithVocab(vocab), bankml.WithSeed(11))
	if err != nil {
		return err
	}
	defer sampler.Close()

	context := model.NewContext()
	logits := context.Logits()
	forced, err := grammar.Forced()
	if err != nil {
		return err
	}
	fmt.Printf("begins with %s\n", forced)
	text, drawn, redraws := "", 0, 0
	for {
		token, redrawn, err := sampler.SampleConstrained(logits, grammar, false)
		if err != nil {
			return err
		}
		drawn++
		if redrawn {
			redraws++
		}
		if flags, err := vocab.Flags(token); err != nil || flags&bankml.TokenEOG != 0 {
			break
		}
		if err := grammar.Accept(token); err != nil {
			return err
		}
		if err := sampler.Accept(token); err != nil {
			return err
		}
		text += model.Piece(token)
		logits = context.Step(token)
	}
	fmt.Printf("%s\n%d draws, %d of them again\n", text, drawn, redraws)
	return nil
}
