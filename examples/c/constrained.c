/* A grammar: the model may write nothing but a small JSON object. Draw freely, ask the grammar, and draw again under its mask if
 * the token does not fit: what llama-server does. The grammar is told each token first, then the sampler; an end token ends the
 * text. */
#include <stdio.h>
#include <string.h>

#include "bankml.h"
#include "examples/tiny-model/tiny_model.h"

static const char gbnf[] =
    "root  ::= \"{\" ws \"\\\"title\\\": \\\"\" title \"\\\",\" ws \"\\\"pet\\\": \" pet \",\" ws \"\\\"age\\\": \" age ws \"}\"\n"
    "title ::= [A-Z] [a-z]{1,7} (\" \" [a-z]{1,8}){2,4}\n"
    "pet   ::= \"\\\"cat\\\"\" | \"\\\"dog\\\"\" | \"\\\"bird\\\"\"\n"
    "age   ::= [1-9] [0-9]?\n"
    "ws    ::= \" \"?\n";

int main(void) {
  char err[512] = "", text[1024] = "";
  uint8_t forced[4096];
  size_t gguf_size = 0, length = 0, written = 0, drawn = 0, redraws = 0;
  int32_t token = -1, redrawn = 0;
  tiny_model* model = tiny_model_load(NULL, err, sizeof err);
  if (model == NULL) return fprintf(stderr, "%s\n", err), 1;
  const void* gguf = tiny_model_gguf(model, &gguf_size);

  bankml_vocab* vocab = bankml_vocab_from_gguf_bytes(gguf, gguf_size, err, sizeof err);
  bankml_grammar* grammar = bankml_grammar_from_gbnf(vocab, gbnf, sizeof gbnf - 1, NULL, err, sizeof err);
  if (grammar == NULL) return fprintf(stderr, "%s\n", err), 1;
  bankml_params* params = bankml_params_new(NULL, err, sizeof err);
  bankml_params_set_number(params, "seed", 11);
  bankml_sampler* sampler = bankml_sampler_new(params, vocab, 0, err, sizeof err);
  if (sampler == NULL) return fprintf(stderr, "%s\n", err), 1;

  tiny_context* context = tiny_context_new(model);
  const float* logits = tiny_context_logits(context);
  if (bankml_grammar_forced(grammar, forced, sizeof forced, &length) != BANKML_OK) return 1;
  printf("begins with %.*s\n", (int)length, (const char*)forced);
  for (;;) {
    const size_t n = tiny_model_n_vocab(model);
    if (bankml_sampler_sample_constrained(sampler, logits, n, grammar, 0, &token, &redrawn) != BANKML_OK)
      return fprintf(stderr, "%s\n", bankml_sampler_error(sampler)), 1;
    ++drawn;
    redraws += redrawn != 0;
    uint32_t flags = 0;
    bankml_vocab_flags(vocab, token, &flags);
    if (flags & BANKML_TOKEN_EOG) break;
    bankml_grammar_accept(grammar, token);
    bankml_sampler_accept(sampler, token);
    const char* piece = tiny_model_piece(model, token, &length);
    if (written + length >= sizeof text) return fprintf(stderr, "the text is too long\n"), 1;
    memcpy(text + written, piece, length);
    written += length;
    logits = tiny_context_step(context, token);
  }
  printf("%s\n%zu draws, %zu of them again\n", text, drawn, redraws);

  tiny_context_free(context);
  bankml_sampler_free(sampler);
  bankml_params_free(params);
  bankml_grammar_free(grammar);
  bankml_vocab_free(vocab);
  tiny_model_free(model);
  return 0;
}
