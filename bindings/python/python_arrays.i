/* Typemaps of arrays: anything with the buffer protocol, held from before the call until after it, its type checked.
 *
 * SWIG's own pybuffer.i releases the view before the call and never looks at the item type (a float64 array would be read as twice
 * as many float32), numpy.i ties the module to numpy's C API. What does not fit raises NeedsConversion and costs the fitting case
 * nothing. Tested by tests/python/test_inputs.py. */
%{
namespace {

/* One view on a Python object's memory, released at the end of the wrapper whatever happens. */
bool take_view(PyObject *object, Py_buffer *view) {
  if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) == 0) return true;
  PyErr_Clear();
  PyErr_SetNone(needs_conversion);
  return false;
}

/* An empty array may lie at any address, or at none. */
bool aligned(const Py_buffer &view) { return view.len == 0 || reinterpret_cast<uintptr_t>(view.buf) % 4 == 0; }

bool item_is(const Py_buffer &view, const char *formats) {
  if (view.ndim != 1 || view.itemsize != 4 || view.format == nullptr || view.format[0] == '\0' || view.format[1] != '\0')
    return false;
  return std::strchr(formats, view.format[0]) != nullptr && aligned(view);
}

/* Raw bytes count as float32 where nothing claims another type: bytes, bytearray and byte views, aligned and of whole numbers. */
bool bytes_of_float32(PyObject *object, const Py_buffer &view) {
  if (!PyBytes_Check(object) && !PyByteArray_Check(object) && !PyMemoryView_Check(object)) return false;
  if (view.ndim != 1 || view.itemsize != 1 || view.format == nullptr || std::strcmp(view.format, "B") != 0) return false;
  return view.len % 4 == 0 && aligned(view);
}

/* C reads nothing of an empty array, but takes NULL for a missing argument. */
template <class Item>
Item *start_of(const Py_buffer &view) {
  static Item none;
  return view.len == 0 ? &none : static_cast<Item *>(view.buf);
}

}  // namespace
%}

/* Bytes are never converted: what has none is an error at once. */
%define %bankml_bytes(POINTER)
%typemap(in, noblock=1) (const uint8_t *POINTER, size_t len) (Py_buffer view, int held = 0) {
  if (PyObject_GetBuffer($input, &view, PyBUF_SIMPLE) != 0) {
    PyErr_Format(PyExc_TypeError, "a bytes-like object in one piece is needed, not %R", (PyObject *)Py_TYPE($input));
    SWIG_fail;
  }
  held = 1;
  $1 = start_of<uint8_t>(view);
  $2 = static_cast<size_t>(view.len);
}
%typemap(freearg, noblock=1) (const uint8_t *POINTER, size_t len) {
  if (held$argnum) PyBuffer_Release(&view$argnum);
}
%enddef

%define %bankml_array(ITEM, POINTER, COUNT, FITS)
%typemap(in, noblock=1) (const ITEM *POINTER, size_t COUNT) (Py_buffer view, int held = 0) {
  if (!take_view($input, &view)) SWIG_fail;
  held = 1;
  if (!(FITS)) {
    PyErr_SetNone(needs_conversion);
    SWIG_fail;
  }
  $1 = start_of<ITEM>(view);
  $2 = static_cast<size_t>(view.len) / sizeof(ITEM);
}
%typemap(freearg, noblock=1) (const ITEM *POINTER, size_t COUNT) {
  if (held$argnum) PyBuffer_Release(&view$argnum);
}
%enddef

%bankml_array(float, logits, n, item_is(view, "f") || bytes_of_float32($input, view))
%bankml_array(int32_t, tokens, n, item_is(view, "il"))
%bankml_array(int32_t, ids, n, item_is(view, "il"))
%bankml_array(int32_t, ids, n_ids, item_is(view, "il"))
/* Mask words: signed ones too, which is what mask libraries keep in tensors; only the bits count. */
%bankml_array(uint32_t, words, n_words, item_is(view, "ILil"))
%bankml_array(uint32_t, flag_words, n_flags, item_is(view, "IL"))
%bankml_array(size_t, offsets, n_offsets, view.ndim == 1 && view.itemsize == sizeof(size_t))
%bankml_bytes(data)
%bankml_bytes(bytes)
%bankml_array(uint8_t, top, top_bytes, aligned(view))

/* Words of a mask that a call fills: writable 32-bit integers. */
%typemap(in, noblock=1) (uint32_t *words, size_t n_words) (Py_buffer view, int held = 0) {
  if (PyObject_GetBuffer($input, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE) != 0) {
    PyErr_Clear();
    PyErr_SetNone(needs_conversion);
    SWIG_fail;
  }
  held = 1;
  if (!item_is(view, "ILil")) {
    PyErr_SetNone(needs_conversion);
    SWIG_fail;
  }
  $1 = start_of<uint32_t>(view);
  $2 = static_cast<size_t>(view.len) / sizeof(uint32_t);
}
%typemap(freearg, noblock=1) (uint32_t *words, size_t n_words) {
  if (held$argnum) PyBuffer_Release(&view$argnum);
}

/* Caller-owned memory that a call fills, bankml_candidate and friends as 32-bit words: a writable view, or None for no room. */
%define %bankml_room(ITEM)
%typemap(in, noblock=1) (ITEM *out, size_t cap) (Py_buffer view, int held = 0) {
  $1 = nullptr;
  $2 = 0;
  if ($input != Py_None) {
    if (PyObject_GetBuffer($input, &view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) != 0) SWIG_fail;
    held = 1;
    $1 = static_cast<ITEM *>(view.buf);
    $2 = static_cast<size_t>(view.len) / sizeof(ITEM);
  }
}
%typemap(freearg, noblock=1) (ITEM *out, size_t cap) {
  if (held$argnum) PyBuffer_Release(&view$argnum);
}
%enddef

%bankml_room(bankml_candidate)
%bankml_room(bankml_token_prob)
%bankml_room(int32_t)
