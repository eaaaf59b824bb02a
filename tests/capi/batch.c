/* Batches: the same tokens, states and errors as single calls, for any number of threads; each item its own status; refusals. */
#include <stdlib.h>

#include "fixtures.h"

enum { n_vocab = 300, n_items = 12, n_words = (n_vocab + 31) / 32, rounds = 25 };

static const char* const requests[] = {"{}",
                                       "{\"temperature\": 1.5, \"top_k\": 0}",
                                       "{\"mirostat\": 2}",
                                       "{\"repeat_penalty\": 1.3, \"dry_multiplier\": 0.8}",
                                       "{\"typical_p\": 0.9, \"top_k\": 0}",
                                       "{\"xtc_probability\": 0.5, \"xtc_threshold\": 0.05}"};

static float logits[n_items][n_vocab];
static uint32_t words[n_words];

static bankml_batch_item item_of(bankml_sampler* s, size_t row) {
  bankml_batch_item item;
  memset(&item, 0, sizeof item);
  item.struct_size = sizeof item;
  item.status = -77;
  item.token = -1;
  item.sampler = s;
  item.logits = logits[row];
  item.n = n_vocab;
  return item;
}

/* Batches of a pool of `threads` against twins that draw one by one; every third item has a mask. */
static void equals_single_draws(size_t threads, size_t pool_vocab) {
  char err[256] = "";
  bankml_pool* pool = threads == 0 ? NULL : bankml_pool_new(threads, pool_vocab, err, sizeof err);
  bankml_sampler *batched[n_items], *single[n_items];
  bankml_batch_item items[n_items];
  size_t i;
  int round;
  CHECK(threads == 0 || pool != NULL);
  CHECK(bankml_pool_threads(pool) == (threads == 0 ? 1 : threads));
  for (i = 0; i < n_items; ++i) {
    batched[i] = sampler_of(requests[i % 6], NULL, n_vocab);
    single[i] = sampler_of(requests[i % 6], NULL, n_vocab);
  }
  for (round = 0; round < rounds; ++round) {
    for (i = 0; i < n_items; ++i) {
      fill_logits(logits[i], n_vocab, 1000 * (uint64_t)round + i);
      items[i] = item_of(batched[i], i);
      if (i % 3 == 0) items[i].words = words, items[i].n_words = n_words;
    }
    STATUS(BANKML_OK, bankml_batch_sample(pool, items, n_items));
    for (i = 0; i < n_items; ++i) {
      int32_t token = -1;
      if (i % 3 == 0)
        OK(single[i], bankml_sampler_sample_masked(single[i], logits[i], n_vocab, words, n_words, &token));
      else
        OK(single[i], bankml_sampler_sample(single[i], logits[i], n_vocab, &token));
      OK(batched[i], items[i].status);
      CHECK(items[i].token == token);
      OK(batched[i], bankml_sampler_accept(batched[i], token));
      OK(single[i], bankml_sampler_accept(single[i], token));
    }
  }
  for (i = 0; i < n_items; ++i) {
    bankml_perf a, b;
    a.struct_size = b.struct_size = sizeof a;
    OK(batched[i], bankml_sampler_perf(batched[i], &a, 0));
    OK(single[i], bankml_sampler_perf(single[i], &b, 0));
    CHECK(a.draws == b.draws && a.redraws == b.redraws && a.random_outputs == b.random_outputs);
    bankml_sampler_free(batched[i]);
    bankml_sampler_free(single[i]);
  }
  bankml_pool_free(pool);
}

/* One bad item: its status and text, the others drawn; the next batch works. */
static void own_status(void) {
  char err[256];
  bankml_pool* pool = bankml_pool_new(2, n_vocab, err, sizeof err);
  bankml_sampler* s[6];
  bankml_batch_item items[6];
  static float bad[n_vocab];
  static const uint32_t none[n_words];
  size_t i;
  for (i = 0; i < 6; ++i) {
    s[i] = sampler_of(NULL, NULL, n_vocab);
    fill_logits(logits[i], n_vocab, i);
    items[i] = item_of(s[i], i);
  }
  memcpy(bad, logits[1], sizeof bad);
  bad[7] = 0.0f / (float)(bad[7] - bad[7]); /* NaN */
  items[1].logits = bad;
  items[2].n = n_vocab - 1;
  items[3].logits = NULL;
  items[4].words = none, items[4].n_words = n_words;
  items[5].words = none, items[5].n_words = 1;
  STATUS(BANKML_OK, bankml_batch_sample(pool, items, 6));
  STATUS(BANKML_OK, items[0].status);
  STATUS(BANKML_NONFINITE, items[1].status);
  STATUS(BANKML_LENGTH, items[2].status);
  STATUS(BANKML_ARG, items[3].status);
  STATUS(BANKML_NO_CANDIDATE, items[4].status);
  STATUS(BANKML_LENGTH, items[5].status);
  SAYS(bankml_sampler_error(s[1]), "token 7");
  SAYS(bankml_sampler_error(s[3]), "logits is NULL");
  for (i = 0; i < 6; ++i) items[i] = item_of(s[i], i);
  STATUS(BANKML_OK, bankml_batch_sample(pool, items, 6));
  for (i = 1; i < 6; ++i) { /* the failed draws left no trace */
    bankml_sampler* fresh = sampler_of(NULL, NULL, n_vocab);
    int32_t token = -1;
    OK(fresh, bankml_sampler_sample(fresh, logits[i], n_vocab, &token));
    STATUS(BANKML_OK, items[i].status);
    CHECK(items[i].token == token);
    bankml_sampler_free(fresh);
  }
  for (i = 0; i < 6; ++i) bankml_sampler_free(s[i]);
  bankml_pool_free(pool);
}

static void refusals(void) {
  char err[256] = "";
  bankml_pool* pool = bankml_pool_new(3, 0, err, sizeof err);
  bankml_sampler* a = sampler_of(NULL, NULL, n_vocab);
  bankml_sampler* b = sampler_of(NULL, NULL, n_vocab);
  bankml_sampler* twin = sampler_of(NULL, NULL, n_vocab);
  bankml_batch_item items[3];
  int32_t token = -1;
  fill_logits(logits[0], n_vocab, 5);
  items[0] = item_of(a, 0), items[1] = item_of(b, 0), items[2] = item_of(a, 0);
  STATUS(BANKML_ARG, bankml_batch_sample(pool, items, 3));
  SAYS(bankml_pool_error(pool), "items 0 and 2 have the same sampler");
  STATUS(BANKML_ARG, bankml_batch_sample(NULL, items, 3));
  items[1].struct_size = 8;
  STATUS(BANKML_ARG, bankml_batch_sample(pool, items, 2));
  SAYS(bankml_pool_error(pool), "struct_size of item 1 is 8");
  items[1] = item_of(NULL, 0);
  STATUS(BANKML_ARG, bankml_batch_sample(pool, items, 2));
  SAYS(bankml_pool_error(pool), "item 1 has no sampler");
  STATUS(BANKML_ARG, bankml_batch_sample(pool, NULL, 2));
  STATUS(BANKML_OK, bankml_batch_sample(pool, NULL, 0));
  CHECK(strcmp(bankml_pool_error(pool), "") == 0);
  /* None of them drew, and none stayed busy. */
  items[1] = item_of(b, 0);
  STATUS(BANKML_OK, bankml_batch_sample(pool, items, 2));
  OK(twin, bankml_sampler_sample(twin, logits[0], n_vocab, &token));
  CHECK(items[0].token == token && items[1].token == token);

  CHECK(bankml_pool_new(5000, 0, err, sizeof err) == NULL);
  SAYS(err, "n_threads 5000 is above 1024");
  CHECK(bankml_pool_new(1, (size_t)1 << 31, err, sizeof err) == NULL);
  SAYS(err, "n_vocab 2147483648");
  bankml_pool_free(NULL);
  bankml_sampler_free(a);
  bankml_sampler_free(b);
  bankml_sampler_free(twin);
  bankml_pool_free(pool);
}

/* Samplers of one lent workspace do not meet in it: the threads' own take its place. Kept candidates stay where they were left. */
static void workspaces(void) {
  enum { large = 5000 };
  char err[256];
  static float row[large];
  bankml_pool* pool = bankml_pool_new(2, large, err, sizeof err);
  bankml_workspace* w = bankml_workspace_new(large, err, sizeof err);
  bankml_sampler* s[8];
  bankml_batch_item items[8];
  size_t i;
  int round;
  fill_logits(row, large, 3);
  for (i = 0; i < 8; ++i) {
    s[i] = sampler_of("{\"top_k\": 0, \"typical_p\": 0.9}", NULL, large);
    if (i % 2 == 0) OK(s[i], bankml_sampler_use_workspace(s[i], w));
    if (i % 2 == 1) OK(s[i], bankml_sampler_keep(s[i], 1));
    items[i] = item_of(s[i], 0);
    items[i].logits = row;
    items[i].n = large;
  }
  for (round = 0; round < 20; ++round) {
    STATUS(BANKML_OK, bankml_batch_sample(pool, items, 8));
    for (i = 0; i < 8; ++i) {
      OK(s[i], items[i].status);
      CHECK(items[i].token == items[0].token);
    }
  }
  for (i = 1; i < 8; i += 2) {
    static bankml_candidate kept[large];
    size_t count = 0, j, found = 0;
    OK(s[i], bankml_sampler_candidates(s[i], kept, large, &count));
    for (j = 0; j < count; ++j) found += kept[j].id == items[i].token;
    CHECK(found == 1);
  }
  for (i = 0; i < 8; ++i) bankml_sampler_free(s[i]);
  bankml_workspace_free(w);
  bankml_pool_free(pool);
}

int main(void) {
  size_t threads;
  size_t i;
  for (i = 0; i < n_words; ++i) words[i] = 0x5A5AF00Fu * (uint32_t)(i + 1) | 1u;
  for (threads = 0; threads <= 4; ++threads) {
    equals_single_draws(threads, 0);
    equals_single_draws(threads, n_vocab);
  }
  own_status();
  refusals();
  workspaces();
  return report();
}
