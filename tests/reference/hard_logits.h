// Rows that are made to break a fast path: each takes away what the proof of one rests on. They use the machine's libm and
// std::sort, which the reference uses too, so they are for runs in one process.
//
// - `halves`: the softmax sum in id order meets a term that is an odd multiple of half an ulp of the sum, at least once in every
// run
//   of 64 tokens: ties-to-even then looks at the sum's parity, and sums in lanes cannot be proven.
// - `borders`: the same sum creeps up to a power of two, waits within a few ulps below it, and crosses it; again and again.
// - `killer`: distinct logits within one bucket of the bucket sort, in an order that spends the depth limit of libstdc++'s
// introsort
//   under the comparator "larger logit first", so that heap sort decides; with ties in two seeds of three.
// - `one_left`: -inf but for one token.
//
// Tested by tests/reference/hard_logits_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bankml::reference {

void fill_halves(uint64_t seed, size_t n, float* out);
void fill_borders(uint64_t seed, size_t n, float* out);
void fill_killer(uint64_t seed, size_t n, float* out);
void fill_one_left(uint64_t seed, size_t n, float* out);

// Ranks 0 ... n - 1 that drive std::sort with `<` into its depth limit: McIlroy, "A killer adversary for quicksort" (1999). The
// comparator decides ranks while std::sort runs, so that every pivot is nearly the least.
std::vector<uint32_t> killer_ranks(size_t n);

}  // namespace bankml::reference
