/* Memory: the n-th allocation fails, for every n, in every call that allocates: a refusal, no leak, no crash, and the next call
 * works. After construction `sample` and `accept` do not allocate at all.
 *
 * The program brings its own malloc, which counts and can refuse, over glibc's; linked with the static library, so that every
 * allocation of the library passes through it (operator new calls malloc). */
#include <errno.h>

#include "fixtures.h"

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t n, size_t size);
extern void* __libc_realloc(void* p, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* p);

static volatile long calls, live; /* since arm(); volatile, since the compiler may assume things about malloc */
static volatile long fail_from = -1, fail_to = -1;

static int refused(void) {
  const long n = calls++;
  if (n >= fail_from && n < fail_to) {
    errno = ENOMEM;
    return 1;
  }
  return 0;
}
static void* counted(void* p) {
  if (p != NULL) ++live;
  return p;
}

void* malloc(size_t size) { return refused() ? NULL : counted(__libc_malloc(size)); }
void* calloc(size_t n, size_t size) { return refused() ? NULL : counted(__libc_calloc(n, size)); }
void* realloc(void* p, size_t size) {
  if (p == NULL) return malloc(size);
  return refused() ? NULL : __libc_realloc(p, size);
}
void* memalign(size_t alignment, size_t size) { return refused() ? NULL : counted(__libc_memalign(alignment, size)); }
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out == NULL ? ENOMEM : 0;
}
void free(void* p) {
  if (p != NULL) --live;
  __libc_free(p);
}

static void arm(long from, long to) {
  calls = 0;
  fail_from = from;
  fail_to = to;
}
static void disarm(void) { fail_from = fail_to = -1; }

static gguf_bytes model;
static bankml_vocab* vocab;
static bankml_params *params, *full_params;
static bankml_sampler *sampler, *long_window;
enum { n_vocab = fixture_vocab_size };
static float logits[n_vocab];

/* Each makes something, frees it again, and says whether it succeeded. */
static int make_params(char* err, size_t cap) {
  bankml_params* p = bankml_params_new(NULL, err, cap);
  bankml_params_free(p);
  return p != NULL;
}
static int clone_params(char* err, size_t cap) {
  bankml_params* p = bankml_params_clone(full_params, err, cap);
  bankml_params_free(p);
  return p != NULL;
}
static int make_vocab(char* err, size_t cap) {
  bankml_vocab* v = bankml_vocab_from_gguf_bytes(model.data, model.len, err, cap);
  bankml_vocab_free(v);
  return v != NULL;
}
static int make_array_vocab(char* err, size_t cap) {
  static const size_t offsets[4] = {0, 1, 2, 4};
  bankml_vocab* v = bankml_vocab_new((const uint8_t*)"abcd", offsets, NULL, 3, -1, -1, err, cap);
  bankml_vocab_free(v);
  return v != NULL;
}
static int make_workspace(char* err, size_t cap) {
  bankml_workspace* w = bankml_workspace_new(1000, err, cap);
  bankml_workspace_free(w);
  return w != NULL;
}
static int make_sampler(char* err, size_t cap) {
  bankml_sampler* s = bankml_sampler_new(full_params, vocab, 0, err, cap);
  bankml_sampler_free(s);
  return s != NULL;
}
static int make_default_sampler(char* err, size_t cap) {
  bankml_sampler* s = bankml_sampler_new(NULL, NULL, 1000, err, cap);
  bankml_sampler_free(s);
  return s != NULL;
}
static int clone_sampler(char* err, size_t cap) {
  bankml_sampler* s = bankml_sampler_clone(sampler, err, cap);
  bankml_sampler_free(s);
  return s != NULL;
}

/* Calls on a live handle: they may fail with NOMEM only, and what they change is set back, so that nothing stays allocated. */
static int verdict(bankml_status status, const char* text, char* err, size_t cap) {
  if (status != BANKML_OK) CHECK(status == BANKML_NOMEM);
  snprintf(err, cap, "%s", text);
  return status == BANKML_OK;
}
static int load_request(char* err, size_t cap) {
  static const char body[] =
      "{\"top_k\": 3, \"dry_sequence_breakers\": [\"\\n\", \"a rather long breaker that needs memory of its own\"],"
      " \"logit_bias\": [[5, 1.0]], \"samplers\": [\"top_k\"]}";
  bankml_params* p = bankml_params_clone(params, err, cap);
  bankml_status status;
  int good;
  if (p == NULL) return 0;
  status = bankml_params_load_json(p, "llama-server", body, sizeof body - 1);
  good = verdict(status, bankml_params_error(p), err, cap);
  bankml_params_free(p);
  return good;
}
static int load_model_defaults(char* err, size_t cap) {
  bankml_params* p = bankml_params_clone(params, err, cap);
  int good;
  if (p == NULL) return 0;
  good = verdict(bankml_params_load_gguf_bytes(p, model.data, model.len), bankml_params_error(p), err, cap);
  bankml_params_free(p);
  return good;
}
static int read_json(char* err, size_t cap) {
  static char text[8192];
  return verdict(bankml_params_to_json(full_params, text, sizeof text, NULL), bankml_params_error(full_params), err, cap);
}
static int draw(char* err, size_t cap) {
  int32_t token;
  return verdict(bankml_sampler_sample(sampler, logits, n_vocab, &token), bankml_sampler_error(sampler), err, cap);
}
static int accept(char* err, size_t cap) {
  return verdict(bankml_sampler_accept(sampler, 65), bankml_sampler_error(sampler), err, cap);
}

/* Made, walked, asked, copied, saved and loaded, drawn under; what stays allocated hangs on the grammar, which goes. */
static int walk_grammar(const bankml_grammar_options* options, const char* text, const char* walk, char* err, size_t cap) {
  bankml_grammar *g = bankml_grammar_from_gbnf(vocab, text, strlen(text), options, err, cap), *copy;
  static uint8_t bytes[4096];
  const uint32_t* words;
  size_t n;
  int32_t token;
  int good = 1;
  if (g == NULL) return 0;
  for (; *walk != '\0' && good; ++walk) {
    good = verdict(bankml_grammar_accept(g, *walk), bankml_grammar_error(g), err, cap) &&
           verdict(bankml_grammar_mask_ptr(g, &words, &n), bankml_grammar_error(g), err, cap);
  }
  good = good && verdict(bankml_grammar_rollback(g, 2), bankml_grammar_error(g), err, cap) &&
         verdict(bankml_grammar_warm(g, 5, NULL), bankml_grammar_error(g), err, cap) &&
         verdict(bankml_grammar_forced(g, bytes, sizeof bytes, &n), bankml_grammar_error(g), err, cap) &&
         verdict(bankml_grammar_save(g, bytes, sizeof bytes, &n), bankml_grammar_error(g), err, cap) &&
         verdict(bankml_grammar_load(g, bytes, n), bankml_grammar_error(g), err, cap) &&
         verdict(bankml_sampler_sample_constrained(sampler, logits, n_vocab, g, 0, &token, NULL), bankml_sampler_error(sampler),
                 err, cap);
  if (good) {
    copy = bankml_grammar_clone(g, err, cap);
    good = copy != NULL;
    bankml_grammar_free(copy);
  }
  bankml_grammar_free(g);
  return good;
}
static int use_grammar(char* err, size_t cap) {
  return walk_grammar(NULL, "root ::= \"[\" (root (\",\" root){0,3})? \"]\" | [a-z]+ | <s>", "[ab,[[c],d", err, cap);
}
static int use_lazy_grammar(char* err, size_t cap) {
  bankml_grammar_options* o = bankml_grammar_options_new(err, cap);
  int good;
  if (o == NULL) return 0;
  good = verdict(bankml_grammar_options_set_number(o, "lazy", 1), bankml_grammar_options_error(o), err, cap) &&
         verdict(bankml_grammar_options_trigger(o, BANKML_TRIGGER_WORD, (const uint8_t*)"a rather long word:", 19, -1),
                 bankml_grammar_options_error(o), err, cap) &&
         verdict(bankml_grammar_options_trigger(o, BANKML_TRIGGER_PATTERN, (const uint8_t*)"x*(c|[d-f]+)!", 13, -1),
                 bankml_grammar_options_error(o), err, cap) &&
         walk_grammar(o, "root ::= \"ed!\" [0-9]+", "waiting aed!12", err, cap);
  bankml_grammar_options_free(o);
  return good;
}

static int use_stop(char* err, size_t cap) {
  static const size_t offsets[] = {0, 3, 8, 33};
  static uint8_t out[64];
  bankml_stop *s = bankml_stop_new((const uint8_t*)"END</s>a rather long stop string", offsets, 3, 0, err, cap), *copy;
  size_t len;
  int32_t matched;
  int good;
  if (s == NULL) return 0;
  good = verdict(bankml_stop_feed(s, (const uint8_t*)"a rather long text, E", 21, out, sizeof out, &len, &matched),
                 bankml_stop_error(s), err, cap);
  if (good) {
    copy = bankml_stop_clone(s, err, cap);
    good = copy != NULL;
    bankml_stop_free(copy);
  }
  bankml_stop_free(s);
  return good;
}
static int use_reply(char* err, size_t cap) {
  static const char* const formats[] = {"llama-server", "openai-completions"};
  static const bankml_token_prob top[2] = {{65, 0.5f}, {0xF0, 0.25f}};
  static char text[2048], first[2048];
  int i, good = 1;
  for (i = 0; i < 2 && good; ++i) {
    bankml_reply* r = bankml_reply_new(formats[i], vocab, 0, err, cap);
    if (r == NULL) return 0;
    good = verdict(bankml_reply_add(r, 66, 0.125f, top, 2, NULL, 0), bankml_reply_error(r), err, cap) &&
           verdict(bankml_reply_json(r, first, sizeof first, NULL), bankml_reply_error(r), err, cap);
    if (good && bankml_reply_add(r, 66, 0.125f, top, 2, NULL, 0) != BANKML_OK) { /* a refusal leaves all columns as they were */
      const long to = fail_to;
      fail_to = -1;
      good = verdict(BANKML_NOMEM, bankml_reply_error(r), err, cap);
      CHECK(bankml_reply_json(r, text, sizeof text, NULL) == BANKML_OK && strcmp(text, first) == 0);
      fail_to = to;
    }
    bankml_reply_free(r);
  }
  return good;
}

static const struct {
  const char* name;
  int (*run)(char* err, size_t cap);
} operations[] = {
    {"params_new", make_params},
    {"params_clone", clone_params},
    {"vocab_from_gguf_bytes", make_vocab},
    {"vocab_new", make_array_vocab},
    {"workspace_new", make_workspace},
    {"sampler_new", make_sampler},
    {"sampler_new, defaults", make_default_sampler},
    {"sampler_clone", clone_sampler},
    {"params_load_json", load_request},
    {"params_load_gguf_bytes", load_model_defaults},
    {"params_to_json", read_json},
    {"sampler_sample", draw},
    {"sampler_accept", accept},
    {"grammar", use_grammar},
    {"grammar, lazy", use_lazy_grammar},
    {"stop", use_stop},
    {"reply", use_reply},
};

/* once != 0: only the n-th allocation fails; else all from the n-th on. */
static void fail_each(const char* name, int (*run)(char*, size_t), int once) {
  char err[256];
  long n, before;
  if (!CHECK(run(err, sizeof err))) printf("  %s: %s\n", name, err); /* warm: what is made once and kept, is made now */
  for (n = 0; n < 100000; ++n) {
    int good, hit;
    *err = '\0';
    before = live;
    arm(n, once ? n + 1 : 1000000000);
    good = run(err, sizeof err);
    hit = calls > n;
    disarm();
    if (!CHECK(live == before)) printf("  %s: %ld blocks leaked when allocation %ld failed\n", name, live - before, n);
    if (!hit) {
      CHECK(good);
      break;
    }
    if (!good && !CHECK(*err != '\0')) printf("  %s: no text when allocation %ld failed\n", name, n);
  }
  if (!CHECK(run(err, sizeof err))) printf("  %s: %s\n", name, err);
}

/* A window beyond 65,536 tokens is the one thing that grows after construction: NOMEM, nothing changed, and the next accept works.
 */
static void growing_window(void) {
  char err[128];
  int32_t a, b;
  long i, refusals = 0;
  bankml_params* p = params_of("{\"repeat_last_n\": 200000, \"repeat_penalty\": 1.5, \"temperature\": 2, \"top_k\": 0}");
  bankml_sampler* twin;
  long_window = bankml_sampler_new(p, vocab, 0, err, sizeof err);
  twin = bankml_sampler_new(p, vocab, 0, err, sizeof err);
  bankml_params_free(p);
  if (!CHECK(long_window != NULL && twin != NULL)) return;
  for (i = 0; i < 150000; ++i) {
    const int32_t token = (int32_t)(i * 7 % n_vocab);
    bankml_status status;
    arm(0, 1000000000);
    status = bankml_sampler_accept(long_window, token);
    disarm();
    if (status != BANKML_OK) {
      ++refusals;
      CHECK(status == BANKML_NOMEM);
      CHECK(*bankml_sampler_error(long_window) != '\0');
      OK(long_window, bankml_sampler_accept(long_window, token));
    }
    if (bankml_sampler_accept(twin, token) != BANKML_OK) CHECK(!"the twin accepts");
  }
  CHECK(refusals >= 1 && refusals <= 4);
  for (i = 0; i < 20; ++i) {
    OK(long_window, bankml_sampler_sample(long_window, logits, n_vocab, &a));
    OK(twin, bankml_sampler_sample(twin, logits, n_vocab, &b));
    CHECK(a == b);
  }
  bankml_sampler_free(long_window);
  bankml_sampler_free(twin);
}

/* Not one allocation in draws and accepts, whatever the chain. */
static void no_allocation(void) {
  static const char* const chains[] = {
      "{}",
      "{\"temperature\": 0}",
      "{\"repeat_penalty\": 1.2, \"frequency_penalty\": 0.1}",
      "{\"dry_multiplier\": 0.8, \"dry_penalty_last_n\": 1024}",
      "{\"mirostat\": 1}",
      "{\"mirostat\": 2}",
      "{\"top_k\": 0, \"top_p\": 0.9}",
      "{\"top_k\": 0, \"typical_p\": 0.9}",
      "{\"top_k\": 0, \"xtc_probability\": 1, \"xtc_threshold\": 0.001, \"dynatemp_range\": 0.5}",
      "{\"top_n_sigma\": 1, \"logit_bias\": [[3, 2.5]]}",
      "{\"samplers\": [\"top_k\", \"adaptive_p\"], \"adaptive_target\": 0.3}",
      "{\"samplers\": [\"infill\"]}",
  };
  size_t chain;
  int i;
  for (chain = 0; chain < sizeof chains / sizeof chains[0]; ++chain) {
    uint32_t words[n_vocab / 32 + 1];
    int32_t ids[n_vocab], token;
    bankml_candidate kept[n_vocab];
    bankml_token_prob top[8];
    size_t count;
    long seen = 0;
    bankml_sampler* s = sampler_of(chains[chain], vocab, n_vocab);
    if (s == NULL) continue;
    memset(words, 0x77, sizeof words);
    for (i = 0; i < n_vocab; ++i) ids[i] = i;
    for (i = 0; i < 200; ++i) {
      bankml_status status[5];
      fill_logits(logits, n_vocab, (uint64_t)i);
      arm(-1, -1);
      status[0] = bankml_sampler_sample(s, logits, n_vocab, &token);
      status[1] = bankml_sampler_accept(s, token);
      status[2] = bankml_sampler_sample_masked(s, logits, n_vocab, words, sizeof words / 4, &token);
      status[3] = bankml_sampler_sample_candidates(s, ids, logits, n_vocab, &token);
      status[4] = bankml_sampler_token_probs(s, logits, n_vocab, -1, 8, top, 8, &count, NULL);
      seen += calls;
      CHECK(status[0] == BANKML_OK && status[1] == BANKML_OK && status[2] == BANKML_OK && status[3] == BANKML_OK &&
            status[4] == BANKML_OK);
      if (i == 100) OK(s, bankml_sampler_keep(s, 1));
      if (i > 100) {
        arm(-1, -1);
        status[0] = bankml_sampler_sample(s, logits, n_vocab, &token);
        status[1] = bankml_sampler_candidates(s, kept, n_vocab, &count);
        seen += calls;
        CHECK(status[0] == BANKML_OK && status[1] == BANKML_OK);
      }
    }
    if (!CHECK(seen == 0)) printf("  %s: %ld allocations after construction\n", chains[chain], seen);
    bankml_sampler_free(s);
  }
}

/* Nor while text is fed, however long it is. */
static void no_allocation_in_feed(void) {
  static const size_t offsets[] = {0, 3, 5};
  static uint8_t text[10000], out[10100];
  bankml_stop* s = bankml_stop_new((const uint8_t*)"xyzab", offsets, 2, 0, NULL, 0);
  size_t i, len, shown = 0;
  int32_t matched;
  int good = s != NULL;
  for (i = 0; i < sizeof text; ++i) text[i] = (uint8_t) "bxxyx\xC3"[i % 6];
  arm(-1, -1);
  for (i = 1; i < 100 && good; ++i) {
    good = bankml_stop_feed(s, text, 100 * i, out, sizeof out, &len, &matched) == BANKML_OK && matched == -1;
    shown += len;
  }
  good = good && bankml_stop_flush(s, out, sizeof out, &len) == BANKML_OK && shown + len == 495000;
  CHECK(good);
  CHECK(calls == 0);
  bankml_stop_free(s);
}

int main(void) {
  char err[256] = "";
  size_t i;
  setvbuf(stdout, NULL, _IONBF, 0); /* no buffer made in the middle of a count */
  build_gguf(&model);
  vocab = vocab_of_bytes();
  fill_logits(logits, n_vocab, 1);
  params = params_of(NULL);
  full_params = params_of(
      "{\"repeat_penalty\": 1.1, \"dry_multiplier\": 1, \"dry_sequence_breakers\": [\"\\n\", \":\"], \"top_k\": 0, \"typical_p\": "
      "0.9,"
      " \"xtc_probability\": 0.5, \"top_n_sigma\": 2, \"ignore_eos\": true, \"logit_bias\": [[1, 1.5], [2, false]]}");
  sampler = bankml_sampler_new(full_params, vocab, 0, err, sizeof err);
  if (!CHECK(sampler != NULL)) {
    puts(err);
    return report();
  }
  for (i = 0; i < sizeof operations / sizeof operations[0]; ++i) {
    fail_each(operations[i].name, operations[i].run, 1);
    fail_each(operations[i].name, operations[i].run, 0);
  }
  growing_window();
  no_allocation();
  no_allocation_in_feed();
  bankml_sampler_free(sampler);
  bankml_params_free(params);
  bankml_params_free(full_params);
  bankml_vocab_free(vocab);
  return report();
}
