// What the reference reads out of token texts: which tokens end a generation, which are control tokens whatever the file says.
//
// GGUF files name one end token or two; chat models have more. The reference (llama.cpp, llama_vocab::impl::load, for facts) goes
// by the text of the tokens. Where it takes "the first match" in the order of a hash table, the lowest id is taken here; real
// vocabularies have one match.
// Tested by tests/vocab/special_tokens_test.cpp
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bankml {

// Kinds of a token, as bits: those of vocab.h, and two that only decide how its text is rendered.
constexpr uint32_t attribute_normal = 1u << 16;
constexpr uint32_t attribute_undefined = 1u << 17;

struct SpecialTokens {  // ids of the metadata, -1 where there is none; rules by text fill in the rest
  int32_t bos = -1;
  int32_t eos = -1;
  int32_t eot = -1;
  int32_t eom = -1;
  int32_t fim_prefix = -1;
  int32_t fim_suffix = -1;
  int32_t fim_middle = -1;
  int32_t fim_pad = -1;
  int32_t fim_repo = -1;
  int32_t fim_separator = -1;
};

// Applies the rules: completes `ids`, changes `attributes` (one per text; end-of-generation tokens get token_eog).
void apply_text_rules(const std::vector<std::string_view>& texts, std::vector<uint32_t>& attributes, SpecialTokens& ids);

}  // namespace bankml
