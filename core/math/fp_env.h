// First include of every file that does arithmetic: forbids what would change a bit of a result.
//
// GCC fuses a*b+c into one rounding by default where the CPU has FMA and ignores the standard pragma against it; cgo refuses
// -ffp-contract=off on the command line. So the guard stands in the source; CMake passes the flag as well. x87 evaluation and
// -ffast-math are refused at compile time.
#pragma once

#include <cfloat>

#if defined(__FAST_MATH__) || defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "bankml computes exact IEEE results: compile it without -ffast-math"
#endif

#if FLT_EVAL_METHOD != 0
#error "bankml needs float arithmetic evaluated as float: on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
