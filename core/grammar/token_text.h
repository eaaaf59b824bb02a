// The token that a `<text>` in a grammar stands for. The reference asks its tokenizer, with special tokens recognised; it must be
// exactly one token. Tested by tests/grammar/grammar.cpp
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/vocab/vocab.h"

namespace bankml::grammar {

// Answers of the host first, then special pieces, then the vocabulary's own tokenizer. -1 = not one token. Throws
// Failure(open_text), naming the text, where only the host's tokenizer could tell.
int64_t token_of_text(const Vocab& vocab, const std::map<std::string, int32_t, std::less<>>& answers, std::string_view text);

}  // namespace bankml::grammar
