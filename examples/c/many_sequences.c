/* Many sequences at once, as a server has them: one sampler each, one vocabulary for all, one workspace a thread.
 *
 * Steps that order the whole vocabulary (here: typical) need scratch memory; lending one workspace to all samplers of a thread
 * keeps eight sequences from owning eight. Sequence i uses the seed of the request plus i. */
#include <stdio.h>
#include <string.h>

#include "bankml.h"
#include "examples/tiny-model/tiny_model.h"

enum { SEQUENCES = 8, TOKENS = 24 };

int main(void) {
  char err[256] = "", text[SEQUENCES][TOKENS * 16] = {{0}};
  size_t length, own = 0;
  tiny_model* model = tiny_model_load(NULL, err, sizeof err);
  if (model == NULL) return fprintf(stderr, "%s\n", err), 1;
  const size_t n = tiny_model_n_vocab(model);
  bankml_params* params = bankml_params_new(NULL, err, sizeof err);
  bankml_params_set_number(params, "top_k", 0);
  bankml_params_set_number(params, "typical_p", 0.9);
  bankml_workspace* workspace = bankml_workspace_new(n, err, sizeof err);
  if (workspace == NULL) return fprintf(stderr, "%s\n", err), 1;

  bankml_sampler* samplers[SEQUENCES];
  tiny_context* contexts[SEQUENCES];
  const float* logits[SEQUENCES];
  for (int s = 0; s < SEQUENCES; ++s) {
    bankml_params_set_number(params, "seed", 100 + s);
    samplers[s] = bankml_sampler_new(params, NULL, n, err, sizeof err);
    if (samplers[s] == NULL) return fprintf(stderr, "%s\n", err), 1;
    bankml_sampler_use_workspace(samplers[s], workspace);
    own += bankml_sampler_bytes(samplers[s]);
    contexts[s] = tiny_context_new(model);
    logits[s] = tiny_context_logits(contexts[s]);
  }
  for (int i = 0; i < TOKENS; ++i)
    for (int s = 0; s < SEQUENCES; ++s) {
      int32_t token = -1;
      if (bankml_sampler_sample(samplers[s], logits[s], n, &token) != BANKML_OK)
        return fprintf(stderr, "%s\n", bankml_sampler_error(samplers[s])), 1;
      bankml_sampler_accept(samplers[s], token);
      const char* piece = tiny_model_piece(model, token, &length);
      strncat(text[s], piece, length < 15 ? length : 15);
      logits[s] = tiny_context_step(contexts[s], token);
    }
  for (int s = 0; s < SEQUENCES; ++s) {
    for (char* c = text[s]; *c != 0; ++c) *c = *c == '\n' ? ' ' : *c;
    printf("%d: %s\n", s, text[s]);
    tiny_context_free(contexts[s]);
    bankml_sampler_free(samplers[s]);
  }
  fprintf(stderr, "%zu bytes a sampler, %zu bytes of workspace shared\n", own / SEQUENCES, bankml_workspace_bytes(workspace));
  bankml_workspace_free(workspace);
  bankml_params_free(params);
  tiny_model_free(model);
  return 0;
}
