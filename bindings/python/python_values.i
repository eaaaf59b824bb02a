/* Typemaps of single values and texts: str in, str out, outputs as return values. */
%{
namespace {

/* UTF-8 of a str, borrowed from it; nullptr with an exception set. The C side ends texts at the first zero byte. */
const char *text_of(PyObject *object, const char *what) {
  if (!PyUnicode_Check(object)) {
    PyErr_Format(PyExc_TypeError, "%s must be a str", what);
    return nullptr;
  }
  Py_ssize_t len = 0;
  const char *text = PyUnicode_AsUTF8AndSize(object, &len);
  if (text != nullptr && std::strlen(text) != static_cast<size_t>(len)) {
    raise_status(BANKML_ARG, "a name or text contains a zero byte");
    return nullptr;
  }
  return text;
}

}  // namespace
%}

%typemap(in, noblock=1) const char *name, const char *profile, const char *format, const char *value {
  $1 = const_cast<char *>(text_of($input, "$1_name"));
  if ($1 == nullptr) SWIG_fail;
}
%typemap(freearg) const char *name, const char *profile, const char *format, const char *value ""

/* Paths come as bytes, as os.fsencode makes them. */
%typemap(in, noblock=1) const char *path {
  if (PyBytes_AsStringAndSize($input, const_cast<char **>(&$1), nullptr) != 0) SWIG_fail;
}
%typemap(freearg) const char *path ""

/* JSON text: str, or bytes with any content. */
%typemap(in, noblock=1) (const char *text, size_t len) (Py_ssize_t length) {
  length = 0;
  if (PyUnicode_Check($input)) {
    $1 = const_cast<char *>(PyUnicode_AsUTF8AndSize($input, &length));
    if ($1 == nullptr) SWIG_fail;
  } else if (PyBytes_AsStringAndSize($input, const_cast<char **>(&$1), &length) != 0) {
    SWIG_fail;
  }
  $2 = static_cast<size_t>(length);
}
%typemap(freearg) (const char *text, size_t len) ""

%typemap(out, noblock=1) const char * {
  if ($1 == nullptr) {
    Py_INCREF(Py_None);
    $result = Py_None;
  } else {
    $result = PyUnicode_DecodeUTF8($1, static_cast<Py_ssize_t>(std::strlen($1)), "replace");
  }
}

/* A token: an int. Anything else is for bankml/_arrays.py to look at. */
%typemap(in, noblock=1) int32_t token {
  if (!PyLong_Check($input)) {
    PyErr_SetNone(needs_conversion);
    SWIG_fail;
  }
  {
    int overflow = 0;
    const long value = PyLong_AsLongAndOverflow($input, &overflow);
    if (overflow != 0 || value < INT32_MIN || value > INT32_MAX) {
      raise_status(BANKML_TOKEN, "a token id is outside the range of int32");
      SWIG_fail;
    }
    $1 = static_cast<int32_t>(value);
  }
}

/* ---- Outputs ---------------------------------------------------------------------------------------------------------- */

%define %bankml_output(TYPE, NAME, MAKE)
%typemap(in, noblock=1, numinputs=0) TYPE *NAME (TYPE temp) {
  temp = TYPE();
  $1 = &temp;
}
%typemap(argout, noblock=1) TYPE *NAME {
  $result = with_output($result, MAKE);
  if ($result == nullptr) SWIG_fail;
}
%enddef

%bankml_output(int32_t, token, PyLong_FromLong(*$1))
%bankml_output(size_t, count, PyLong_FromSize_t(*$1))
%bankml_output(uint32_t, flags, PyLong_FromUnsignedLong(*$1))
%bankml_output(float, sampled_p, PyFloat_FromDouble(*$1))
%bankml_output(double, out, PyFloat_FromDouble(*$1))
%bankml_output(size_t, filled, PyLong_FromSize_t(*$1))
%bankml_output(int32_t, redrawn, PyBool_FromLong(*$1))
%bankml_output(int32_t, allowed, PyBool_FromLong(*$1))
%bankml_output(int32_t, complete, PyBool_FromLong(*$1))
%bankml_output(int32_t, dead, PyBool_FromLong(*$1))
%bankml_output(int32_t, matched, PyLong_FromLong(*$1))

/* A str or bytes that a function of ours made. */
%typemap(in, noblock=1, numinputs=0) PyObject **made (PyObject *temp = nullptr) {
  $1 = &temp;
}
%typemap(argout, noblock=1) PyObject **made {
  $result = with_output($result, *$1);
  if ($result == nullptr) SWIG_fail;
}

/* Bytes that are borrowed from a handle, and their purpose. */
%typemap(in, noblock=1, numinputs=0) (const uint8_t **bytes, size_t *len) (const uint8_t *start = nullptr, size_t length = 0) {
  $1 = const_cast<uint8_t **>(&start);
  $2 = &length;
}
%typemap(argout, noblock=1) (const uint8_t **bytes, size_t *len) {
  $result = with_output($result, PyBytes_FromStringAndSize(reinterpret_cast<const char *>(*$1), static_cast<Py_ssize_t>(*$2)));
  if ($result == nullptr) SWIG_fail;
}
%typemap(in, noblock=1, numinputs=0) const char **purpose (const char *temp = nullptr) {
  $1 = const_cast<char **>(&temp);
}
%typemap(argout, noblock=1) const char **purpose {
  $result = with_output($result, PyUnicode_FromString(*$1));
  if ($result == nullptr) SWIG_fail;
}

/* bankml_flat_perf: nine ints and two floats in one tuple. */
%typemap(in, noblock=1, numinputs=0) uint64_t counts[9] (uint64_t temp[9]) {
  $1 = temp;
}
%typemap(argout, noblock=1) uint64_t counts[9] {
  Py_DECREF($result);
  $result = PyTuple_New(9);
  for (Py_ssize_t i = 0; $result != nullptr && i < 9; ++i) PyTuple_SetItem($result, i, PyLong_FromUnsignedLongLong($1[i]));
  if ($result == nullptr || PyErr_Occurred()) SWIG_fail;
}
%typemap(in, noblock=1, numinputs=0) double times[2] (double temp[2]) {
  $1 = temp;
}
%typemap(argout, noblock=1) double times[2] {
  for (int i = 0; i < 2 && $result != nullptr; ++i) $result = with_output($result, PyFloat_FromDouble($1[i]));
  if ($result == nullptr) SWIG_fail;
}
