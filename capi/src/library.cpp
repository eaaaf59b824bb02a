// Library-wide calls: statuses, version, CPU level.
//
// Tested by tests/capi/library.c
#include <cstring>

#include "capi/src/handles.h"
#include "core/simd/kernels.h"

namespace bankml::capi {

static_assert(static_cast<int>(Status::ok) == BANKML_OK && static_cast<int>(Status::arg) == BANKML_ARG &&
              static_cast<int>(Status::length) == BANKML_LENGTH && static_cast<int>(Status::token) == BANKML_TOKEN &&
              static_cast<int>(Status::nonfinite) == BANKML_NONFINITE &&
              static_cast<int>(Status::no_candidate) == BANKML_NO_CANDIDATE && static_cast<int>(Status::busy) == BANKML_BUSY &&
              static_cast<int>(Status::nomem) == BANKML_NOMEM && static_cast<int>(Status::buffer) == BANKML_BUFFER &&
              static_cast<int>(Status::open_text) == BANKML_OPEN_TEXT && static_cast<int>(Status::not_kept) == BANKML_NOT_KEPT &&
              static_cast<int>(Status::parse) == BANKML_PARSE && static_cast<int>(Status::reject) == BANKML_REJECT &&
              static_cast<int>(Status::schema) == BANKML_SCHEMA && static_cast<int>(Status::limit) == BANKML_LIMIT &&
              static_cast<int>(Status::state) == BANKML_STATE && static_cast<int>(Status::io) == BANKML_IO &&
              static_cast<int>(Status::internal) == BANKML_INTERNAL);

constexpr simd::Level all_levels[] = {simd::Level::scalar, simd::Level::avx2, simd::Level::avx512, simd::Level::neon};

}  // namespace bankml::capi

extern "C" {

const char* bankml_status_string(bankml_status status) noexcept {
  switch (status) {
    case BANKML_OK:
      return "ok";
    case BANKML_ARG:
      return "bad argument";
    case BANKML_LENGTH:
      return "wrong length";
    case BANKML_TOKEN:
      return "bad token";
    case BANKML_NONFINITE:
      return "logits not finite";
    case BANKML_NO_CANDIDATE:
      return "no token left";
    case BANKML_BUSY:
      return "in use by another thread";
    case BANKML_NOMEM:
      return "out of memory";
    case BANKML_BUFFER:
      return "buffer too small";
    case BANKML_OPEN_TEXT:
      return "a text needs its tokens";
    case BANKML_NOT_KEPT:
      return "no candidates kept";
    case BANKML_PARSE:
      return "malformed text or file";
    case BANKML_REJECT:
      return "refused by the grammar";
    case BANKML_SCHEMA:
      return "unsupported schema";
    case BANKML_LIMIT:
      return "limit exceeded";
    case BANKML_STATE:
      return "damaged or foreign state";
    case BANKML_IO:
      return "file cannot be read";
    case BANKML_INTERNAL:
      return "internal error";
    default:
      return "unknown status";
  }
}

const char* bankml_version_string(void) noexcept { return BANKML_VERSION; }

uint32_t bankml_abi_version(void) noexcept { return BANKML_ABI_VERSION; }

const char* bankml_cpu_name(void) noexcept { return bankml::simd::kernels().name; }

const char* bankml_cpu_level(size_t i) noexcept {
  for (const bankml::simd::Level level : bankml::capi::all_levels) {
    const bankml::simd::Kernels* kernels = bankml::simd::kernels_of(level);
    if (kernels != nullptr && i-- == 0) return kernels->name;
  }
  return nullptr;
}

bankml_status bankml_cpu_force(const char* name) noexcept {
  if (name == nullptr || std::strcmp(name, "auto") == 0) {
    bankml::simd::force_best();
    return BANKML_OK;
  }
  for (const bankml::simd::Level level : bankml::capi::all_levels) {
    const bankml::simd::Kernels* kernels = bankml::simd::kernels_of(level);
    if (kernels != nullptr && std::strcmp(name, kernels->name) == 0) {
      bankml::simd::force(level);
      return BANKML_OK;
    }
  }
  return BANKML_ARG;
}

}  // extern "C"
