/* Batches: Python's lists of samplers, rows, masks and grammars become bankml_batch_items, and their outcomes two lists.
 *
 * Rows and masks are viewed as single draws view them, by the buffer protocol, and held until the draw has ended; the capsules are
 * held by the list that the caller holds. The GIL is released around the draw alone. Tested by tests/python/test_batch.py. */
%{
#include <vector>

namespace {

/* Views on the memory that a batch reads, released together. */
class Views {
 public:
  Views() = default;
  Views(const Views &) = delete;
  Views &operator=(const Views &) = delete;
  ~Views() {
    for (Py_buffer &view : views_) PyBuffer_Release(&view);
  }
  void reserve(size_t n) { views_.reserve(n); }
  /* false: no contiguous buffer; NeedsConversion is raised. */
  bool add(PyObject *object) {
    Py_buffer view;
    if (!take_view(object, &view)) return false;
    views_.push_back(view);
    return true;
  }
  const Py_buffer &last() const { return views_.back(); }

 private:
  std::vector<Py_buffer> views_;
};

bool refuse_for_conversion() {
  PyErr_SetNone(needs_conversion);
  return false;
}

/* What rows are: float32, raw bytes of them among them; or mask words, where None stands for no mask. */
enum class Rows { logits, masks };

bool fits(Rows kind, PyObject *row, const Py_buffer &view) {
  return kind == Rows::masks ? item_is(view, "ILil") : item_is(view, "f") || bytes_of_float32(row, view);
}

/* Hands each(i, view, start, length) the rows of `rows`: a two-dimensional buffer of n rows, or a list of n buffers. False with an
 * exception. */
template <class Each>
bool for_each_row(PyObject *rows, Py_ssize_t n, Rows kind, Views &views, Each each) {
  if (PyList_Check(rows)) {
    if (PyList_Size(rows) != n) return refuse_for_conversion();
    for (Py_ssize_t i = 0; i < n; ++i) {
      PyObject *row = PyList_GetItem(rows, i);
      if (kind == Rows::masks && row == Py_None) continue;
      if (!views.add(row)) return false;
      if (!fits(kind, row, views.last())) return refuse_for_conversion();
      each(i, views.last(), views.last().buf, static_cast<size_t>(views.last().len) / 4);
    }
    return true;
  }
  if (!views.add(rows)) return false;
  Py_buffer view = views.last();
  if (view.ndim != 2 || view.shape[0] != n) return refuse_for_conversion();
  view.ndim = 1; /* what is left to ask is asked of a row */
  if (!item_is(view, kind == Rows::masks ? "ILil" : "f")) return refuse_for_conversion();
  const Py_ssize_t length = view.shape[1];
  for (Py_ssize_t i = 0; i < n; ++i) each(i, view, static_cast<char *>(view.buf) + 4 * length * i, static_cast<size_t>(length));
  return true;
}

/* The exception of an item, as its single call would raise it; nullptr with another one raised if there is no memory. */
PyObject *item_error(bankml_status status, const bankml_sampler *s) {
  const char *text = failure_text(status, s);
  if (text == nullptr || *text == '\0') text = bankml_status_string(status);
  PyObject *words = PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "replace");
  PyObject *error = words == nullptr ? nullptr : PyObject_CallFunction(error_of_status, "iO", static_cast<int>(status), words);
  Py_XDECREF(words);
  return error;
}

/* The error of an item that was left out of the draw: a closed sampler, else a closed grammar. */
PyObject *item_closed(bool sampler_closed) {
  return PyObject_CallFunction(closed_error, "s", sampler_closed ? "the sampler is closed" : "the grammar is closed");
}

/* Refuses the whole batch: which of its items have one sampler or grammar, or that the pool is in use. */
void raise_refusal(bankml_status status, const std::vector<bankml_batch_item> &items, const std::vector<Py_ssize_t> &places) {
  char text[96] = "";
  if (status == BANKML_BUSY) snprintf(text, sizeof text, "the pool is in use by another thread");
  for (size_t i = 0; status == BANKML_ARG && i < items.size() && text[0] == '\0'; ++i) {
    for (size_t j = 0; j < i; ++j) {
      const bool same_grammar = items[j].grammar != nullptr && items[j].grammar == items[i].grammar;
      if (items[j].sampler != items[i].sampler && !same_grammar) continue;
      snprintf(text, sizeof text, "items %zd and %zd have the same %s", places[j], places[i], same_grammar ? "grammar" : "sampler");
      break;
    }
  }
  raise_status(status, text);
}

/* (tokens, errors): None in the one where the other has something; errors is None if every item drew. */
PyObject *outcomes(const std::vector<bankml_batch_item> &items, const std::vector<Py_ssize_t> &places, PyObject *samplers) {
  const Py_ssize_t n = PyList_Size(samplers);
  bool failed = static_cast<Py_ssize_t>(items.size()) != n; /* those left out have a closed sampler or grammar */
  for (const bankml_batch_item &item : items) failed = failed || item.status != BANKML_OK;
  PyObject *tokens = PyList_New(n);
  PyObject *errors = failed ? PyList_New(n) : nullptr;
  bool made = tokens != nullptr && (errors != nullptr || !failed);
  size_t next = 0;
  for (Py_ssize_t i = 0; made && i < n; ++i) {
    const bankml_batch_item *item = next < items.size() && places[next] == i ? &items[next++] : nullptr;
    const bool drew = item != nullptr && item->status == BANKML_OK;
    PyObject *token = drew ? PyLong_FromLong(item->token) : Py_NewRef(Py_None);
    made = token != nullptr && PyList_SetItem(tokens, i, token) == 0;
    if (!made || !failed) continue;
    PyObject *error = drew              ? Py_NewRef(Py_None)
                      : item != nullptr ? item_error(item->status, item->sampler)
                                        : item_closed(PyList_GetItem(samplers, i) == Py_None);
    made = error != nullptr && PyList_SetItem(errors, i, error) == 0;
  }
  PyObject *both = made ? PyTuple_Pack(2, tokens, failed ? errors : Py_None) : nullptr;
  Py_XDECREF(tokens);
  Py_XDECREF(errors);
  return both;
}

PyObject *draw_batch(bankml_pool *pool, PyObject *samplers, PyObject *logits, PyObject *masks, PyObject *grammars, uint32_t flags) {
  const Py_ssize_t n = PyList_Size(samplers);
  if (n < 0) return nullptr; /* no list */
  if (grammars != Py_None && PyList_Size(grammars) != n) return PyErr_Format(PyExc_SystemError, "one grammar for each sampler");
  std::vector<bankml_batch_item> items(static_cast<size_t>(n), bankml_batch_item{});
  Views views;
  views.reserve(2 * static_cast<size_t>(n));
  const auto set_row = [&](Py_ssize_t i, const Py_buffer &view, void *start, size_t length) {
    items[static_cast<size_t>(i)].logits = view.len == 0 ? start_of<float>(view) : static_cast<const float *>(start);
    items[static_cast<size_t>(i)].n = length;
  };
  const auto set_mask = [&](Py_ssize_t i, const Py_buffer &view, void *start, size_t length) {
    items[static_cast<size_t>(i)].words = view.len == 0 ? start_of<uint32_t>(view) : static_cast<const uint32_t *>(start);
    items[static_cast<size_t>(i)].n_words = length;
  };
  if (!for_each_row(logits, n, Rows::logits, views, set_row)) return nullptr;
  if (masks != Py_None && !for_each_row(masks, n, Rows::masks, views, set_mask)) return nullptr;
  /* Closed samplers and grammars are left out of the draw; places[k] is where the k-th that is drawn stands. */
  std::vector<Py_ssize_t> places;
  places.reserve(items.size());
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject *capsule = PyList_GetItem(samplers, i);
    PyObject *grammar = grammars == Py_None ? Py_None : PyList_GetItem(grammars, i);
    if (capsule == Py_None || grammar == Py_False) continue;
    bankml_batch_item &item = items[places.size()];
    item = items[static_cast<size_t>(i)];
    item.struct_size = sizeof item;
    item.sampler = static_cast<bankml_sampler *>(handle_of(capsule, "bankml.sampler"));
    if (item.sampler == nullptr) return nullptr;
    if (grammar != Py_None) {
      item.grammar = static_cast<bankml_grammar *>(handle_of(grammar, "bankml.grammar"));
      if (item.grammar == nullptr) return nullptr;
      item.flags = flags;
    }
    places.push_back(i);
  }
  items.resize(places.size());
  bankml_status status = BANKML_OK;
  Py_BEGIN_ALLOW_THREADS
  status = bankml_batch_sample(pool, items.data(), items.size());
  Py_END_ALLOW_THREADS
  if (status == BANKML_OK) return outcomes(items, places, samplers);
  raise_refusal(status, items, places);
  return nullptr;
}

}  // namespace
%}

%bankml_handle(pool)
%bankml_optional_handle(pool, bankml_pool *pool_or_none)

%inline %{
static bankml_pool *bankml_py_pool_new(size_t n_threads, size_t n_vocab, char *err, size_t err_cap) {
  return bankml_pool_new(n_threads, n_vocab, err, err_cap);
}

static size_t bankml_py_pool_threads(const bankml_pool *pool) { return bankml_pool_threads(pool); }

/* samplers: a list of capsules, None for a closed one. logits, masks: as for_each_row takes them; masks None = none. grammars:
 * None, or a list of capsules, None = without one, False = closed; flags: of all that have one. The caller holds what is in the
 * lists until this returns. */
static PyObject *bankml_py_batch_sample(bankml_pool *pool_or_none, PyObject *samplers, PyObject *logits, PyObject *masks,
                                        PyObject *grammars, uint32_t flags) {
  try {
    return draw_batch(pool_or_none, samplers, logits, masks, grammars, flags);
  } catch (const std::bad_alloc &) {
    return PyErr_NoMemory();
  }
}
%}
