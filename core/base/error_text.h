// The text of a handle's last failure, in a buffer of its own: setting it never allocates, so draws can use it.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdio>

#include "core/base/status.h"

namespace bankml {

class ErrorText {
 public:
  const char* c_str() const noexcept { return text_; }
  void clear() noexcept { text_[0] = '\0'; }

  // printf-style; returns `status`, so that a check reads `return error.set(Status::length, "...", n);`
  __attribute__((format(printf, 3, 4))) Status set(Status status, const char* format, ...) noexcept {
    std::va_list args;
    va_start(args, format);
    std::vsnprintf(text_, sizeof text_, format, args);
    va_end(args);
    return status;
  }

 private:
  char text_[512] = {};
};

}  // namespace bankml
