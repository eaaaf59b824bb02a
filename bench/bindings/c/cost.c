/* What one draw costs through the C ABI: the measure that the bindings are held against (bench/bindings/README.md).
 * Prints `c pointer V NANOSECONDS` for a large and a small vocabulary. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bankml.h"

enum { calls = 20000 };

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void fill(float *logits, size_t n) {
  for (size_t i = 0; i < n; ++i) logits[i] = (float)(((uint32_t)i * 2654435761u) >> 8) * (12.0f / 16777216.0f) - 6.0f;
  for (size_t k = 0; k < 5; ++k) logits[7 * k % n] = 8.0f + 0.5f * (float)k;
}

/* Median over batches, each the mean of `batch` calls. Returns a negative number if a call fails. */
static double median_ns(size_t n, int batch) {
  char err[256] = "";
  bankml_params *params = bankml_params_new(NULL, err, sizeof err);
  bankml_params_set_number(params, "seed", 1);
  bankml_sampler *sampler = bankml_sampler_new(params, NULL, n, err, sizeof err);
  float *logits = malloc(n * sizeof *logits);
  const int batches = calls / batch;
  double *times = malloc((size_t)batches * sizeof *times);
  int32_t token = -1;
  bankml_status status = sampler == NULL || logits == NULL || times == NULL ? BANKML_NOMEM : BANKML_OK;
  if (status == BANKML_OK) fill(logits, n);
  for (int i = 0; i < calls / 10 && status == BANKML_OK; ++i) status = bankml_sampler_sample(sampler, logits, n, &token);
  for (int b = 0; b < batches && status == BANKML_OK; ++b) {
    const double start = now_ns();
    for (int i = 0; i < batch && status == BANKML_OK; ++i) status = bankml_sampler_sample(sampler, logits, n, &token);
    times[b] = (now_ns() - start) / batch;
  }
  double median = -1;
  if (status == BANKML_OK) {
    qsort(times, (size_t)batches, sizeof *times, by_value);
    median = times[batches / 2];
  } else {
    fprintf(stderr, "error: %s %s\n", bankml_status_string(status), err);
  }
  free(times);
  free(logits);
  bankml_sampler_free(sampler);
  bankml_params_free(params);
  return median;
}

int main(void) {
  const double large = median_ns(151936, 10), small = median_ns(8, 100);
  if (large < 0 || small < 0) return 1;
  printf("c pointer 151936 %.1f\nc pointer 8 %.1f\n", large, small);
  return 0;
}
