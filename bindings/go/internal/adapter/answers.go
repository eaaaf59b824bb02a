package main

import (
	"fmt"
	"math"

	"github.com/bankml/bankml/bindings/go/bankml"
)

// answers has one function for each request of the protocol.
var answers = map[string]func(*adapter) error{
	"hello": func(a *adapter) error {
		a.say("go", bankml.Version)
		return nil
	},
	"vocab": func(a *adapter) error {
		v, err := bankml.VocabFromGGUF(a.text())
		if err == nil {
			a.vocabs = append(a.vocabs, v)
			a.say(len(a.vocabs) - 1)
		}
		return err
	},
	"vocab-info": func(a *adapter) error {
		v := handle(a, a.vocabs)
		a.say(v.Size(), v.EOS(), v.EOT(), v.BOS())
		return nil
	},
	"piece": func(a *adapter) error {
		v, token := handle(a, a.vocabs), int32(a.number())
		piece, err := v.Piece(token)
		if err != nil {
			return err
		}
		flags, err := v.Flags(token)
		a.say(hexOf(piece), uint32(flags))
		return err
	},
	"tokenize": func(a *adapter) error {
		ids, err := handle(a, a.vocabs).Tokenize(a.text())
		for _, id := range ids {
			a.say(id)
		}
		return err
	},
	"params": func(a *adapter) error {
		p, err := bankml.NewParams()
		if err == nil {
			a.params = append(a.params, p)
			a.say(len(a.params) - 1)
		}
		return err
	},
	"set": func(a *adapter) error {
		p, name := handle(a, a.params), a.word()
		return p.SetJSON(name, a.text())
	},
	"load": func(a *adapter) error {
		p, format := handle(a, a.params), a.word()
		return p.Load(format, a.text())
	},
	"get": func(a *adapter) error {
		text, err := handle(a, a.params).JSON(a.word())
		a.say(hexOf(text))
		return err
	},
	"number": func(a *adapter) error {
		x, err := handle(a, a.params).Number(a.word())
		a.say(fmt.Sprintf("%016x", math.Float64bits(x)))
		return err
	},
	"table": func(a *adapter) error {
		for _, row := range bankml.ParamTable() {
			a.say(row.Name, hexOf(row.DefaultJSON))
		}
		return nil
	},
	"texts": func(a *adapter) error {
		p := handle(a, a.params)
		open, err := p.OpenTexts(handle(a, a.vocabs))
		for _, text := range open {
			a.say(hexOf(text.Text), text.Purpose)
		}
		return err
	},
	"answer": func(a *adapter) error {
		p, i := handle(a, a.params), a.number()
		return p.Answer(i, a.ids()...)
	},
	"sampler": func(a *adapter) error {
		var options []bankml.Option
		if p := handle(a, a.params); p != nil {
			options = append(options, bankml.WithParams(p))
		}
		if v := handle(a, a.vocabs); v != nil {
			options = append(options, bankml.WithVocab(v))
		}
		s, err := bankml.New(append(options, bankml.WithNVocab(a.number()))...)
		if err == nil {
			a.samplers = append(a.samplers, s)
			a.say(len(a.samplers)-1, s.NVocab())
		}
		return err
	},
	"keep": func(a *adapter) error { return handle(a, a.samplers).Keep(true) },
	"accept": func(a *adapter) error {
		s := handle(a, a.samplers)
		return s.Accept(a.ids()...)
	},
	"sample": func(a *adapter) error {
		s := handle(a, a.samplers)
		token, err := s.Sample(a.row(a.number()))
		a.say(token)
		return err
	},
	"candidates": func(a *adapter) error {
		candidates, err := handle(a, a.samplers).Candidates(nil)
		a.say(len(candidates))
		for _, c := range candidates {
			a.id(c.ID)
			a.float(c.Logit)
			a.float(c.P)
		}
		return err
	},
	"probs": func(a *adapter) error {
		s, sampled, nTop, n := handle(a, a.samplers), int32(a.number()), a.number(), a.number()
		top, p, err := s.TokenProbs(a.row(n), sampled, make([]bankml.TokenProb, min(nTop, n)))
		a.say(len(top), math.Float32bits(p))
		for _, t := range top {
			a.id(t.ID)
			a.float(t.P)
		}
		return err
	},
	"grammar": func(a *adapter) error {
		v := handle(a, a.vocabs)
		text := a.text()
		var triggers []bankml.GrammarOption
		for len(a.words) > 0 {
			switch kind := a.word(); kind {
			case "token":
				triggers = append(triggers, bankml.WithTriggerToken(int32(a.number())))
			case "word":
				triggers = append(triggers, bankml.WithTriggerWord(a.text()))
			case "pattern":
				triggers = append(triggers, bankml.WithTriggerPattern(a.text()))
			default:
				triggers = append(triggers, bankml.WithTriggerPatternFull(a.text()))
			}
		}
		g, err := bankml.GrammarFromGBNF(v, text, triggers...)
		if err == nil {
			a.grammars = append(a.grammars, g)
			a.say(len(a.grammars) - 1)
		}
		return err
	},
	"schema": func(a *adapter) error {
		v := handle(a, a.vocabs)
		g, err := bankml.GrammarFromSchema(v, a.text())
		if err == nil {
			a.grammars = append(a.grammars, g)
			a.say(len(a.grammars) - 1)
		}
		return err
	},
	"mask": func(a *adapter) error {
		g := handle(a, a.grammars)
		mask := make([]uint32, (g.NVocab()+31)/32)
		err := g.Mask(mask)
		a.say(len(mask))
		for _, word := range mask {
			a.id(int32(word))
		}
		return err
	},
	"advance": func(a *adapter) error {
		g := handle(a, a.grammars)
		return g.Accept(a.ids()...)
	},
	"sample-constrained": func(a *adapter) error {
		s, g := handle(a, a.samplers), handle(a, a.grammars)
		token, redrawn, err := s.SampleConstrained(a.row(a.number()), g, false)
		again := 0
		if redrawn {
			again = 1
		}
		a.say(token, again)
		return err
	},
	"free": func(a *adapter) error {
		switch kind := a.word(); kind {
		case "vocab":
			return handle(a, a.vocabs).Close()
		case "params":
			return handle(a, a.params).Close()
		case "grammar":
			return handle(a, a.grammars).Close()
		case "sampler":
			return handle(a, a.samplers).Close()
		default:
			malformed("unknown kind %q", kind)
			return nil
		}
	},
}
