/* Grammars in C: every function, every refusal, the constrained draw with its redraw, saved bytes, options. */
#include <stdlib.h>

#include "fixtures.h"

/* A text with its length, as two arguments. */
#define LITERAL(text) (text), sizeof(text) - 1
#define BYTES(text) (const uint8_t*)(text), sizeof(text) - 1

static bankml_vocab* vocab;

static bankml_grammar* grammar_of(const char* text) {
  char err[512] = "";
  bankml_grammar* g = bankml_grammar_from_gbnf(vocab, text, strlen(text), NULL, err, sizeof err);
  if (g == NULL) printf("from_gbnf: %s\n", err);
  CHECK(g != NULL);
  return g;
}
#define GRAMMAR_OK(g, call) check_status((call), BANKML_OK, bankml_grammar_error(g), __FILE__, __LINE__, #call)

static int allowed(bankml_grammar* g, int32_t token) {
  int32_t answer = -1;
  GRAMMAR_OK(g, bankml_grammar_test(g, token, &answer));
  return answer;
}

static void places(void) {
  bankml_grammar* g = grammar_of("root ::= \"ab\" [0-9]+");
  uint32_t words[12];
  const uint32_t* lent = NULL;
  size_t n = 0, filled = 0;
  int32_t flag = -1, tokens[3] = {'a', 'b', '7'};
  uint8_t forced[64];
  char err[64] = "";
  bankml_grammar* copy;
  GRAMMAR_OK(g, bankml_grammar_mask(g, words, 12));
  GRAMMAR_OK(g, bankml_grammar_mask_ptr(g, &lent, &n));
  CHECK(n == (fixture_vocab_size + 31) / 32 && memcmp(words, lent, n * sizeof *words) == 0 && words[n] == 0 && words[11] == 0);
  CHECK(words['a' / 32] == 1u << ('a' % 32) && words[0] == 0);
  CHECK(allowed(g, 'a') == 1 && allowed(g, 'b') == 0 && allowed(g, 100000) == 0);
  GRAMMAR_OK(g, bankml_grammar_forced(g, forced, sizeof forced, &n));
  CHECK(n == 2 && memcmp(forced, "ab", 2) == 0);
  STATUS(BANKML_BUFFER, bankml_grammar_forced(g, forced, 1, &n));
  GRAMMAR_OK(g, bankml_grammar_accept_many(g, tokens, 3));
  GRAMMAR_OK(g, bankml_grammar_is_complete(g, &flag));
  CHECK(flag == 1 && allowed(g, fixture_eos) == 1);
  GRAMMAR_OK(g, bankml_grammar_is_dead(g, &flag));
  CHECK(flag == 0);
  copy = bankml_grammar_clone(g, err, sizeof err);
  GRAMMAR_OK(copy, bankml_grammar_accept(copy, fixture_eos));
  GRAMMAR_OK(g, bankml_grammar_rollback(g, 2));
  CHECK(allowed(g, 'b') == 1 && allowed(copy, 'b') == 0);
  GRAMMAR_OK(g, bankml_grammar_reset(g));
  CHECK(allowed(g, 'a') == 1);
  GRAMMAR_OK(g, bankml_grammar_warm(g, 8, &filled));
  CHECK(filled > 0 && bankml_grammar_mask_fills(g) >= filled && bankml_grammar_bytes(g) > 0);
  bankml_grammar_free(g);
  CHECK(allowed(copy, '1') == 1); /* what they shared lives on */
  bankml_grammar_free(copy);
}

static void saved(void) {
  bankml_grammar *g = grammar_of("root ::= [a-z]+"), *same = grammar_of("root ::= [a-z]+"), *other = grammar_of("root ::= [a-y]+");
  uint8_t bytes[256];
  size_t len = 0;
  int32_t flag = -1;
  GRAMMAR_OK(g, bankml_grammar_accept(g, 'q'));
  STATUS(BANKML_BUFFER, bankml_grammar_save(g, NULL, 0, &len));
  CHECK(len > 0 && len <= sizeof bytes);
  GRAMMAR_OK(g, bankml_grammar_save(g, bytes, sizeof bytes, &len));
  GRAMMAR_OK(same, bankml_grammar_load(same, bytes, len));
  GRAMMAR_OK(same, bankml_grammar_is_complete(same, &flag));
  CHECK(flag == 1);
  STATUS(BANKML_STATE, bankml_grammar_load(other, bytes, len));
  bytes[20] ^= 1;
  STATUS(BANKML_STATE, bankml_grammar_load(same, bytes, len));
  STATUS(BANKML_STATE, bankml_grammar_load(same, NULL, 0));
  bankml_grammar_free(g), bankml_grammar_free(same), bankml_grammar_free(other);
}

static void refusals(void) {
  char err[512] = "";
  bankml_grammar* g = grammar_of("root ::= \"ab\"");
  int32_t flag, bad[2] = {'a', 'c'};
  size_t n;
  const uint32_t* lent;
  uint32_t words[16];
  CHECK(bankml_grammar_from_gbnf(NULL, "", 0, NULL, err, sizeof err) == NULL && SAYS(err, "vocab"));
  CHECK(bankml_grammar_from_gbnf(vocab, NULL, 3, NULL, err, sizeof err) == NULL && SAYS(err, "text"));
  CHECK(bankml_grammar_from_gbnf(vocab, LITERAL("root ::= )"), NULL, err, sizeof err) == NULL);
  SAYS(err, "grammar, line 1, column 10: expecting newline or end at )");
  STATUS(BANKML_REJECT, bankml_grammar_accept_many(g, bad, 2));
  SAYS(bankml_grammar_error(g), "Unexpected empty grammar stack after accepting piece: c (99)");
  CHECK(allowed(g, 'a') == 1); /* nothing changed */
  STATUS(BANKML_REJECT, bankml_grammar_accept(g, fixture_eos));
  STATUS(BANKML_TOKEN, bankml_grammar_accept(g, -1));
  STATUS(BANKML_TOKEN, bankml_grammar_accept(g, fixture_vocab_size));
  STATUS(BANKML_TOKEN, bankml_grammar_test(g, -1, &flag));
  STATUS(BANKML_LENGTH, bankml_grammar_mask(g, words, 8));
  STATUS(BANKML_ARG, bankml_grammar_mask(g, NULL, 16));
  STATUS(BANKML_ARG, bankml_grammar_mask_ptr(g, NULL, &n));
  STATUS(BANKML_ARG, bankml_grammar_mask_ptr(g, &lent, NULL));
  STATUS(BANKML_ARG, bankml_grammar_test(g, 'a', NULL));
  STATUS(BANKML_ARG, bankml_grammar_accept_many(g, NULL, 1));
  STATUS(BANKML_ARG, bankml_grammar_rollback(g, 1));
  STATUS(BANKML_ARG, bankml_grammar_is_complete(g, NULL));
  STATUS(BANKML_ARG, bankml_grammar_is_dead(g, NULL));
  STATUS(BANKML_ARG, bankml_grammar_forced(g, NULL, 0, NULL));
  STATUS(BANKML_ARG, bankml_grammar_save(g, NULL, 5, &n));
  STATUS(BANKML_ARG, bankml_grammar_load(g, NULL, 5));
  STATUS(BANKML_ARG, bankml_grammar_accept(NULL, 0));
  CHECK(bankml_grammar_clone(NULL, err, sizeof err) == NULL && SAYS(bankml_grammar_error(NULL), "NULL"));
  bankml_grammar_free(g);
  bankml_grammar_free(NULL);
}

/* A grammar that waits for a word, a pattern or a token. */
static void lazy(void) {
  char err[512] = "";
  const int n = fixture_vocab_size;
  float logits[fixture_vocab_size];
  int32_t token, redrawn, flag;
  size_t len = 9;
  uint8_t forced[8];
  bankml_grammar_options* o = bankml_grammar_options_new(err, sizeof err);
  bankml_sampler* s = bankml_sampler_new(NULL, vocab, 0, err, sizeof err);
  bankml_grammar* g;
  CHECK(o != NULL && s != NULL);
  STATUS(BANKML_ARG, bankml_grammar_options_set_string(o, "dialect", "other"));
  SAYS(bankml_grammar_options_error(o), "dialect is 'other'");
  STATUS(BANKML_OK, bankml_grammar_options_set_string(o, "dialect", "llama"));
  STATUS(BANKML_OK, bankml_grammar_options_set_number(o, "lazy", 1));
  STATUS(BANKML_ARG, bankml_grammar_options_set_number(o, "lazy", 2));
  CHECK(bankml_grammar_from_gbnf(vocab, LITERAL("root ::= \"a\""), o, err, sizeof err) == NULL && SAYS(err, "no triggers set"));
  STATUS(BANKML_ARG, bankml_grammar_options_trigger(NULL, BANKML_TRIGGER_WORD, NULL, 0, 0));
  STATUS(BANKML_ARG, bankml_grammar_options_trigger(o, 4, NULL, 0, 0));
  STATUS(BANKML_ARG, bankml_grammar_options_trigger(o, -1, NULL, 0, 0));
  STATUS(BANKML_ARG, bankml_grammar_options_trigger(o, BANKML_TRIGGER_WORD, NULL, 3, 0));
  STATUS(BANKML_TOKEN, bankml_grammar_options_trigger(o, BANKML_TRIGGER_TOKEN, NULL, 0, -1));
  STATUS(BANKML_OK, bankml_grammar_options_trigger(o, BANKML_TRIGGER_WORD, BYTES("call:"), -1));
  STATUS(BANKML_OK, bankml_grammar_options_trigger(o, BANKML_TRIGGER_PATTERN, BYTES("<(t+)>$"), -1));
  STATUS(BANKML_OK, bankml_grammar_options_trigger(o, BANKML_TRIGGER_PATTERN_FULL, BYTES("z"), -1));
  STATUS(BANKML_OK, bankml_grammar_options_trigger(o, BANKML_TRIGGER_TOKEN, NULL, 0, '!'));
  g = bankml_grammar_from_gbnf(vocab, LITERAL("root ::= (\"call:\" | \"tt>\" | \"!\" | \"z\") \"1\""), o, err, sizeof err);
  if (!CHECK(g != NULL)) puts(err);
  {
    static const char* const texts[] = {"so call:", "<<tt>", "z", "what!"};
    size_t i, k;
    for (i = 0; i < 4; ++i) {
      for (k = 0; texts[i][k] != '\0'; ++k) {
        CHECK(allowed(g, 'q') == 1 && allowed(g, fixture_eos) == 1 && allowed(g, fixture_vocab_size) == 0);
        GRAMMAR_OK(g, bankml_grammar_is_complete(g, &flag));
        CHECK(flag == 1);
        GRAMMAR_OK(g, bankml_grammar_is_dead(g, &flag));
        CHECK(flag == 0);
        GRAMMAR_OK(g, bankml_grammar_forced(g, forced, sizeof forced, &len));
        CHECK(len == 0);
        GRAMMAR_OK(g, bankml_grammar_accept(g, texts[i][k]));
      }
      GRAMMAR_OK(g, bankml_grammar_forced(g, forced, sizeof forced, &len));
      CHECK(len == 1 && forced[0] == '1');
      GRAMMAR_OK(g, bankml_grammar_reset(g));
    }
  }
  /* Waiting, draws are free; woken, they are not. */
  for (flag = 0; flag < n; ++flag) logits[flag] = flag == 'q' ? 50.0f : 0.0f;
  OK(s, bankml_sampler_sample_constrained(s, logits, n, g, 0, &token, &redrawn));
  CHECK(token == 'q' && redrawn == 0);
  OK(s, bankml_sampler_sample_constrained(s, logits, n, g, BANKML_GRAMMAR_FIRST, &token, &redrawn));
  CHECK(token == 'q');
  GRAMMAR_OK(g, bankml_grammar_accept(g, '!'));
  OK(s, bankml_sampler_sample_constrained(s, logits, n, g, 0, &token, &redrawn));
  CHECK(token == '1' && redrawn == 1);
  bankml_grammar_free(g);
  STATUS(BANKML_OK, bankml_grammar_options_trigger(o, BANKML_TRIGGER_PATTERN, BYTES("(?<=a)b"), -1));
  CHECK(bankml_grammar_from_gbnf(vocab, LITERAL("root ::= \"a\""), o, err, sizeof err) == NULL);
  SAYS(err, "trigger 4: pattern, position 1: look-behind");
  bankml_sampler_free(s);
  bankml_grammar_options_free(o);
}

static void schemas(void) {
  static const char schema[] = "{\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"]}";
  char err[512] = "", text[4096];
  size_t needed = 0, again = 0;
  bankml_grammar_options* o = bankml_grammar_options_new(err, sizeof err);
  bankml_grammar *g, *other;
  CHECK(bankml_grammar_from_schema(vocab, LITERAL(schema), NULL, err, sizeof err) == NULL && SAYS(err, "dialect = llama"));
  CHECK(bankml_grammar_from_schema(vocab, LITERAL(schema), o, err, sizeof err) == NULL && SAYS(err, "dialect = llama"));
  STATUS(BANKML_OK, bankml_grammar_options_set_string(o, "dialect", "llama"));
  CHECK(bankml_grammar_from_schema(NULL, LITERAL(schema), o, err, sizeof err) == NULL && SAYS(err, "vocab"));
  CHECK(bankml_grammar_from_schema(vocab, NULL, 2, o, err, sizeof err) == NULL && SAYS(err, "json"));
  CHECK(bankml_grammar_from_schema(vocab, LITERAL("{"), o, err, sizeof err) == NULL);
  CHECK(bankml_grammar_from_schema(vocab, LITERAL("{\"type\":\"odd\"}"), o, err, sizeof err) == NULL);
  SAYS(err, "JSON schema error at #: unrecognized type odd");
  CHECK(bankml_grammar_from_schema(vocab, LITERAL("{\"pattern\":\"^a**$\"}"), o, err, sizeof err) == NULL);
  SAYS(err, "failed to parse grammar");
  g = bankml_grammar_from_schema(vocab, LITERAL(schema), o, err, sizeof err);
  if (CHECK(g != NULL)) {
    CHECK(allowed(g, '{') == 1 && allowed(g, 'a') == 0);
    STATUS(BANKML_BUFFER, bankml_grammar_to_gbnf(g, text, 3, &needed));
    CHECK(needed > 3 && needed <= sizeof text);
    GRAMMAR_OK(g, bankml_grammar_to_gbnf(g, text, sizeof text, &again));
    CHECK(again == needed && strlen(text) + 1 == needed && strstr(text, "root ::= ") != NULL);
    other = bankml_grammar_from_gbnf(vocab, text, strlen(text), NULL, err, sizeof err);
    CHECK(other != NULL && allowed(other, '{') == 1);
    bankml_grammar_free(other);
  }
  STATUS(BANKML_ARG, bankml_grammar_to_gbnf(NULL, text, sizeof text, NULL));
  bankml_grammar_free(g);
  bankml_grammar_options_free(o);
}

static void options(void) {
  char err[512] = "";
  bankml_grammar_options* o = bankml_grammar_options_new(err, sizeof err);
  bankml_grammar* g;
  CHECK(o != NULL);
  STATUS(BANKML_OK, bankml_grammar_options_set_string(o, "root", "value"));
  STATUS(BANKML_OK, bankml_grammar_options_token_text(o, BYTES("<x>"), 'q'));
  g = bankml_grammar_from_gbnf(vocab, LITERAL("value ::= <x> | <s>"), o, err, sizeof err);
  CHECK(g != NULL && allowed(g, 'q') == 1 && allowed(g, 258) == 1 && allowed(g, 'r') == 0);
  bankml_grammar_free(g);
  CHECK(bankml_grammar_from_gbnf(vocab, LITERAL("value ::= <y>"), o, err, sizeof err) == NULL && SAYS(err, "<y>"));
  STATUS(BANKML_OK, bankml_grammar_options_set_number(o, "max_states", 4));
  CHECK(bankml_grammar_from_gbnf(vocab, LITERAL("value ::= \"abcd\""), o, err, sizeof err) == NULL && SAYS(err, "max_states = 4"));
  STATUS(BANKML_OK, bankml_grammar_options_set_number(o, "max_bytes", 1e6));
  STATUS(BANKML_ARG, bankml_grammar_options_set_number(o, "max_bytes", 0.5));
  SAYS(bankml_grammar_options_error(o), "max_bytes is 0.5");
  STATUS(BANKML_ARG, bankml_grammar_options_set_number(o, "nothing", 1));
  STATUS(BANKML_ARG, bankml_grammar_options_set_string(o, "nothing", "x"));
  STATUS(BANKML_ARG, bankml_grammar_options_token_text(o, BYTES("x"), 0));
  STATUS(BANKML_TOKEN, bankml_grammar_options_token_text(o, BYTES("<x>"), -1));
  STATUS(BANKML_ARG, bankml_grammar_options_set_string(NULL, "root", "x"));
  bankml_grammar_options_free(o);
  bankml_grammar_options_free(NULL);
}

static void draws(void) {
  enum { n = fixture_vocab_size + 50 }; /* padded rows */
  static float logits[n];
  bankml_sampler *s = sampler_of("{\"top_k\": 40}", vocab, n), *twin = sampler_of("{\"top_k\": 40}", vocab, n);
  bankml_grammar *g = grammar_of("root ::= [a-z]+ \"!\""), *dead = grammar_of("root ::= [z-a]");
  bankml_perf perf;
  int round, redraws = 0;
  for (round = 0; round < 40; ++round) {
    uint32_t words[(n + 31) / 32];
    int32_t token = -1, redrawn = -1, first = -1, expected = -1;
    fill_logits(logits, n, 77 + (uint64_t)round);
    if (round % 2 == 0) logits['k'] = 20; /* favours what fits */
    OK(s, bankml_sampler_sample_constrained(s, logits, n, g, 0, &token, &redrawn));
    OK(twin, bankml_sampler_sample(twin, logits, n, &first));
    expected = first;
    if (first >= fixture_vocab_size || !allowed(g, first)) {
      GRAMMAR_OK(g, bankml_grammar_mask(g, words, (n + 31) / 32));
      OK(twin, bankml_sampler_sample_masked(twin, logits, n, words, (n + 31) / 32, &expected));
      ++redraws;
    }
    CHECK(token == expected && redrawn == (expected != first));
    if (token != '!' && token != fixture_eos) GRAMMAR_OK(g, bankml_grammar_accept(g, token));
    OK(s, bankml_sampler_accept(s, token));
    OK(twin, bankml_sampler_accept(twin, token));
    OK(s, bankml_sampler_sample_constrained(s, logits, n, g, BANKML_GRAMMAR_FIRST, &token, &redrawn));
    GRAMMAR_OK(g, bankml_grammar_mask(g, words, (n + 31) / 32));
    OK(twin, bankml_sampler_sample_masked(twin, logits, n, words, (n + 31) / 32, &expected));
    CHECK(token == expected && redrawn == 0);
    /* Nothing is allowed: refused, and the engine is as before. */
    STATUS(BANKML_NO_CANDIDATE, bankml_sampler_sample_constrained(s, logits, n, dead, 0, &token, NULL));
  }
  CHECK(redraws > 5 && redraws < 40);
  perf.struct_size = sizeof perf;
  OK(s, bankml_sampler_perf(s, &perf, 0));
  CHECK(perf.redraws == (uint64_t)redraws && perf.draws == 80 + (uint64_t)redraws);
  STATUS(BANKML_ARG, bankml_sampler_sample_constrained(s, logits, n, NULL, 0, &(int32_t){0}, NULL));
  STATUS(BANKML_ARG, bankml_sampler_sample_constrained(s, logits, n, g, 2, &(int32_t){0}, NULL));
  STATUS(BANKML_ARG, bankml_sampler_sample_constrained(s, NULL, n, g, 0, &(int32_t){0}, NULL));
  STATUS(BANKML_ARG, bankml_sampler_sample_constrained(s, logits, n, g, 0, NULL, NULL));
  STATUS(BANKML_LENGTH, bankml_sampler_sample_constrained(s, logits, n - 1, g, 0, &(int32_t){0}, NULL));
  bankml_sampler_free(s), bankml_sampler_free(twin);
  bankml_grammar_free(g), bankml_grammar_free(dead);
}

int main(void) {
  vocab = vocab_of_bytes();
  places();
  saved();
  refusals();
  options();
  lazy();
  schemas();
  draws();
  bankml_vocab_free(vocab);
  return report();
}
