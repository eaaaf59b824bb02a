/* Samplers that work: construction, draws, masks, subsets, probabilities, seeds, clones, counters. Which token a seed draws is
 * pinned by the recorded cases (tests/vectors); here the calls are held against each other. */
#include <math.h>

#include "fixtures.h"

enum { n_vocab = 1000, n_draws = 30 };
static float logits[n_vocab];

/* n draws with their tokens accepted. */
static void draw(bankml_sampler* s, int32_t* tokens, int n, uint64_t first_row) {
  int i;
  for (i = 0; i < n; ++i) {
    fill_logits(logits, n_vocab, first_row + (uint64_t)i);
    tokens[i] = -1;
    OK(s, bankml_sampler_sample(s, logits, n_vocab, &tokens[i]));
    CHECK(tokens[i] >= 0 && tokens[i] < n_vocab);
    OK(s, bankml_sampler_accept(s, tokens[i]));
  }
}

static const char* const chains[] = {
    "{}",
    "{\"repeat_penalty\": 1.2, \"presence_penalty\": 0.3, \"dry_multiplier\": 0.8, \"top_k\": 30}",
    "{\"mirostat\": 1}",
    "{\"mirostat\": 2, \"mirostat_tau\": 3}",
    "{\"top_k\": 0, \"typical_p\": 0.8, \"top_p\": 1, \"min_p\": 0}",
    "{\"xtc_probability\": 0.5, \"xtc_threshold\": 0.01, \"dynatemp_range\": 0.4}",
    "{\"top_n_sigma\": 1.5, \"samplers\": [\"top_n_sigma\", \"temperature\"]}",
    "{\"samplers\": [\"temperature\", \"adaptive_p\"], \"adaptive_target\": 0.3}",
};
enum { n_chains = sizeof chains / sizeof chains[0] };

/* Equal seeds draw equal tokens; a reset replays; a clone goes on as the original would. */
static void replays(void) {
  int32_t first[n_draws], again[n_draws], rest[n_draws];
  size_t i;
  for (i = 0; i < n_chains; ++i) {
    char err[256];
    bankml_sampler *s = sampler_of(chains[i], NULL, n_vocab), *twin = sampler_of(chains[i], NULL, n_vocab), *clone;
    draw(s, first, n_draws, 7);
    draw(twin, again, n_draws, 7);
    CHECK(memcmp(first, again, sizeof first) == 0);
    OK(s, bankml_sampler_reset(s));
    draw(s, again, n_draws, 7);
    CHECK(memcmp(first, again, sizeof first) == 0);
    clone = bankml_sampler_clone(s, err, sizeof err);
    CHECK(clone != NULL);
    draw(s, again, n_draws, 99);
    bankml_sampler_free(s);
    draw(clone, rest, n_draws, 99);
    CHECK(memcmp(rest, again, sizeof rest) == 0);
    bankml_sampler_free(clone);
    bankml_sampler_free(twin);
  }
}

static void greedy(void) {
  bankml_sampler* s = sampler_of("{\"temperature\": 0}", NULL, n_vocab);
  uint64_t row;
  int32_t token;
  for (row = 0; row < 20; ++row) {
    fill_logits(logits, n_vocab, row);
    OK(s, bankml_sampler_sample(s, logits, n_vocab, &token));
    CHECK(token == best_of(logits, n_vocab));
  }
  bankml_sampler_free(s);
}

static void seeds(void) {
  int32_t a[n_draws], b[n_draws];
  bankml_sampler *s = sampler_of("{\"seed\": 5, \"top_k\": 0, \"temperature\": 3}", NULL, n_vocab), *t;
  CHECK(bankml_sampler_get_seed(s) == 5);
  draw(s, a, n_draws, 1);
  OK(s, bankml_sampler_set_seed(s, 6));
  CHECK(bankml_sampler_get_seed(s) == 6);
  draw(s, b, n_draws, 1);
  CHECK(memcmp(a, b, sizeof a) != 0);
  OK(s, bankml_sampler_set_seed(s, 5));
  draw(s, b, n_draws, 1);
  CHECK(memcmp(a, b, sizeof a) == 0);
  OK(s, bankml_sampler_set_seed(s, 0xFFFFFFFFu));
  t = sampler_of("{\"seed\": -1}", NULL, n_vocab);
  CHECK(bankml_sampler_get_seed(t) != 0xFFFFFFFFu); /* the one that was chosen */
  bankml_sampler_free(t);
  bankml_sampler_free(s);
}

static void masks(void) {
  uint32_t words[(n_vocab + 31) / 32];
  int32_t token;
  size_t chain, i;
  for (chain = 0; chain < n_chains; ++chain) {
    bankml_sampler* s = sampler_of(chains[chain], NULL, n_vocab);
    for (i = 0; i < 20; ++i) {
      size_t w;
      fill_logits(logits, n_vocab, i);
      for (w = 0; w < sizeof words / 4; ++w) words[w] = (uint32_t)(0x9E3779B9u * (w + i) * (w + 3)) & 0x11111111u;
      words[1] |= 2;
      logits[0] = NAN, words[0] &= ~1u;   /* a forbidden token may hold anything */
      words[n_vocab / 32] |= 0xFFFFFF00u; /* bits past the vocabulary are ignored */
      OK(s, bankml_sampler_sample_masked(s, logits, n_vocab, words, sizeof words / 4, &token));
      CHECK(token >= 0 && token < n_vocab && (words[token / 32] >> (token % 32) & 1) != 0);
      OK(s, bankml_sampler_accept(s, token));
    }
    memset(words, 0, sizeof words);
    words[17] = 1u << 5;
    OK(s, bankml_sampler_sample_masked(s, logits, n_vocab, words, sizeof words / 4, &token));
    CHECK(token == 17 * 32 + 5);
    bankml_sampler_free(s);
  }
}

/* The whole vocabulary as a subset in id order is the plain draw; a smaller subset stays within itself. */
static void subsets(void) {
  static int32_t ids[n_vocab];
  static const int32_t few[4] = {700, 3, 41, 999};
  static const float few_logits[4] = {1.0f, 2.0f, 0.5f, 2.5f};
  size_t chain, i;
  int32_t token, plain;
  for (i = 0; i < n_vocab; ++i) ids[i] = (int32_t)i;
  for (chain = 0; chain < n_chains; ++chain) {
    bankml_sampler *s = sampler_of(chains[chain], NULL, n_vocab), *t = sampler_of(chains[chain], NULL, n_vocab);
    for (i = 0; i < 10; ++i) {
      fill_logits(logits, n_vocab, i);
      OK(s, bankml_sampler_sample(s, logits, n_vocab, &plain));
      OK(t, bankml_sampler_sample_candidates(t, ids, logits, n_vocab, &token));
      CHECK(token == plain);
    }
    OK(t, bankml_sampler_sample_candidates(t, few, few_logits, 4, &token));
    CHECK(token == 700 || token == 3 || token == 41 || token == 999);
    OK(t, bankml_sampler_sample_candidates(t, few, few_logits, 1, &token));
    CHECK(token == 700);
    bankml_sampler_free(s);
    bankml_sampler_free(t);
  }
}

static void candidates(void) {
  bankml_candidate out[64];
  bankml_token_prob best[64];
  size_t count = 0, i, top;
  int32_t token, found = 0;
  double sum = 0;
  bankml_sampler* s = sampler_of("{\"top_k\": 40, \"top_p\": 1, \"min_p\": 0}", NULL, n_vocab);
  fill_logits(logits, n_vocab, 3);
  OK(s, bankml_sampler_keep(s, 1));
  OK(s, bankml_sampler_sample(s, logits, n_vocab, &token));
  STATUS(BANKML_BUFFER, bankml_sampler_candidates(s, NULL, 0, &count));
  CHECK(count == 40);
  STATUS(BANKML_BUFFER, bankml_sampler_candidates(s, out, 39, &count));
  OK(s, bankml_sampler_candidates(s, out, 64, &count));
  CHECK(count == 40);
  for (i = 0; i < count; ++i) {
    sum += (double)out[i].p;
    found += out[i].id == token;
    if (i > 0) CHECK(out[i].logit <= out[i - 1].logit);
  }
  CHECK(found == 1 && fabs(sum - 1) < 1e-5);
  OK(s, bankml_sampler_post_probs(s, 5, best, 64, &count));
  CHECK(count == 5);
  for (i = 1; i < count; ++i) CHECK(best[i].p <= best[i - 1].p);
  STATUS(BANKML_BUFFER, bankml_sampler_post_probs(s, 5, best, 4, &count));
  CHECK(count == 5);
  OK(s, bankml_sampler_post_probs(s, 1000, best, 64, &count));
  CHECK(count == 40);
  OK(s, bankml_sampler_keep(s, 0));
  STATUS(BANKML_NOT_KEPT, bankml_sampler_candidates(s, out, 64, &count));
  bankml_sampler_free(s);

  s = sampler_of("{\"top_k\": 3}", NULL, n_vocab); /* token_probs: raw, whatever the chain */
  for (top = 0; top <= 20; top += 10) {
    float p = -1;
    fill_logits(logits, n_vocab, 4);
    OK(s, bankml_sampler_token_probs(s, logits, n_vocab, 77, top, best, 64, &count, &p));
    CHECK(count == top && p > 0 && p < 1);
    if (top > 0) CHECK(best[0].id == best_of(logits, n_vocab));
    p = -1;
    OK(s, bankml_sampler_token_probs(s, logits, n_vocab, -1, top, best, 64, &count, &p));
    CHECK(p == -1);
  }
  STATUS(BANKML_BUFFER, bankml_sampler_token_probs(s, logits, n_vocab, -1, n_vocab + 5, best, 64, &count, NULL));
  CHECK(count == n_vocab);
  bankml_sampler_free(s);
}

static void vocabularies(void) {
  bankml_vocab* v = vocab_of_bytes();
  bankml_params* p = params_of("{\"ignore_eos\": true, \"temperature\": 0}");
  bankml_sampler *s, *padded;
  char err[256] = "";
  int32_t token;
  float row[300];
  fill_logits(row, 300, 1);
  row[fixture_eos] = 50;
  row[9] = 20;
  s = bankml_sampler_new(p, v, 0, err, sizeof err);
  padded = bankml_sampler_new(p, v, 300, err, sizeof err);
  bankml_params_free(p);
  bankml_vocab_free(v); /* both hold it */
  if (CHECK(s != NULL && padded != NULL)) {
    CHECK(bankml_sampler_n_vocab(s) == fixture_vocab_size && bankml_sampler_n_vocab(padded) == 300);
    OK(s, bankml_sampler_sample(s, row, fixture_vocab_size, &token));
    CHECK(token == 9);
    OK(padded, bankml_sampler_sample(padded, row, 300, &token));
    CHECK(token == 9);
  }
  bankml_sampler_free(padded);
  bankml_sampler_free(s);
}

static void workspaces(void) {
  char err[128];
  int32_t a[n_draws], b[n_draws];
  bankml_workspace* w = bankml_workspace_new(n_vocab, err, sizeof err);
  bankml_sampler *s = sampler_of(chains[4], NULL, n_vocab), *t = sampler_of(chains[4], NULL, n_vocab);
  CHECK(w != NULL && bankml_workspace_bytes(w) >= n_vocab * sizeof(bankml_candidate));
  OK(s, bankml_sampler_use_workspace(s, w));
  bankml_workspace_free(w); /* the sampler holds it */
  draw(s, a, n_draws, 3);
  draw(t, b, n_draws, 3);
  CHECK(memcmp(a, b, sizeof a) == 0);
  OK(s, bankml_sampler_use_workspace(s, NULL));
  draw(s, a, n_draws, 3);
  draw(t, b, n_draws, 3);
  CHECK(memcmp(a, b, sizeof a) == 0);
  bankml_sampler_free(s);
  bankml_sampler_free(t);
}

static void names_and_counters(void) {
  bankml_sampler* s =
      sampler_of("{\"samplers\": [\"top_k\", \"min_p\", \"temperature\"], \"logit_bias\": [[5000, -1]]}", NULL, n_vocab);
  bankml_perf perf;
  int32_t tokens[n_draws];
  static const int32_t prompt[3] = {1, 2, 3};
  size_t i, n = bankml_sampler_step_count(s);
  CHECK(n >= 3 && bankml_sampler_step_name(s, n) == NULL);
  for (i = 0; i < n; ++i) CHECK(bankml_sampler_step_name(s, i) != NULL);
  CHECK(bankml_sampler_plan_name(s) != NULL && *bankml_sampler_plan_name(s) != '\0');
  SAYS(bankml_sampler_warning(s, 0), "5000");
  CHECK(bankml_sampler_warning(s, 100) == NULL);
  CHECK(bankml_sampler_bytes(s) > 0 && bankml_sampler_bytes(s) <= 65536);
  OK(s, bankml_sampler_clock(s, 1));
  OK(s, bankml_sampler_accept_many(s, prompt, 3));
  OK(s, bankml_sampler_accept_many(s, NULL, 0));
  draw(s, tokens, n_draws, 1);
  memset(&perf, 0, sizeof perf);
  perf.struct_size = sizeof perf;
  OK(s, bankml_sampler_perf(s, &perf, 1));
  CHECK(perf.draws == n_draws && perf.accepts == n_draws + 3 && perf.sample_us > 0 && perf.random_outputs >= n_draws);
  OK(s, bankml_sampler_clock(s, 0));
  draw(s, tokens, 1, 1);
  OK(s, bankml_sampler_perf(s, &perf, 0));
  CHECK(perf.draws == 1 && perf.accepts == 1 && perf.sample_us == 0);
  bankml_sampler_free(s);

  s = bankml_sampler_new(NULL, NULL, n_vocab, NULL, 0); /* NULL params: the defaults */
  if (CHECK(s != NULL)) draw(s, tokens, 3, 1);
  bankml_sampler_free(s);
}

int main(void) {
  replays();
  greedy();
  seeds();
  masks();
  subsets();
  candidates();
  vocabularies();
  workspaces();
  names_and_counters();
  return report();
}
