// Vocabularies at the border.
//
// Tested by tests/capi/vocab.c
#include <algorithm>
#include <string_view>

#include "capi/src/handles.h"

namespace bankml::capi {

static_assert(token_control == BANKML_TOKEN_CONTROL && token_eog == BANKML_TOKEN_EOG && token_byte == BANKML_TOKEN_BYTE &&
              token_user_defined == BANKML_TOKEN_USER_DEFINED && token_unused == BANKML_TOKEN_UNUSED &&
              token_unknown == BANKML_TOKEN_UNKNOWN);

std::unique_ptr<bankml_vocab> hold(std::shared_ptr<const Vocab> vocab) {
  return std::unique_ptr<bankml_vocab>(new bankml_vocab{std::move(vocab)});
}

}  // namespace bankml::capi

extern "C" {

bankml_vocab* bankml_vocab_new(const uint8_t* bytes, const size_t* offsets, const uint32_t* flags, size_t n, int32_t eos,
                               int32_t eot, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_vocab>(err, err_cap, [&] {
    if (n > 0 && offsets == nullptr) throw bankml::Failure(bankml::Status::arg, "offsets is NULL");
    return bankml::capi::hold(bankml::Vocab::from_pieces(bytes, offsets, flags, n, eos, eot));
  });
}

bankml_vocab* bankml_vocab_from_gguf(const char* path, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_vocab>(err, err_cap, [&] {
    if (path == nullptr) throw bankml::Failure(bankml::Status::arg, "path is NULL");
    return bankml::capi::hold(bankml::Vocab::from_gguf_path(path));
  });
}

bankml_vocab* bankml_vocab_from_gguf_bytes(const void* data, size_t len, char* err, size_t err_cap) noexcept {
  return bankml::capi::construct<bankml_vocab>(err, err_cap, [&] {
    if (data == nullptr) throw bankml::Failure(bankml::Status::arg, "data is NULL");
    return bankml::capi::hold(bankml::Vocab::from_gguf_bytes(data, len));
  });
}

void bankml_vocab_free(bankml_vocab* v) noexcept { delete v; }

size_t bankml_vocab_size(const bankml_vocab* v) noexcept { return v == nullptr ? 0 : v->vocab->size(); }

bankml_status bankml_vocab_piece(const bankml_vocab* v, int32_t token, const uint8_t** bytes, size_t* len) noexcept {
  if (v == nullptr || bytes == nullptr || len == nullptr) return BANKML_ARG;
  if (!v->vocab->contains(token)) return BANKML_TOKEN;
  const std::string_view piece = v->vocab->piece(token);
  *bytes = reinterpret_cast<const uint8_t*>(piece.data());
  *len = piece.size();
  return BANKML_OK;
}

bankml_status bankml_vocab_flags(const bankml_vocab* v, int32_t token, uint32_t* flags) noexcept {
  if (v == nullptr || flags == nullptr) return BANKML_ARG;
  if (!v->vocab->contains(token)) return BANKML_TOKEN;
  *flags = v->vocab->flags(token);
  return BANKML_OK;
}

int32_t bankml_vocab_eos(const bankml_vocab* v) noexcept { return v == nullptr ? -1 : v->vocab->eos(); }
int32_t bankml_vocab_eot(const bankml_vocab* v) noexcept { return v == nullptr ? -1 : v->vocab->eot(); }
int32_t bankml_vocab_bos(const bankml_vocab* v) noexcept { return v == nullptr ? -1 : v->vocab->bos(); }
uint64_t bankml_vocab_fingerprint(const bankml_vocab* v) noexcept { return v == nullptr ? 0 : v->vocab->fingerprint(); }
uint64_t bankml_vocab_breaker_scans(const bankml_vocab* v) noexcept { return v == nullptr ? 0 : v->vocab->breaker_scans(); }

bankml_status bankml_vocab_tokenize(const bankml_vocab* v, const uint8_t* bytes, size_t len, int32_t* out, size_t cap,
                                    size_t* count) noexcept {
  if (v == nullptr || count == nullptr || (bytes == nullptr && len > 0) || (out == nullptr && cap > 0)) return BANKML_ARG;
  bankml::ErrorText error;  // a vocabulary is shared between threads, so it holds no text
  return bankml::capi::guard(error, [&] {
    const std::string_view text = len == 0 ? std::string_view() : std::string_view(reinterpret_cast<const char*>(bytes), len);
    const std::vector<int32_t> tokens = v->vocab->tokenize(text);
    *count = tokens.size();
    if (tokens.size() > cap) return bankml::Status::buffer;
    std::copy(tokens.begin(), tokens.end(), out);
    return bankml::Status::ok;
  });
}

}  // extern "C"
