/* What every typemap of bankml._native uses: raising the package's exceptions, and handles as capsules. */
%{
#include <cstring>

#include "bankml.h"

namespace {

/* Given by bankml/_errors.py when it is imported; owned for the life of the process. */
PyObject *error_of_status = nullptr; /* error_of_status(status, text) -> exception object */
PyObject *needs_conversion = nullptr;
PyObject *closed_error = nullptr;

void raise_status(bankml_status status, const char *text) {
  if (text == nullptr || *text == '\0') text = bankml_status_string(status);
  PyObject *words = PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "replace");
  PyObject *error = words == nullptr ? nullptr : PyObject_CallFunction(error_of_status, "iO", static_cast<int>(status), words);
  Py_XDECREF(words);
  if (error == nullptr) return; /* memory ran out on the way: that is raised already */
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error)), error);
  Py_DECREF(error);
}

/* The text of the last failure of whatever a call has as its first argument. A sampler that another thread uses is not asked. */
const char *failure_text(bankml_status status, const bankml_sampler *s) {
  return status == BANKML_BUSY ? "the sampler or its workspace is in use by another thread" : bankml_sampler_error(s);
}
const char *failure_text(bankml_status status, const bankml_grammar *g) {
  return status == BANKML_BUSY ? "the grammar is in use by another thread" : bankml_grammar_error(g);
}
const char *failure_text(bankml_status status, const bankml_stop *s) {
  return status == BANKML_BUSY ? "the stop strings are in use by another thread" : bankml_stop_error(s);
}
const char *failure_text(bankml_status status, const bankml_reply *r) {
  return status == BANKML_BUSY ? "the reply is in use by another thread" : bankml_reply_error(r);
}
const char *failure_text(bankml_status, const bankml_grammar_options *o) { return bankml_grammar_options_error(o); }
const char *failure_text(bankml_status, const bankml_params *p) { return bankml_params_error(p); }
const char *failure_text(bankml_status, const bankml_vocab *) { return nullptr; }
const char *failure_text(bankml_status, const char *) { return nullptr; }
const char *failure_text(bankml_status, PyObject **made) {
  return *made == nullptr ? nullptr : PyUnicode_AsUTF8AndSize(*made, nullptr);
}

bool ends_with(const char *text, const char *end) {
  const size_t len = std::strlen(text), tail = std::strlen(end);
  return len >= tail && std::strcmp(text + len - tail, end) == 0;
}

/* Constructors give a text and no status. */
void raise_constructor_failure(const char *text) {
  bankml_status status = BANKML_ARG;
  if (std::strcmp(text, "out of memory") == 0) status = BANKML_NOMEM;
  if (ends_with(text, " is in use by another thread")) status = BANKML_BUSY;
  if (std::strncmp(text, "grammar, line ", 14) == 0) status = BANKML_PARSE;
  for (const char *schema : {"JSON schema conversion failed", "failed to parse grammar", "a JSON schema needs "}) {
    if (std::strncmp(text, schema, std::strlen(schema)) == 0) status = BANKML_SCHEMA;
  }
  if (std::strncmp(text, "trigger ", 8) == 0) {
    if (std::strstr(text, ": pattern, position ") != nullptr) status = BANKML_PARSE;
    if (std::strstr(text, ": more than ") != nullptr) status = BANKML_LIMIT;
    if (std::strstr(text, " is outside the vocabulary of ") != nullptr) status = BANKML_TOKEN;
  }
  for (const char *limit : {"more than max_states = ", "more than max_bytes = ", "more than max_count = "}) {
    if (std::strstr(text, limit) != nullptr) status = BANKML_LIMIT;
  }
  raise_status(status, text);
}

/* The pointer in a capsule; nullptr with an exception set for None (closed) and for anything else. */
void *handle_of(PyObject *object, const char *kind) {
  if (object != Py_None) return PyCapsule_GetPointer(object, kind);
  PyErr_Format(closed_error, "the %s is closed", kind + sizeof "bankml." - 1);
  return nullptr;
}

/* Adds an output value to what a call returns so far: None, one value, or a tuple of several. Takes over both references. */
PyObject *with_output(PyObject *result, PyObject *value) {
  if (value == nullptr || result == Py_None) {
    Py_XDECREF(result);
    return value;
  }
  PyObject *both;
  if (PyTuple_Check(result)) {
    PyObject *one = PyTuple_Pack(1, value);
    both = one == nullptr ? nullptr : PySequence_Concat(result, one);
    Py_XDECREF(one);
  } else {
    both = PyTuple_Pack(2, result, value);
  }
  Py_DECREF(result);
  Py_DECREF(value);
  return both;
}

}  // namespace
%}

%inline %{
/* Called by bankml/_errors.py before anything else can fail. */
static void use_errors(PyObject *of_status, PyObject *conversion, PyObject *closed) {
  Py_INCREF(of_status);
  Py_INCREF(conversion);
  Py_INCREF(closed);
  error_of_status = of_status;
  needs_conversion = conversion;
  closed_error = closed;
}
%}

/* ---- Statuses and failures -------------------------------------------------------------------------------------------- */

%typemap(out, noblock=1) bankml_status {
  if ($1 != BANKML_OK && $1 != BANKML_BUFFER) {
    raise_status($1, failure_text($1, arg1));
    SWIG_fail;
  }
  Py_INCREF(Py_None);
  $result = Py_None;
}

/* This helper alone fails without asking the sampler. */
%typemap(out, noblock=1) bankml_status bankml_flat_sample_candidates {
  if (arg3 != arg5) {
    char text[96];
    snprintf(text, sizeof text, "ids has %zu entries, logits has %zu", arg3, arg5);
    raise_status($1, text);
    SWIG_fail;
  }
  if ($1 != BANKML_OK) {
    raise_status($1, failure_text($1, arg1));
    SWIG_fail;
  }
  Py_INCREF(Py_None);
  $result = Py_None;
}

/* A draw under a grammar: which of the two another thread uses, the status does not say. */
%typemap(out, noblock=1) bankml_status bankml_sampler_sample_constrained {
  if ($1 != BANKML_OK) {
    raise_status($1, $1 == BANKML_BUSY ? "the sampler, its workspace or the grammar is in use by another thread"
                                       : failure_text($1, arg1));
    SWIG_fail;
  }
  Py_INCREF(Py_None);
  $result = Py_None;
}

%typemap(in, noblock=1, numinputs=0) (char *err, size_t err_cap) (char text[512]) {
  text[0] = '\0';
  $1 = text;
  $2 = sizeof text;
}
%typemap(argout, noblock=1) (char *err, size_t err_cap) {
  if ($result == nullptr) {
    if (!PyErr_Occurred()) raise_constructor_failure($1);
    SWIG_fail;
  }
}

/* ---- Handles ---------------------------------------------------------------------------------------------------------- */

%define %bankml_handle(KIND)
%{
static void free_ ## KIND ## _capsule(PyObject *capsule) {
  bankml_ ## KIND ## _free(static_cast<bankml_ ## KIND *>(PyCapsule_GetPointer(capsule, "bankml." #KIND)));
}
%}
%typemap(in, noblock=1) bankml_ ## KIND *, const bankml_ ## KIND * {
  $1 = static_cast<bankml_ ## KIND *>(handle_of($input, "bankml." #KIND));
  if ($1 == nullptr) SWIG_fail;
}
%typemap(out, noblock=1) bankml_ ## KIND * {
  $result = $1 == nullptr ? nullptr : PyCapsule_New($1, "bankml." #KIND, free_ ## KIND ## _capsule);
  if ($result == nullptr) bankml_ ## KIND ## _free($1);
}
%enddef

%bankml_handle(params)
%bankml_handle(vocab)
%bankml_handle(workspace)
%bankml_handle(sampler)
%bankml_handle(grammar)
%bankml_handle(grammar_options)
%bankml_handle(stop)
%bankml_handle(reply)

/* Where NULL has a meaning, None is NULL. */
%define %bankml_optional_handle(KIND, ARGUMENT)
%typemap(in, noblock=1) ARGUMENT {
  $1 = nullptr;
  if ($input != Py_None && ($1 = static_cast<bankml_ ## KIND *>(handle_of($input, "bankml." #KIND))) == nullptr) SWIG_fail;
}
%enddef

%bankml_optional_handle(params, const bankml_params *params)
%bankml_optional_handle(vocab, const bankml_vocab *vocab)
%bankml_optional_handle(workspace, bankml_workspace *w)
%bankml_optional_handle(grammar_options, const bankml_grammar_options *options)
