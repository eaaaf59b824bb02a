/* Against repetition: the same prompt drawn greedily without help, with penalties, and with DRY.
 *
 * A request body in llama-server's own format configures each run; DRY's breakers are strings, so the sampler needs the vocabulary.
 * A breaker whose tail needs tokens would be listed by bankml_params_text_count; here the tokenizer of the model answers it. */
#include <stdio.h>
#include <string.h>

#include "bankml.h"
#include "examples/tiny-model/tiny_model.h"

static int answer_open_texts(bankml_params* params, const bankml_vocab* vocab, const tiny_model* model) {
  size_t open = 0, length = 0;
  const uint8_t* bytes = NULL;
  int32_t ids[64];
  if (bankml_params_text_count(params, vocab, &open) != BANKML_OK) return 1;
  for (size_t i = 0; i < open; ++i) {
    bankml_params_text(params, i, &bytes, &length, NULL);
    size_t n = tiny_model_tokenize(model, (const char*)bytes, length, ids, 64);
    if (n > 64 || bankml_params_set_text_tokens(params, i, ids, n) != BANKML_OK) return 1;
  }
  return 0;
}

static int run(const tiny_model* model, const bankml_vocab* vocab, const char* title, const char* request) {
  const char* prompt = "\"I have seen the map,\" said the hen.";
  char err[256] = "";
  int32_t ids[64], token = -1;
  size_t length, n_vocab = tiny_model_n_vocab(model), n_prompt = tiny_model_tokenize(model, prompt, strlen(prompt), ids, 64);
  bankml_params* params = bankml_params_new(NULL, err, sizeof err);
  if (bankml_params_load_json(params, "llama-server", request, strlen(request)) != BANKML_OK ||
      answer_open_texts(params, vocab, model))
    return fprintf(stderr, "%s\n", bankml_params_error(params)), 1;
  bankml_sampler* sampler = bankml_sampler_new(params, vocab, 0, err, sizeof err);
  if (sampler == NULL) return fprintf(stderr, "%s\n", err), 1;
  tiny_context* context = tiny_context_new(model);
  bankml_sampler_accept_many(sampler, ids, n_prompt);
  const float* logits = tiny_context_eval(context, ids, n_prompt);

  printf("%s: %s\n  %s", title, request, prompt);
  for (int i = 0; i < 60; ++i) {
    if (bankml_sampler_sample(sampler, logits, n_vocab, &token) != BANKML_OK)
      return fprintf(stderr, "%s\n", bankml_sampler_error(sampler)), 1;
    bankml_sampler_accept(sampler, token);
    if (token == tiny_model_eos(model)) break;
    const char* piece = tiny_model_piece(model, token, &length);
    for (size_t j = 0; j < length; ++j) putchar(piece[j] == '\n' ? ' ' : piece[j]);
    logits = tiny_context_step(context, token);
  }
  printf("\n");
  tiny_context_free(context);
  bankml_sampler_free(sampler);
  bankml_params_free(params);
  return 0;
}

int main(void) {
  char err[256] = "";
  size_t n = 0;
  tiny_model* model = tiny_model_load(NULL, err, sizeof err);
  if (model == NULL) return fprintf(stderr, "%s\n", err), 1;
  const void* gguf = tiny_model_gguf(model, &n);
  bankml_vocab* vocab = bankml_vocab_from_gguf_bytes(gguf, n, err, sizeof err);
  if (vocab == NULL) return fprintf(stderr, "%s\n", err), 1;
  int failed = run(model, vocab, "greedy", "{\"temperature\": 0}") ||
               run(model, vocab, "penalties", "{\"temperature\": 0, \"repeat_penalty\": 1.3, \"frequency_penalty\": 0.2}") ||
               run(model, vocab, "dry", "{\"temperature\": 0, \"dry_multiplier\": 0.8, \"dry_sequence_breakers\": [\"\\n\"]}");
  bankml_vocab_free(vocab);
  tiny_model_free(model);
  return failed;
}
