// The thread's floating-point mode: what the arithmetic of this library assumes, set for the length of a call and then put back.
//
// Assumed: round to nearest, subnormals computed (no flush to zero, no denormals-are-zero), no trap on an exception. A host may
// have changed any of them: loading a library built with -ffast-math is enough to flush subnormals in the whole process.
// Cost: one read of the control register; it is written only where it differs, so the usual call writes nothing. The status flags
// are left as the arithmetic sets them, except that restoring a changed mode restores the flags it was saved with.
// The guard belongs at the border of the library, around calls of functions that are not inlined into the same body: a compiler may
// move arithmetic across a change of the mode.
//
// Tested by tests/math/fp_mode.cpp
#pragma once

#include "core/math/fp_env.h"

#include <cstdint>

#if defined(__SSE2__)
#include <xmmintrin.h>
#elif !defined(__aarch64__)
#include <cfenv>
#endif

namespace bankml::math {

class FpModeGuard {
 public:
  FpModeGuard() noexcept : saved_(read()), changed_((saved_ & control_mask) != control_wanted) {
    if (changed_) write((saved_ & ~control_mask) | control_wanted);
  }
  ~FpModeGuard() {
    if (changed_) write(saved_);
  }
  FpModeGuard(const FpModeGuard&) = delete;
  FpModeGuard& operator=(const FpModeGuard&) = delete;

  // Whether the thread is in the assumed mode.
  static bool assumed_mode() noexcept { return (read() & control_mask) == control_wanted; }

 private:
#if defined(__SSE2__)
  using Word = uint32_t;
  static constexpr Word control_mask = 0xFFC0u;    // flush to zero, rounding, six exception masks, denormals are zero
  static constexpr Word control_wanted = 0x1F80u;  // the masks only
  static Word read() noexcept { return _mm_getcsr(); }
  static void write(Word word) noexcept {
    __asm__ volatile("" ::: "memory");
    _mm_setcsr(word);
    __asm__ volatile("" ::: "memory");
  }
#elif defined(__aarch64__)
  using Word = uint64_t;
  // Alternate handling and flush inputs (bits 0 to 2), traps (8 to 12 and 15), half-precision flush (19), rounding (22, 23), flush
  // to zero (24), default NaN (25).
  static constexpr Word control_mask = 0x03C89F07u;
  static constexpr Word control_wanted = 0;
  static Word read() noexcept {
    Word word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  static void write(Word word) noexcept { __asm__ volatile("msr fpcr, %0" : : "r"(word) : "memory"); }
#else
  // No portable way to ask for flushing; the mode is the rounding direction.
  using Word = int;
  static constexpr Word control_mask = ~0;
  static constexpr Word control_wanted = FE_TONEAREST;
  static Word read() noexcept { return std::fegetround(); }
  static void write(Word word) noexcept { std::fesetround(word); }
#endif

  Word saved_;
  bool changed_;
};

}  // namespace bankml::math
