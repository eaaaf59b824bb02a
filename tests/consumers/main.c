/* The smallest C consumer: prints the library's version and ten tokens of a fixed seed. Every way to build it must print the same.
 */
#include <bankml.h>
#include <stdio.h>

int main(void) {
  float logits[1000];
  char err[256];
  int32_t token;
  int i, k;
  bankml_params* params = bankml_params_new(NULL, err, sizeof err);
  bankml_sampler* sampler;
  if (params == NULL || bankml_params_set_number(params, "seed", 42) != BANKML_OK) return 1;
  sampler = bankml_sampler_new(params, NULL, 1000, err, sizeof err);
  bankml_params_free(params);
  if (sampler == NULL) {
    fprintf(stderr, "%s\n", err);
    return 1;
  }
  printf("%s:", bankml_version_string());
  for (i = 0; i < 10; ++i) {
    for (k = 0; k < 1000; ++k) logits[k] = (float)((k * 7919 + i * 31) % 1009) / 128.0f;
    if (bankml_sampler_sample(sampler, logits, 1000, &token) != BANKML_OK) {
      fprintf(stderr, "%s\n", bankml_sampler_error(sampler));
      return 1;
    }
    bankml_sampler_accept(sampler, token);
    printf(" %d", (int)token);
  }
  printf("\n");
  bankml_sampler_free(sampler);
  return 0;
}
