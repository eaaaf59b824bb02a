// Stop strings at the border.
//
// Tested by tests/capi/stop.c
#include <memory>

#include "capi/src/handles.h"

namespace bankml::capi {

static_assert(BANKML_STOP_INCLUDE == 1 && BANKML_STOP_BY_TOKEN == 2);

template <class Body>
bankml_status alone(bankml_stop* s, Body&& body) noexcept {
  if (s == nullptr) return BANKML_ARG;
  const BusyScope scope(s->busy);
  if (!scope.entered()) return BANKML_BUSY;
  return guard(s->error, [&] { return body(s->filter, s->error); });
}

// `needed` bytes may go to a buffer of `cap`.
Status check_bytes(const uint8_t* out, size_t cap, size_t* len, size_t needed, ErrorText& error) noexcept {
  if (len == nullptr) return error.set(Status::arg, "len is NULL");
  if (out == nullptr && cap > 0) return error.set(Status::arg, "out is NULL, but cap is %zu", cap);
  if (cap >= needed) return Status::ok;
  *len = needed;
  return error.set(Status::buffer, "%zu bytes may come out, the buffer has %zu", needed, cap);
}

}  // namespace bankml::capi

extern "C" {

bankml_stop* bankml_stop_new(const uint8_t* bytes, const size_t* offsets, size_t n, uint32_t flags, char* err,
                             size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_stop>(err, err_cap, [&] {
    if ((flags & ~static_cast<uint32_t>(BANKML_STOP_INCLUDE | BANKML_STOP_BY_TOKEN)) != 0) {
      throw bankml::Failure(bankml::Status::arg, "flags is " + std::to_string(flags) + ": unknown bits");
    }
    const bankml::StopOptions options{(flags & BANKML_STOP_INCLUDE) != 0, (flags & BANKML_STOP_BY_TOKEN) != 0};
    return std::make_unique<bankml_stop>(bankml::StopFilter(bankml::StopStrings::make(bytes, offsets, n), options));
  });
}

bankml_stop* bankml_stop_clone(const bankml_stop* s, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_stop>(err, err_cap, [&] {
    if (s == nullptr) throw bankml::Failure(bankml::Status::arg, "the stop strings are NULL");
    const bankml::BusyScope scope(s->busy);
    if (!scope.entered()) throw bankml::Failure(bankml::Status::busy, "the stop strings are in use by another thread");
    return std::make_unique<bankml_stop>(s->filter);
  });
}

void bankml_stop_free(bankml_stop* s) noexcept { delete s; }

const char* bankml_stop_error(const bankml_stop* s) noexcept {
  return s == nullptr ? "the stop strings are NULL" : s->error.c_str();
}

bankml_status bankml_stop_feed(bankml_stop* s, const uint8_t* bytes, size_t n, uint8_t* out, size_t cap, size_t* len,
                               int32_t* matched) noexcept {
  return bankml::capi::alone(s, [&](bankml::StopFilter& filter, bankml::ErrorText& error) {
    if (bytes == nullptr && n > 0) return error.set(bankml::Status::arg, "bytes is NULL, but n is %zu", n);
    if (matched == nullptr) return error.set(bankml::Status::arg, "matched is NULL");
    if (n > SIZE_MAX - filter.held()) return error.set(bankml::Status::arg, "n is %zu", n);
    const bankml::Status room = bankml::capi::check_bytes(out, cap, len, filter.matched() >= 0 ? 0 : filter.held() + n, error);
    if (room != bankml::Status::ok) return room;
    *len = filter.feed(bytes, n, out);
    *matched = filter.matched();
    return bankml::Status::ok;
  });
}

bankml_status bankml_stop_flush(bankml_stop* s, uint8_t* out, size_t cap, size_t* len) noexcept {
  return bankml::capi::alone(s, [&](bankml::StopFilter& filter, bankml::ErrorText& error) {
    const bankml::Status room = bankml::capi::check_bytes(out, cap, len, filter.held(), error);
    if (room == bankml::Status::ok) *len = filter.flush(out);
    return room;
  });
}

bankml_status bankml_stop_reset(bankml_stop* s) noexcept {
  return bankml::capi::alone(s, [&](bankml::StopFilter& filter, bankml::ErrorText&) {
    filter.reset();
    return bankml::Status::ok;
  });
}

size_t bankml_stop_held(const bankml_stop* s) noexcept { return s == nullptr ? 0 : s->filter.held(); }

}  // extern "C"
