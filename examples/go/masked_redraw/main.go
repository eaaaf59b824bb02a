// Masked_redraw has a constraint of its own: a story without the letter q, x or e. Draw freely, look, and draw again under a mask
// if the token is not allowed. The redraw is what llama-server does under a grammar: most draws are fine, so building a mask each
// time is waste.
package main

import (
	"fmt"
	"log"
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
	n := model.NVocab()

	// This constraint never changes, so its mask is made once: bit i of word w allows token 32 * w + i.
	mask := make([]uint32, (n+31)/32)
	for i := range n {
		if piece := model.Piece(int32(i)); piece != "" && !strings.ContainsAny(piece, "eEqQxX\n") {
			mask[i/32] |= 1 << (i % 32)
		}
	}

	sampler, err := bankml.New(bankml.WithNVocab(n), bankml.WithSeed(7))
	if err != nil {
		return err
	}
	defer sampler.Close()
	context := model.NewContext()
	logits := context.Logits()
	const draws = 80
	redraws := 0
	fmt.Print("text:")
	for range draws {
		token, err := sampler.Sample(logits)
		if err == nil && mask[token/32]>>(token%32)&1 == 0 {
			token, err = sampler.SampleMasked(logits, mask)
			redraws++
		}
		if err != nil {
			return err
		}
		if err := sampler.Accept(token); err != nil {
			return err
		}
		fmt.Print(model.Piece(token))
		logits = context.Step(token)
	}
	fmt.Printf("\n%d draws, %d of them again\n", draws, redraws)
	return nil
}
