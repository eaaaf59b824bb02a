/* Drafts and saved samplers: the tokens of drawing one by one, whatever the draft; failures change nothing. */
#include "fixtures.h"

enum { n_vocab = 300, longest = 12 };

static float rows[(longest + 1) * n_vocab];

static bankml_sampler* sampler_for(const char* request) {
  char err[256];
  bankml_params* p = params_of(request);
  bankml_sampler* s = bankml_sampler_new(p, NULL, n_vocab, err, sizeof err);
  bankml_params_free(p);
  CHECK(s != NULL);
  return s;
}

static void drafts(void) {
  static const char* const requests[] = {NULL, "{\"repeat_penalty\":1.3,\"xtc_probability\":0.5}", "{\"mirostat\":2}",
                                         "{\"top_k\":0,\"dry_multiplier\":0.8,\"dry_sequence_breakers\":[\"x\"]}"};
  char err[256];
  size_t r, wrong, i;
  for (r = 0; r < 3; ++r) {
    for (wrong = 0; wrong <= longest; ++wrong) {
      int32_t expected[longest + 1], drafted[longest], out[longest + 1];
      size_t count = 0;
      bankml_sampler *one = sampler_for(requests[r]), *all = bankml_sampler_clone(one, err, sizeof err);
      for (i = 0; i <= longest; ++i) {
        OK(one, bankml_sampler_sample(one, rows + i * n_vocab, n_vocab, &expected[i]));
        if (i <= wrong) OK(one, bankml_sampler_accept(one, expected[i]));
        if (i == wrong) break;
      }
      for (i = 0; i < longest; ++i) drafted[i] = i < wrong ? expected[i] : 0;
      if (wrong < longest) drafted[wrong] = (expected[wrong] + 1) % n_vocab;
      OK(all, bankml_sampler_verify(all, NULL, rows, n_vocab, drafted, longest, out, &count));
      CHECK(count == wrong + 1 && memcmp(out, expected, count * sizeof *out) == 0);
      { /* and both go on alike */
        int32_t a = -1, b = -2;
        OK(one, bankml_sampler_sample(one, rows, n_vocab, &a));
        OK(all, bankml_sampler_sample(all, rows, n_vocab, &b));
        CHECK(a == b);
      }
      bankml_sampler_free(one);
      bankml_sampler_free(all);
    }
  }
}

static void failures(void) {
  char err[256];
  uint8_t before[8192], after[8192];
  int32_t drafted[longest], out[longest + 1];
  size_t n = 0, m = 0, count = 99, i;
  float saved = rows[3 * n_vocab + 5];
  bankml_sampler *s = sampler_for("{\"repeat_penalty\":1.3}"), *twin = bankml_sampler_clone(s, err, sizeof err);
  OK(s, bankml_sampler_verify(s, NULL, rows, n_vocab, NULL, 0, out, &count));
  CHECK(count == 1);
  OK(s, bankml_sampler_save(s, before, sizeof before, &n));
  for (i = 0; i < 3; ++i) { /* a draft that holds until the bad row */
    OK(twin, bankml_sampler_load(twin, before, n));
  }
  for (i = 0; i < longest; ++i) {
    OK(twin, bankml_sampler_sample(twin, rows + i * n_vocab, n_vocab, &drafted[i]));
    OK(twin, bankml_sampler_accept(twin, drafted[i]));
  }
  rows[3 * n_vocab + 5] = (float)(1e30 * 1e30);
  STATUS(BANKML_NONFINITE, bankml_sampler_verify(s, NULL, rows, n_vocab, drafted, longest, out, &count));
  rows[3 * n_vocab + 5] = saved;
  OK(s, bankml_sampler_save(s, after, sizeof after, &m));
  CHECK(n == m && memcmp(before, after, n) == 0);
  STATUS(BANKML_LENGTH, bankml_sampler_verify(s, NULL, rows, n_vocab - 1, drafted, longest, out, &count));
  STATUS(BANKML_ARG, bankml_sampler_verify(s, NULL, NULL, n_vocab, drafted, longest, out, &count));
  STATUS(BANKML_ARG, bankml_sampler_verify(s, NULL, rows, n_vocab, NULL, 1, out, &count));
  STATUS(BANKML_ARG, bankml_sampler_verify(s, NULL, rows, n_vocab, drafted, longest, NULL, &count));
  STATUS(BANKML_ARG, bankml_sampler_verify(s, NULL, rows, n_vocab, drafted, longest, out, NULL));
  STATUS(BANKML_ARG, bankml_sampler_verify(NULL, NULL, rows, n_vocab, drafted, longest, out, &count));
  STATUS(BANKML_BUFFER, bankml_sampler_save(s, after, 10, &m));
  CHECK(m == n);
  STATUS(BANKML_ARG, bankml_sampler_save(s, after, sizeof after, NULL));
  STATUS(BANKML_ARG, bankml_sampler_save(NULL, after, sizeof after, &m));
  STATUS(BANKML_STATE, bankml_sampler_load(s, before, n - 1));
  STATUS(BANKML_STATE, bankml_sampler_load(s, NULL, 0));
  STATUS(BANKML_ARG, bankml_sampler_load(s, NULL, 4));
  bankml_sampler_free(s);
  bankml_sampler_free(twin);
}

static void under_a_grammar(void) {
  char err[256];
  uint8_t bytes[256];
  size_t offsets[n_vocab + 1], count = 0, i;
  int32_t expected[longest + 1], drafted[longest], out[longest + 1], complete = 0;
  bankml_vocab* v;
  bankml_grammar *g, *h;
  bankml_sampler *one, *all;
  for (i = 0; i < 256; ++i) bytes[i] = (uint8_t)i;
  for (i = 0; i <= n_vocab; ++i) offsets[i] = i < 256 ? i : 256;
  v = bankml_vocab_new(bytes, offsets, NULL, n_vocab, 299, -1, err, sizeof err);
  g = bankml_grammar_from_gbnf(v, "root ::= [a-f]{3,20}", 20, NULL, err, sizeof err);
  if (!CHECK(v != NULL && g != NULL)) return;
  h = bankml_grammar_clone(g, err, sizeof err);
  one = sampler_for(NULL);
  all = bankml_sampler_clone(one, err, sizeof err);
  for (i = 0; i <= longest; ++i) {
    OK(one, bankml_sampler_sample_constrained(one, rows + i * n_vocab, n_vocab, g, 0, &expected[i], NULL));
    STATUS(BANKML_OK, bankml_grammar_accept(g, expected[i]));
    OK(one, bankml_sampler_accept(one, expected[i]));
    if (i < longest) drafted[i] = expected[i];
  }
  OK(all, bankml_sampler_verify(all, h, rows, n_vocab, drafted, longest, out, &count));
  CHECK(count == longest + 1 && memcmp(out, expected, sizeof out) == 0);
  STATUS(BANKML_OK, bankml_grammar_is_complete(h, &complete));
  CHECK(complete == 1);
  STATUS(BANKML_OK, bankml_grammar_rollback(h, longest + 1));
  bankml_grammar_free(g);
  bankml_grammar_free(h);
  bankml_vocab_free(v);
  bankml_sampler_free(one);
  bankml_sampler_free(all);
}

int main(void) {
  fill_logits(rows, sizeof rows / sizeof *rows, 5);
  drafts();
  failures();
  under_a_grammar();
  return report();
}
