/* bankml - one sampling library for every language-model engine: logits in, a token out.
 *
 * CONVENTIONS
 *  1. Handles are opaque. Each has one `_new` (or `_from_...`) and one `_free`; `_free(NULL)` is a no-op. A handle that uses
 *     another (a sampler its vocabulary, its workspace) holds it by count, so handles may be freed in any order.
 *  2. A constructor takes (char *err, size_t err_cap) and returns NULL on failure, with a zero-terminated text in `err`
 *     (cut to err_cap; err may be NULL). Every other fallible call returns a bankml_status; BANKML_OK is 0. The text of a
 *     handle's last failure is `..._error(handle)`, valid until the next call on that handle.
 *  3. On any failure the handle's state is as it was before the call, and the next call works. Nothing aborts, prints or throws.
 *  4. Inputs are borrowed for the duration of the call, never written, never retained. Outputs go to buffers of the caller; one
 *     that is too small gives BANKML_BUFFER with the required count. Strings that the library returns are never freed by the
 *     caller and live as long as their handle (static where no handle is involved), or until the next call where that is said.
 *  5. Tokens are int32_t, counts size_t. Logits are native-endian float32, one per token id. Masks are uint32_t words: bit i of
 *     word w is token 32*w + i; a set bit means allowed.
 *  6. Threads: different samplers may be used from different threads at the same time. One sampler must not be used by two
 *     threads at once; the library detects overlap and returns BUSY instead of corrupting state. The library has no global
 *     mutable state. After fork() the child holds a copy of the RNG state and would draw the same tokens: reseed or create a
 *     new sampler. Vocabularies are immutable and may be shared by any number of threads; a workspace in use by another
 *     thread is BUSY. Params are for one thread at a time, and nothing detects overlap there. (The one process-wide value,
 *     bankml_cpu_force, exists for tests and benches.)
 *  7. `sample` and `accept` do not allocate after construction (a window above 65,536 tokens grows by doubling in accept).
 *
 * "llama-server" below is llama.cpp's server, whose token the default profile reproduces bit for bit.
 * Long because it is the whole public interface: consumers read and copy one header.
 * Tested by tests/capi (every function, in C) and tests/vectors (recorded results of the reference).
 */
#ifndef BANKML_H
#define BANKML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define BANKML_NOEXCEPT noexcept
extern "C" {
#else
#define BANKML_NOEXCEPT
#endif

#if !defined(BANKML_API)
#if defined(__GNUC__)
#define BANKML_API __attribute__((visibility("default")))
#else
#define BANKML_API
#endif
#endif

#define BANKML_VERSION_MAJOR 0
#define BANKML_VERSION_MINOR 1
#define BANKML_VERSION_PATCH 0
#define BANKML_VERSION "0.1.0"
#define BANKML_ABI_VERSION 1 /* compare with bankml_abi_version() at load time */

/* ---- Status --------------------------------------------------------------------------------------------------------- */

typedef int32_t bankml_status;

enum {
  BANKML_OK = 0,
  BANKML_ARG = 1,           /* a bad argument or parameter; the text names it and its value */
  BANKML_LENGTH = 2,        /* the number of logits or mask words is not the sampler's n_vocab */
  BANKML_TOKEN = 3,         /* a token id outside [0, n_vocab), or listed twice */
  BANKML_NONFINITE = 10,    /* NaN or +inf among the logits, or made of them by the parameters */
  BANKML_NO_CANDIDATE = 11, /* no token left: empty set, all logits -inf, nothing allowed */
  BANKML_BUSY = 20,         /* the handle (or its workspace) is in use by another thread */
  BANKML_NOMEM = 21,
  BANKML_BUFFER = 22,       /* the caller's buffer is too small; the required count is returned */
  BANKML_OPEN_TEXT = 23,    /* a text of the params still needs its tokens: bankml_params_set_text_tokens */
  BANKML_NOT_KEPT = 24,     /* no candidates kept: bankml_sampler_keep is off, or no draw yet */
  BANKML_PARSE = 30,        /* malformed JSON, GGUF or grammar text */
  BANKML_REJECT = 31,       /* a grammar refuses the token */
  BANKML_SCHEMA = 32,       /* a JSON schema that is unsupported or cannot be satisfied */
  BANKML_LIMIT = 33,        /* a resource limit */
  BANKML_STATE = 40,        /* damaged or foreign state bytes */
  BANKML_IO = 41,           /* a file cannot be read */
  BANKML_INTERNAL = 90      /* a fault of the library; please report it */
};

/* Static text of a status code ("ok", "bad argument", ...); "unknown status" for any other number. Any thread. */
BANKML_API const char *bankml_status_string(bankml_status status) BANKML_NOEXCEPT;

/* ---- Library -------------------------------------------------------------------------------------------------------- */

BANKML_API const char *bankml_version_string(void) BANKML_NOEXCEPT; /* "0.1.0" */
BANKML_API uint32_t bankml_abi_version(void) BANKML_NOEXCEPT;       /* BANKML_ABI_VERSION of the library in use */

/* Proves that this process computes exactly: no contraction to fused multiply-add, no wider evaluation, subnormals kept,
 * float functions and one golden draw with their expected bits, at every CPU level of this machine. Writes one line per
 * check into `report` (may be NULL). BANKML_OK, or BANKML_INTERNAL naming the first failure. Any thread. */
BANKML_API bankml_status bankml_self_check(char *report, size_t report_cap) BANKML_NOEXCEPT;

/* CPU level that handles made from now on use: "scalar", "avx2", "avx512" or "neon". Results are equal at every level. */
BANKML_API const char *bankml_cpu_name(void) BANKML_NOEXCEPT;
/* The i-th level that this machine can run, slowest first; NULL past the end. */
BANKML_API const char *bankml_cpu_level(size_t i) BANKML_NOEXCEPT;
/* Tests and benches: forces a level for handles made later; NULL or "auto" = the best. BANKML_ARG if the machine lacks it. */
BANKML_API bankml_status bankml_cpu_force(const char *name) BANKML_NOEXCEPT;

/* ---- Params --------------------------------------------------------------------------------------------------------- */

typedef struct bankml_params bankml_params;
typedef struct bankml_vocab bankml_vocab;

enum {                        /* bankml_param_spec.kind */
  BANKML_KIND_INTEGER = 1,    /* int32, or uint32 for seed */
  BANKML_KIND_NUMBER = 2,     /* float32 */
  BANKML_KIND_BOOLEAN = 3,
  BANKML_KIND_JSON = 4        /* array or object: bankml_params_set_json / get_json */
};

/* One row of the parameter table. Size-first: set struct_size = sizeof(bankml_param_spec) before the call; only that much
 * is written. Pointers are static. */
typedef struct bankml_param_spec {
  uint32_t struct_size;
  int32_t kind;               /* BANKML_KIND_... */
  const char *name;           /* canonical name, llama-server's request field where it has one */
  const char *aliases;        /* comma-separated, "" if none */
  const char *step;           /* the step that reads it, "" if none */
  const char *doc;            /* one line */
  const char *default_json;   /* default of the profile `llama` as JSON text */
  double min;                 /* accepted range of the native setter, inclusive */
  double max;
} bankml_param_spec;

BANKML_API size_t bankml_param_count(void) BANKML_NOEXCEPT;
/* BANKML_ARG if i >= bankml_param_count() or struct_size is below this version's. */
BANKML_API bankml_status bankml_param_info(size_t i, bankml_param_spec *out) BANKML_NOEXCEPT;

/* Params with the defaults of `profile`; NULL = "llama". Needs no vocabulary and no sampler. */
BANKML_API bankml_params *bankml_params_new(const char *profile, char *err, size_t err_cap) BANKML_NOEXCEPT;
BANKML_API bankml_params *bankml_params_clone(const bankml_params *p, char *err, size_t err_cap) BANKML_NOEXCEPT;
BANKML_API void bankml_params_free(bankml_params *p) BANKML_NOEXCEPT;
BANKML_API const char *bankml_params_error(const bankml_params *p) BANKML_NOEXCEPT; /* "" if none */

/* Native setters: canonical name or any alias. A value outside the table's range, NaN, an infinity (a bias of -inf is
 * allowed), an unknown name or an unknown step is BANKML_ARG; the text names parameter and value. Integers and booleans go
 * through set_number too (a fraction is refused). */
BANKML_API bankml_status bankml_params_set_number(bankml_params *p, const char *name, double value) BANKML_NOEXCEPT;
/* set_string: `samplers` as a string of step letters (dkypsmtxiea) or step names separated by ';', `disable` as names
 * separated by ','. */
BANKML_API bankml_status bankml_params_set_string(bankml_params *p, const char *name, const char *value) BANKML_NOEXCEPT;
/* set_json: any parameter, its value as JSON text of `len` bytes. `logit_bias`: [[token or string, bias or false], ...] or an
 * object; `dry_sequence_breakers`: array of strings ([] = none); `dry_breaker_tokens`: array of token arrays (first token =
 * head, rest = tail); `samplers`: array of names. */
BANKML_API bankml_status bankml_params_set_json(bankml_params *p, const char *name, const char *text, size_t len) BANKML_NOEXCEPT;

/* A whole request body. format: "llama-server". Fields that are given replace values in force; clamps, refusals and texts are
 * that server's own (the text is bankml_params_error). Unknown fields are ignored unless bankml_params_strict is on. */
BANKML_API bankml_status bankml_params_load_json(bankml_params *p, const char *format, const char *text,
                                                 size_t len) BANKML_NOEXCEPT;
/* on != 0: load_json refuses fields that it does not know. Default off. */
BANKML_API bankml_status bankml_params_strict(bankml_params *p, int32_t on) BANKML_NOEXCEPT;
/* A model file's own defaults: metadata general.sampling.*. A value of a wrong type is ignored with a warning. */
BANKML_API bankml_status bankml_params_load_gguf(bankml_params *p, const char *path) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_params_load_gguf_bytes(bankml_params *p, const void *data, size_t len) BANKML_NOEXCEPT;

/* Values in force. get_number: BANKML_ARG for parameters of kind JSON. */
BANKML_API bankml_status bankml_params_get_number(const bankml_params *p, const char *name, double *out) BANKML_NOEXCEPT;
/* JSON text of one parameter (of all, as one object: to_json), zero-terminated. *needed (may be NULL) = bytes with the zero. */
BANKML_API bankml_status bankml_params_get_json(const bankml_params *p, const char *name, char *out, size_t cap,
                                                size_t *needed) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_params_to_json(const bankml_params *p, char *out, size_t cap, size_t *needed) BANKML_NOEXCEPT;
/* Where the value came from: "default", "set", "request", "gguf:general.sampling.temp", ... NULL for an unknown name. Valid
 * until the parameter is changed or the params are freed. */
BANKML_API const char *bankml_params_origin(const bankml_params *p, const char *name) BANKML_NOEXCEPT;
/* What was ignored or dropped, oldest first; NULL past the end. Valid until the next non-const call. */
BANKML_API size_t bankml_params_warning_count(const bankml_params *p) BANKML_NOEXCEPT;
BANKML_API const char *bankml_params_warning(const bankml_params *p, size_t i) BANKML_NOEXCEPT;

/* Texts that need tokens (tails of DRY breakers, string biases): the library has no tokenizer of its own, except for
 * SentencePiece vocabularies loaded from GGUF, which answer themselves. text_count lists the texts still open for `vocab`
 * (may be NULL); text(i) gives one (bytes borrowed until the next non-const call; purpose is static: "dry_sequence_breakers"
 * or "logit_bias"); set_text_tokens answers it. Indices are valid until the next text_count. */
BANKML_API bankml_status bankml_params_text_count(bankml_params *p, const bankml_vocab *vocab, size_t *count) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_params_text(const bankml_params *p, size_t i, const uint8_t **bytes, size_t *len,
                                            const char **purpose) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_params_set_text_tokens(bankml_params *p, size_t i, const int32_t *ids, size_t n) BANKML_NOEXCEPT;

/* ---- Vocabulary ----------------------------------------------------------------------------------------------------- */

enum {                           /* flags of one token */
  BANKML_TOKEN_CONTROL = 1,      /* special: its piece is not text of the model's output */
  BANKML_TOKEN_EOG = 2,          /* ends generation */
  BANKML_TOKEN_BYTE = 4,         /* byte fallback token */
  BANKML_TOKEN_USER_DEFINED = 8,
  BANKML_TOKEN_UNUSED = 16,
  BANKML_TOKEN_UNKNOWN = 32
};

/* n pieces: piece i is bytes[offsets[i] .. offsets[i+1]) (offsets: n + 1 ascending values); flags (may be NULL): one per token.
 * eos, eot: ids or -1. Everything is copied. */
BANKML_API bankml_vocab *bankml_vocab_new(const uint8_t *bytes, const size_t *offsets, const uint32_t *flags, size_t n,
                                          int32_t eos, int32_t eot, char *err, size_t err_cap) BANKML_NOEXCEPT;
/* Vocabulary of a GGUF file (SentencePiece or byte-level BPE pieces, decoded to bytes as llama.cpp does). */
BANKML_API bankml_vocab *bankml_vocab_from_gguf(const char *path, char *err, size_t err_cap) BANKML_NOEXCEPT;
BANKML_API bankml_vocab *bankml_vocab_from_gguf_bytes(const void *data, size_t len, char *err, size_t err_cap) BANKML_NOEXCEPT;
BANKML_API void bankml_vocab_free(bankml_vocab *v) BANKML_NOEXCEPT;
BANKML_API size_t bankml_vocab_size(const bankml_vocab *v) BANKML_NOEXCEPT; /* 0 for NULL */
/* Piece bytes of a token (special tokens rendered as their text), borrowed from the vocabulary, not zero-terminated. */
BANKML_API bankml_status bankml_vocab_piece(const bankml_vocab *v, int32_t token, const uint8_t **bytes,
                                            size_t *len) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_vocab_flags(const bankml_vocab *v, int32_t token, uint32_t *flags) BANKML_NOEXCEPT;
BANKML_API int32_t bankml_vocab_eos(const bankml_vocab *v) BANKML_NOEXCEPT; /* -1 if none */
BANKML_API int32_t bankml_vocab_eot(const bankml_vocab *v) BANKML_NOEXCEPT; /* -1 if none */
BANKML_API int32_t bankml_vocab_bos(const bankml_vocab *v) BANKML_NOEXCEPT; /* -1 if none */
/* 64-bit hash of pieces and flags: equal vocabularies, equal fingerprints, on every platform. */
BANKML_API uint64_t bankml_vocab_fingerprint(const bankml_vocab *v) BANKML_NOEXCEPT;
/* How often breakers were prepared by scanning the pieces (once per breaker list). */
BANKML_API uint64_t bankml_vocab_breaker_scans(const bankml_vocab *v) BANKML_NOEXCEPT;
/* Tokens of a short text, SentencePiece vocabularies from GGUF only (else BANKML_ARG): no specials, the vocabulary's space
 * prefix rule. *count = tokens of the text; BANKML_BUFFER if cap is smaller. */
BANKML_API bankml_status bankml_vocab_tokenize(const bankml_vocab *v, const uint8_t *bytes, size_t len, int32_t *out, size_t cap,
                                               size_t *count) BANKML_NOEXCEPT;

/* ---- Workspace ------------------------------------------------------------------------------------------------------ */

typedef struct bankml_workspace bankml_workspace;

/* Scratch for chains that order the whole vocabulary (about 24 bytes per token). Samplers used by one thread share one. */
BANKML_API bankml_workspace *bankml_workspace_new(size_t n_vocab, char *err, size_t err_cap) BANKML_NOEXCEPT;
BANKML_API void bankml_workspace_free(bankml_workspace *w) BANKML_NOEXCEPT;
BANKML_API size_t bankml_workspace_bytes(const bankml_workspace *w) BANKML_NOEXCEPT;

/* ---- Sampler -------------------------------------------------------------------------------------------------------- */

typedef struct bankml_sampler bankml_sampler;

typedef struct bankml_candidate { int32_t id; float logit; float p; } bankml_candidate;
typedef struct bankml_token_prob { int32_t id; float p; } bankml_token_prob;

/* params are copied (NULL = defaults of the profile `llama`). vocab may be NULL; then n_vocab is required and steps that need
 * pieces (string breakers, infill, ignore_eos) are refused by name. n_vocab 0 = the vocabulary's size; larger = padded rows;
 * smaller is refused. An open text is refused by name. */
BANKML_API bankml_sampler *bankml_sampler_new(const bankml_params *params, const bankml_vocab *vocab, size_t n_vocab, char *err,
                                              size_t err_cap) BANKML_NOEXCEPT;
BANKML_API bankml_sampler *bankml_sampler_clone(const bankml_sampler *s, char *err, size_t err_cap) BANKML_NOEXCEPT;
BANKML_API void bankml_sampler_free(bankml_sampler *s) BANKML_NOEXCEPT;
BANKML_API const char *bankml_sampler_error(const bankml_sampler *s) BANKML_NOEXCEPT; /* "" if the last call succeeded */
BANKML_API size_t bankml_sampler_n_vocab(const bankml_sampler *s) BANKML_NOEXCEPT;

/* Lends a workspace (NULL: back to the sampler's own, made now if the chain needs one). BANKML_LENGTH if w is for fewer tokens. */
BANKML_API bankml_status bankml_sampler_use_workspace(bankml_sampler *s, bankml_workspace *w) BANKML_NOEXCEPT;

/* Feeds tokens back: the prompt's first, then each drawn one. BANKML_TOKEN outside [0, n_vocab); accept_many is all or nothing. */
BANKML_API bankml_status bankml_sampler_accept(bankml_sampler *s, int32_t token) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_sampler_accept_many(bankml_sampler *s, const int32_t *tokens, size_t n) BANKML_NOEXCEPT;

/* Runs the chain on n = n_vocab logits and draws. Never accepts. BANKML_LENGTH, BANKML_NONFINITE, BANKML_NO_CANDIDATE,
 * BANKML_BUSY. */
BANKML_API bankml_status bankml_sampler_sample(bankml_sampler *s, const float *logits, size_t n, int32_t *token) BANKML_NOEXCEPT;
/* The same under a mask: forbidden tokens get logit -inf before the first step. NaN and +inf are looked for among allowed tokens
 * only. n_words >= ceil(n / 32), else BANKML_LENGTH; bits >= n are ignored. No allowed token: BANKML_NO_CANDIDATE. */
BANKML_API bankml_status bankml_sampler_sample_masked(bankml_sampler *s, const float *logits, size_t n, const uint32_t *words,
                                                      size_t n_words, int32_t *token) BANKML_NOEXCEPT;
/* The set is n (id, logit) pairs that a device selected, in the order given. Ids must be distinct and in range (BANKML_TOKEN). More
 * than 1,024 pairs need a workspace (lent, or the sampler's own). */
BANKML_API bankml_status bankml_sampler_sample_candidates(bankml_sampler *s, const int32_t *ids, const float *logits, size_t n,
                                                          int32_t *token) BANKML_NOEXCEPT;

/* on != 0: each draw leaves its surviving candidates, in the order and with the bits of the last step. Default off. */
BANKML_API bankml_status bankml_sampler_keep(bankml_sampler *s, int32_t on) BANKML_NOEXCEPT;
/* The candidates of the last draw, valid until the next one begins on the same workspace, fails or not. *count = their number;
 * BANKML_BUFFER if cap is smaller (out may be NULL with cap 0); BANKML_NOT_KEPT. */
BANKML_API bankml_status bankml_sampler_candidates(bankml_sampler *s, bankml_candidate *out, size_t cap,
                                                   size_t *count) BANKML_NOEXCEPT;
/* The same by p, descending (llama-server's post-sampling probabilities): at most n_top, ending before the first p = 0. */
BANKML_API bankml_status bankml_sampler_post_probs(bankml_sampler *s, size_t n_top, bankml_token_prob *out, size_t cap,
                                                   size_t *count) BANKML_NOEXCEPT;

/* Raw softmax probabilities of a row, independent of parameters and history: the min(n_top, n) best in llama-server's order, and
 * the p of `sampled` (-1 = none, sampled_p untouched) from the same float sum. Same checks of the row as sample. */
BANKML_API bankml_status bankml_sampler_token_probs(bankml_sampler *s, const float *logits, size_t n, int32_t sampled, size_t n_top,
                                                    bankml_token_prob *out, size_t cap, size_t *count,
                                                    float *sampled_p) BANKML_NOEXCEPT;

/* Clears windows, mu, averages and re-seeds every engine: a given seed replays, a random one takes a new value. */
BANKML_API bankml_status bankml_sampler_reset(bankml_sampler *s) BANKML_NOEXCEPT;
BANKML_API uint32_t bankml_sampler_get_seed(const bankml_sampler *s) BANKML_NOEXCEPT; /* the seed in use */
/* Re-seeds the engines only; 0xFFFFFFFF = a random one. */
BANKML_API bankml_status bankml_sampler_set_seed(bankml_sampler *s, uint32_t seed) BANKML_NOEXCEPT;

/* The state as portable bytes, the same on every platform: engines, windows, mu, averages. load puts it into a sampler of the same
 * parameters (seed and `disable` apart) and n_vocab, which then draws what the saved one would have drawn. BANKML_BUFFER with the
 * count in *len if cap is less; BANKML_STATE for bytes that are damaged, of another version or of another sampler, nothing changed. */
BANKML_API bankml_status bankml_sampler_save(bankml_sampler *s, uint8_t *out, size_t cap, size_t *len) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_sampler_load(bankml_sampler *s, const uint8_t *bytes, size_t len) BANKML_NOEXCEPT;

/* The steps of the chain, in order: those that are on. step_name: NULL past the end. */
BANKML_API size_t bankml_sampler_step_count(const bankml_sampler *s) BANKML_NOEXCEPT;
BANKML_API const char *bankml_sampler_step_name(const bankml_sampler *s, size_t i) BANKML_NOEXCEPT;
/* The opening that draws take: "plain", or the name of a fast path. */
BANKML_API const char *bankml_sampler_plan_name(const bankml_sampler *s) BANKML_NOEXCEPT;
/* What sampler_new had to say (a bias outside the vocabulary, a step configured but not listed); NULL past the end. */
BANKML_API const char *bankml_sampler_warning(const bankml_sampler *s, size_t i) BANKML_NOEXCEPT;
/* Bytes this sampler owns (without vocabulary, breakers and lent workspace). */
BANKML_API size_t bankml_sampler_bytes(const bankml_sampler *s) BANKML_NOEXCEPT;

/* Counters since construction or the last reset of the counters. Size-first as bankml_param_spec. */
typedef struct bankml_perf {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t draws;            /* successful sample calls */
  uint64_t accepts;          /* tokens accepted */
  uint64_t redraws;          /* second draws under a mask or grammar */
  uint64_t prob_calls;       /* token_probs and post_probs */
  uint64_t full_sets;        /* sets built with one candidate per vocabulary entry */
  uint64_t full_sorts;       /* sorts of more than half of the vocabulary */
  uint64_t exps;             /* exponentials evaluated */
  uint64_t dry_visits;       /* window positions visited by DRY */
  uint64_t random_outputs;   /* 32-bit outputs taken from the engines */
  double sample_us;          /* microseconds in sample calls; 0 unless the clock is on */
  double accept_us;
} bankml_perf;

BANKML_API bankml_status bankml_sampler_perf(bankml_sampler *s, bankml_perf *out, int32_t reset) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_sampler_clock(bankml_sampler *s, int32_t on) BANKML_NOEXCEPT; /* default off */

/* ---- Grammar -------------------------------------------------------------------------------------------------------- */

/* A grammar constrains one sequence. What it allows and accepts is what llama.cpp allows and accepts, its quirks included; where
 * llama.cpp aborts, raises or grows without end, the call is refused and nothing changes. Clones share compiled rules, states and
 * masks behind a lock and may be used from different threads; one handle is for one thread at a time (else BUSY). */
typedef struct bankml_grammar bankml_grammar;
typedef struct bankml_grammar_options bankml_grammar_options;

/* Options by name. set_string: "root" (the start rule, default "root"), "dialect" ("llama", the default: what llama.cpp allows
 * and accepts; "strict": pieces are read as UTF-8 is defined, control and unused tokens match token references alone, a token is
 * allowed only if something completes the text behind it, and end tokens exactly where the text is complete). set_number:
 * "max_states" (elements of the rules once repetitions are written out, default 1000000), "max_bytes" (of the states met, default
 * 67108864), "lazy" (0 or 1, default 0: wait for a trigger). */
BANKML_API bankml_grammar_options *bankml_grammar_options_new(char *err, size_t err_cap) BANKML_NOEXCEPT;
BANKML_API void bankml_grammar_options_free(bankml_grammar_options *o) BANKML_NOEXCEPT;
BANKML_API const char *bankml_grammar_options_error(const bankml_grammar_options *o) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_grammar_options_set_string(bankml_grammar_options *o, const char *name,
                                                           const char *value) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_grammar_options_set_number(bankml_grammar_options *o, const char *name,
                                                           double value) BANKML_NOEXCEPT;
/* The token that the reference `<text>` (bytes with both angle brackets) stands for, where `text` is no special piece. */
BANKML_API bankml_status bankml_grammar_options_token_text(bankml_grammar_options *o, const uint8_t *bytes, size_t len,
                                                           int32_t token) BANKML_NOEXCEPT;

/* What wakes a lazy grammar. Until then everything is allowed and accepted; then the grammar must fit what begins at the trigger,
 * to the end of the text: refused (BANKML_REJECT) where it does not. TOKEN: the token itself begins. WORD, PATTERN: the bytes or
 * the regular expression, anywhere in the text since construction or reset. PATTERN_FULL: all of that text. Where a pattern has
 * groups, the first that is not empty begins. Patterns are C++'s std::regex (ECMAScript over bytes), searched in linear time,
 * without look-ahead and back-references; a bad one is refused when the grammar is made (BANKML_PARSE with its position,
 * BANKML_LIMIT). bytes, len: of words and patterns; token: of TOKEN. Triggers are tried in the order in which they were added. A
 * grammar that is not lazy ignores them; a lazy one without any is refused. */
enum {
  BANKML_TRIGGER_TOKEN = 0,
  BANKML_TRIGGER_WORD = 1,
  BANKML_TRIGGER_PATTERN = 2,
  BANKML_TRIGGER_PATTERN_FULL = 3
};
BANKML_API bankml_status bankml_grammar_options_trigger(bankml_grammar_options *o, int32_t kind, const uint8_t *bytes, size_t len,
                                                        int32_t token) BANKML_NOEXCEPT;

/* From GBNF text; an empty text constrains nothing. options may be NULL. The text of a refusal is llama.cpp's, behind "grammar,
 * line L, column C: ". */
BANKML_API bankml_grammar *bankml_grammar_from_gbnf(const bankml_vocab *vocab, const char *text, size_t len,
                                                    const bankml_grammar_options *options, char *err,
                                                    size_t err_cap) BANKML_NOEXCEPT;
/* From a JSON schema, in dialect "llama", which the options must name: the language of llama.cpp's own converter, its quirks
 * included. Texts of refusals are llama.cpp's ("JSON schema conversion failed: ..."). The option "root" is not looked at. */
BANKML_API bankml_grammar *bankml_grammar_from_schema(const bankml_vocab *vocab, const char *text, size_t len,
                                                      const bankml_grammar_options *options, char *err,
                                                      size_t err_cap) BANKML_NOEXCEPT;
/* The grammar's GBNF text, zero-terminated; *needed (may be NULL) = bytes with the zero. */
BANKML_API bankml_status bankml_grammar_to_gbnf(bankml_grammar *g, char *out, size_t cap, size_t *needed) BANKML_NOEXCEPT;
BANKML_API bankml_grammar *bankml_grammar_clone(const bankml_grammar *g, char *err, size_t err_cap) BANKML_NOEXCEPT;
BANKML_API void bankml_grammar_free(bankml_grammar *g) BANKML_NOEXCEPT;
BANKML_API const char *bankml_grammar_error(const bankml_grammar *g) BANKML_NOEXCEPT;

/* What is allowed next. mask writes n_words words, n_words >= ceil(vocabulary size / 32) (else BANKML_LENGTH); words behind it are
 * zero. mask_ptr lends the words, valid until the next call on this handle. BANKML_LIMIT if max_bytes is too little. */
BANKML_API bankml_status bankml_grammar_mask(bankml_grammar *g, uint32_t *words, size_t n_words) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_grammar_mask_ptr(bankml_grammar *g, const uint32_t **words, size_t *n_words) BANKML_NOEXCEPT;
/* *allowed = 1 or 0, without a mask. Ids behind the vocabulary are not allowed; negative ones are BANKML_TOKEN. */
BANKML_API bankml_status bankml_grammar_test(bankml_grammar *g, int32_t token, int32_t *allowed) BANKML_NOEXCEPT;

/* Goes on behind a token. BANKML_REJECT where the reference would raise or abort. accept_many is all or nothing. An end token is
 * accepted where ending is allowed, and changes nothing. */
BANKML_API bankml_status bankml_grammar_accept(bankml_grammar *g, int32_t token) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_grammar_accept_many(bankml_grammar *g, const int32_t *tokens, size_t n) BANKML_NOEXCEPT;
/* Takes the last n tokens back, up to construction or reset; more is BANKML_ARG. */
BANKML_API bankml_status bankml_grammar_rollback(bankml_grammar *g, size_t n) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_grammar_reset(bankml_grammar *g) BANKML_NOEXCEPT;

BANKML_API bankml_status bankml_grammar_is_complete(bankml_grammar *g, int32_t *complete) BANKML_NOEXCEPT; /* may end here */
BANKML_API bankml_status bankml_grammar_is_dead(bankml_grammar *g, int32_t *dead) BANKML_NOEXCEPT; /* nothing is allowed */
/* The bytes (4,096 at most) with which every text from here on begins, perhaps from inside a character. *len = their number, 0
 * where ending is possible, a token reference is next or a lazy grammar waits. BANKML_BUFFER if cap is smaller. */
BANKML_API bankml_status bankml_grammar_forced(bankml_grammar *g, uint8_t *out, size_t cap, size_t *len) BANKML_NOEXCEPT;
/* Computes masks of places that may come next, n at most; *filled (may be NULL) = how many were new. */
BANKML_API bankml_status bankml_grammar_warm(bankml_grammar *g, size_t n, size_t *filled) BANKML_NOEXCEPT;

/* The place in the text as portable bytes: fingerprints of vocabulary, grammar and options, and the accepted tokens. load replays
 * them on a handle of the same grammar; BANKML_STATE for damaged or foreign bytes. */
BANKML_API bankml_status bankml_grammar_save(bankml_grammar *g, uint8_t *out, size_t cap, size_t *len) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_grammar_load(bankml_grammar *g, const uint8_t *bytes, size_t len) BANKML_NOEXCEPT;

/* Bytes held, what clones share included; masks computed since the states were last dropped. */
BANKML_API size_t bankml_grammar_bytes(const bankml_grammar *g) BANKML_NOEXCEPT;
BANKML_API uint64_t bankml_grammar_mask_fills(const bankml_grammar *g) BANKML_NOEXCEPT;

enum { BANKML_GRAMMAR_FIRST = 1 }; /* flag: mask before the first draw */

/* A draw under a grammar, as llama-server makes it: draw, test the token, and only if the grammar refuses it draw again under the
 * mask (the chain runs twice, engines advance twice). *redrawn (may be NULL) says which. With BANKML_GRAMMAR_FIRST one draw under
 * the mask. The grammar is not advanced: accept the token, with bankml_grammar_accept first, then bankml_sampler_accept. Nothing
 * allowed: BANKML_NO_CANDIDATE. A lazy grammar that waits does not take part. On failure sampler and grammar are as before. */
BANKML_API bankml_status bankml_sampler_sample_constrained(bankml_sampler *s, const float *logits, size_t n, bankml_grammar *g,
                                                           uint32_t flags, int32_t *token, int32_t *redrawn) BANKML_NOEXCEPT;

/* Checks a draft. Draws and accepts, in sampler and grammar (NULL = none), one token after another: out[i] from row i, n + 1 rows of
 * n_logits each, one behind the other. Ends behind the first token that is not drafted[i], that ends a generation, or that is the
 * one behind the draft; *count = tokens in out, 1 to n + 1 (its room). The tokens are those of drawing and accepting one by one.
 * On failure sampler and grammar are as before. */
BANKML_API bankml_status bankml_sampler_verify(bankml_sampler *s, bankml_grammar *g, const float *rows, size_t n_logits,
                                               const int32_t *drafted, size_t n, int32_t *out, size_t *count) BANKML_NOEXCEPT;

/* ---- Batch ---------------------------------------------------------------------------------------------------------- */

/* Threads for batches, each with a workspace for n_vocab tokens (0 = none: samplers then use their own). n_threads counts the
 * calling thread, which works too; 0 = as many as the machine runs at once, at most 1,024. The library has no other threads. One
 * batch at a time on a pool (else BUSY). After fork() a pool works in the child on the calling thread alone. */
typedef struct bankml_pool bankml_pool;

BANKML_API bankml_pool *bankml_pool_new(size_t n_threads, size_t n_vocab, char *err, size_t err_cap) BANKML_NOEXCEPT;
BANKML_API void bankml_pool_free(bankml_pool *pool) BANKML_NOEXCEPT; /* never while a batch runs on it */
BANKML_API size_t bankml_pool_threads(const bankml_pool *pool) BANKML_NOEXCEPT; /* 1 for NULL: the calling thread */
BANKML_API const char *bankml_pool_error(const bankml_pool *pool) BANKML_NOEXCEPT;

/* One draw of a batch: of the row, of the row under a mask, or of the row under a grammar. Size-first: struct_size =
 * sizeof(bankml_batch_item), the same in all items of a batch (their stride). An older program's shorter items, up to n_words, are
 * taken as they are; of longer ones everything behind the members known here must be 0. */
typedef struct bankml_batch_item {
  uint32_t struct_size;
  bankml_status status;      /* out: of this draw, as its own call gives it; its text is bankml_sampler_error */
  int32_t token;             /* out: where status is BANKML_OK */
  uint32_t reserved;         /* 0 */
  bankml_sampler *sampler;
  const float *logits;       /* n = the sampler's n_vocab */
  size_t n;
  const uint32_t *words;     /* NULL = no mask */
  size_t n_words;
  bankml_grammar *grammar;   /* NULL = none; with it, words must be NULL */
  uint32_t flags;            /* as bankml_sampler_sample_constrained takes them; 0 without a grammar */
  int32_t redrawn;           /* out: 1 if the first draw did not fit the grammar, else 0 */
} bankml_batch_item;

/* Draws every item, each as by its own call: the same tokens, states and errors for any number of threads and any order. pool
 * NULL = the calling thread. An item that fails holds up no other. BANKML_OK once every item has its status. Nothing is drawn and
 * the whole call is refused with BANKML_ARG if an item has no sampler, a wrong struct_size, or a sampler or grammar that an
 * earlier item has (text: bankml_pool_error), with BANKML_BUSY if the pool is in use. Grammars are not advanced. Samplers that
 * keep candidates draw in their own workspaces; two of them that share one may get BUSY. Does not allocate, but for the states
 * and masks of grammars. */
BANKML_API bankml_status bankml_batch_sample(bankml_pool *pool, bankml_batch_item *items, size_t n) BANKML_NOEXCEPT;

/* ---- Stop strings --------------------------------------------------------------------------------------------------- */

/* The text of one generation on its way out. Held back is what may still become a stop string, and a character that is not whole;
 * bytes that are no UTF-8 come out as they are, once no character can become of them. Stop strings are bytes and are found over
 * token borders. What comes out depends on the text alone: the stop string that is complete first ends it, of those that end at the
 * same byte the longest, of equal strings the one listed first; a stop string that begins inside a character cuts it. One thread
 * at a time on a handle (else BUSY); clones may go to different threads. */
typedef struct bankml_stop bankml_stop;

enum {
  BANKML_STOP_INCLUDE = 1,   /* flag: the stop string is part of the output */
  BANKML_STOP_BY_TOKEN = 2   /* flag: each feed is one token, and of the stop strings that it completes the one that begins first
                                counts, of equal beginnings the one listed first, as in llama-server; where one token completes
                                two that overlap, that depends on how the text is cut into tokens */
};

/* String i is bytes[offsets[i] .. offsets[i+1]) (offsets: n + 1 ascending values); n = 0 holds back characters alone. An empty
 * string is refused; at most 65,536 strings with 1 MiB together. */
BANKML_API bankml_stop *bankml_stop_new(const uint8_t *bytes, const size_t *offsets, size_t n, uint32_t flags, char *err,
                                        size_t err_cap) BANKML_NOEXCEPT;
/* The same strings and the same place in the text; strings are shared. */
BANKML_API bankml_stop *bankml_stop_clone(const bankml_stop *s, char *err, size_t err_cap) BANKML_NOEXCEPT;
BANKML_API void bankml_stop_free(bankml_stop *s) BANKML_NOEXCEPT;
BANKML_API const char *bankml_stop_error(const bankml_stop *s) BANKML_NOEXCEPT;

/* n more bytes of the text. *len bytes that may be shown now go to `out`, which does not overlap `bytes`; cap >= bankml_stop_held
 * + n is required, else BANKML_BUFFER with that count in *len, and nothing is read. *matched = index of the stop string that ended
 * the text, or -1; once one has, nothing more comes out. Does not allocate; linear in n. */
BANKML_API bankml_status bankml_stop_feed(bankml_stop *s, const uint8_t *bytes, size_t n, uint8_t *out, size_t cap, size_t *len,
                                          int32_t *matched) BANKML_NOEXCEPT;
/* The generation has ended: gives the bytes held back, none behind a stop string, and begins anew. BANKML_BUFFER if cap is less. */
BANKML_API bankml_status bankml_stop_flush(bankml_stop *s, uint8_t *out, size_t cap, size_t *len) BANKML_NOEXCEPT;
BANKML_API bankml_status bankml_stop_reset(bankml_stop *s) BANKML_NOEXCEPT;
/* Bytes held back now; at most the longest stop string and two more. */
BANKML_API size_t bankml_stop_held(const bankml_stop *s) BANKML_NOEXCEPT;

/* ---- Reply ---------------------------------------------------------------------------------------------------------- */

/* Probabilities of drawn tokens as the JSON of a server's reply; one thread at a time (else BUSY). */
typedef struct bankml_reply bankml_reply;

enum {
  BANKML_REPLY_POST_SAMPLING = 1, /* flag: p are those of the survivors; llama-server's formats have `prob`, `top_probs` then */
  BANKML_REPLY_SPECIAL = 2        /* flag: control and unknown tokens are shown; else they have no text */
};

/* format: the value of which field is written.
 *   "llama-server"        completion_probabilities: [{id, token, bytes, logprob, top_logprobs: [{id, token, bytes, logprob}]}]
 *   "llama-server-chat"   logprobs of its /v1 routes: {content: the same}
 *   "openai-chat"         logprobs: {content: [{token, logprob, bytes, top_logprobs}], refusal: null}
 *   "openai-completions"  logprobs: {tokens, token_logprobs, top_logprobs, text_offset}
 * llama-server's texts are exact, digits included: floats as doubles, U+FFFD for what is no UTF-8, a character that a token cuts at
 * its end left out of `token` (not of `bytes`), the lowest float for the logprob of p = 0. OpenAI's have the shortest digits of the
 * float, "\xf0\x9f" for what is no UTF-8 (in completions behind "bytes:"), and -9999.0. */
BANKML_API bankml_reply *bankml_reply_new(const char *format, const bankml_vocab *vocab, uint32_t flags, char *err,
                                          size_t err_cap) BANKML_NOEXCEPT;
BANKML_API void bankml_reply_free(bankml_reply *r) BANKML_NOEXCEPT;
BANKML_API const char *bankml_reply_error(const bankml_reply *r) BANKML_NOEXCEPT;

/* A drawn token with its p, and the best of its row as bankml_sampler_token_probs or _post_probs gives them. text: the bytes sent
 * for it, where a stop string cut them or held them back; NULL = its piece. Ids behind the vocabulary have no text. BANKML_TOKEN
 * for negative ids, BANKML_ARG for a p outside [0, 1], BANKML_LIMIT above 256 MiB; nothing is added then. */
BANKML_API bankml_status bankml_reply_add(bankml_reply *r, int32_t token, float p, const bankml_token_prob *top, size_t n_top,
                                          const uint8_t *text, size_t len) BANKML_NOEXCEPT;
/* The JSON of all tokens added, zero-terminated, without blanks. *needed (may be NULL) = bytes with the zero. */
BANKML_API bankml_status bankml_reply_json(bankml_reply *r, char *out, size_t cap, size_t *needed) BANKML_NOEXCEPT;
/* Forgets the tokens, for the next part of a stream; text_offset goes on. */
BANKML_API bankml_status bankml_reply_clear(bankml_reply *r) BANKML_NOEXCEPT;
/* Where the next token's text begins, in characters (the prompt's, where offsets count from there); a new reply begins at 0. */
BANKML_API bankml_status bankml_reply_text_offset(bankml_reply *r, size_t characters) BANKML_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* BANKML_H */
