package bankml_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/bankml/bankml/bindings/go/bankml"
)

func replyVocab(t testing.TB) *bankml.Vocab {
	t.Helper()
	flags := []bankml.TokenFlags{0, 0, bankml.TokenControl, 0, 0}
	v, err := bankml.NewVocab([]string{"Hello", "\n", "<eos>", "\xf0\x9f", "\x98\x80"}, flags, 2, -1)
	succeed(t, err)
	t.Cleanup(func() { v.Close() })
	return v
}

func replyOf(t testing.TB, format bankml.ReplyFormat, options ...bankml.ReplyOption) *bankml.Reply {
	t.Helper()
	r, err := bankml.NewReply(format, replyVocab(t), options...)
	succeed(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

func writes(t testing.TB, r *bankml.Reply, want string) {
	t.Helper()
	got, err := r.JSON()
	succeed(t, err)
	if got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
}

func TestReplyOfARow(t *testing.T) {
	s := neutral(t, 5)
	top, p, err := s.TokenProbs([]float32{1, -inf, -inf, -inf, -inf}, 3, make([]bankml.TokenProb, 1))
	succeed(t, err)
	r := replyOf(t, bankml.LlamaServer)
	succeed(t, r.Add(3, p, top))
	writes(t, r, `[{"id":3,"token":"","bytes":[240,159],"logprob":-3.4028234663852886e+38,"top_logprobs":[`+
		`{"id":0,"token":"Hello","bytes":[72,101,108,108,111],"logprob":0.0}]}]`)
}

func TestReplyAfterSampling(t *testing.T) {
	s := made(t, bankml.WithNVocab(5), bankml.WithTopK(1), bankml.WithSeed(1))
	succeed(t, s.Keep(true))
	token := sample(t, s, []float32{0, 3, 1, 2, -1})
	top, err := s.PostProbs(make([]bankml.TokenProb, 3))
	succeed(t, err)
	r := replyOf(t, bankml.LlamaServerChat, bankml.WithPostSampling())
	succeed(t, r.Add(token, 1, top))
	writes(t, r, `{"content":[{"id":1,"token":"\n","bytes":[10],"prob":1.0,"top_probs":[{"id":1,"token":"\n","bytes":[10],"prob":1.0}]}]}`)
}

func TestReplyOpenAI(t *testing.T) {
	chat := replyOf(t, bankml.OpenAIChat)
	succeed(t, chat.Add(0, 0.5, []bankml.TokenProb{{ID: 4, P: 0.25}}))
	writes(t, chat, `{"content":[{"token":"Hello","logprob":-0.6931472,"bytes":[72,101,108,108,111],"top_logprobs":[`+
		`{"token":"\\x98\\x80","logprob":-1.3862944,"bytes":[152,128]}]}],"refusal":null}`)
	completions := replyOf(t, bankml.OpenAICompletions, bankml.WithSpecialTokens())
	succeed(t, completions.SetTextOffset(7))
	succeed(t, completions.Add(2, 0, nil))
	succeed(t, completions.AddText(0, 1, nil, "Hé"))
	writes(t, completions, `{"tokens":["<eos>","Hé"],"token_logprobs":[-9999.0,0.0],`+
		`"top_logprobs":[{"<eos>":-9999.0},{"Hé":0.0}],"text_offset":[7,12]}`)
	succeed(t, completions.Clear())
	succeed(t, completions.AddText(1, 1, nil, ""))
	writes(t, completions, `{"tokens":[""],"token_logprobs":[0.0],"top_logprobs":[{"":0.0}],"text_offset":[14]}`)
}

func TestReplyLong(t *testing.T) {
	r := replyOf(t, bankml.LlamaServer)
	for range 100 {
		succeed(t, r.Add(0, 1, nil))
	}
	got, err := r.JSON()
	succeed(t, err)
	if strings.Count(got, `"id":0`) != 100 || !strings.HasSuffix(got, "]}]") {
		t.Error(got)
	}
}

func TestReplyRefusals(t *testing.T) {
	if _, err := bankml.NewReply("xml", replyVocab(t)); !errors.Is(err, bankml.ErrInvalidArgument) ||
		!strings.Contains(err.Error(), "unknown format 'xml'") {
		t.Error(err)
	}
	if _, err := bankml.NewReply(bankml.OpenAIChat, replyVocab(t), bankml.WithPostSampling()); err == nil {
		t.Error("no error")
	}
	if _, err := bankml.NewReply(bankml.OpenAIChat, nil); !errors.Is(err, bankml.ErrInvalidArgument) {
		t.Error(err)
	}
	r := replyOf(t, bankml.LlamaServer)
	if err := r.Add(-1, 0.5, nil); !errors.Is(err, bankml.ErrToken) {
		t.Error(err)
	}
	for _, p := range []float32{1.5, -0.5, float32(math.NaN()), inf} {
		if err := r.Add(0, p, nil); !errors.Is(err, bankml.ErrInvalidArgument) {
			t.Error(p, err)
		}
	}
	if err := r.SetTextOffset(-1); !errors.Is(err, bankml.ErrInvalidArgument) {
		t.Error(err)
	}
	writes(t, r, "[]")
	succeed(t, r.Close())
	_, err := r.JSON()
	for _, err := range []error{err, r.Add(0, 1, nil), r.Clear(), r.SetTextOffset(1)} {
		if !errors.Is(err, bankml.ErrClosed) {
			t.Error(err)
		}
	}
}
