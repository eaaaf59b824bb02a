/* A constraint of your own: a story without the letter q, x or e. Draw freely, look, and draw again under a mask if the token is
 * not allowed. The redraw is what llama-server does under a grammar: most draws are fine, so building a mask each time is waste. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bankml.h"
#include "examples/tiny-model/tiny_model.h"

static int allowed(const char* piece, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (strchr("eEqQxX", piece[i]) != NULL || piece[i] == '\n') return 0;
  return n > 0;
}

int main(void) {
  char err[256] = "";
  size_t length, redraws = 0, drawn = 0;
  int32_t token = -1;
  tiny_model* model = tiny_model_load(NULL, err, sizeof err);
  if (model == NULL) return fprintf(stderr, "%s\n", err), 1;
  const size_t n = tiny_model_n_vocab(model), n_words = (n + 31) / 32;

  /* This constraint never changes, so its mask is made once: bit i of word w allows token 32 * w + i. */
  uint32_t* mask = calloc(n_words, sizeof *mask);
  if (mask == NULL) return 1;
  for (size_t i = 0; i < n; ++i) {
    const char* piece = tiny_model_piece(model, (int32_t)i, &length);
    if (allowed(piece, length)) mask[i / 32] |= 1u << (i % 32);
  }

  bankml_params* params = bankml_params_new(NULL, err, sizeof err);
  bankml_params_set_number(params, "seed", 7);
  bankml_sampler* sampler = bankml_sampler_new(params, NULL, n, err, sizeof err);
  if (sampler == NULL) return fprintf(stderr, "%s\n", err), 1;
  tiny_context* context = tiny_context_new(model);
  const float* logits = tiny_context_logits(context);
  printf("text:");
  for (; drawn < 80; ++drawn) {
    bankml_status status = bankml_sampler_sample(sampler, logits, n, &token);
    if (status == BANKML_OK && !(mask[token / 32] >> (token % 32) & 1)) {
      status = bankml_sampler_sample_masked(sampler, logits, n, mask, n_words, &token);
      ++redraws;
    }
    if (status != BANKML_OK) return fprintf(stderr, "%s\n", bankml_sampler_error(sampler)), 1;
    bankml_sampler_accept(sampler, token);
    const char* piece = tiny_model_piece(model, token, &length);
    fwrite(piece, 1, length, stdout);
    logits = tiny_context_step(context, token);
  }
  printf("\n%zu draws, %zu of them again\n", drawn, redraws);
  tiny_context_free(context);
  bankml_sampler_free(sampler);
  bankml_params_free(params);
  free(mask);
  tiny_model_free(model);
  return 0;
}
