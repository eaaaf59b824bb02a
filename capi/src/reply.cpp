// Replies at the border.
//
// Tested by tests/capi/reply.c
#include <cstddef>
#include <memory>
#include <string_view>

#include "capi/src/handles.h"

namespace bankml::capi {

static_assert(sizeof(bankml_token_prob) == sizeof(TokenProb) && offsetof(bankml_token_prob, p) == offsetof(TokenProb, p));
static_assert(BANKML_REPLY_POST_SAMPLING == 1 && BANKML_REPLY_SPECIAL == 2);

template <class Body>
bankml_status alone(bankml_reply* r, Body&& body) noexcept {
  if (r == nullptr) return BANKML_ARG;
  const BusyScope scope(r->busy);
  if (!scope.entered()) return BANKML_BUSY;
  return guard(r->error, [&] { return body(r->reply, r->error); });
}

}  // namespace bankml::capi

extern "C" {

bankml_reply* bankml_reply_new(const char* format, const bankml_vocab* vocab, uint32_t flags, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_reply>(err, err_cap, [&] {
    using bankml::Failure, bankml::Status;
    if (format == nullptr) throw Failure(Status::arg, "format is NULL");
    if (vocab == nullptr) throw Failure(Status::arg, "vocab is NULL");
    if ((flags & ~static_cast<uint32_t>(BANKML_REPLY_POST_SAMPLING | BANKML_REPLY_SPECIAL)) != 0) {
      throw Failure(Status::arg, "flags is " + std::to_string(flags) + ": unknown bits");
    }
    const bankml::reply::Options options{(flags & BANKML_REPLY_POST_SAMPLING) != 0, (flags & BANKML_REPLY_SPECIAL) != 0};
    return std::make_unique<bankml_reply>(bankml::reply::Reply(bankml::reply::format_named(format), vocab->vocab, options));
  });
}

void bankml_reply_free(bankml_reply* r) noexcept { delete r; }

const char* bankml_reply_error(const bankml_reply* r) noexcept { return r == nullptr ? "the reply is NULL" : r->error.c_str(); }

bankml_status bankml_reply_add(bankml_reply* r, int32_t token, float p, const bankml_token_prob* top, size_t n_top,
                               const uint8_t* text, size_t len) noexcept {
  return bankml::capi::alone(r, [&](bankml::reply::Reply& reply, bankml::ErrorText& error) {
    if (top == nullptr && n_top > 0) return error.set(bankml::Status::arg, "top is NULL, but n_top is %zu", n_top);
    if (text == nullptr && len > 0) return error.set(bankml::Status::arg, "text is NULL, but len is %zu", len);
    const std::string_view sent(reinterpret_cast<const char*>(text), len);
    reply.add({token, p}, reinterpret_cast<const bankml::TokenProb*>(top), n_top, text == nullptr ? nullptr : &sent);
    return bankml::Status::ok;
  });
}

bankml_status bankml_reply_json(bankml_reply* r, char* out, size_t cap, size_t* needed) noexcept {
  return bankml::capi::alone(r, [&](bankml::reply::Reply& reply, bankml::ErrorText& error) {
    return bankml::capi::copy_text(reply.json(), out, cap, needed, error);
  });
}

bankml_status bankml_reply_clear(bankml_reply* r) noexcept {
  return bankml::capi::alone(r, [&](bankml::reply::Reply& reply, bankml::ErrorText&) {
    reply.clear();
    return bankml::Status::ok;
  });
}

bankml_status bankml_reply_text_offset(bankml_reply* r, size_t characters) noexcept {
  return bankml::capi::alone(r, [&](bankml::reply::Reply& reply, bankml::ErrorText&) {
    reply.set_text_offset(characters);
    return bankml::Status::ok;
  });
}

}  // extern "C"
