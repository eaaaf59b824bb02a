/* The best token of a row of logits: temperature 0 makes the draw greedy. */
#include <stdio.h>

#include "bankml.h"

int main(void) {
  const float logits[] = {0.5f, 2.0f, -1.0f, 3.5f, 3.0f};
  int32_t token = -1;
  bankml_params* params = bankml_params_new(NULL, NULL, 0);
  bankml_params_set_number(params, "temperature", 0);
  bankml_sampler* sampler = bankml_sampler_new(params, NULL, 5, NULL, 0);
  bankml_status status = bankml_sampler_sample(sampler, logits, 5, &token);
  printf("status: %s, token: %d\n", bankml_status_string(status), (int)token);
  bankml_sampler_free(sampler);
  bankml_params_free(params);
  return status != BANKML_OK;
}
