/* Batches with grammars: the tokens, states and errors of single constrained draws for any number of threads; grammars that share
 * their states; items as older and newer programs have them; refusals. */
#include <stddef.h>
#include <stdlib.h>

#include "fixtures.h"

enum { n_vocab = fixture_vocab_size + 40, n_items = 12, n_words = (n_vocab + 31) / 32, rounds = 40 };

static bankml_vocab* vocab;
static float logits[n_items][n_vocab];

static const char* const texts[] = {"root ::= \"{\" (\"\\\"\" [a-z]+ \"\\\":\" [0-9]+ \",\")+ \"}\"",
                                    "root ::= ([a-c] root | \"(\" root \")\")?", "root ::= [^0-9]*"};

static bankml_grammar* grammar_of(const char* text) {
  char err[512] = "";
  bankml_grammar* g = bankml_grammar_from_gbnf(vocab, text, strlen(text), NULL, err, sizeof err);
  if (g == NULL) printf("from_gbnf: %s\n", err);
  CHECK(g != NULL);
  return g;
}

static bankml_grammar* clone_of(bankml_grammar* g) {
  char err[256] = "";
  bankml_grammar* copy = bankml_grammar_clone(g, err, sizeof err);
  CHECK(copy != NULL);
  return copy;
}

static bankml_batch_item item_of(bankml_sampler* s, size_t row, bankml_grammar* g, uint32_t flags) {
  bankml_batch_item item;
  memset(&item, 0, sizeof item);
  item.struct_size = sizeof item;
  item.status = -77;
  item.token = -1;
  item.sampler = s;
  item.logits = logits[row];
  item.n = n_vocab;
  item.grammar = g;
  item.flags = flags;
  item.redrawn = -1;
  return item;
}

/* Every fourth item has no grammar, every other one the mask first; items i and i + 3 share states, as clones do. */
static void equals_single_draws(size_t threads) {
  char err[256] = "";
  bankml_pool* pool = threads == 0 ? NULL : bankml_pool_new(threads, n_vocab, err, sizeof err);
  bankml_sampler *batched[n_items], *single[n_items];
  bankml_grammar *together[n_items], *alone[n_items];
  bankml_batch_item items[n_items];
  size_t i, redraws = 0, failures = 0;
  int round;
  CHECK(threads == 0 || pool != NULL);
  for (i = 0; i < n_items; ++i) {
    const char* request = i % 2 == 0 ? "{\"top_k\": 0}" : "{\"mirostat\": 2}";
    batched[i] = sampler_of(request, vocab, n_vocab);
    single[i] = sampler_of(request, vocab, n_vocab);
    together[i] = i % 4 == 3        ? NULL
                  : i < 3           ? grammar_of(texts[i])
                  : i >= 4 && i < 7 ? clone_of(together[i - 4])
                                    : grammar_of(texts[i % 3]);
    alone[i] = i % 4 == 3        ? NULL
               : i < 3           ? grammar_of(texts[i])
               : i >= 4 && i < 7 ? grammar_of(texts[i - 4])
                                 : grammar_of(texts[i % 3]);
  }
  for (round = 0; round < rounds; ++round) {
    for (i = 0; i < n_items; ++i) {
      fill_logits(logits[i], n_vocab, 1000 * (uint64_t)round + i);
      items[i] = item_of(batched[i], i, together[i], together[i] != NULL && i % 2 == 0 ? BANKML_GRAMMAR_FIRST : 0);
    }
    STATUS(BANKML_OK, bankml_batch_sample(pool, items, n_items));
    for (i = 0; i < n_items; ++i) {
      int32_t token = -1, redrawn = 0;
      bankml_status status = alone[i] == NULL ? bankml_sampler_sample(single[i], logits[i], n_vocab, &token)
                                              : bankml_sampler_sample_constrained(single[i], logits[i], n_vocab, alone[i],
                                                                                  items[i].flags, &token, &redrawn);
      STATUS(status, items[i].status);
      CHECK(strcmp(bankml_sampler_error(single[i]), bankml_sampler_error(batched[i])) == 0);
      failures += status != BANKML_OK;
      if (status != BANKML_OK) continue;
      CHECK(items[i].token == token && items[i].redrawn == redrawn);
      redraws += redrawn != 0;
      if (alone[i] != NULL) STATUS(BANKML_OK, bankml_grammar_accept(alone[i], token));
      if (alone[i] != NULL) STATUS(BANKML_OK, bankml_grammar_accept(together[i], token));
      OK(batched[i], bankml_sampler_accept(batched[i], token));
      OK(single[i], bankml_sampler_accept(single[i], token));
    }
  }
  CHECK(redraws > 20);
  for (i = 0; i < n_items; ++i) {
    bankml_perf a, b;
    a.struct_size = b.struct_size = sizeof a;
    OK(batched[i], bankml_sampler_perf(batched[i], &a, 0));
    OK(single[i], bankml_sampler_perf(single[i], &b, 0));
    CHECK(a.draws == b.draws && a.redraws == b.redraws && a.random_outputs == b.random_outputs);
    bankml_sampler_free(batched[i]), bankml_sampler_free(single[i]);
    bankml_grammar_free(together[i]), bankml_grammar_free(alone[i]);
  }
  bankml_pool_free(pool);
}

static void own_status(void) {
  bankml_sampler* s[4];
  bankml_batch_item items[4];
  bankml_grammar *dead = grammar_of("root ::= [z-a]"), *g = grammar_of(texts[0]), *masked = grammar_of(texts[0]);
  static const uint32_t words[n_words];
  size_t i;
  for (i = 0; i < 4; ++i) {
    s[i] = sampler_of(NULL, vocab, n_vocab);
    fill_logits(logits[i], n_vocab, i);
  }
  items[0] = item_of(s[0], 0, dead, 0);
  items[1] = item_of(s[1], 1, masked, 0);
  items[1].words = words, items[1].n_words = n_words;
  items[2] = item_of(s[2], 2, NULL, BANKML_GRAMMAR_FIRST);
  items[3] = item_of(s[3], 3, g, 0);
  STATUS(BANKML_OK, bankml_batch_sample(NULL, items, 4));
  STATUS(BANKML_NO_CANDIDATE, items[0].status);
  STATUS(BANKML_ARG, items[1].status);
  SAYS(bankml_sampler_error(s[1]), "a mask and a grammar");
  STATUS(BANKML_ARG, items[2].status);
  SAYS(bankml_sampler_error(s[2]), "flags is 1, but the item has no grammar");
  OK(s[3], items[3].status);
  CHECK(items[3].token == '{' && items[0].redrawn == 0);
  items[3].flags = 6;
  items[3].logits = logits[3];
  STATUS(BANKML_OK, bankml_batch_sample(NULL, items + 3, 1));
  STATUS(BANKML_ARG, items[3].status);
  SAYS(bankml_sampler_error(s[3]), "flags is 6");
  for (i = 0; i < 4; ++i) bankml_sampler_free(s[i]);
  bankml_grammar_free(dead), bankml_grammar_free(g), bankml_grammar_free(masked);
}

/* The same handle twice is refused whole, and leaves nothing in use. */
static void the_same_grammar_twice(void) {
  char err[256];
  bankml_pool* pool = bankml_pool_new(2, 0, err, sizeof err);
  bankml_sampler *a = sampler_of(NULL, vocab, n_vocab), *b = sampler_of(NULL, vocab, n_vocab);
  bankml_grammar *g = grammar_of(texts[0]), *copy = clone_of(g);
  bankml_batch_item items[2];
  fill_logits(logits[0], n_vocab, 5);
  items[0] = item_of(a, 0, g, 0), items[1] = item_of(b, 0, g, 0);
  STATUS(BANKML_ARG, bankml_batch_sample(pool, items, 2));
  SAYS(bankml_pool_error(pool), "items 0 and 1 have the same grammar");
  items[1].grammar = copy;
  items[1].sampler = a;
  STATUS(BANKML_ARG, bankml_batch_sample(pool, items, 2));
  SAYS(bankml_pool_error(pool), "items 0 and 1 have the same sampler");
  items[1].sampler = b;
  STATUS(BANKML_OK, bankml_batch_sample(pool, items, 2));
  OK(a, items[0].status);
  OK(b, items[1].status);
  CHECK(items[0].token == '{' && items[1].token == '{');
  bankml_sampler_free(a), bankml_sampler_free(b);
  bankml_grammar_free(g), bankml_grammar_free(copy);
  bankml_pool_free(pool);
}

/* Items of a program that was built before grammars, and of one built after members that do not exist yet. */
static void other_sizes(void) {
  enum { older = offsetof(bankml_batch_item, grammar), newer = sizeof(bankml_batch_item) + 16 };
  bankml_sampler *a = sampler_of(NULL, vocab, n_vocab), *b = sampler_of(NULL, vocab, n_vocab),
                 *twin = sampler_of(NULL, vocab, n_vocab);
  bankml_grammar* g = grammar_of(texts[0]);
  unsigned char* memory = calloc(2, newer);
  bankml_batch_item item;
  int32_t expected = -1, redrawn = -1;
  fill_logits(logits[0], n_vocab, 9);
  OK(twin, bankml_sampler_sample(twin, logits[0], n_vocab, &expected));
  memset(memory, 0xA5, 2 * newer); /* behind the second item lies what the library must not touch */
  item = item_of(a, 0, NULL, 0), item.struct_size = older;
  memcpy(memory, &item, older);
  item.sampler = b;
  memcpy(memory + older, &item, older);
  STATUS(BANKML_OK, bankml_batch_sample(NULL, (bankml_batch_item*)(void*)memory, 2));
  memcpy(&item, memory, older);
  OK(a, item.status);
  CHECK(item.token == expected);
  memcpy(&item, memory + older, older);
  OK(b, item.status);
  CHECK(item.token == expected && memory[2 * older] == 0xA5 && memory[2 * older + 8] == 0xA5);

  OK(twin, bankml_sampler_reset(twin));
  OK(a, bankml_sampler_reset(a));
  OK(b, bankml_sampler_reset(b));
  OK(twin, bankml_sampler_sample_constrained(twin, logits[0], n_vocab, g, 0, &expected, &redrawn));
  memset(memory, 0, 2 * newer);
  item = item_of(a, 0, g, 0), item.struct_size = newer;
  memcpy(memory, &item, sizeof item);
  item = item_of(b, 0, NULL, 0), item.struct_size = newer;
  memcpy(memory + newer, &item, sizeof item);
  STATUS(BANKML_OK, bankml_batch_sample(NULL, (bankml_batch_item*)(void*)memory, 2));
  memcpy(&item, memory, sizeof item);
  OK(a, item.status);
  CHECK(item.token == expected && item.redrawn == redrawn);
  memory[2 * newer - 1] = 1;
  STATUS(BANKML_ARG, bankml_batch_sample(NULL, (bankml_batch_item*)(void*)memory, 2));
  item = item_of(a, 0, NULL, 0), item.struct_size = older + 4;
  STATUS(BANKML_ARG, bankml_batch_sample(NULL, &item, 1));
  item.struct_size = 0;
  STATUS(BANKML_ARG, bankml_batch_sample(NULL, &item, 1));
  item.struct_size = sizeof item + 4;
  STATUS(BANKML_ARG, bankml_batch_sample(NULL, &item, 1));
  free(memory);
  bankml_sampler_free(a), bankml_sampler_free(b), bankml_sampler_free(twin);
  bankml_grammar_free(g);
}

int main(void) {
  size_t threads;
  vocab = vocab_of_bytes();
  for (threads = 0; threads <= 4; ++threads) equals_single_draws(threads);
  own_status();
  the_same_grammar_twice();
  other_sizes();
  bankml_vocab_free(vocab);
  return report();
}
