// A grammar: the model may write nothing but a small JSON object. Draw freely, ask the grammar, and draw again under its mask if
// the token does not fit: what llama-server does. The grammar is told each token first, then the sampler; an end token ends the
// text.
#include <iostream>

#include "bankml.hpp"
#include "examples/cpp/story_model.h"

const char* const gbnf = R"(
root  ::= "{" ws "\"title\": \"" title "\"," ws "\"pet\": " pet "," ws "\"age\": " age ws "}"
title ::= [A-Z] [a-z]{1,7} (" " [a-z]{1,8}){2,4}
pet   ::= "\"cat\"" | "\"dog\"" | "\"bird\""
age   ::= [1-9] [0-9]?
ws    ::= " "?
)";

int main() try {
  const Model model;
  const auto gguf = model.gguf();
  const auto vocab = bankml::Vocab::from_gguf_bytes(gguf.data(), gguf.size());
  auto grammar = bankml::Grammar::from_gbnf(vocab, gbnf);
  bankml::Params params;
  params.set_number("seed", 11);
  bankml::Sampler sampler(params, vocab);
  Context context(model);
  size_t drawn = 0, redraws = 0;
  std::string text;
  std::cout << "begins with " << grammar.forced() << '\n';
  for (;;) {
    const auto [token, redrawn] = sampler.sample_constrained(context.logits(), grammar);
    ++drawn;
    redraws += redrawn ? 1 : 0;
    if (vocab.flags(token) & BANKML_TOKEN_EOG) break;
    grammar.accept(token);
    sampler.accept(token);
    text += model.piece(token);
    context.step(token);
  }
  std::cout << text << '\n' << drawn << " draws, " << redraws << " of them again\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
