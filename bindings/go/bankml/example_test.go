package bankml_test

import (
	"errors"
	"fmt"
	"log"
	"math"

	"github.com/bankml/bankml/bindings/go/bankml"
)

func Example() {
	logits := []float32{0.5, 2.0, -1.0, 3.5, 3.0}
	sampler, err := bankml.New(bankml.WithNVocab(len(logits)), bankml.WithTemperature(0))
	if err != nil {
		log.Fatal(err)
	}
	defer sampler.Close()
	token, err := sampler.Sample(logits)
	fmt.Println(token, err)
	// Output: 3 <nil>
}

// A request of llama-server configures the sampler; single values may follow.
func ExampleNew_request() {
	request := `{"temperature": 0.7, "top_k": 20, "repeat_penalty": 1.1}`
	sampler, err := bankml.New(bankml.WithRequest(request), bankml.WithNVocab(32000), bankml.WithSeed(42))
	if err != nil {
		log.Fatal(err)
	}
	defer sampler.Close()
	fmt.Println(sampler.Steps(), sampler.Seed())
	// Output: [penalties top_k top_p min_p temperature dist] 42
}

func ExampleSampler_SampleMasked() {
	sampler, err := bankml.New(bankml.WithNVocab(5), bankml.WithTemperature(0))
	if err != nil {
		log.Fatal(err)
	}
	defer sampler.Close()
	mask := []uint32{1<<0 | 1<<1} // only tokens 0 and 1
	token, err := sampler.SampleMasked([]float32{0.5, 2.0, -1.0, 3.5, 3.0}, mask)
	fmt.Println(token, err)
	// Output: 1 <nil>
}

func ExampleSampler_TokenProbs() {
	sampler, err := bankml.New(bankml.WithNVocab(4))
	if err != nil {
		log.Fatal(err)
	}
	defer sampler.Close()
	top, p, err := sampler.TokenProbs([]float32{1, 3, 2, 0}, 0, make([]bankml.TokenProb, 2))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("token 0: logprob %.3f\n", math.Log(float64(p)))
	for _, t := range top {
		fmt.Printf("token %d: p %.3f\n", t.ID, t.P)
	}
	// Output:
	// token 0: logprob -2.440
	// token 1: p 0.644
	// token 2: p 0.237
}

func ExampleSampler_Clone() {
	parent, err := bankml.New(bankml.WithNVocab(100), bankml.WithSeed(1))
	if err != nil {
		log.Fatal(err)
	}
	defer parent.Close()
	child, err := parent.Clone()
	if err != nil {
		log.Fatal(err)
	}
	defer child.Close()
	logits := make([]float32, 100)
	a, _ := parent.Sample(logits)
	b, _ := child.Sample(logits)
	fmt.Println(a == b)
	// Output: true
}

// A batch draws for many samplers at once; each item has its own outcome.
func ExamplePool_Sample() {
	pool, err := bankml.NewPool(2, 4)
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	items := []bankml.BatchItem{
		{Logits: []float32{1, 3, 2, 0}},
		{Logits: []float32{1, 3, 2, 0}, Mask: []uint32{1 << 2}}, // token 2 alone
		{Logits: []float32{1, 3, 2}},
	}
	for i := range items {
		if items[i].Sampler, err = bankml.New(bankml.WithNVocab(4), bankml.WithTemperature(0)); err != nil {
			log.Fatal(err)
		}
		defer items[i].Sampler.Close()
	}
	if err := pool.Sample(items); err != nil {
		log.Fatal(err) // nothing was drawn
	}
	for _, item := range items {
		fmt.Println(item.Token, errors.Is(item.Err, bankml.ErrLength))
	}
	// Output:
	// 1 false
	// 2 false
	// -1 true
}

// Errors carry a code for programs and a text for people.
func ExampleError() {
	_, err := bankml.New(bankml.WithNVocab(100), bankml.WithRepeatPenalty(-1))
	var detail *bankml.Error
	fmt.Println(errors.Is(err, bankml.ErrInvalidArgument), errors.As(err, &detail))

	sampler, err := bankml.New(bankml.WithNVocab(100))
	if err != nil {
		log.Fatal(err)
	}
	defer sampler.Close()
	_, err = sampler.Sample(make([]float32, 99))
	fmt.Println(err)
	// Output:
	// true true
	// bankml: Sampler.Sample: n is 99, the sampler's n_vocab is 100
}

// A text whose tokens the library cannot know is answered by the host's tokenizer.
func ExampleParams_OpenTexts() {
	params, err := bankml.NewParams(bankml.With("logit_bias", [][]any{{" Paris", 2.5}}))
	if err != nil {
		log.Fatal(err)
	}
	defer params.Close()
	open, err := params.OpenTexts(nil)
	if err != nil {
		log.Fatal(err)
	}
	for i, text := range open {
		fmt.Printf("%s needs the tokens of %q\n", text.Purpose, text.Text)
		if err := params.Answer(i, 17); err != nil { // what the host's tokenizer says
			log.Fatal(err)
		}
	}
	sampler, err := bankml.New(bankml.WithParams(params), bankml.WithNVocab(100))
	fmt.Println(sampler.Steps()[0], err)
	// Output:
	// logit_bias needs the tokens of " Paris"
	// logit_bias <nil>
}

func ExampleNewVocab() {
	pieces := []string{"a", "b", "\n", "</s>"}
	flags := []bankml.TokenFlags{0, 0, 0, bankml.TokenControl | bankml.TokenEOG}
	vocab, err := bankml.NewVocab(pieces, flags, 3, -1)
	if err != nil {
		log.Fatal(err)
	}
	defer vocab.Close()
	sampler, err := bankml.New(bankml.WithVocab(vocab), bankml.With("ignore_eos", true), bankml.WithTemperature(0))
	if err != nil {
		log.Fatal(err)
	}
	defer sampler.Close()
	fmt.Println(sampler.Sample([]float32{1, 2, 0, 9}))
	// Output: 1 <nil>
}
