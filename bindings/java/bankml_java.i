/* The native half of io.bankml: bankml.h for JNI. Nothing here is for users; the classes of io.bankml are.
 *
 * - A handle is a long; the Java object that owns it guards its life, so no C code here looks after handles.
 * - A text in either direction is a byte[] of UTF-8: JNI's own strings are "modified UTF-8", which turns an emoji or a zero byte
 *   into something else. A text for a `const char *` ends with a zero byte that Java has put there.
 * - An array is a direct buffer plus the index of its first element (JNI's address ignores a buffer's position) and a length, all
 *   checked in Java. Nothing is copied here, and no critical section stops the collector.
 * - A draw gives status and token in one long, status << 32 | token, so that a call makes no object. Where a count is the result
 *   it takes the token's place. Java turns a status into an exception and asks for the text.
 *
 * Tested by bindings/java/src/test.
 */
%module BankmlNative

%javaconst(1);

/* ---- Handles -------------------------------------------------------------------------------------------------------- */

%define %bankml_handle(TYPE)
%typemap(jni) TYPE *, const TYPE * "jlong"
%typemap(jtype) TYPE *, const TYPE * "long"
%typemap(jstype) TYPE *, const TYPE * "long"
%typemap(javain) TYPE *, const TYPE * "$javainput"
%typemap(javaout) TYPE *, const TYPE * { return $jnicall; }
%typemap(in) TYPE *, const TYPE * %{ $1 = reinterpret_cast<TYPE *>(static_cast<intptr_t>($input)); %}
%typemap(out) TYPE *, const TYPE * %{ $result = static_cast<jlong>(reinterpret_cast<intptr_t>($1)); %}
%enddef
%bankml_handle(bankml_params)
%bankml_handle(bankml_vocab)
%bankml_handle(bankml_workspace)
%bankml_handle(bankml_sampler)
%bankml_handle(bankml_pool)
%bankml_handle(bankml_grammar)
%bankml_handle(bankml_grammar_options)
%bankml_handle(bankml_stop)
%bankml_handle(bankml_reply)

/* ---- Texts ---------------------------------------------------------------------------------------------------------- */

%define %bankml_bytes(...)
%typemap(jni) __VA_ARGS__ "jbyteArray"
%typemap(jtype) __VA_ARGS__ "byte[]"
%typemap(jstype) __VA_ARGS__ "byte[]"
%typemap(javain) __VA_ARGS__ "$javainput"
%typemap(javaout) __VA_ARGS__ { return $jnicall; }
%enddef
%bankml_bytes(const char *)
%bankml_bytes((const char *text, size_t len))
%bankml_bytes((const uint8_t *bytes, size_t len))
%bankml_bytes((char *err, size_t err_cap))

/* null is NULL. An array that the VM cannot hand out has left an OutOfMemoryError behind. */
%define %bankml_take_bytes(POINTER, ELEMENTS)
  ELEMENTS = nullptr;
  if ($input != nullptr) {
    ELEMENTS = jenv->GetByteArrayElements($input, nullptr);
    if (ELEMENTS == nullptr) return $null;
  }
  POINTER = reinterpret_cast<$1_ltype>(ELEMENTS);
%enddef
%typemap(in) const char * (jbyte *elements) {
  %bankml_take_bytes($1, elements)
}
%typemap(in) (const char *text, size_t len) (jbyte *elements), (const uint8_t *bytes, size_t len) (jbyte *elements) {
  %bankml_take_bytes($1, elements)
  $2 = $input == nullptr ? 0 : static_cast<size_t>(jenv->GetArrayLength($input));
}
%typemap(freearg) const char *, (const char *text, size_t len), (const uint8_t *bytes, size_t len) {
  if (elements$argnum != nullptr) jenv->ReleaseByteArrayElements($input, elements$argnum, JNI_ABORT);
}

/* Room for the text of a failure, filled by the call. */
%typemap(in) (char *err, size_t err_cap) (jbyte *elements) {
  %bankml_take_bytes($1, elements)
  $2 = $input == nullptr ? 0 : static_cast<size_t>(jenv->GetArrayLength($input));
}
%typemap(freearg) (char *err, size_t err_cap) {
  if (elements$argnum != nullptr) jenv->ReleaseByteArrayElements($input, elements$argnum, 0);
}
%apply (char *err, size_t err_cap) { (char *report, size_t report_cap) };

%typemap(out) const char * %{ $result = bankml_java_bytes(jenv, $1, $1 == nullptr ? 0 : std::strlen($1)); %}

/* ---- Direct buffers ------------------------------------------------------------------------------------------------- */

%define %bankml_direct(BUFFER, ...)
%typemap(jni) __VA_ARGS__ "jobject"
%typemap(jtype) __VA_ARGS__ "BUFFER"
%typemap(jstype) __VA_ARGS__ "BUFFER"
%typemap(javain) __VA_ARGS__ "$javainput"
%typemap(in) __VA_ARGS__ %{ $1 = $input == nullptr ? nullptr : static_cast<$1_ltype>(jenv->GetDirectBufferAddress($input)); %}
%enddef
%bankml_direct(java.nio.FloatBuffer, const float *)
%bankml_direct(java.nio.IntBuffer, const int32_t *, const uint32_t *, int32_t *)
%bankml_direct(java.nio.LongBuffer, const size_t *)
%bankml_direct(java.nio.ByteBuffer, const uint8_t *, void *)
%bankml_direct(java.nio.Buffer, const void *buffer)

/* ---- The library's functions ---------------------------------------------------------------------------------------- */

/* A 64-bit hash or counter: Java's long holds its bits. */
%typemap(jni) uint64_t "jlong"
%typemap(jtype) uint64_t "long"
%typemap(jstype) uint64_t "long"
%typemap(javaout) uint64_t { return $jnicall; }
%typemap(out) uint64_t %{ $result = static_cast<jlong>($1); %}

%typemap(in, numinputs=0) JNIEnv *jenv %{ $1 = jenv; %}

/* A text here would be a byte[]; Java puts the three numbers together. */
%ignore BANKML_VERSION;
/* Replaced by the helpers below. */
%ignore bankml_params_get_number;
%ignore bankml_params_get_json;
%ignore bankml_params_to_json;
%ignore bankml_grammar_to_gbnf;
%ignore bankml_params_load_gguf_bytes;
%ignore bankml_params_text_count;
%ignore bankml_params_text;
%ignore bankml_params_set_text_tokens;
%ignore bankml_vocab_new;
%ignore bankml_vocab_from_gguf_bytes;
%ignore bankml_vocab_piece;
%ignore bankml_vocab_flags;
%ignore bankml_vocab_tokenize;
%ignore bankml_sampler_accept_many;
%ignore bankml_sampler_sample;
%ignore bankml_sampler_sample_masked;
%ignore bankml_flat_sample_candidates;
%ignore bankml_sampler_candidates;
%ignore bankml_sampler_post_probs;
%ignore bankml_sampler_token_probs;
%ignore bankml_flat_perf;
%ignore bankml_grammar_mask;
%ignore bankml_grammar_mask_ptr;
%ignore bankml_grammar_test;
%ignore bankml_grammar_accept_many;
%ignore bankml_grammar_is_complete;
%ignore bankml_grammar_is_dead;
%ignore bankml_grammar_forced;
%ignore bankml_grammar_warm;
%ignore bankml_grammar_save;
%ignore bankml_sampler_sample_constrained;

%{
#include <cstddef>
#include <cstring>
#include <new>

#include "bankml.h"

static_assert(sizeof(size_t) == 8, "offsets come as 64-bit values");
static_assert(sizeof(bankml_candidate) == 12 && sizeof(bankml_token_prob) == 8, "Java reads candidates as 32-bit words");
static_assert(sizeof(bankml_batch_item) == 72 && offsetof(bankml_batch_item, status) == 4 &&
                  offsetof(bankml_batch_item, token) == 8 && offsetof(bankml_batch_item, reserved) == 12 &&
                  offsetof(bankml_batch_item, sampler) == 16 && offsetof(bankml_batch_item, logits) == 24 &&
                  offsetof(bankml_batch_item, n) == 32 && offsetof(bankml_batch_item, words) == 40 &&
                  offsetof(bankml_batch_item, n_words) == 48 && offsetof(bankml_batch_item, grammar) == 56 &&
                  offsetof(bankml_batch_item, flags) == 64 && offsetof(bankml_batch_item, redrawn) == 68,
              "BatchItem.java writes and reads items at these places");

/* null for a NULL pointer and when the VM is out of memory, which has thrown then. */
static jbyteArray bankml_java_bytes(JNIEnv *jenv, const void *bytes, size_t n) {
  if (bytes == nullptr || n > 0x7FFFFFFF) return nullptr;
  jbyteArray made = jenv->NewByteArray(static_cast<jsize>(n));
  if (made != nullptr) jenv->SetByteArrayRegion(made, 0, static_cast<jsize>(n), static_cast<const jbyte *>(bytes));
  return made;
}

/* Reads a text that the library writes: for its size with the zero, then for the text. null if the library refuses. */
template <class Read>
static jbyteArray bankml_java_text(JNIEnv *jenv, Read read) {
  size_t needed = 0;
  if (read(static_cast<char *>(nullptr), size_t{0}, &needed) != BANKML_BUFFER) return nullptr;
  char *text = new (std::nothrow) char[needed];
  if (text == nullptr) return nullptr;
  const bool done = read(text, needed, &needed) == BANKML_OK;
  jbyteArray made = done ? bankml_java_bytes(jenv, text, needed - 1) : nullptr;
  delete[] text;
  return made;
}

static int64_t bankml_java_packed(bankml_status status, size_t low) {
  return static_cast<int64_t>(static_cast<uint64_t>(static_cast<uint32_t>(status)) << 32 | static_cast<uint32_t>(low));
}

/* A buffer of Java may start anywhere, for instance at the second byte of another one. No status of the library is negative. */
static const bankml_status bankml_java_misaligned = -1;
static bool bankml_java_aligned(const void *p) { return reinterpret_cast<uintptr_t>(p) % 4 == 0; }

/* Where element `at` of a buffer is. A buffer of no elements may have no address; the library takes NULL for a missing argument. */
template <class Item>
static const Item *bankml_java_at(const Item *buffer, int32_t at) {
  static const Item none = 0;
  return buffer == nullptr ? &none : buffer + at;
}
%}

%include "../swig/bankml_common.i"

%inline %{
static bankml_status bankml_java_get_number(const bankml_params *p, const char *name, JNIEnv *jenv, jdoubleArray out) {
  double value = 0;
  const bankml_status status = bankml_params_get_number(p, name, &value);
  jenv->SetDoubleArrayRegion(out, 0, 1, &value);
  return status;
}

static jbyteArray bankml_java_get_json(const bankml_params *p, const char *name, JNIEnv *jenv) {
  return bankml_java_text(
      jenv, [&](char *out, size_t cap, size_t *needed) { return bankml_params_get_json(p, name, out, cap, needed); });
}

static jbyteArray bankml_java_to_json(const bankml_params *p, JNIEnv *jenv) {
  return bankml_java_text(jenv, [&](char *out, size_t cap, size_t *needed) { return bankml_params_to_json(p, out, cap, needed); });
}

static jbyteArray bankml_java_grammar_to_gbnf(bankml_grammar *g, JNIEnv *jenv) {
  return bankml_java_text(jenv, [&](char *out, size_t cap, size_t *needed) { return bankml_grammar_to_gbnf(g, out, cap, needed); });
}

static bankml_status bankml_java_load_gguf(bankml_params *p, const uint8_t *data, int32_t at, int32_t n) {
  return bankml_params_load_gguf_bytes(p, bankml_java_at(data, at), static_cast<size_t>(n));
}

static int64_t bankml_java_text_count(bankml_params *p, const bankml_vocab *vocab) {
  size_t count = 0;
  const bankml_status status = bankml_params_text_count(p, vocab, &count);
  return bankml_java_packed(status, count);
}

static jbyteArray bankml_java_text_bytes(const bankml_params *p, size_t i, JNIEnv *jenv) {
  const uint8_t *bytes = nullptr;
  size_t len = 0;
  if (bankml_params_text(p, i, &bytes, &len, nullptr) != BANKML_OK) return nullptr;
  return bankml_java_bytes(jenv, bankml_java_at(bytes, 0), len);
}

static const char *bankml_java_text_purpose(const bankml_params *p, size_t i) {
  const uint8_t *bytes = nullptr;
  size_t len = 0;
  const char *purpose = nullptr;
  return bankml_params_text(p, i, &bytes, &len, &purpose) == BANKML_OK ? purpose : nullptr;
}

static bankml_status bankml_java_answer(bankml_params *p, size_t i, const int32_t *ids, int32_t at, int32_t n) {
  return bankml_params_set_text_tokens(p, i, bankml_java_at(ids, at), static_cast<size_t>(n));
}

static bankml_vocab *bankml_java_vocab_new(const uint8_t *data, const size_t *offsets, const uint32_t *flags, int32_t n,
                                           int32_t eos, int32_t eot, char *err, size_t err_cap) {
  return bankml_vocab_new(bankml_java_at(data, 0), offsets, flags, static_cast<size_t>(n), eos, eot, err, err_cap);
}

static bankml_vocab *bankml_java_vocab_from_gguf(const uint8_t *data, int32_t at, int32_t n, char *err, size_t err_cap) {
  return bankml_vocab_from_gguf_bytes(bankml_java_at(data, at), static_cast<size_t>(n), err, err_cap);
}

static jbyteArray bankml_java_piece(const bankml_vocab *v, int32_t token, JNIEnv *jenv) {
  const uint8_t *bytes = nullptr;
  size_t len = 0;
  if (bankml_vocab_piece(v, token, &bytes, &len) != BANKML_OK) return nullptr;
  return bankml_java_bytes(jenv, bankml_java_at(bytes, 0), len);
}

static int64_t bankml_java_flags(const bankml_vocab *v, int32_t token) {
  uint32_t flags = 0;
  const bankml_status status = bankml_vocab_flags(v, token, &flags);
  return bankml_java_packed(status, flags);
}

static int64_t bankml_java_tokenize(const bankml_vocab *v, const uint8_t *bytes, size_t len, int32_t *out, int32_t cap) {
  size_t count = 0;
  const bankml_status status = bankml_vocab_tokenize(v, bankml_java_at(bytes, 0), len, out, static_cast<size_t>(cap), &count);
  return bankml_java_packed(status, count);
}

static bankml_status bankml_java_accept_many(bankml_sampler *s, const int32_t *tokens, int32_t at, int32_t n) {
  const int32_t *first = bankml_java_at(tokens, at);
  if (!bankml_java_aligned(first)) return bankml_java_misaligned;
  return bankml_sampler_accept_many(s, first, static_cast<size_t>(n));
}

static int64_t bankml_java_sample(bankml_sampler *s, const float *logits, int32_t at, int32_t n) {
  const float *first = bankml_java_at(logits, at);
  if (!bankml_java_aligned(first)) return bankml_java_packed(bankml_java_misaligned, 0);
  int32_t token = -1;
  const bankml_status status = bankml_sampler_sample(s, first, static_cast<size_t>(n), &token);
  return bankml_java_packed(status, static_cast<uint32_t>(token));
}

static int64_t bankml_java_sample_masked(bankml_sampler *s, const float *logits, int32_t at, int32_t n, const uint32_t *words,
                                         int32_t words_at, int32_t n_words) {
  const float *first = bankml_java_at(logits, at);
  const uint32_t *mask = bankml_java_at(words, words_at);
  if (!bankml_java_aligned(first) || !bankml_java_aligned(mask)) return bankml_java_packed(bankml_java_misaligned, 0);
  int32_t token = -1;
  const bankml_status status =
      bankml_sampler_sample_masked(s, first, static_cast<size_t>(n), mask, static_cast<size_t>(n_words), &token);
  return bankml_java_packed(status, static_cast<uint32_t>(token));
}

static int64_t bankml_java_sample_candidates(bankml_sampler *s, const int32_t *ids, int32_t ids_at, const float *logits, int32_t at,
                                             int32_t n) {
  const int32_t *first_id = bankml_java_at(ids, ids_at);
  const float *first = bankml_java_at(logits, at);
  if (!bankml_java_aligned(first) || !bankml_java_aligned(first_id)) return bankml_java_packed(bankml_java_misaligned, 0);
  int32_t token = -1;
  const bankml_status status = bankml_sampler_sample_candidates(s, first_id, first, static_cast<size_t>(n), &token);
  return bankml_java_packed(status, static_cast<uint32_t>(token));
}

/* The next three fill `room` with as many entries as fit, as 32-bit words; Java knows that it is aligned. */
static int64_t bankml_java_candidates(bankml_sampler *s, void *room, int32_t cap) {
  size_t count = 0;
  bankml_candidate *out = static_cast<bankml_candidate *>(room);
  const bankml_status status = bankml_sampler_candidates(s, out, static_cast<size_t>(cap), &count);
  return bankml_java_packed(status, count);
}

static int64_t bankml_java_post_probs(bankml_sampler *s, int32_t n_top, void *room, int32_t cap) {
  size_t count = 0;
  const bankml_status status = bankml_sampler_post_probs(s, static_cast<size_t>(n_top), static_cast<bankml_token_prob *>(room),
                                                         static_cast<size_t>(cap), &count);
  return bankml_java_packed(status, count);
}

/* The p of `sampled` goes before the entries, in an entry's place. */
static int64_t bankml_java_token_probs(bankml_sampler *s, const float *logits, int32_t at, int32_t n, int32_t sampled,
                                       int32_t n_top, void *room, int32_t cap) {
  const float *first = bankml_java_at(logits, at);
  if (!bankml_java_aligned(first)) return bankml_java_packed(bankml_java_misaligned, 0);
  bankml_token_prob *entries = static_cast<bankml_token_prob *>(room);
  entries[0] = bankml_token_prob{sampled, 0.0f};
  size_t count = 0;
  const bankml_status status = bankml_sampler_token_probs(s, first, static_cast<size_t>(n), sampled, static_cast<size_t>(n_top),
                                                          entries + 1, static_cast<size_t>(cap), &count, &entries[0].p);
  return bankml_java_packed(status, count);
}

/* Nine counters and two times, eight bytes each. */
static bankml_status bankml_java_perf(bankml_sampler *s, void *room, int32_t reset) {
  return bankml_flat_perf(s, static_cast<uint64_t *>(room), static_cast<double *>(room) + 9, reset);
}

static bankml_pool *bankml_java_pool_new(int32_t n_threads, int32_t n_vocab, char *err, size_t err_cap) {
  return bankml_pool_new(static_cast<size_t>(n_threads), static_cast<size_t>(n_vocab), err, err_cap);
}

static void bankml_java_pool_free(bankml_pool *pool) { bankml_pool_free(pool); }

static int32_t bankml_java_pool_threads(const bankml_pool *pool) { return static_cast<int32_t>(bankml_pool_threads(pool)); }

/* Items that Java has written, addresses and all; Java has made sure that everything they name is alive and nobody else's. */
static bankml_status bankml_java_batch_sample(bankml_pool *pool, void *items, int32_t n) {
  return bankml_batch_sample(pool, static_cast<bankml_batch_item *>(items), static_cast<size_t>(n));
}

/* Fills `n` words from element `at` on. */
static bankml_status bankml_java_grammar_mask(bankml_grammar *g, int32_t *words, int32_t at, int32_t n) {
  uint32_t *first = reinterpret_cast<uint32_t *>(words) + at;
  if (!bankml_java_aligned(first)) return bankml_java_misaligned;
  return bankml_grammar_mask(g, first, static_cast<size_t>(n));
}

/* The next three answer yes or no in the token's place. */
static int64_t bankml_java_grammar_test(bankml_grammar *g, int32_t token) {
  int32_t allowed = 0;
  const bankml_status status = bankml_grammar_test(g, token, &allowed);
  return bankml_java_packed(status, static_cast<uint32_t>(allowed));
}

static int64_t bankml_java_grammar_is_complete(bankml_grammar *g) {
  int32_t complete = 0;
  const bankml_status status = bankml_grammar_is_complete(g, &complete);
  return bankml_java_packed(status, static_cast<uint32_t>(complete));
}

static int64_t bankml_java_grammar_is_dead(bankml_grammar *g) {
  int32_t dead = 0;
  const bankml_status status = bankml_grammar_is_dead(g, &dead);
  return bankml_java_packed(status, static_cast<uint32_t>(dead));
}

static bankml_status bankml_java_grammar_accept_many(bankml_grammar *g, const int32_t *tokens, int32_t at, int32_t n) {
  const int32_t *first = bankml_java_at(tokens, at);
  if (!bankml_java_aligned(first)) return bankml_java_misaligned;
  return bankml_grammar_accept_many(g, first, static_cast<size_t>(n));
}

/* The next two fill `room`; the number of bytes takes the token's place. */
static int64_t bankml_java_grammar_forced(bankml_grammar *g, void *room, int32_t cap) {
  size_t len = 0;
  const bankml_status status = bankml_grammar_forced(g, static_cast<uint8_t *>(room), static_cast<size_t>(cap), &len);
  return bankml_java_packed(status, len);
}

static int64_t bankml_java_sampler_save(bankml_sampler *s, void *room, int32_t cap) {
  size_t len = 0;
  const bankml_status status = bankml_sampler_save(s, static_cast<uint8_t *>(room), static_cast<size_t>(cap), &len);
  return bankml_java_packed(status, len);
}

static int64_t bankml_java_grammar_save(bankml_grammar *g, void *room, int32_t cap) {
  size_t len = 0;
  const bankml_status status = bankml_grammar_save(g, static_cast<uint8_t *>(room), static_cast<size_t>(cap), &len);
  return bankml_java_packed(status, len);
}

static int64_t bankml_java_grammar_warm(bankml_grammar *g, int32_t n) {
  size_t filled = 0;
  const bankml_status status = bankml_grammar_warm(g, static_cast<size_t>(n), &filled);
  return bankml_java_packed(status, filled);
}

/* Whether it was drawn twice stands in the token's sign bit: no token is negative. */
static int64_t bankml_java_sample_constrained(bankml_sampler *s, const float *logits, int32_t at, int32_t n, bankml_grammar *g,
                                              int32_t flags) {
  const float *first = bankml_java_at(logits, at);
  if (!bankml_java_aligned(first)) return bankml_java_packed(bankml_java_misaligned, 0);
  int32_t token = 0, redrawn = 0;
  const bankml_status status =
      bankml_sampler_sample_constrained(s, first, static_cast<size_t>(n), g, static_cast<uint32_t>(flags), &token, &redrawn);
  return bankml_java_packed(status, static_cast<uint32_t>(token) | (redrawn != 0 ? 0x80000000u : 0u));
}

static bankml_stop *bankml_java_stop_new(const uint8_t *data, const size_t *offsets, int32_t n, int32_t flags, char *err,
                                         size_t err_cap) {
  return bankml_stop_new(bankml_java_at(data, 0), offsets, static_cast<size_t>(n), static_cast<uint32_t>(flags), err, err_cap);
}

/* `room` has the index of the stop string in front, then room for `cap` bytes; their number takes the token's place. */
static int64_t bankml_java_stop_feed(bankml_stop *s, const uint8_t *bytes, size_t len, void *room, int32_t cap) {
  size_t shown = 0;
  int32_t *matched = static_cast<int32_t *>(room);
  const bankml_status status =
      bankml_stop_feed(s, bytes, len, reinterpret_cast<uint8_t *>(matched + 1), static_cast<size_t>(cap), &shown, matched);
  return bankml_java_packed(status, shown);
}

static int64_t bankml_java_stop_flush(bankml_stop *s, void *room, int32_t cap) {
  size_t shown = 0;
  const bankml_status status = bankml_stop_flush(s, static_cast<uint8_t *>(room) + 4, static_cast<size_t>(cap), &shown);
  return bankml_java_packed(status, shown);
}

/* top: n entries of bankml_token_prob that Java has written. A text that is null is the token's piece. */
static bankml_status bankml_java_reply_add(bankml_reply *r, int32_t token, float p, void *top, int32_t n, const uint8_t *bytes,
                                           size_t len) {
  return bankml_reply_add(r, token, p, static_cast<const bankml_token_prob *>(top), static_cast<size_t>(n), bytes, len);
}

static jbyteArray bankml_java_reply_json(bankml_reply *r, JNIEnv *jenv) {
  return bankml_java_text(jenv, [&](char *out, size_t cap, size_t *needed) { return bankml_reply_json(r, out, cap, needed); });
}

/* The address of a buffer's first element. */
static int64_t bankml_java_base(const void *buffer) {
  return static_cast<int64_t>(reinterpret_cast<intptr_t>(bankml_java_at(static_cast<const int32_t *>(buffer), 0)));
}

/* Where the library would read element `at`: the tests show with it that nothing is copied. */
static int64_t bankml_java_address(const float *logits, int32_t at) {
  return static_cast<int64_t>(reinterpret_cast<intptr_t>(bankml_java_at(logits, at)));
}
%}
