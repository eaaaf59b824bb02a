/* Log-probabilities, as an API reports them: of the drawn token and of the five likeliest, before sampling; and what is left of
 * them after the chain. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bankml.h"
#include "examples/tiny-model/tiny_model.h"

static void show(const tiny_model* model, int32_t token) {
  size_t length = 0;
  const char* piece = tiny_model_piece(model, token, &length);
  printf("'");
  for (size_t i = 0; i < length; ++i) piece[i] == '\n' ? printf("\\n") : putchar(piece[i]);
  printf("'");
}

int main(void) {
  const char* prompt = "Once upon a time there was a";
  char err[256] = "";
  int32_t ids[64], token = -1;
  bankml_token_prob top[5], post[5];
  size_t n_top = 0, n_post = 0;
  float sampled_p = 0;
  tiny_model* model = tiny_model_load(NULL, err, sizeof err);
  if (model == NULL) return fprintf(stderr, "%s\n", err), 1;
  const size_t n = tiny_model_n_vocab(model);
  bankml_params* params = bankml_params_new(NULL, err, sizeof err);
  bankml_params_set_number(params, "seed", 3);
  bankml_sampler* sampler = bankml_sampler_new(params, NULL, n, err, sizeof err);
  if (sampler == NULL) return fprintf(stderr, "%s\n", err), 1;
  bankml_sampler_keep(sampler, 1); /* post_probs reads the survivors of the last draw */
  tiny_context* context = tiny_context_new(model);
  const float* logits = tiny_context_eval(context, ids, tiny_model_tokenize(model, prompt, strlen(prompt), ids, 64));

  for (int i = 0; i < 6; ++i) {
    if (bankml_sampler_sample(sampler, logits, n, &token) != BANKML_OK ||
        bankml_sampler_token_probs(sampler, logits, n, token, 5, top, 5, &n_top, &sampled_p) != BANKML_OK ||
        bankml_sampler_post_probs(sampler, 5, post, 5, &n_post) != BANKML_OK)
      return fprintf(stderr, "%s\n", bankml_sampler_error(sampler)), 1;
    show(model, token);
    printf(" %.3f\n  before:", log(sampled_p));
    for (size_t k = 0; k < n_top; ++k) printf(" "), show(model, top[k].id), printf(" %.3f", log(top[k].p));
    printf("\n  after: ");
    for (size_t k = 0; k < n_post; ++k) printf(" "), show(model, post[k].id), printf(" %.3f", log(post[k].p));
    printf("\n");
    bankml_sampler_accept(sampler, token);
    logits = tiny_context_step(context, token);
  }
  tiny_context_free(context);
  bankml_sampler_free(sampler);
  bankml_params_free(params);
  tiny_model_free(model);
  return 0;
}
