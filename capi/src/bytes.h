// Bytes out: into a buffer of the caller, with their number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error_text.h"
#include "core/base/status.h"

namespace bankml::capi {

inline std::string_view text_of(const void* bytes, size_t len) noexcept {
  return len == 0 ? std::string_view() : std::string_view(static_cast<const char*>(bytes), len);
}

inline Status copy_bytes(const std::string& bytes, uint8_t* out, size_t cap, size_t* len, ErrorText& error) {
  if (len == nullptr) return error.set(Status::arg, "len is NULL");
  if (out == nullptr && cap > 0) return error.set(Status::arg, "out is NULL, but cap is %zu", cap);
  *len = bytes.size();
  if (cap < bytes.size()) return error.set(Status::buffer, "%zu bytes are needed, the buffer has %zu", bytes.size(), cap);
  std::copy(bytes.begin(), bytes.end(), out);
  return Status::ok;
}

}  // namespace bankml::capi
