// A constraint of your own: a story without the letter q, x or e. Draw freely, look, and draw again under a mask if the token is
// not allowed. The redraw is what llama-server does under a grammar: most draws are fine, so building a mask each time is waste.
#include <iostream>

#include "bankml.hpp"
#include "examples/cpp/story_model.h"

int main() try {
  const Model model;
  // This constraint never changes, so its mask is made once: bit i of word w allows token 32 * w + i.
  std::vector<uint32_t> mask((model.n_vocab() + 31) / 32);
  for (size_t i = 0; i < model.n_vocab(); ++i) {
    const std::string_view piece = model.piece(static_cast<int32_t>(i));
    if (!piece.empty() && piece.find_first_of("eEqQxX\n") == piece.npos) mask[i / 32] |= 1u << (i % 32);
  }

  bankml::Params params;
  params.set_number("seed", 7);
  bankml::Sampler sampler(params, model.n_vocab());
  Context context(model);
  size_t redraws = 0, drawn = 0;
  std::cout << "text:";
  for (; drawn < 80; ++drawn) {
    int32_t token = sampler.sample(context.logits());
    const auto i = static_cast<uint32_t>(token);
    if (!(mask[i / 32] >> (i % 32) & 1)) {
      token = sampler.sample_masked(context.logits(), mask);
      ++redraws;
    }
    sampler.accept(token);
    std::cout << model.piece(token);
    context.step(token);
  }
  std::cout << '\n' << drawn << " draws, " << redraws << " of them again\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
