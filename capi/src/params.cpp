// Params at the border: names, values, requests, model defaults, texts that need tokens.
//
// Tested by tests/capi/params.c
#include <cstddef>
#include <cstring>
#include <string_view>

#include "capi/src/handles.h"
#include "core/params/table.h"

namespace bankml::capi {

static_assert(static_cast<int>(ParamKind::integer) == BANKML_KIND_INTEGER &&
              static_cast<int>(ParamKind::number) == BANKML_KIND_NUMBER &&
              static_cast<int>(ParamKind::boolean) == BANKML_KIND_BOOLEAN && static_cast<int>(ParamKind::json) == BANKML_KIND_JSON);
// No padding at the end, so that a later version can tell this one by its size.
static_assert(sizeof(bankml_param_spec) == offsetof(bankml_param_spec, max) + sizeof(double));

// Refuses NULL where a text is needed.
Status require(const void* pointer, const char* name, ErrorText& error) {
  return pointer != nullptr ? Status::ok : error.set(Status::arg, "%s is NULL", name);
}

// Runs `change` on live params.
template <class Change>
bankml_status change_params(bankml_params* p, Change&& change) noexcept {
  if (p == nullptr) return BANKML_ARG;
  return guard(p->error, change);
}

}  // namespace bankml::capi

extern "C" {

size_t bankml_param_count(void) noexcept { return bankml::param_count(); }

bankml_status bankml_param_info(size_t i, bankml_param_spec* out) noexcept {
  if (out == nullptr || out->struct_size < sizeof(bankml_param_spec) || i >= bankml::param_count()) return BANKML_ARG;
  const bankml::ParamRow& row = bankml::param_row(i);
  out->kind = static_cast<int32_t>(row.kind);
  out->name = row.name;
  out->aliases = row.aliases;
  out->step = row.step;
  out->doc = row.doc;
  out->default_json = row.default_json;
  out->min = row.min;
  out->max = row.max;
  return BANKML_OK;
}

bankml_params* bankml_params_new(const char* profile, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_params>(err, err_cap, [&] {
    return std::unique_ptr<bankml_params>(new bankml_params{bankml::ParamSet(profile == nullptr ? "llama" : profile), {}, {}});
  });
}

bankml_params* bankml_params_clone(const bankml_params* p, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_params>(err, err_cap, [&] {
    if (p == nullptr) throw bankml::Failure(bankml::Status::arg, "params are NULL");
    return std::make_unique<bankml_params>(*p);
  });
}

void bankml_params_free(bankml_params* p) noexcept { delete p; }

const char* bankml_params_error(const bankml_params* p) noexcept { return p == nullptr ? "params are NULL" : p->error.c_str(); }

bankml_status bankml_params_set_number(bankml_params* p, const char* name, double value) noexcept {
  return bankml::capi::change_params(p, [&] {
    if (name == nullptr) return bankml::capi::require(name, "name", p->error);
    p->set.set_number(name, value);
    return bankml::Status::ok;
  });
}

bankml_status bankml_params_set_string(bankml_params* p, const char* name, const char* value) noexcept {
  return bankml::capi::change_params(p, [&] {
    if (name == nullptr) return bankml::capi::require(name, "name", p->error);
    if (value == nullptr) return p->error.set(bankml::Status::arg, "%s: the value is NULL", name);
    p->set.set_string(name, value);
    return bankml::Status::ok;
  });
}

bankml_status bankml_params_set_json(bankml_params* p, const char* name, const char* text, size_t len) noexcept {
  return bankml::capi::change_params(p, [&] {
    if (name == nullptr) return bankml::capi::require(name, "name", p->error);
    if (text == nullptr) return p->error.set(bankml::Status::arg, "%s: the JSON text is NULL", name);
    p->set.set_json(name, std::string_view(text, len));
    return bankml::Status::ok;
  });
}

bankml_status bankml_params_load_json(bankml_params* p, const char* format, const char* text, size_t len) noexcept {
  return bankml::capi::change_params(p, [&] {
    if (format == nullptr) return bankml::capi::require(format, "format", p->error);
    if (text == nullptr) return bankml::capi::require(text, "text", p->error);
    p->set.load_request(format, std::string_view(text, len));
    return bankml::Status::ok;
  });
}

bankml_status bankml_params_strict(bankml_params* p, int32_t on) noexcept {
  return bankml::capi::change_params(p, [&] {
    p->set.set_strict(on != 0);
    return bankml::Status::ok;
  });
}

bankml_status bankml_params_load_gguf(bankml_params* p, const char* path) noexcept {
  return bankml::capi::change_params(p, [&] {
    if (path == nullptr) return bankml::capi::require(path, "path", p->error);
    p->set.load_gguf(path);
    return bankml::Status::ok;
  });
}

bankml_status bankml_params_load_gguf_bytes(bankml_params* p, const void* data, size_t len) noexcept {
  return bankml::capi::change_params(p, [&] {
    if (data == nullptr) return bankml::capi::require(data, "data", p->error);
    p->set.load_gguf_bytes(data, len);
    return bankml::Status::ok;
  });
}

bankml_status bankml_params_get_number(const bankml_params* p, const char* name, double* out) noexcept {
  if (p == nullptr) return BANKML_ARG;
  return bankml::capi::guard(p->error, [&] {
    if (name == nullptr) return bankml::capi::require(name, "name", p->error);
    if (out == nullptr) return bankml::capi::require(out, "out", p->error);
    *out = p->set.get_number(name);
    return bankml::Status::ok;
  });
}

bankml_status bankml_params_get_json(const bankml_params* p, const char* name, char* out, size_t cap, size_t* needed) noexcept {
  if (p == nullptr) return BANKML_ARG;
  return bankml::capi::guard(p->error, [&] {
    if (name == nullptr) return bankml::capi::require(name, "name", p->error);
    return bankml::capi::copy_text(p->set.get_json(name), out, cap, needed, p->error);
  });
}

bankml_status bankml_params_to_json(const bankml_params* p, char* out, size_t cap, size_t* needed) noexcept {
  if (p == nullptr) return BANKML_ARG;
  return bankml::capi::guard(p->error, [&] { return bankml::capi::copy_text(p->set.to_json(), out, cap, needed, p->error); });
}

const char* bankml_params_origin(const bankml_params* p, const char* name) noexcept {
  return p == nullptr || name == nullptr ? nullptr : p->set.origin(name);
}

size_t bankml_params_warning_count(const bankml_params* p) noexcept { return p == nullptr ? 0 : p->set.warning_count(); }

const char* bankml_params_warning(const bankml_params* p, size_t i) noexcept { return p == nullptr ? nullptr : p->set.warning(i); }

bankml_status bankml_params_text_count(bankml_params* p, const bankml_vocab* vocab, size_t* count) noexcept {
  return bankml::capi::change_params(p, [&] {
    if (count == nullptr) return bankml::capi::require(count, "count", p->error);
    p->texts = bankml::open_texts(p->set.values(), vocab == nullptr ? nullptr : vocab->vocab.get());
    *count = p->texts.size();
    return bankml::Status::ok;
  });
}

bankml_status bankml_params_text(const bankml_params* p, size_t i, const uint8_t** bytes, size_t* len,
                                 const char** purpose) noexcept {
  if (p == nullptr) return BANKML_ARG;
  return bankml::capi::guard(p->error, [&] {
    if (bytes == nullptr || len == nullptr) return p->error.set(bankml::Status::arg, "bytes or len is NULL");
    if (i >= p->texts.size()) return p->error.set(bankml::Status::arg, "text %zu of %zu", i, p->texts.size());
    *bytes = reinterpret_cast<const uint8_t*>(p->texts[i].bytes.data());
    *len = p->texts[i].bytes.size();
    if (purpose != nullptr) *purpose = p->texts[i].purpose;
    return bankml::Status::ok;
  });
}

bankml_status bankml_params_set_text_tokens(bankml_params* p, size_t i, const int32_t* ids, size_t n) noexcept {
  return bankml::capi::change_params(p, [&] {
    if (ids == nullptr && n > 0) return bankml::capi::require(ids, "ids", p->error);
    if (i >= p->texts.size()) return p->error.set(bankml::Status::arg, "text %zu of %zu", i, p->texts.size());
    for (size_t k = 0; k < n; ++k) {
      if (ids[k] < 0) return p->error.set(bankml::Status::token, "token %d at place %zu is negative", ids[k], k);
    }
    p->set.set_text_tokens(p->texts[i].bytes, std::vector<int32_t>(ids, ids + n));
    return bankml::Status::ok;
  });
}

}  // extern "C"
