/* Bad input to a sampler: one status for each kind, a text with parameter and value, and a state that never saw the bad call,
 * proved by a twin: after each refusal both draw the same tokens. */
#include <math.h>

#include "fixtures.h"

enum { n_vocab = 500 };
static float good_row[n_vocab], bad_row[n_vocab];
static uint64_t next_row = 1;

static const char* const chains[] = {
    "{}",
    "{\"temperature\": 0}",
    "{\"repeat_penalty\": 1.3, \"dry_multiplier\": 1, \"top_k\": 0, \"temperature\": 2}",
    "{\"mirostat\": 1}",
    "{\"mirostat\": 2}",
    "{\"xtc_probability\": 0.9, \"xtc_threshold\": 0.001, \"top_k\": 0, \"typical_p\": 0.7}",
    "{\"samplers\": [\"adaptive_p\"], \"adaptive_target\": 0.2}",
    "{\"top_n_sigma\": 1, \"dynatemp_range\": 0.5}",
};

/* The tokens of the next draws of both are equal: nothing that the refused call touched has remained. */
static void same_future(bankml_sampler* s, bankml_sampler* twin) {
  int i;
  for (i = 0; i < 3; ++i) {
    int32_t a = -1, b = -2;
    fill_logits(good_row, n_vocab, next_row++);
    OK(s, bankml_sampler_sample(s, good_row, n_vocab, &a));
    OK(twin, bankml_sampler_sample(twin, good_row, n_vocab, &b));
    CHECK(a == b);
    CHECK(strcmp(bankml_sampler_error(s), "") == 0);
    OK(s, bankml_sampler_accept(s, a));
    OK(twin, bankml_sampler_accept(twin, b));
  }
}

static void lengths(bankml_sampler* s, bankml_sampler* twin) {
  uint32_t words[n_vocab / 32 + 1];
  int32_t token = -7;
  size_t count;
  memset(words, 0xFF, sizeof words);
  STATUS(BANKML_LENGTH, bankml_sampler_sample(s, good_row, n_vocab - 1, &token));
  SAYS(bankml_sampler_error(s), "499");
  SAYS(bankml_sampler_error(s), "500");
  same_future(s, twin);
  STATUS(BANKML_LENGTH, bankml_sampler_sample(s, good_row, 0, &token));
  STATUS(BANKML_LENGTH, bankml_sampler_sample_masked(s, good_row, n_vocab - 1, words, sizeof words / 4, &token));
  STATUS(BANKML_LENGTH, bankml_sampler_sample_masked(s, good_row, n_vocab, words, 15, &token));
  SAYS(bankml_sampler_error(s), "15");
  STATUS(BANKML_LENGTH, bankml_sampler_token_probs(s, good_row, n_vocab + 1, -1, 0, NULL, 0, &count, NULL));
  CHECK(token == -7);
  same_future(s, twin);
}

static void not_finite(bankml_sampler* s, bankml_sampler* twin) {
  static const size_t places[] = {0, 1, 7, 8, 63, 250, n_vocab - 1};
  const float values[] = {NAN, -NAN, INFINITY};
  uint32_t words[n_vocab / 32 + 1];
  bankml_token_prob top[8];
  size_t i, k, count;
  int32_t token = -7;
  memset(words, 0xFF, sizeof words);
  for (i = 0; i < sizeof places / sizeof places[0]; ++i) {
    for (k = 0; k < 3; ++k) {
      fill_logits(bad_row, n_vocab, 5);
      bad_row[places[i]] = values[k];
      STATUS(BANKML_NONFINITE, bankml_sampler_sample(s, bad_row, n_vocab, &token));
      CHECK(*bankml_sampler_error(s) != '\0');
      STATUS(BANKML_NONFINITE, bankml_sampler_sample_masked(s, bad_row, n_vocab, words, sizeof words / 4, &token));
      STATUS(BANKML_NONFINITE, bankml_sampler_token_probs(s, bad_row, n_vocab, -1, 4, top, 8, &count, NULL));
    }
  }
  {
    char place[32];
    fill_logits(bad_row, n_vocab, 5);
    bad_row[123] = NAN;
    STATUS(BANKML_NONFINITE, bankml_sampler_sample(s, bad_row, n_vocab, &token));
    snprintf(place, sizeof place, "%d", 123);
    SAYS(bankml_sampler_error(s), place);
    SAYS(bankml_sampler_error(s), "nan");
  }
  CHECK(token == -7);
  same_future(s, twin);
}

static void nothing_left(bankml_sampler* s, bankml_sampler* twin) {
  uint32_t words[n_vocab / 32 + 1];
  int32_t token = -7;
  size_t i;
  for (i = 0; i < n_vocab; ++i) bad_row[i] = -INFINITY;
  STATUS(BANKML_NO_CANDIDATE, bankml_sampler_sample(s, bad_row, n_vocab, &token));
  CHECK(*bankml_sampler_error(s) != '\0');
  same_future(s, twin);
  memset(words, 0, sizeof words);
  words[n_vocab / 32] = 0xFFF00000u; /* only bits past the vocabulary */
  STATUS(BANKML_NO_CANDIDATE, bankml_sampler_sample_masked(s, good_row, n_vocab, words, sizeof words / 4, &token));
  words[0] = 5;
  STATUS(BANKML_NO_CANDIDATE, bankml_sampler_sample_masked(s, bad_row, n_vocab, words, sizeof words / 4, &token));
  STATUS(BANKML_NO_CANDIDATE, bankml_sampler_sample_candidates(s, &token, good_row, 0, &token));
  CHECK(token == -7);
  same_future(s, twin);
}

static void tokens(bankml_sampler* s, bankml_sampler* twin) {
  static const int32_t bad_many[3] = {1, 2, n_vocab};
  static const int32_t twice[3] = {5, 9, 5}, outside[2] = {3, -1}, beyond[2] = {3, n_vocab};
  static const float three[3] = {1, 2, 3};
  int32_t token = -7;
  size_t count;
  float p;
  STATUS(BANKML_TOKEN, bankml_sampler_accept(s, -1));
  SAYS(bankml_sampler_error(s), "-1");
  STATUS(BANKML_TOKEN, bankml_sampler_accept(s, n_vocab));
  SAYS(bankml_sampler_error(s), "500");
  STATUS(BANKML_TOKEN, bankml_sampler_accept_many(s, bad_many, 3)); /* all or nothing */
  same_future(s, twin);
  STATUS(BANKML_TOKEN, bankml_sampler_sample_candidates(s, twice, three, 3, &token));
  SAYS(bankml_sampler_error(s), "5");
  STATUS(BANKML_TOKEN, bankml_sampler_sample_candidates(s, outside, three, 2, &token));
  SAYS(bankml_sampler_error(s), "-1");
  STATUS(BANKML_TOKEN, bankml_sampler_sample_candidates(s, beyond, three, 2, &token));
  STATUS(BANKML_TOKEN, bankml_sampler_token_probs(s, good_row, n_vocab, n_vocab, 0, NULL, 0, &count, &p));
  STATUS(BANKML_TOKEN, bankml_sampler_token_probs(s, good_row, n_vocab, -2, 0, NULL, 0, &count, &p));
  CHECK(token == -7);
  same_future(s, twin);
}

static void null_pointers(bankml_sampler* s, bankml_sampler* twin) {
  uint32_t words[n_vocab / 32 + 1];
  int32_t token = -7;
  size_t count;
  bankml_candidate c[4];
  bankml_token_prob p[4];
  bankml_perf perf;
  memset(words, 0xFF, sizeof words);
  STATUS(BANKML_ARG, bankml_sampler_sample(s, NULL, n_vocab, &token));
  SAYS(bankml_sampler_error(s), "logits");
  STATUS(BANKML_ARG, bankml_sampler_sample(s, good_row, n_vocab, NULL));
  STATUS(BANKML_ARG, bankml_sampler_sample_masked(s, NULL, n_vocab, words, sizeof words / 4, &token));
  STATUS(BANKML_ARG, bankml_sampler_sample_masked(s, good_row, n_vocab, NULL, sizeof words / 4, &token));
  STATUS(BANKML_ARG, bankml_sampler_sample_candidates(s, NULL, good_row, 2, &token));
  STATUS(BANKML_ARG, bankml_sampler_accept_many(s, NULL, 2));
  STATUS(BANKML_ARG, bankml_sampler_perf(s, NULL, 0));
  perf.struct_size = 8;
  STATUS(BANKML_ARG, bankml_sampler_perf(s, &perf, 0));
  same_future(s, twin);

  STATUS(BANKML_ARG, bankml_sampler_sample(NULL, good_row, n_vocab, &token));
  STATUS(BANKML_ARG, bankml_sampler_sample_masked(NULL, good_row, n_vocab, words, sizeof words / 4, &token));
  STATUS(BANKML_ARG, bankml_sampler_sample_candidates(NULL, &token, good_row, 1, &token));
  STATUS(BANKML_ARG, bankml_sampler_accept(NULL, 1));
  STATUS(BANKML_ARG, bankml_sampler_accept_many(NULL, &token, 1));
  STATUS(BANKML_ARG, bankml_sampler_keep(NULL, 1));
  STATUS(BANKML_ARG, bankml_sampler_candidates(NULL, c, 4, &count));
  STATUS(BANKML_ARG, bankml_sampler_post_probs(NULL, 1, p, 4, &count));
  STATUS(BANKML_ARG, bankml_sampler_token_probs(NULL, good_row, n_vocab, -1, 1, p, 4, &count, NULL));
  STATUS(BANKML_ARG, bankml_sampler_reset(NULL));
  STATUS(BANKML_ARG, bankml_sampler_set_seed(NULL, 1));
  STATUS(BANKML_ARG, bankml_sampler_use_workspace(NULL, NULL));
  STATUS(BANKML_ARG, bankml_sampler_perf(NULL, &perf, 0));
  STATUS(BANKML_ARG, bankml_sampler_clock(NULL, 1));
  CHECK(bankml_sampler_n_vocab(NULL) == 0 && bankml_sampler_step_count(NULL) == 0 && bankml_sampler_bytes(NULL) == 0);
  CHECK(bankml_sampler_step_name(NULL, 0) == NULL && bankml_sampler_warning(NULL, 0) == NULL);
  CHECK(bankml_sampler_error(NULL) != NULL);
  (void)bankml_sampler_plan_name(NULL);
  (void)bankml_sampler_get_seed(NULL);
  bankml_sampler_free(NULL);
  bankml_workspace_free(NULL);
  CHECK(bankml_workspace_bytes(NULL) == 0);
}

static void buffers_and_keeping(bankml_sampler* s, bankml_sampler* twin) {
  bankml_candidate out[1];
  bankml_token_prob p[1];
  size_t count = 99;
  int32_t token;
  STATUS(BANKML_NOT_KEPT, bankml_sampler_candidates(s, out, 1, &count));
  CHECK(*bankml_sampler_error(s) != '\0');
  STATUS(BANKML_NOT_KEPT, bankml_sampler_post_probs(s, 1, p, 1, &count));
  OK(s, bankml_sampler_keep(s, 1));
  STATUS(BANKML_NOT_KEPT, bankml_sampler_candidates(s, out, 1, &count)); /* no draw yet */
  OK(s, bankml_sampler_sample(s, good_row, n_vocab, &token));
  OK(twin, bankml_sampler_sample(twin, good_row, n_vocab, &token));
  STATUS(BANKML_ARG, bankml_sampler_candidates(s, NULL, 1, &count));
  STATUS(BANKML_ARG, bankml_sampler_candidates(s, out, 1, NULL));
  STATUS(BANKML_BUFFER, bankml_sampler_token_probs(s, good_row, n_vocab, -1, 5, p, 1, &count, NULL));
  CHECK(count == 5);
  OK(s, bankml_sampler_keep(s, 0));
  same_future(s, twin);
}

static void small_workspace(bankml_sampler* s, bankml_sampler* twin) {
  char err[128] = "";
  bankml_workspace* w = bankml_workspace_new(n_vocab - 1, err, sizeof err);
  CHECK(w != NULL);
  STATUS(BANKML_LENGTH, bankml_sampler_use_workspace(s, w));
  SAYS(bankml_sampler_error(s), "499");
  bankml_workspace_free(w);
  same_future(s, twin);
  *err = '\0';
  CHECK(bankml_workspace_new((size_t)-1, err, sizeof err) == NULL && *err != '\0');
}

static void constructors(void) {
  char err[256] = "";
  bankml_params* p = params_of("{\"ignore_eos\": true}");
  bankml_vocab* v = vocab_of_bytes();
  bankml_sampler* s;
  CHECK(bankml_sampler_new(NULL, NULL, 0, err, sizeof err) == NULL);
  SAYS(err, "n_vocab");
  *err = '\0';
  CHECK(bankml_sampler_new(NULL, v, fixture_vocab_size - 1, err, sizeof err) == NULL);
  SAYS(err, "258");
  SAYS(err, "259");
  *err = '\0';
  CHECK(bankml_sampler_new(p, NULL, 100, err, sizeof err) == NULL); /* pieces are needed */
  SAYS(err, "ignore_eos");
  bankml_params_free(p);
  p = params_of("{\"samplers\": [\"infill\"]}");
  *err = '\0';
  CHECK(bankml_sampler_new(p, NULL, 100, err, sizeof err) == NULL);
  SAYS(err, "infill");
  bankml_params_free(p);
  p = params_of("{\"dry_multiplier\": 1}");
  *err = '\0';
  CHECK(bankml_sampler_new(p, NULL, 100, err, sizeof err) == NULL);
  SAYS(err, "dry_sequence_breakers");
  CHECK(bankml_sampler_new(p, NULL, 100, NULL, 0) == NULL);
  CHECK(bankml_sampler_clone(NULL, err, sizeof err) == NULL);
  bankml_params_free(p);
  s = bankml_sampler_new(NULL, NULL, 3000000000u, err, sizeof err); /* beyond int32 ids */
  CHECK(s == NULL && *err != '\0');
  bankml_vocab_free(v);
}

int main(void) {
  size_t i;
  for (i = 0; i < sizeof chains / sizeof chains[0]; ++i) {
    bankml_sampler *s = sampler_of(chains[i], NULL, n_vocab), *twin = sampler_of(chains[i], NULL, n_vocab);
    fill_logits(good_row, n_vocab, 0);
    if (s != NULL && twin != NULL) {
      same_future(s, twin);
      lengths(s, twin);
      not_finite(s, twin);
      nothing_left(s, twin);
      tokens(s, twin);
      null_pointers(s, twin);
      buffers_and_keeping(s, twin);
      small_workspace(s, twin);
    }
    bankml_sampler_free(s);
    bankml_sampler_free(twin);
  }
  constructors();
  return report();
}
