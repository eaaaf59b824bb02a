/* The generation loop: prompt in, text out, with the sampling defaults that the model's own file asks for.
 *
 * The order matters: the prompt's tokens are accepted first, then every drawn one. Penalties and DRY look at them. */
#include <stdio.h>
#include <string.h>

#include "bankml.h"
#include "examples/tiny-model/tiny_model.h"

int main(int argc, char** argv) {
  const char* prompt = argc > 1 ? argv[1] : "Once upon a time";
  char err[256] = "";
  size_t gguf_size = 0, n_prompt, length;
  int32_t ids[512], token = -1;

  tiny_model* model = tiny_model_load(NULL, err, sizeof err);
  if (model == NULL) return fprintf(stderr, "%s\n", err), 1;
  const void* gguf = tiny_model_gguf(model, &gguf_size);

  bankml_vocab* vocab = bankml_vocab_from_gguf_bytes(gguf, gguf_size, err, sizeof err);
  bankml_params* params = bankml_params_new(NULL, err, sizeof err);
  bankml_params_load_gguf_bytes(params, gguf, gguf_size); /* general.sampling.* */
  bankml_params_set_number(params, "seed", 42);
  bankml_sampler* sampler = bankml_sampler_new(params, vocab, 0, err, sizeof err);
  if (sampler == NULL) return fprintf(stderr, "%s\n", err), 1;

  tiny_context* context = tiny_context_new(model);
  n_prompt = tiny_model_tokenize(model, prompt, strlen(prompt), ids, 512);
  if (n_prompt > 512) return fprintf(stderr, "the prompt has more than 512 tokens\n"), 1;
  bankml_sampler_accept_many(sampler, ids, n_prompt);
  const float* logits = tiny_context_eval(context, ids, n_prompt);

  printf("%s", prompt);
  for (int i = 0; i < 120; ++i) {
    if (bankml_sampler_sample(sampler, logits, tiny_model_n_vocab(model), &token) != BANKML_OK)
      return fprintf(stderr, "%s\n", bankml_sampler_error(sampler)), 1;
    bankml_sampler_accept(sampler, token);
    uint32_t flags = 0;
    bankml_vocab_flags(vocab, token, &flags);
    if (flags & BANKML_TOKEN_EOG) break;
    const char* piece = tiny_model_piece(model, token, &length);
    fwrite(piece, 1, length, stdout);
    logits = tiny_context_step(context, token);
  }
  printf("\n");

  tiny_context_free(context);
  bankml_sampler_free(sampler);
  bankml_params_free(params);
  bankml_vocab_free(vocab);
  tiny_model_free(model);
  return 0;
}
