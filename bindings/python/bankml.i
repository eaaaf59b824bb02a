/* The Python module bankml._native: bankml.h with typemaps of Python's own kind. Nothing here is for users; bankml/*.py are.
 *
 * - Handles are PyCapsules whose destructor frees them. A running call holds its arguments, so dropping the last reference
 *   elsewhere cannot free a handle under a call. None where a handle is required is ClosedError.
 * - Arrays are anything with the buffer protocol, borrowed for the call. An array of another type raises the private
 *   NeedsConversion, which bankml/_arrays.py answers with one conversion; the common case pays nothing for the others.
 * - A bankml_status becomes an exception of bankml/_errors.py after the GIL is held again. BANKML_BUFFER is no exception: the
 *   count that is returned says it.
 * - The GIL is released around the draws, batches too, token_probs, and what a grammar computes (its masks, its text); every other call
 *   is shorter than releasing it, or rare.
 */
%module(package="bankml") native

%include "python_support.i"
%include "python_values.i"
%include "python_arrays.i"

%ignore bankml_params_free;
%ignore bankml_vocab_free;
%ignore bankml_workspace_free;
%ignore bankml_sampler_free;
%ignore bankml_grammar_free;
%ignore bankml_grammar_options_free;
%ignore bankml_stop_free;
%ignore bankml_reply_free;
/* Replaced by the functions below, which take or give Python's own objects. */
%ignore bankml_self_check;
%ignore bankml_params_error;
%ignore bankml_sampler_error;
%ignore bankml_grammar_error;
%ignore bankml_grammar_options_error;
%ignore bankml_stop_error;
%ignore bankml_reply_error;
%ignore bankml_grammar_mask_ptr;
%ignore bankml_grammar_forced;
%ignore bankml_grammar_save;
%ignore bankml_params_get_json;
%ignore bankml_params_to_json;
%ignore bankml_grammar_to_gbnf;
%ignore bankml_params_load_gguf_bytes;
%ignore bankml_vocab_from_gguf_bytes;
%ignore bankml_vocab_new;

/* SWIG has threads on by default with -threads; here only these functions release the GIL. */
%nothread;
%thread bankml_sampler_sample;
%thread bankml_sampler_sample_masked;
%thread bankml_flat_sample_candidates;
%thread bankml_sampler_token_probs;
%thread bankml_sampler_sample_constrained;
%thread bankml_grammar_from_gbnf;
%thread bankml_grammar_from_schema;
%thread bankml_grammar_mask;
%thread bankml_grammar_warm;

%include "bankml_common.i"

%{
/* Calls a reader of texts twice: for the size, zero included, then for the text. The GIL is held all the time. */
template <class Read>
static bankml_status text_from(Read read, PyObject **made) {
  size_t needed = 0;
  bankml_status status = read(static_cast<char *>(nullptr), size_t{0}, &needed);
  if (status != BANKML_BUFFER) return status;
  char *text = static_cast<char *>(PyMem_Malloc(needed));
  if (text == nullptr) return BANKML_NOMEM;
  status = read(text, needed, &needed);
  if (status == BANKML_OK) *made = PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(needed - 1), "replace");
  PyMem_Free(text);
  return status;
}

/* The same for bytes. */
template <class Read>
bankml_status bytes_from(Read read, PyObject **made) {
  size_t len = 0;
  bankml_status status = read(static_cast<uint8_t *>(nullptr), size_t{0}, &len);
  if (status != BANKML_BUFFER) return status;
  uint8_t *bytes = static_cast<uint8_t *>(PyMem_Malloc(len));
  if (bytes == nullptr) return BANKML_NOMEM;
  status = read(bytes, len, &len);
  if (status == BANKML_OK) *made = PyBytes_FromStringAndSize(reinterpret_cast<char *>(bytes), static_cast<Py_ssize_t>(len));
  PyMem_Free(bytes);
  return status;
}
%}

%inline %{
static bankml_status bankml_py_params_get_json(const bankml_params *p, const char *name, PyObject **made) {
  return text_from([&](char *out, size_t cap, size_t *needed) { return bankml_params_get_json(p, name, out, cap, needed); }, made);
}

static bankml_status bankml_py_params_to_json(const bankml_params *p, PyObject **made) {
  return text_from([&](char *out, size_t cap, size_t *needed) { return bankml_params_to_json(p, out, cap, needed); }, made);
}

static bankml_status bankml_py_params_load_gguf_bytes(bankml_params *p, const uint8_t *data, size_t len) {
  return bankml_params_load_gguf_bytes(p, data, len);
}

static bankml_vocab *bankml_py_vocab_from_gguf_bytes(const uint8_t *data, size_t len, char *err, size_t err_cap) {
  return bankml_vocab_from_gguf_bytes(data, len, err, err_cap);
}

/* n_flags 0 = no flags; the caller has made the offsets, so their last one is within the bytes. */
static bankml_vocab *bankml_py_vocab_new(const uint8_t *bytes, size_t len, const size_t *offsets, size_t n_offsets,
                                         const uint32_t *flag_words, size_t n_flags, int32_t eos, int32_t eot, char *err,
                                         size_t err_cap) {
  const size_t n = n_offsets == 0 ? 0 : n_offsets - 1;
  if (n_offsets == 0 || offsets[n] > len || (n_flags != 0 && n_flags != n)) {
    snprintf(err, err_cap, "pieces, offsets and flags do not fit together");
    return nullptr;
  }
  return bankml_vocab_new(bytes, offsets, n_flags == 0 ? nullptr : flag_words, n, eos, eot, err, err_cap);
}

static bankml_status bankml_py_grammar_forced(bankml_grammar *g, PyObject **made) {
  uint8_t bytes[4096];
  size_t len = 0;
  const bankml_status status = bankml_grammar_forced(g, bytes, sizeof bytes, &len);
  if (status == BANKML_OK) *made = PyBytes_FromStringAndSize(reinterpret_cast<char *>(bytes), static_cast<Py_ssize_t>(len));
  return status;
}

static bankml_status bankml_py_grammar_to_gbnf(bankml_grammar *g, PyObject **made) {
  return text_from([&](char *out, size_t cap, size_t *needed) { return bankml_grammar_to_gbnf(g, out, cap, needed); }, made);
}

static bankml_status bankml_py_grammar_save(bankml_grammar *g, PyObject **made) {
  return bytes_from([&](uint8_t *out, size_t cap, size_t *len) { return bankml_grammar_save(g, out, cap, len); }, made);
}

static bankml_status bankml_py_sampler_save(bankml_sampler *s, PyObject **made) {
  return bytes_from([&](uint8_t *out, size_t cap, size_t *len) { return bankml_sampler_save(s, out, cap, len); }, made);
}

/* The caller has made the offsets, so their last one is within the bytes. */
static bankml_stop *bankml_py_stop_new(const uint8_t *bytes, size_t len, const size_t *offsets, size_t n_offsets, int32_t flags,
                                       char *err, size_t err_cap) {
  if (n_offsets == 0 || offsets[n_offsets - 1] > len) {
    snprintf(err, err_cap, "strings and offsets do not fit together");
    return nullptr;
  }
  return bankml_stop_new(bytes, offsets, n_offsets - 1, static_cast<uint32_t>(flags), err, err_cap);
}

/* What comes out is written where the bytes object that is returned keeps it. */
static bankml_status bankml_py_stop_feed(bankml_stop *s, const uint8_t *bytes, size_t len, PyObject **made, int32_t *matched) {
  const size_t most = bankml_stop_held(s) + len;
  size_t shown = 0;
  PyObject *out = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(most));
  if (out == nullptr) return BANKML_NOMEM;
  const bankml_status status = bankml_stop_feed(s, bytes, len, reinterpret_cast<uint8_t *>(PyBytes_AsString(out)), most, &shown, matched);
  if (status == BANKML_OK) *made = PyBytes_FromStringAndSize(PyBytes_AsString(out), static_cast<Py_ssize_t>(shown));
  Py_DECREF(out);
  return status;
}

static bankml_status bankml_py_stop_flush(bankml_stop *s, PyObject **made) {
  size_t shown = bankml_stop_held(s);
  PyObject *out = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(shown));
  if (out == nullptr) return BANKML_NOMEM;
  const bankml_status status = bankml_stop_flush(s, reinterpret_cast<uint8_t *>(PyBytes_AsString(out)), shown, &shown);
  if (status == BANKML_OK) {
    *made = out;
  } else {
    Py_DECREF(out);
  }
  return status;
}

/* top: bankml_token_prob's, as memory. bytes count only where has_text is not 0. */
static bankml_status bankml_py_reply_add(bankml_reply *r, int32_t token, double p, const uint8_t *top, size_t top_bytes,
                                         const uint8_t *bytes, size_t len, int32_t has_text) {
  return bankml_reply_add(r, token, static_cast<float>(p), reinterpret_cast<const bankml_token_prob *>(top),
                          top_bytes / sizeof(bankml_token_prob), has_text != 0 ? bytes : nullptr, has_text != 0 ? len : 0);
}

static bankml_status bankml_py_reply_json(bankml_reply *r, PyObject **made) {
  return text_from([&](char *out, size_t cap, size_t *needed) { return bankml_reply_json(r, out, cap, needed); }, made);
}

/* The report of the self-check; its text is the exception's if a check fails. */
static bankml_status bankml_py_self_check(PyObject **made) {
  char text[8192] = "";
  const bankml_status status = bankml_self_check(text, sizeof text);
  *made = PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(strlen(text)), "replace");
  return status;
}

/* Where the library reads an array's numbers: the tests show with it that nothing is copied. */
static size_t bankml_py_logits_address(const float *logits, size_t n) {
  (void)n;
  return reinterpret_cast<size_t>(logits);
}
%}

%include "python_batch.i"
