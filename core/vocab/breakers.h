// DRY breakers from strings: which tokens end with, or hold, a breaker, and which tokens then have to follow.
//
// A breaker string stops DRY's repeats wherever it occurs in the text, however the text was cut into tokens. So for each vocabulary
// token (in the text of Vocab::breaker_text):
//   it contains the string           -> head with an empty tail
//   it ends with the string's start  -> head, and the tail = the tokens of the string's remaining bytes; one for each such place
// Strings are cut at a NUL (the reference takes C strings) and to 40 bytes, empty ones are skipped; tails are cut to 20 tokens;
// equal (head, tail) pairs are kept once. Tails get their tokens from the vocabulary's own tokenizer where it has one, otherwise
// from the host's answers, by the tail's bytes.
//
// One list of strings costs one scan of the vocabulary; the scan, and what was made of it, is kept in the vocabulary behind a lock
// and shared by every sampler with an equal list. The oldest lists go beyond 64 (users keep theirs alive).
//
// Source: DRY by p-e-w (text-generation-webui), breaker preparation as in llama.cpp.
// Tested by tests/vocab/breakers_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/vocab/vocab.h"

namespace bankml {

struct Breaker {
  int32_t head;
  std::vector<int32_t> tail;  // in reading order; empty: the head alone is the breaker
};

constexpr size_t breaker_max_bytes = 40;
constexpr size_t breaker_max_tail = 20;

using TextTokens = std::map<std::string, std::vector<int32_t>>;  // by the text's bytes

// Tails that need tokens and have none: neither the vocabulary nor `answers` knows them. Each once, in the order of the strings.
std::vector<std::string> open_breaker_tails(const Vocab& vocab, const std::vector<std::string>& strings, const TextTokens& answers);

// Makes what the caller keeps of the breakers, sorted by (head, tail). Called at most once per (list, answers), under the lock.
using BuildBreakers = std::function<std::shared_ptr<const void>(const std::vector<Breaker>&)>;

// The caller's form of the breakers, from the cache or made now. One vocabulary's cache holds one form: `build` must be the same
// for all calls. Throws Failure(open_text), naming the first open tail; Failure(token) where an answer holds an id out of range.
std::shared_ptr<const void> prepare_breakers(const Vocab& vocab, const std::vector<std::string>& strings, const TextTokens& answers,
                                             const BuildBreakers& build);

// The same for a form that is made from a vector of breakers: prepared_breakers<DryBreakers>(vocab, strings, answers).
template <typename Form>
std::shared_ptr<const Form> prepared_breakers(const Vocab& vocab, const std::vector<std::string>& strings,
                                              const TextTokens& answers) {
  return std::static_pointer_cast<const Form>(prepare_breakers(
      vocab, strings, answers,
      [](const std::vector<Breaker>& list) -> std::shared_ptr<const void> { return std::make_shared<const Form>(list); }));
}

}  // namespace bankml
